import Bus
import System
import Wire

/// The controller on the bus: what it hears and says there.
public struct GateBus: Sendable {
    /// A hello every so often: a hub misses two before it says *not reachable*.
    static let heartbeat = Duration.seconds(4)

    private let controller: GateController
    private let client: BusClient

    /// - Parameters:
    ///   - address: of the hub's broker. Whoever was paired over TLS talks to that broker alone.
    public init(_ controller: GateController, address: BusAddress) throws(BusError) {
        self.controller = controller
        let identity = controller.identity
        client = try BusClient(
            address: address,
            credentials: BusCredentials(
                username: BusNames.username(gate: identity.gate), password: BusNames.password(key: identity.key)),
            known: identity.broker.map { .fingerprint($0) },
            will: .init(topic: BusNames.hello(site: identity.site, gate: identity.gate), payload: [], retain: true))
    }

    /// Speaks with the hub until cancelled.
    public func run() async throws {
        let (controller, client) = (controller, client)
        let identity = controller.identity
        try client.subscribe(BusNames.down(site: identity.site, gate: identity.gate))
        client.start()
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                var told: String?
                for await state in client.states {
                    switch state {
                    case .connected:
                        told = ""
                        await controller.connected { send($0) }
                        continue
                    case .connecting: told = told ?? ""
                    case .disconnected(let reason):
                        // Once for each reason, however often it tries; not before it began.
                        if let last = told, last != reason, !Task.isCancelled {
                            Log.warning("gate", "no way to the hub", ["gate": identity.gate.hex, "why": reason])
                            told = reason
                        }
                    }
                    await controller.disconnected()
                }
            }
            group.addTask {
                for await batch in client.batches {
                    for message in batch {
                        // The hub retains nothing for a gate: what is retained was not sent to us now.
                        guard !message.isRetained, let frame = try? GateFrame(decoding: message.payload) else {
                            continue
                        }
                        await controller.receive(frame)
                    }
                }
            }
            group.addTask {
                while true {
                    try await Task.sleep(for: Self.heartbeat)
                    await controller.sayHello()
                    await controller.tellAgain()
                }
            }
            _ = try? await group.next()
            group.cancelAll()
        }
        // Who ends in an orderly way says so: the broker tells the will only of who does not.
        try? client.publish(BusNames.hello(site: identity.site, gate: identity.gate), [], retain: true)
        await client.stop()
    }

    private func send(_ frame: GateFrame) {
        let identity = controller.identity
        do {
            if case .hello = frame {
                try client.publish(
                    BusNames.hello(site: identity.site, gate: identity.gate), frame.encoded(), quality: .atMostOnce,
                    retain: true)
            } else {
                try client.publish(
                    BusNames.up(site: identity.site, gate: identity.gate), frame.encoded(), quality: .atMostOnce)
            }
        } catch {
            // The journal keeps what matters, and tells it again.
            Log.info("gate", "the hub cannot be reached", ["gate": identity.gate.hex, "why": "\(error)"])
        }
    }
}
