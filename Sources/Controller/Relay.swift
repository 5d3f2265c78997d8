import System

/// What moves the lock.
public protocol Relay: Sendable {
    /// Holds the relay for so long. Returns when the lock has been told; it need not wait until the time is over.
    /// - Throws: when nothing moved.
    func pulse(milliseconds: UInt16) async throws
}

/// A relay that says what a real one would do.
public struct PrintingRelay: Relay {
    private let name: String

    /// - Parameter name: what it calls the gate.
    public init(name: String) { self.name = name }

    /// Prints a line.
    public func pulse(milliseconds: UInt16) async throws {
        Log.info("relay", "\(name) opens", ["milliseconds": String(milliseconds)])
    }
}
