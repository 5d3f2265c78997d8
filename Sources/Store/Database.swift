import CSQLite
import Glibc
import System

/// What SQLite refused.
public struct StoreError: Error, Sendable, CustomStringConvertible {
    /// SQLite's extended result code; 0 for refusals of our own.
    public let code: Int32
    /// Words, without any value of a statement.
    public let description: String

    /// What can wait is not written while the disk is nearly full.
    static let scarce = StoreError(SQLITE_FULL, "the disk is nearly full, and this can wait")

    init(_ code: Int32, _ words: String) { (self.code, description) = (code, words) }

    /// A rule of the tables (unique, foreign key, check) was broken.
    public var isConstraint: Bool { code & 0xff == SQLITE_CONSTRAINT }
    /// A row of that key is there already.
    public var isDuplicate: Bool { code == SQLITE_CONSTRAINT | 8 << 8 || code == SQLITE_CONSTRAINT | 6 << 8 }
    /// The disk, or the size that the file may have, is full.
    public var isFull: Bool { code & 0xff == SQLITE_FULL || code == SQLITE_IOERR | 19 << 8 }
}

/// One connection to the file, with its prepared statements. Used by one thread at a time; never kept beyond the closure it is given to.
public final class Database {
    let handle: OpaquePointer
    /// By the address of the literal: a statement is prepared once for each place that it is written in.
    private var literals: [UnsafePointer<UInt8>: OpaquePointer] = [:]
    /// Nil: nothing is at work that is followed up.
    var followUps: FollowUps?
    var mayPassFences = false

    /// - Parameter path: nil: in memory, for as long as it is used.
    init(path: String?, readOnly: Bool) throws(StoreError) {
        var opened: OpaquePointer?
        var flags = (readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE) | SQLITE_OPEN_NOMUTEX
        // Root may work in another user's folder: a link that this user made there, now or later, is not followed. SQLite itself gives
        // the files beside this one to the owner of this one.
        if geteuid() == 0 { flags |= SQLITE_OPEN_NOFOLLOW }
        let place: String
        do { place = try path.map { try Files.place($0) } ?? ":memory:" } catch {
            throw StoreError(SQLITE_CANTOPEN, "\(error)")
        }
        let code = sqlite3_open_v2(place, &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            sqlite3_close_v2(opened)
            throw StoreError(code, "cannot open \(place): \(String(cString: sqlite3_errstr(code)))")
        }
        handle = opened
        sqlite3_extended_result_codes(opened, 1)
        sqlite3_busy_timeout(opened, 5000)
        try run("PRAGMA foreign_keys = ON")
    }

    deinit {
        for statement in literals.values { sqlite3_finalize(statement) }
        sqlite3_close_v2(handle)
    }

    func failure(_ code: Int32) -> StoreError { StoreError(code, String(cString: sqlite3_errmsg(handle))) }

    /// Runs statements that are not kept: migrations and pragmas. Never with a value of somebody else in the text.
    func run(_ sql: String) throws(StoreError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        if code != SQLITE_OK { throw failure(code) }
    }

    /// Whether no transaction is open: after some failures (disk full) SQLite has rolled the whole of it back.
    var isIdle: Bool { sqlite3_get_autocommit(handle) != 0 }

    /// How many rows were changed since it was opened, those included whose change was undone.
    var changes: Int64 { sqlite3_total_changes64(handle) }

    private func prepared(_ sql: StaticString) throws(StoreError) -> OpaquePointer {
        if let statement = literals[sql.utf8Start] { return statement }
        var statement: OpaquePointer?
        let code = sql.utf8Start.withMemoryRebound(to: CChar.self, capacity: sql.utf8CodeUnitCount) {
            sqlite3_prepare_v3(
                handle, $0, Int32(sql.utf8CodeUnitCount), UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        }
        guard code == SQLITE_OK, let statement else { throw failure(code) }
        literals[sql.utf8Start] = statement
        return statement
    }

    private func bound<each Value: SQLValue>(_ sql: StaticString, _ values: (repeat each Value)) throws(StoreError)
        -> OpaquePointer
    {
        let statement = try prepared(sql)
        var index: Int32 = 0
        for value in repeat each values {
            index += 1
            let code = value.bind(to: statement, at: index)
            if code != SQLITE_OK { throw failure(code) }
        }
        precondition(index == sqlite3_bind_parameter_count(statement), "as many values as the statement has marks")
        return statement
    }

    /// Runs a statement that answers no rows.
    /// - Returns: how many rows it changed.
    @discardableResult
    public func execute<each Value: SQLValue>(_ sql: StaticString, _ values: repeat each Value) throws(StoreError)
        -> Int
    {
        let statement = try bound(sql, (repeat each values))
        defer { sqlite3_reset(statement) }
        let code = sqlite3_step(statement)
        if code != SQLITE_DONE && code != SQLITE_ROW { throw failure(code) }
        return Int(sqlite3_changes(handle))
    }

    /// Runs a query and makes a value of each row.
    /// - Parameter make: called with each row; what it throws ends the query.
    public func rows<T, each Value: SQLValue>(
        _ sql: StaticString, _ values: repeat each Value, make: (Row) throws -> T
    ) throws -> [T] {
        let statement = try bound(sql, (repeat each values))
        defer { sqlite3_reset(statement) }
        var found: [T] = []
        while true {
            let code = sqlite3_step(statement)
            if code == SQLITE_DONE { return found }
            if code != SQLITE_ROW { throw failure(code) }
            found.append(try make(Row(statement: statement)))
        }
    }

    /// The first row of a query, nil when there is none.
    public func row<T, each Value: SQLValue>(
        _ sql: StaticString, _ values: repeat each Value, make: (Row) throws -> T
    ) throws -> T? {
        let statement = try bound(sql, (repeat each values))
        defer { sqlite3_reset(statement) }
        let code = sqlite3_step(statement)
        if code == SQLITE_DONE { return nil }
        if code != SQLITE_ROW { throw failure(code) }
        return try make(Row(statement: statement))
    }

    /// The number that the newest row of a table without a key of its own was given.
    public var lastRow: Int64 { sqlite3_last_insert_rowid(handle) }
}

/// The current row of a query; valid inside the closure that it is given to.
public struct Row {
    let statement: OpaquePointer

    /// The column at a place, from 0, as what the context asks for.
    public subscript<T: SQLValue>(_ index: Int32) -> T { T.column(of: statement, at: index) }
}
