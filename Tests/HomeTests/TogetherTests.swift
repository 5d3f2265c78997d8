import Accounts
import HTTPServer
import Ledger
import Safeguard
import Store
import System
import TestSupport
import Testing
import Wire

@testable import Home
@testable import Household

/// Two people change the same thing in the same moment: neither change is lost.
struct TogetherTests {
    /// Answers a request of somebody who looks after the house, after another change was written between its look and its write.
    private static func answer(
        _ method: HTTPServer.Method, _ path: String, _ body: String, in house: TestHouse,
        after other: @escaping @Sendable (Database) throws -> Void
    ) async throws -> Int {
        let principal = try await house.principal("Olga", .owner)
        let accounts = house.parts.given.accounts
        let (token, _) = try await accounts.signIn(
            email: principal.person.email, password: "long enough, is it?", address: "::1", isProgram: true)
        var routes = Routes(router: Router(), accounts: accounts)
        DeviceDefinitions(access: house.parts.access, desk: house.parts.devicesDesk).register(&routes)
        SafetyRoutes(access: house.parts.access, desk: house.parts.safetyDesk, accounts: house.parts.given.accounts)
            .register(&routes)
        HouseRoutes(access: house.parts.access, desk: house.parts.housesDesk, sight: house.parts.sight)
            .register(&routes)
        let fields = [
            (name: "Host", value: "hub.example"), (name: "Authorization", value: "Bearer \(token.text)"),
            (name: "Content-Type", value: "application/json"),
        ]
        let request = Request(
            method, "/api/sites/\(house.site.id.text)/\(path)", headers: Headers(fields), body: Array(body.utf8))
        return try await Store.writing(first: other) { await routes.router.respond(to: request).status }
    }

    /// What the tables say; what is kept in memory says the same.
    private static func kept<One: Equatable>(
        _ house: TestHouse, _ one: (Catalog) -> One?, _ records: (Database) throws -> One?
    ) throws -> One {
        let kept = try #require(try house.parts.store.read(records))
        #expect(one(house.parts.registry.catalog) == kept)
        return kept
    }

    private static func sensor(_ id: SensorID, of house: TestHouse) throws -> Sensor {
        try kept(house, { $0.sensors[id] }) { try HomeRecords.sensors(in: $0).first { $0.id == id } }
    }

    private static func actuator(_ id: ActuatorID, of house: TestHouse) throws -> Actuator {
        try kept(house, { $0.actuators[id] }) { try HomeRecords.actuators(in: $0).first { $0.id == id } }
    }

    @Test func `A sensor that gets a class and another name at once has both`() async throws {
        try await TestHouse.run { house in
            let door = try await house.sensor("door", .contact)
            let status = try await Self.answer(
                .patch, "sensors/\(door.id.text)", #"{"name":"Front door"}"#, in: house
            ) {
                try $0.execute(
                    "UPDATE home_sensors SET class = ? WHERE id = ?", Int(SensorClass.tamper.rawValue), door.id)
            }
            let renamed = try Self.sensor(door.id, of: house)
            #expect(status == 200 && renamed.name == "Front door" && renamed.alarmClass == .tamper)
        }
        try await TestHouse.run { house in
            let door = try await house.sensor("door", .contact)
            let body = #"{"class":"motion","distance":100,"tripsWhenSilent":false}"#
            let status = try await Self.answer(.put, "alarm-sensors/\(door.id.text)", body, in: house) {
                try $0.execute("UPDATE home_sensors SET name = 'Front door' WHERE id = ?", door.id)
            }
            let classed = try Self.sensor(door.id, of: house)
            #expect(status == 200 && classed.name == "Front door" && classed.alarmClass == .motion)
        }
    }

    @Test func `What tripping a sensor means, and how, is written in one transaction`() async throws {
        try await TestHouse.run { house in
            let (door, writes) = (try await house.sensor("door", .contact), Shared(0))
            try await Store.writing(only: { _ in writes.change { $0 += 1 } }) {
                try await house.parts.safetyDesk.change(
                    door.id, at: house.site.id, to: .motion, SensorGuard(distance: 50), by: anna)
            }
            let changed = try Self.sensor(door.id, of: house)
            #expect(writes.value == 1 && changed.alarmClass == .motion)
            #expect(house.parts.safety.settings.guarding(of: door.id).distance == 50)
        }
    }

    @Test func `What is renamed while it is taken up again stays in use`() async throws {
        try await TestHouse.run { house in
            let siren = try await house.actuator("siren", .siren)
            _ = try await house.parts.registry.change(at: house.site.id) {
                try $0.execute("UPDATE home_actuators SET retired = ? WHERE id = ?", noon, siren.id)
            }
            let status = try await Self.answer(
                .patch, "actuators/\(siren.id.text)", #"{"name":"Attic"}"#, in: house
            ) { try $0.execute("UPDATE home_actuators SET retired = NULL WHERE id = ?", siren.id) }
            let renamed = try Self.actuator(siren.id, of: house)
            #expect(status == 200 && renamed.name == "Attic")
        }
        try await TestHouse.run { house in
            let id = house.device.id
            let status = try await Self.answer(.patch, "devices/\(id.text)", #"{"name":"Wall"}"#, in: house) {
                try $0.execute("UPDATE home_devices SET area = 'Cellar' WHERE id = ?", id)
            }
            let device = try Self.kept(house, { $0.devices[id] }) {
                try HomeRecords.devices(in: $0).first { $0.id == id }
            }
            #expect(status == 204 && device.name == "Wall" && device.area == "Cellar")
        }
    }

    @Test func `A house keeps the place that it was given while its street is changed`() async throws {
        try await TestHouse.run { house in
            let site = house.site.id
            let place = MapPlace(latitude: 45, longitude: 9)
            let status = try await Self.answer(.patch, "house", #"{"street":"Via Roma 1"}"#, in: house) {
                try HomeRecords.put(House(site: site, place: place), in: $0)
            }
            let kept = try Self.kept(house, { $0.houses[site] }) { try HomeRecords.house(site, in: $0) }
            #expect(status == 200 && kept == House(site: site, street: "Via Roma 1", place: place))
        }
    }

    @Test func `A gateway that is taken out of use while it is paired stays out of use`() async throws {
        try await TestHouse.run { house in
            let (id, key) = (house.gateway.id, try #require(Key(Random.bytes(32))))
            let way = try await Store.writing(first: {
                try $0.execute("UPDATE home_gateways SET retired = ? WHERE id = ?", noon, id)
            }) {
                try await PairedGateways(desk: house.parts.gatewayDesk).accept(key, for: id.raw, by: nil, at: noon)
            }
            #expect(way == nil && house.parts.registry.catalog.gateways[id] == nil)
        }
    }

    @Test func `What was written last is what is kept in memory, whoever comes back first`() {
        let order = WriteOrder<String>()
        let (first, second) = (order.next(), order.next())
        var (door, window) = (0, 0)
        order.follow(second, of: "door") { door = 2 }
        order.follow(first, of: "door") { door = 1 }
        order.follow(first, of: "window") { window = 1 }
        #expect(door == 2 && window == 1)
    }
}
