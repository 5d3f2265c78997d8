/// How long a test waits for what must come, before it says that it hangs.
///
/// It guards against waiting for ever and proves nothing: machines are starved at times. What must be quick is shown by logic instead: a
/// reason code, the order of things, a clock that the test moves.
public let patience = Duration.seconds(60)

/// Patience is used up in steps, each of which waits its turn like everybody else: who is starved himself does not blame others.
private let step = Duration.milliseconds(10)
private let steps = Int(patience / step)

/// Whether something becomes true before `patience` ends.
public func eventually(_ condition: () async throws -> Bool) async rethrows -> Bool {
    for _ in 0..<steps {
        if try await condition() { return true }
        try? await Task.sleep(for: step)
    }
    return try await condition()
}

/// Lets others have their turn. Among the steps of long pure work, which else keeps one of the few threads of the pool from all other
/// tests until it is done.
public func giveWay(_ round: Int) async {
    if round.isMultiple(of: 64) { await Task.yield() }
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
            for _ in 0..<steps { try await Task.sleep(for: step) }
            throw Late(what)
        }
        defer { group.cancelAll() }
        return try await group.next()!
    }
}
