import Synchronization

/// A place that several tasks and threads write to.
public final class Shared<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    /// What is there first.
    public init(_ value: Value) { mutex = Mutex(value) }

    /// What is there now.
    public var value: Value { mutex.withLock { $0 } }

    /// Changes it as one step.
    public func change(_ body: @Sendable (inout Value) -> Void) { mutex.withLock { body(&$0) } }
}
