/// How long a test waits for what must come, before it says that it hangs.
///
/// It guards against waiting for ever and proves nothing: machines are starved at times. What must be quick is shown by logic instead: a
/// reason code, the order of things, a clock that the test moves.
public let patience = Duration.seconds(60)

/// Whether something becomes true before `patience` ends.
public func eventually(_ condition: () async throws -> Bool) async rethrows -> Bool {
    let deadline = ContinuousClock.now + patience
    repeat {
        if try await condition() { return true }
        try? await Task.sleep(for: .milliseconds(10))
    } while ContinuousClock.now < deadline
    return try await condition()
}

/// What was waited for did not come.
public struct Late: Error, CustomStringConvertible {
    /// What it was.
    public let description: String

    /// - Parameter description: what was waited for.
    public init(_ description: String) { self.description = description }
}

/// Runs something that must end by itself.
/// - Throws: `Late` when it has not ended before `patience` does.
public func within<Value: Sendable>(
    _ what: String, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await Task.sleep(for: patience)
            throw Late(what)
        }
        defer { group.cancelAll() }
        return try await group.next()!
    }
}
