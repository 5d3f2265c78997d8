import Glibc
import Synchronization
import System

/// The database of the hub (or of a gate): SQLite, one writer on a thread of its own with group commit, a few readers.
///
/// Each `write` runs in a savepoint of its own inside a transaction that it shares with all who ask at the same moment; nobody is
/// answered before the commit is on disk (`synchronous=FULL`). So durability costs one flush per group rather than per caller.
public final class Store: Sendable {
    /// The file.
    public let path: String
    /// Room that is kept for vital writes.
    public let reserve: Reserve?
    let writer: Writer
    let asides = FairTurns<[UInt8]>(Store.asideAtOnce)
    private let readers: Mutex<Readers>

    private struct Readers {
        // Connections that nobody uses at the moment; each is used by one thread at a time.
        var idle: [Lent] = []
    }

    /// A connection on its way between threads. Unchecked: whoever takes it out of `idle` is its only user until it is put back.
    private struct Lent: @unchecked Sendable {
        let database: Database
    }

    /// At most so many reading connections are kept; more are opened in a crowd and closed after it.
    static let keptReaders = 4

    /// Opens the file, makes it (mode 0600) when it is not there, and brings its tables forward.
    /// - Parameters:
    ///   - path: the file; SQLite puts `-wal` and `-shm` beside it.
    ///   - migrations: all steps of all rooms, in the order in which they build on one another.
    ///   - pageLimit: at most so many pages of 4 KiB, for tests of a full disk; no limit unless told.
    ///   - reserve: room that is kept for vital writes; nil: vital writes are like all others.
    /// - Throws: when the file cannot be opened, or was written by a newer Soglia.
    public init(path: String, migrations: [Migration], pageLimit: Int? = nil, reserve: Reserve? = nil) throws {
        (self.path, self.reserve) = (path, reserve)
        try Files.make(path)
        let database = try Database(path: path, readOnly: false)
        try database.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000")
        // What is deleted is overwritten, not only forgotten.
        try database.run("PRAGMA secure_delete = ON")
        try Self.migrate(database, migrations)
        if let pageLimit { try database.run("PRAGMA max_page_count = \(pageLimit)") }
        writer = Writer(database, at: path, reserve)
        readers = Mutex(Readers())
        writer.start()
    }

    static func migrate(_ database: Database, _ migrations: [Migration]) throws {
        try database.run("CREATE TABLE IF NOT EXISTS migrations (name TEXT NOT NULL PRIMARY KEY) STRICT")
        let done = Set(try database.rows("SELECT name FROM migrations") { $0[0] as String })
        let known = Set(migrations.map(\.name))
        precondition(known.count == migrations.count, "two migrations of one name")
        if let newer = done.subtracting(known).min() {
            throw StoreError(0, "this database was written by a newer Soglia (it has \(newer)): use that version")
        }
        for migration in migrations where !done.contains(migration.name) {
            try database.run("BEGIN IMMEDIATE")
            do {
                try database.run(migration.sql)
                try database.execute("INSERT INTO migrations (name) VALUES (?)", migration.name)
                try database.run("COMMIT")
            } catch {
                try database.run("ROLLBACK")
                throw error
            }
        }
    }

    /// Runs a change of the weight that its task has (see `Store.writing`), and answers when it is on disk.
    /// - Parameter body: see below.
    public func write<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await write(.current, body)
    }

    /// Runs a change and answers when it is on disk.
    /// - Parameters:
    ///   - weight: whether it can wait while the disk is nearly full.
    ///   - body: reads, decides and writes; what it throws undoes its own writes and nobody else's. It may run a second time
    ///     when the group's commit failed, so it must have no effect but on the database.
    public func write<T: Sendable>(
        _ weight: WriteWeight, _ body: @escaping @Sendable (Database) throws -> T
    ) async throws -> T {
        let condition = Condition.current
        let (result, followUps) = try await withUnsafeThrowingContinuation {
            (continuation: UnsafeContinuation<(T, [FollowUp]), any Error>) in
            let job = Job(
                weight,
                { database in
                    try condition?.check(database)
                    let found = try database.collectingFollowUps { try body(database) }
                    condition?.wrote()
                    return found
                }, continuation)
            writer.enqueue(job)
        }
        for followUp in followUps { followUp.run() }
        return result
    }

    /// Runs something that no transaction may be around, between two groups: whoever writes waits behind it.
    func alone<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<T, any Error>) in
            writer.enqueue(Job(alone: true, .ordinary, body, continuation))
        }
    }

    /// Runs a query on the calling thread, in one snapshot. For short reads: the caller's thread is busy for as long.
    public func read<T>(_ body: (Database) throws -> T) throws -> T {
        let database = try readers.withLock { $0.idle.popLast()?.database } ?? Database(path: path, readOnly: true)
        defer {
            let lent = Lent(database: database)
            readers.withLock { if $0.idle.count < Self.keptReaders { $0.idle.append(lent) } }
        }
        try database.execute("BEGIN")
        defer { _ = try? database.execute("COMMIT") }
        return try body(database)
    }

    /// Runs a query on a database that nobody works with and that is to stay as it is: its tables are not brought forward.
    /// - Throws: when it is not there, or lacks what is asked for.
    public static func look<T>(at path: String, _ body: (Database) throws -> T) throws -> T {
        try body(Database(path: path, readOnly: true))
    }

    /// How many commits there have been since the start; for `committed(after:)`.
    public var commits: UInt64 { writer.commits.withLock { $0.count } }

    /// Waits until there have been more commits than `count`, and answers how many there are. Returns early when the task is cancelled.
    public func committed(after count: UInt64) async -> UInt64 { await writer.committed(after: count) }

    /// Stops taking changes, finishes those that wait, and closes the file.
    public func close() async {
        await writer.stop()
        readers.withLock { $0.idle = [] }
    }
}

/// A change that waits for its group. The two closures hide the type of its result.
struct Job: Sendable {
    /// Whether it goes by itself, outside any transaction.
    let isAlone: Bool
    /// Whether it can wait while the disk is nearly full.
    let weight: WriteWeight
    /// Whether it found the disk full when it ran last.
    let isOfFullDisk: @Sendable () -> Bool
    /// Runs the change; true when it went well.
    let run: @Sendable (Database) -> Bool
    /// Tells the caller: with an error when the commit failed, else what `run` found.
    let finish: @Sendable ((any Error)?) -> Void

    init<T: Sendable>(
        alone: Bool = false, _ weight: WriteWeight, _ body: @escaping @Sendable (Database) throws -> T,
        _ continuation: UnsafeContinuation<T, any Error>
    ) {
        (isAlone, self.weight) = (alone, weight)
        let result = Mutex<Result<T, any Error>?>(nil)
        let box = Box(result)
        run = { database in
            let outcome = Result { try body(database) }
            box.result.withLock { $0 = outcome }
            if case .success = outcome { return true }
            return false
        }
        isOfFullDisk = {
            box.result.withLock {
                if case .failure(let error as StoreError) = $0 { return error.isFull }
                return false
            }
        }
        finish = { error in
            if let error { return continuation.resume(throwing: error) }
            continuation.resume(with: box.result.withLock { $0! })
        }
    }

    private final class Box<T: Sendable>: Sendable {
        let result: Mutex<Result<T, any Error>?>
        init(_ result: consuming Mutex<Result<T, any Error>?>) { self.result = result }
    }
}
