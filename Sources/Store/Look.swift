extension Store {
    /// Runs a query on a file, beside whoever else uses it: without a writer, and without bringing its tables forward.
    /// - Throws: when it cannot be read, or is no database of ours.
    public static func look<T>(path: String, _ body: (Database) throws -> T) throws -> T {
        try body(Database(path: path, readOnly: true))
    }

    /// The steps that a database has taken, by name.
    public static func steps(path: String) throws -> Set<String> {
        try look(path: path) { Set(try $0.rows("SELECT name FROM migrations") { $0[0] as String }) }
    }
}
