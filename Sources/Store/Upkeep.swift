import System

// What a database needs beside reading and writing.

extension Store {
    /// So many long queries that people ask for run at a time.
    /// - Key: hub
    public static let asideAtOnce = 4

    /// Runs a long query that somebody asks for on a thread of its own, in one snapshot, when it is their turn: each has one after the
    /// others, however many they ask for.
    /// - Parameter name: a name of theirs.
    public func readAside<T: Sendable>(
        for name: [UInt8], _ body: @escaping @Sendable (Database) throws -> T
    ) async throws -> T {
        try await asides.run(for: name) { try await self.readAside(body) }
    }

    /// Runs a long query of the hub itself on a thread of its own, in one snapshot.
    public func readAside<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await Thread.run(name: "store reader") { try self.read(body) }
    }

    /// Writes every page of the file anew, so that nothing deleted stays behind between the rows of one.
    ///
    /// `secure_delete` overwrites a row where it lies when it goes. When rows move between pages, for balance, SQLite leaves their old
    /// bytes in the gap of the page that they left, and nothing overwrites those (measured: after 6 of 150 erasures of a third of 200
    /// events, a piece of a payload was still in the file). Cut the log after it: see `truncateLog`.
    ///
    /// Changes wait meanwhile and reads go on. It takes free space twice the size of the file.
    /// - Returns: how long they waited.
    @discardableResult
    public func rewrite() async throws -> Duration {
        try await alone { database in
            let begun = ContinuousClock.now
            try database.run("VACUUM")
            return ContinuousClock.now - begun
        }
    }

    /// The bytes of the file, those in the log included.
    public func size() throws -> Int64 {
        try read {
            try $0.row("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()") { $0[0] } ?? 0
        }
    }

    /// Moves the write-ahead log into the file and cuts it off, so that nothing deleted stays behind in it.
    /// - Returns: whether it could be done; a reader of an old snapshot (a backup, an export) holds it up.
    public func truncateLog() async throws -> Bool {
        let path = path
        return try await Thread.run(name: "store log") {
            let database = try Database(path: path, readOnly: false)
            // The writer waits behind this: not for long.
            try database.run("PRAGMA busy_timeout = 250")
            for _ in 0..<8 {
                let isBusy = try database.row("PRAGMA wal_checkpoint(TRUNCATE)") { $0[0] as Bool }
                if isBusy == false { return true }
            }
            return false
        }
    }

    /// Writes a whole copy of a database, as it is at this moment, while others read and write it. Blocks for as long as that takes.
    /// - Parameter target: an empty file is made there, or is there already.
    public static func copy(_ path: String, to target: String) throws {
        let place = try Files.make(target)
        try Database(path: path, readOnly: true).execute("VACUUM INTO ?", place)
    }
}
