import Bus
import System
import Wire

/// The box on the bus: what it hears and says there.
public struct BoxBus: Sendable {
    private let controller: BoxController
    private let client: BusClient
    private let heartbeat: Duration

    /// - Parameters:
    ///   - address: of the broker. Whoever was paired over TLS talks to that broker alone.
    ///   - heartbeat: a hello every so often.
    public init(
        _ controller: BoxController, address: BusAddress, heartbeat: Duration = .seconds(4)
    ) throws(BusError) {
        (self.controller, self.heartbeat) = (controller, heartbeat)
        let identity = controller.identity
        client = try BusClient(
            address: address,
            credentials: BusCredentials(
                username: BusNames.username(gateway: identity.box), password: BusNames.password(key: identity.key)),
            known: identity.broker.map { .fingerprint($0) },
            will: .init(topic: identity.prefix + "availability", payload: Array("offline".utf8), retain: true),
            backoff: .milliseconds(100) ... .seconds(5))
    }

    /// Speaks with the hub until cancelled; then says farewell.
    public func run() async throws {
        let (controller, client, heartbeat) = (controller, client, heartbeat)
        let prefix = controller.identity.prefix
        for filter in ["down", "+/set", "homeassistant/status"] {
            try client.subscribe(prefix + filter, quality: .atLeastOnce)
        }
        client.start()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await follow(client.states) }
            group.addTask {
                for await batch in client.batches {
                    for message in batch where message.topic.hasPrefix(prefix) {
                        await controller.receive(
                            String(message.topic.dropFirst(prefix.count)), message.payload,
                            isRetained: message.isRetained)
                    }
                }
            }
            group.addTask {
                while (try? await Task.sleep(for: heartbeat)) != nil {
                    await controller.sayHello()
                    await controller.tellAgain()
                }
            }
            await group.next()
            group.cancelAll()
        }
        // Who ends in an orderly way says so: the broker tells the will only of who does not.
        say(BoxSaying("availability", "offline"))
        say(BoxSaying("hello", []))
        await controller.disconnected()
        await client.stop()
    }

    /// Ends as if the power or the network were cut: the broker tells the will.
    public func cutOff() async { await client.cutOff() }

    private func follow(_ states: AsyncStream<BusState>) async {
        let (controller, identity) = (controller, controller.identity)
        var told: String?
        for await state in states {
            switch state {
            case .connected:
                told = ""
                await controller.connected { say($0) }
                continue
            case .connecting: told = told ?? ""
            case .disconnected(let reason):
                // Once for each reason, however often it tries; not before it began.
                if let last = told, last != reason, !Task.isCancelled {
                    Log.warning("box", "no way to the hub", ["box": identity.box.hex, "why": reason])
                    told = reason
                }
            }
            await controller.disconnected()
        }
    }

    private func say(_ saying: BoxSaying) {
        do {
            try client.publish(
                controller.identity.prefix + saying.topic, saying.payload,
                quality: saying.isSure ? .atLeastOnce : .atMostOnce, retain: saying.isRetained)
        } catch {
            // The journal keeps what matters, and tells it again.
            Log.info("box", "the hub cannot be reached", ["box": controller.identity.box.hex, "why": "\(error)"])
        }
    }
}
