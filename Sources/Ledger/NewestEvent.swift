import Store
import System

extension Store {
    /// When the newest event of a database was written; read only, beside whoever else uses it. Nil when there is none.
    public static func newestEvent(path: String) throws -> Timestamp? {
        try Store.look(path: path) { database in
            try database.row("SELECT at FROM events ORDER BY position DESC LIMIT 1") { $0[0] as Timestamp }
        }
    }
}
