import Ledger
import Store

extension Doors {
    /// Badges go with the person.
    public static let erasers = [
        Eraser(erase: { erasure, database in
            try database.execute(
                "DELETE FROM badges WHERE person = ? AND site = ?", erasure.person, erasure.site)
        })
    ]
}
