import Synchronization

/// What must hold when something is written, and not only when somebody looked whether it may be.
final class Condition: Sendable {
    @TaskLocal static var current: Condition?

    private let outer: Condition?
    private let bindsFirstWriteAlone: Bool
    private let hold: @Sendable (Database) throws -> Void
    private let isOver = Atomic(false)

    init(
        inside outer: Condition?, bindsFirstWriteAlone: Bool, _ hold: @escaping @Sendable (Database) throws -> Void
    ) {
        (self.outer, self.bindsFirstWriteAlone, self.hold) = (outer, bindsFirstWriteAlone, hold)
    }

    /// Throws when it does not hold. What was begun meanwhile and outlives the body is bound no longer.
    func check(_ database: Database) throws {
        try outer?.check(database)
        if !isOver.load(ordering: .acquiring) { try hold(database) }
    }

    /// Something was written.
    func wrote() {
        outer?.wrote()
        if bindsFirstWriteAlone { end() }
    }

    func end() { isOver.store(true, ordering: .releasing) }
}

extension Store {
    /// Runs something whose writes stand only if a condition holds in the transaction of each of them: between a look and a write others
    /// are at work. A write that is refused leaves nothing, and throws what the condition threw.
    /// - Parameter condition: runs on the writer's thread, before the change: it takes no time, and waits for no write.
    public static func writing<T>(
        only condition: @escaping @Sendable (Database) throws -> Void,
        _ body: nonisolated(nonsending) () async throws -> T
    ) async rethrows -> T {
        try await writing(condition, bindsFirstWriteAlone: false, body)
    }

    /// The same for the first write alone, where that one may end what the condition asks for: the session that asks to be ended, say.
    public static func writing<T>(
        first condition: @escaping @Sendable (Database) throws -> Void,
        _ body: nonisolated(nonsending) () async throws -> T
    ) async rethrows -> T {
        try await writing(condition, bindsFirstWriteAlone: true, body)
    }

    private static func writing<T>(
        _ condition: @escaping @Sendable (Database) throws -> Void, bindsFirstWriteAlone: Bool,
        _ body: nonisolated(nonsending) () async throws -> T
    ) async rethrows -> T {
        let condition = Condition(inside: .current, bindsFirstWriteAlone: bindsFirstWriteAlone, condition)
        defer { condition.end() }
        return try await Condition.$current.withValue(condition, operation: body)
    }
}
