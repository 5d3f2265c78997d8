import Bus
import Glibc
import Safeguard
import System
import Testing
import Wire

@testable import Box

/// A simulated home on a real broker, with the rights on it that a box has; and a hub that tells the time, and acknowledges when it
/// is told to.
final class BrokerBench: Sendable {
    let folder: String
    let broker: Broker
    let hub: BusClient
    let identity: BoxMemory.Identity
    let home: SimulatedHome
    /// Everything that was published below the box's topics, in order.
    let heard = Shared<[BusMessage]>([])
    /// Records as a hub keeps them: each once, in the order in which they came.
    let kept = Shared<[BoxRecord]>([])
    let acknowledges = Shared(true)
    private let counter = Shared<UInt64>(0)

    private init(_ folder: String) async throws {
        self.folder = folder
        broker = try Broker(folder: folder + "/broker")
        try await broker.start()
        hub = try BusClient(
            address: broker.address, credentials: broker.hubCredentials, backoff: .milliseconds(20) ... .seconds(1))
        let identity = BoxMemory.Identity(box: id(), site: id(), key: Key(Random.bytes(32))!, name: "Cucina")
        self.identity = identity
        let memory = try await BoxMemory(folder: folder + "/box")
        try await memory.setIdentity(identity)
        await memory.store.close()
        home = try SimulatedHome(
            folder: folder + "/box", address: broker.address, pace: .fast, seed: 4, step: .milliseconds(20),
            heartbeat: .milliseconds(200))
        hub.start()
        let states = hub.states
        try await within("the broker") { for await state in states where state == .connected { break } }
        let prefix = identity.prefix
        try await BrokerControl(client: hub, patience: patience).addClient(
            username: BusNames.username(gateway: identity.box), password: BusNames.password(key: identity.key),
            publish: ["hello", "up", "availability", "+/state", "homeassistant/#"].map { prefix + $0 },
            subscribe: ["down", "+/set", "homeassistant/status"].map { prefix + $0 })
        try hub.subscribe(prefix + "#", quality: .atLeastOnce)
    }

    static func run(_ test: @escaping @Sendable (BrokerBench) async throws -> Void) async throws {
        let folder = "/tmp/soglia-home-\(getpid())-" + Random.bytes(6).map { String($0, radix: 16) }.joined()
        try Files.makeFolder(folder)
        let bench = try await BrokerBench(folder)
        let outcome = await withTaskGroup(of: Result<Void, any Error>?.self) { group in
            group.addTask {
                await bench.listen()
                return nil
            }
            group.addTask {
                do {
                    try await bench.home.run()
                    return nil
                } catch { return .failure(error) }
            }
            group.addTask {
                do { return .success(try await test(bench)) } catch { return .failure(error) }
            }
            var first: Result<Void, any Error>?
            while first == nil, let next = await group.next() { first = next }
            group.cancelAll()
            return first ?? .success(())
        }
        await bench.hub.stop()
        await bench.broker.stop()
        for part in ["broker", "box"] {
            for name in Files.names(in: folder + "/" + part) { Files.remove(folder + "/\(part)/" + name) }
            rmdir(folder + "/" + part)
        }
        rmdir(folder)
        try outcome.get()
    }

    // MARK: the hub

    private func listen() async {
        for await batch in hub.batches {
            for message in batch where message.topic.hasPrefix(identity.prefix) {
                let topic = String(message.topic.dropFirst(identity.prefix.count))
                heard.change {
                    $0.append(BusMessage(topic: topic, payload: message.payload, isRetained: message.isRetained))
                }
                guard topic == "hello" || topic == "up", let frame = try? BoxFrame(decoding: message.payload) else {
                    continue
                }
                take(frame)
            }
        }
    }

    private func take(_ frame: BoxFrame) {
        switch frame {
        case .hello(let hello) where hello.verifies(boxKey: identity.key):
            send(.time(TimeAnswer(nonce: hello.timeNonce, utc: WallClock.system.now.seconds, gateKey: identity.key)))
        case .record(let record) where record.verifies(boxKey: identity.key) && acknowledges.value:
            kept.change { kept in
                if !kept.contains(where: { ($0.journalID, $0.sequence) == (record.journalID, record.sequence) }) {
                    kept.append(record)
                }
            }
            if let answer = try? Bench.acknowledgement(record, identity.key) { send(.acknowledgement(answer)) }
        default: return
        }
    }

    func send(_ frame: BoxFrame) {
        try? hub.publish(identity.prefix + "down", frame.encoded(), quality: .atLeastOnce)
    }

    func set(_ actuator: String, _ words: String, retain: Bool = false) throws {
        try hub.publish(identity.prefix + actuator + "/set", Array(words.utf8), quality: .atLeastOnce, retain: retain)
    }

    /// The numbers of the records that were heard, in order, as often as they were told.
    var told: [UInt64] {
        heard.value.compactMap { message in
            guard message.topic == "up", case .record(let record)? = try? BoxFrame(decoding: message.payload) else {
                return nil
            }
            return record.sequence
        }
    }

    var hello: BoxHello? {
        for message in heard.value.reversed() where message.topic == "hello" {
            if case .hello(let hello)? = try? BoxFrame(decoding: message.payload) { return hello }
        }
        return nil
    }

    /// Orders something in the session of the newest hello; the hub's panel stands as told.
    func order(_ kind: BoxOrder.Kind, mode: ArmMode? = nil, panel: Panel) throws {
        counter.change { $0 += 1 }
        let session = try #require(hello?.session)
        send(
            .order(
                try BoxOrder(
                    session: session, counter: counter.value, notAfter: WallClock.system.now.seconds + 10, kind: kind,
                    mode: mode?.rawValue ?? 0, panel: PanelStanding(panel, at: 0), id: id(), boxKey: identity.key)))
    }

    /// What was said last on a topic.
    func state(_ topic: String) -> String? {
        heard.value.last { $0.topic == topic }.map { String(decoding: $0.payload, as: UTF8.self) }
    }

    func expect(_ what: String, _ condition: () async throws -> Bool) async throws {
        if try await !eventually(condition) { throw Late(what) }
    }

    /// The hub is on the bus, and has taken whatever it heard before.
    func isThere() async throws {
        let word = Random.bytes(8)
        try await expect("the hub") {
            try? hub.publish(identity.prefix + "word", word, quality: .atLeastOnce)
            return heard.value.contains { $0.payload == word }
        }
    }

    /// The hub has answered the box.
    func met() async throws { try await expect("the hub's answer") { await home.view().hasHub } }
}
