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
    ///   - fromNow: whether who follows for the first time is told nothing of what was before.
    ///   - body: what is done with them. Returns when the task is cancelled.
    public func follow(
        as name: String, fromNow: Bool = false, _ body: ([Event]) async throws -> Void
    ) async throws {
        let known = try store.read {
            try $0.row("SELECT position FROM followers WHERE name = ?", name) { $0[0] as Int64 }
        }
        var position = try known ?? (fromNow ? self.position() : 0)
        if known == nil, fromNow { try await keep(position, of: name) }
        try await follow(from: &position) { events, last in
            // What follows from what could not wait cannot wait either.
            try await Store.writing(.vital) { try await body(events) }
            try await keep(last, of: name)
        }
    }

    private func keep(_ position: Int64, of name: String) async throws {
        try await store.write(.vital) { database in
            _ = try database.execute(
                "INSERT INTO followers (name, position) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET position = excluded.position",
                name, position)
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
