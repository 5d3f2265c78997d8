import Synchronization

/// A place that several tasks and threads write to.
public final class Shared<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    /// What is there first.
    public init(_ value: Value) { mutex = Mutex(value) }

    /// What is there now.
    public var value: Value { mutex.withLock { $0 } }

    /// Changes it as one step. What was changed by one must be answered from here: a look at `value` after it may see another's change.
    @discardableResult
    public func change<Result: Sendable>(_ body: @Sendable (inout Value) -> Result) -> Result {
        mutex.withLock { body(&$0) }
    }
}
