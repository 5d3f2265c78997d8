import Bus
import Commands
import Glibc
import Ledger
import Pages
import Platform
import Safeguard
import Store
import System
import TestSupport
import Wire

@testable import Accounts
@testable import Home
@testable import Household

let noon = Timestamp(iso8601: "2026-11-21T12:00:00.000Z")!

func moment(_ text: String) -> Timestamp { Timestamp(iso8601: text)! }

/// A house on a real file, put together by a hub that has no broker unless the test wants one.
final class TestHouse: Sendable {
    let parts: HomeParts
    let site = Site(id: .new(at: noon), name: "Casa al mare", kind: .home, zone: Zone(name: "Europe/Rome")!)
    let gateway: Gateway
    let device: Device
    let time: Shared<Timestamp>

    private init(_ hub: Hub, _ time: Shared<Timestamp>) throws {
        self.time = time
        parts = try HomeParts(hub.given)
        gateway = Gateway(
            id: .new(at: noon), site: site.id, kind: .device, name: "Kitchen",
            key: Key([UInt8](repeating: 7, count: 32))!)
        device = Device(
            id: .new(at: noon), site: site.id, gateway: gateway.id, key: "kitchen", name: "Kitchen", origin: .added)
    }

    /// Builds it, runs the test and takes it down again, also when the test fails.
    /// - Parameter free: the bytes of its disk that are free, where room is kept on it.
    static func run(free: Shared<Int64>? = nil, _ test: (TestHouse) async throws -> Void) async throws {
        try await build(with: nil, free: free) { house, _ in try await test(house) }
    }

    /// The same with a broker of its own, and the hub on it. Home is not on it before the test says so.
    static func runWithBroker(_ test: (TestHouse, TestBus) async throws -> Void) async throws {
        let folder = folder("broker")
        let broker = try Broker(folder: folder)
        try await broker.start()
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(
                try await build(with: broker) { house, hub in
                    _ = try await hub.start()
                    let bus = TestBus(broker, house)
                    let result: Result<Void, any Error>
                    do { result = .success(try await test(house, bus)) } catch { result = .failure(error) }
                    await bus.end()
                    try result.get()
                })
        } catch { outcome = .failure(error) }
        await broker.stop()
        remove(folder)
        try outcome.get()
    }

    /// Home's tables without its work, which the test does itself.
    private struct Tables: Feature {
        static let migrations = Home.migrations
        init(_ given: Given) {}
        func register(routes: inout Routes) {}
        func register(pages: inout PageRoutes) {}
        func register(commands: Commands) {}
        func run() async throws {}
    }

    private static func folder(_ name: String) -> String {
        "/tmp/soglia-\(name)-\(getpid())-\(Random.bytes(8).map { String($0, radix: 16) }.joined(separator: "-"))"
    }

    private static func remove(_ folder: String) {
        for name in Files.names(in: folder) { Files.remove(folder + "/" + name) }
        rmdir(folder)
    }

    private static func build(
        with broker: Broker?, free: Shared<Int64>? = nil, _ test: (TestHouse, Hub) async throws -> Void
    ) async throws {
        let folder = folder("home")
        let time = Shared(noon)
        var settings = Hub.Settings(folder: folder, server: .init(), clock: WallClock { time.value })
        settings.passwordMemory = 64 << 10
        if let free {
            try Files.makeFolder(folder)
            settings.reserve = Reserve(
                folder: folder, limit: 64 << 10, read: { _ in FreeSpace(free: free.value, total: 1 << 40) })
        }
        if let broker { settings.bus = (broker.address, broker.hubCredentials) }
        let hub = try Hub(settings, features: [broker == nil ? Home.self : Tables.self])
        let house = try TestHouse(hub, time)
        let outcome: Result<Void, any Error>
        do {
            let (site, gateway, device) = (house.site, house.gateway, house.device)
            try await house.parts.registry.change(at: site.id) { database in
                try AccountRecords.add(site, at: noon, by: nil, in: database)
                try HomeRecords.put(gateway, in: database)
                try HomeRecords.put(device, in: database)
            }
            outcome = .success(try await test(house, hub))
        } catch { outcome = .failure(error) }
        await hub.stop()
        remove(folder)
        try outcome.get()
    }

    /// Another gateway of the house, with one device.
    func gateway(_ name: String, _ kind: Gateway.Kind = .device) async throws -> (Gateway, Device) {
        let gateway = Gateway(
            id: .new(at: time.value), site: site.id, kind: kind, name: name,
            key: Key([UInt8](repeating: 8, count: 32))!)
        let device = Device(
            id: .new(at: time.value), site: site.id, gateway: gateway.id, key: name.lowercased(), name: name,
            origin: .added)
        try await parts.registry.change(at: site.id) { database in
            try HomeRecords.put(gateway, in: database)
            try HomeRecords.put(device, in: database)
        }
        return (gateway, device)
    }

    /// More devices of the house's gateway, added by hand, until it has so many.
    func addDevices(upTo count: Int, in database: Database) throws {
        for number in 1..<count {
            try HomeRecords.put(
                Device(
                    id: .new(at: noon), site: site.id, gateway: gateway.id, key: "d\(number)", name: "D", origin: .added
                ),
                in: database)
        }
    }

    /// A sensor of the house's one device.
    func sensor(
        _ key: String, _ kind: SensorKind, unit: String = "", range: ClosedRange<Double>? = nil,
        period: Double? = nil, alarmClass: SensorClass? = nil, of owner: Device? = nil, binding: SensorBinding? = nil
    ) async throws -> Sensor {
        let id = SensorID.new(at: time.value)
        let sensor = Sensor(
            id: id, number: 0, device: (owner ?? device).id, site: site.id, key: key, name: key.capitalized,
            kind: kind, unit: unit, range: range, period: period, alarmClass: alarmClass ?? kind.usualClass,
            binding: binding ?? SensorBinding(topic: key + "/state"))
        try await parts.registry.change(at: site.id) { try HomeRecords.add(sensor, in: $0) }
        return parts.registry.catalog.sensors[id]!
    }

    /// An actuator of the house's one device.
    func actuator(
        _ key: String, _ kind: ActuatorKind, binding: ActuatorBinding? = nil
    ) async throws -> Actuator {
        let id = ActuatorID.new(at: time.value)
        let actuator = Actuator(
            id: id, device: device.id, site: site.id, gateway: gateway.id, key: key, name: key.capitalized, kind: kind,
            binding: binding ?? ActuatorBinding(commandTopic: key + "/set", valueTopic: key + "/set"))
        try await parts.registry.change(at: site.id) { try HomeRecords.put(actuator, in: $0) }
        return parts.registry.catalog.actuators[id]!
    }

    /// Somebody with a membership, signed in.
    func principal(_ name: String, _ permission: Permission) async throws -> Principal {
        let accounts = parts.given.accounts
        let person = Person(id: .new(at: noon), name: name, email: "\(name.lowercased())@example.org", language: nil)
        let membership = Membership(
            id: .new(at: noon), person: person.id, site: site.id, permission: permission, role: nil, firstDay: nil,
            lastDay: nil)
        let hash = try await accounts.passwordHash("long enough, is it?")
        try await accounts.change { database in
            try AccountRecords.add(person, passwordHash: hash, at: noon, in: database)
            try AccountRecords.add(membership, at: noon, by: nil, in: database)
        }
        let (token, _) = try await accounts.signIn(
            email: person.email, password: "long enough, is it?", address: "::1", isProgram: true)
        guard let principal = try accounts.principal(token: token.text) else { throw SystemError("nobody") }
        return principal
    }
}
