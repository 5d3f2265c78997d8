import Synchronization

/// What must hold when something is written, and not only when somebody looked whether it may be.
final class Condition: Sendable {
    @TaskLocal static var current: Condition?

    private let hold: @Sendable () throws -> Void
    private let isOver = Atomic(false)

    init(_ hold: @escaping @Sendable () throws -> Void) { self.hold = hold }

    /// Throws when it does not hold. What was begun meanwhile and outlives the body is bound no longer.
    func check() throws { if !isOver.load(ordering: .acquiring) { try hold() } }

    func end() { isOver.store(true, ordering: .releasing) }
}

extension Store {
    /// Runs something whose writes stand only if a condition holds in the transaction of each of them: between a look and a write others
    /// are at work. A write that is refused leaves nothing, and throws what the condition threw.
    /// - Parameter condition: runs on the writer's thread, before the change: it takes no time, and waits for no write.
    public static func writing<T>(
        only condition: @escaping @Sendable () throws -> Void, _ body: nonisolated(nonsending) () async throws -> T
    ) async rethrows -> T {
        let condition = Condition(condition)
        defer { condition.end() }
        return try await Condition.$current.withValue(condition, operation: body)
    }
}
