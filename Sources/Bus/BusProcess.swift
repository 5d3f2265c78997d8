import System

/// A program beside the hub without which nobody reaches the bus: started by the hub, and again whenever it ends.
public protocol BusProcess: Actor {
    /// Starts it and waits until it accepts connections. When it runs already, nothing happens.
    func start() async throws(BrokerError)

    /// Ends it and waits until it has ended.
    func stop() async

    /// Its process while it runs.
    var processID: Int32? { get }

    /// Waits until its process has ended, wanted or not, and answers how; nil at once where none was started. Then `start`
    /// brings it back.
    func waitForEnd() async -> Child.End?
}
