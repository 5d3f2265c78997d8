extension Store {
    /// Runs a query on a file, beside whoever else uses it: without a writer, and without bringing its tables forward.
    /// - Throws: when it cannot be read, or is no database of ours.
    public static func look<T>(path: String, _ body: (Database) throws -> T) throws -> T {
        try body(Database(path: path, readOnly: true))
    }

    /// Whether something acts in the file, or shows other than what is there, that its steps do not make: a trigger, a view, an index that does not
    /// hold what its table does; or lacks one that they make.
    /// - Parameter migrations: its steps.
    public func hasStrangers(to migrations: [Migration]) throws -> Bool {
        // Once for all that is read after it: a look by an index sees what is in that.
        guard try read({ try $0.row("PRAGMA integrity_check(1)") { $0[0] as String } }) == "ok" else { return true }
        // SQLite goes by the statement alone, whatever the row calls it; it writes those of tables as they stand here.
        func actors(_ database: Database) throws -> Set<String> {
            Set(
                try database.rows(
                    """
                    SELECT sql FROM sqlite_schema NOT INDEXED WHERE sql IS NOT NULL AND sql NOT GLOB 'CREATE TABLE *'
                    """
                ) { $0[0] as String })
        }
        let usual = try Database(path: nil, readOnly: false)
        try Self.migrate(usual, migrations)
        return try read(actors) != actors(usual)
    }

    /// The steps that a database has taken, by name.
    public static func steps(path: String) throws -> Set<String> {
        try look(path: path) { Set(try $0.rows("SELECT name FROM migrations") { $0[0] as String }) }
    }
}
