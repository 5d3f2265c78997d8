/// How a client and its broker stand.
public enum BusState: Sendable, Equatable {
    /// On the way: the broker has not answered yet, or has not acknowledged every subscription.
    case connecting
    /// The broker knows us and has answered every subscription made before.
    case connected
    /// Not connected, and why, in words. A client that was started tries again by itself.
    case disconnected(reason: String)
}
