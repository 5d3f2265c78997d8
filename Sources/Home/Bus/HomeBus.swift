import Bus
import Synchronization

/// What Home says on the bus. Its connection is its own, so that a house full of noise slows no gate.
final class HomeBus: Sendable {
    private let client = Mutex<BusClient?>(nil)
    private let readers = Mutex<[any GatewayListener]>([])

    /// Says who reads what is no reading; before anything runs.
    func add(_ listener: any GatewayListener) { readers.withLock { $0.append(listener) } }

    /// Those who read what is no reading, in the order in which they came.
    var listeners: [any GatewayListener] { readers.withLock { $0 } }

    /// The connection from now on; nil: there is none.
    func use(_ new: BusClient?) { client.withLock { $0 = new } }

    /// Whether anything can be said now.
    var isConnected: Bool { client.withLock { $0?.state == .connected } }

    /// Says something to a gateway, at once: nothing is kept for later, and what moves something is never retained.
    /// - Parameter topic: below the gateway's own.
    func publish(
        _ topic: String, _ payload: [UInt8], to gateway: Gateway, quality: BusClient.Quality = .atLeastOnce,
        retain: Bool = false
    ) throws(BusError) {
        guard let client = client.withLock({ $0 }) else { throw .notConnected }
        try client.publish(gateway.prefix + topic, payload, quality: quality, retain: retain)
    }
}
