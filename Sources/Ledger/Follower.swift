import Store

extension Ledger {
    /// Hands every event from now on to a closure, in order, in batches; for views that live only as long as the process.
    /// - Parameter body: what is done with them. Returns when the task is cancelled.
    public func follow(_ body: ([Event]) async throws -> Void) async throws {
        var position = try position()
        try await follow(from: &position) { events, _ in try await body(events) }
    }

    /// Hands every event to a closure, in order, in batches, *at least once* for ever: the place is kept in the database after each
    /// batch, so an effect that must not happen twice is keyed by the event's id.
    /// - Parameters:
    ///   - name: who follows; one task per name.
    ///   - body: what is done with them. Returns when the task is cancelled.
    public func follow(as name: String, _ body: ([Event]) async throws -> Void) async throws {
        var position = try store.read {
            try $0.row("SELECT position FROM followers WHERE name = ?", name) { $0[0] as Int64 } ?? 0
        }
        try await follow(from: &position) { events, last in
            try await body(events)
            try await store.write { database in
                _ = try database.execute(
                    "INSERT INTO followers (name, position) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET position = excluded.position",
                    name, last)
            }
        }
    }

    private func follow(from position: inout Int64, _ body: ([Event], Int64) async throws -> Void) async throws {
        while !Task.isCancelled {
            let commits = store.commits
            let events = try events(after: position, limit: 256)
            guard let last = events.last?.position else {
                _ = await store.committed(after: commits)
                continue
            }
            try await body(events, last)
            position = last
        }
    }
}
