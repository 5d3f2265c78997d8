import Bus
import Glibc
import System
// Exported: every file of these tests sees it.
@_exported import TestSupport
import Testing

/// A real broker in a folder of its own, the hub's client on it, and clients that a test lets in.
struct House {
    let folder: String
    let broker: Broker
    let hub: BusClient
    let control: BrokerControl

    /// Builds it, runs the test and takes it down again, also when the test fails.
    static func run(_ test: (House) async throws -> Void) async throws {
        let folder = "/tmp/soglia-bus-\(getpid())-\(Random.bytes(6).map { String($0) }.joined(separator: "-"))"
        let broker = try Broker(folder: folder)
        try await broker.start()
        let hub = try BusClient(
            address: broker.address, credentials: broker.hubCredentials, backoff: .milliseconds(20) ... .seconds(1))
        let house = House(
            folder: folder, broker: broker, hub: hub, control: BrokerControl(client: hub, patience: patience))
        let outcome: Result<Void, any Error>
        do {
            hub.start()
            try await hub.expect(.connected)
            try await test(house)
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        await hub.stop()
        await broker.stop()
        for name in Files.names(in: folder) { Files.remove(folder + "/" + name) }
        rmdir(folder)
        try outcome.get()
    }

    /// A client of this name that the broker lets in, not started yet.
    func client(
        _ name: String, publish: [String] = [], subscribe: [String] = [], version: BusClient.Version = .three
    ) async throws -> BusClient {
        let credentials = BusCredentials.random(username: name)
        try await control.addClient(
            username: name, password: credentials.password, publish: publish, subscribe: subscribe)
        return try BusClient(
            address: broker.address, credentials: credentials, version: version,
            backoff: .milliseconds(20) ... .seconds(1))
    }
}

extension BusClient {
    /// Waits for a state.
    func expect(_ wanted: BusState) async throws {
        _ = try await expectState("\(wanted)") { $0 == wanted }
    }

    /// Waits for a state that the test describes, and answers it.
    func expectState(_ what: String, _ isWanted: @escaping @Sendable (BusState) -> Bool) async throws -> BusState {
        let states = states
        return try await within(what) {
            for await state in states where isWanted(state) { return state }
            throw Late("\(what): the states ended")
        }
    }

    /// Subscribes and waits until the broker has taken note: it obeys each connection in order. For the hub, which may
    /// publish and hear everything.
    func listen(to filter: String) async throws {
        try subscribe(filter)
        let marker = "soglia"
        try subscribe(marker)
        try publish(marker, [])
        _ = try await read(upTo: marker)
    }

    /// Reads messages up to and with the one on this topic.
    func read(upTo topic: String) async throws -> [BusMessage] {
        let batches = batches
        return try await within("a message on \(topic)") {
            var read: [BusMessage] = []
            for await batch in batches {
                read += batch
                if batch.contains(where: { $0.topic == topic }) { return read }
            }
            throw Late("the messages ended before \(topic)")
        }
    }
}
