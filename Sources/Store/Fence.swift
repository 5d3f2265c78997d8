import CSQLite

/// Rows that may be written only inside `Database.passingFences`, so that a test finds every write that goes past the one way of a kind of
/// change. It costs a call for each row: see `Store.put(fences:)`.
public struct Fence: Sendable {
    let table: String
    private let column: String?
    private let condition: String

    /// - Parameters:
    ///   - column: the only one that counts, and where nothing but its change does; nil: all of them, new rows and removed ones, too.
    ///   - condition: which rows count, in SQL; `row.` names the row.
    public init(_ table: String, column: String? = nil, where condition: String = "1") {
        (self.table, self.column, self.condition) = (table, column, condition)
    }

    /// The triggers that make it, for one connection.
    fileprivate var triggers: String {
        let events =
            column.map { [("update_\($0)", "UPDATE OF \($0)", "NEW.")] } ?? [
                ("insert", "INSERT", "NEW."), ("update", "UPDATE", "NEW."), ("delete", "DELETE", "OLD."),
            ]
        return events.map { name, event, row in
            """
            CREATE TEMP TRIGGER fence_\(table)_\(name) BEFORE \(event) ON main.\(table)
            WHEN NOT may_pass_fences() AND (\(condition.replacing("row.", with: row)))
            BEGIN SELECT RAISE(ABORT, 'a write of \(table) went past the one way to change it'); END;
            """
        }.joined(separator: "\n")
    }
}

extension Store {
    /// Refuses writes of fenced rows from now on, for as long as the store is open. For builds that are tested.
    public func put(fences: [Fence]) async throws {
        try await alone { database in
            try database.addFenceFunction()
            for fence in fences { try database.run(fence.triggers) }
        }
    }
}

extension Database {
    /// Runs a part of a change that may write fenced rows.
    public func passingFences<T>(_ body: () throws -> T) rethrows -> T {
        let outer = mayPassFences
        mayPassFences = true
        defer { mayPassFences = outer }
        return try body()
    }

    fileprivate func addFenceFunction() throws(StoreError) {
        let own = Unmanaged.passUnretained(self).toOpaque()
        let code = sqlite3_create_function_v2(
            handle, "may_pass_fences", 0, SQLITE_UTF8, own, mayPassFencesNow, nil, nil, nil)
        if code != SQLITE_OK { throw failure(code) }
    }
}

/// Asked by the triggers, on the thread of the connection, which lives longer than its statements.
private func mayPassFencesNow(
    _ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?
) {
    guard let own = sqlite3_user_data(context) else { return }
    sqlite3_result_int(context, Unmanaged<Database>.fromOpaque(own).takeUnretainedValue().mayPassFences ? 1 : 0)
}
