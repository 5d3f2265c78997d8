import Bus
import Ledger
import Platform
import Synchronization
import System
import TestSupport
import Testing
import Wire

@testable import Home
@testable import Household

/// A real broker, Home's own connection to it, and devices that come in with the credentials of their gateways.
final class TestBus: Sendable {
    let broker: Broker
    private let house: TestHouse
    private let work = Mutex<Task<Void, any Error>?>(nil)
    private let clients = Mutex<[BusClient]>([])

    init(_ broker: Broker, _ house: TestHouse) { (self.broker, self.house) = (broker, house) }

    /// Brings Home onto the bus and waits until it is there.
    func begin(_ intake: Intake) async throws {
        let connection = HomeConnection(intake, house.parts.given.bus)
        work.withLock { $0 = Task { try await connection.run() } }
        guard await eventually({ house.parts.bus.isListening }) else { throw Late("Home's connection") }
    }

    /// Takes Home off the bus, as the end of a hub does.
    func stopHome() async {
        let task = work.withLock { work in
            defer { work = nil }
            return work
        }
        task?.cancel()
        _ = await task?.result
    }

    /// Stops the broker, and waits until Home and the hub, each with a connection of its own, know that it is away.
    func stopBroker() async {
        await broker.stop()
        #expect(
            await eventually {
                !house.parts.bus.isConnected && house.parts.given.bus?.client.state != .connected
            })
    }

    /// A device that may say and hear what lies below its gateway, connected.
    func client(_ gateway: Gateway, will: BusClient.Will? = nil) async throws -> BusClient {
        let credentials = BusCredentials.random(username: gateway.username)
        guard await eventually({ house.parts.given.bus?.client.state == .connected }) else {
            throw Late("the hub's connection")
        }
        try await house.parts.given.bus!.control.addClient(
            username: credentials.username, password: credentials.password, publish: [gateway.prefix + "#"],
            subscribe: [gateway.prefix + "#"])
        return try await connect(credentials, will: will)
    }

    /// Somebody with these credentials, connected.
    func connect(_ credentials: BusCredentials, will: BusClient.Will? = nil) async throws -> BusClient {
        let client = try BusClient(
            address: broker.address, credentials: credentials, will: will, backoff: .milliseconds(20) ... .seconds(1))
        clients.withLock { $0.append(client) }
        client.start()
        guard await eventually({ client.state == .connected }) else { throw Late("a device's connection") }
        return client
    }

    /// Ends everything but the broker.
    func end() async {
        await stopHome()
        for client in clients.withLock({ $0 }) { await client.stop() }
    }
}

/// Keeps what it is told.
final class Recorder: ReadingListener, GatewayListener {
    private let readings = Mutex<[(sensor: SensorID, reading: Reading)]>([])
    private let statuses = Mutex<[(sensor: SensorID, status: SensorStatus)]>([])
    private let messages = Mutex<[(topic: String, isRetained: Bool)]>([])

    /// What a sensor told.
    func readings(of sensor: Sensor) -> [Reading] {
        readings.withLock { $0.filter { $0.sensor == sensor.id }.map(\.reading) }
    }

    /// How a sensor was, one after the other, where no reading said so.
    func statuses(of sensor: Sensor) -> [SensorStatus] {
        statuses.withLock { $0.filter { $0.sensor == sensor.id }.map(\.status) }
    }

    /// What was said beside readings.
    var unbound: [(topic: String, isRetained: Bool)] { messages.withLock { $0 } }

    func heard(_ reading: Reading, of sensor: Sensor, before: SensorState) {
        readings.withLock { $0.append((sensor.id, reading)) }
    }

    func changed(to status: SensorStatus, of sensor: Sensor, before: SensorState, at now: Timestamp) {
        statuses.withLock { $0.append((sensor.id, status)) }
    }

    func receive(_ topic: Substring, _ payload: [UInt8], isRetained: Bool, from gateway: Gateway) -> Bool {
        messages.withLock { $0.append((String(topic), isRetained)) }
        return true
    }
}

extension Intake {
    /// Takes one message below a gateway.
    func receive(_ topic: String, _ payload: [UInt8], from gateway: Gateway) async {
        await receive([BusMessage(topic: gateway.prefix + topic, payload: payload, isRetained: false)])
    }

    /// The same, in words.
    func receive(_ topic: String, _ text: String, isRetained: Bool = false, from gateway: Gateway) async {
        await receive([BusMessage(topic: gateway.prefix + topic, payload: Array(text.utf8), isRetained: isRetained)])
    }

    /// Lets time go by, looking once a second.
    func pass(seconds: Int, in house: TestHouse) {
        for _ in 0..<seconds {
            house.time.change { $0 = $0.adding(milliseconds: 1_000) }
            look()
        }
    }
}
