import HTTPServer
import Ledger
import Safeguard
import System
import Testing
import Wire

@testable import Accounts
@testable import Home
@testable import Household

@Suite("The JSON interface of a panel")
struct SafetyRouteTests {
    /// A sensor of another house on the same hub.
    private func sensorElsewhere(_ house: TestHouse) async throws -> Sensor {
        let site = Site(id: .new(at: noon), name: "Altrove", kind: .home, zone: .utc)
        let gateway = Gateway(
            id: .new(at: noon), site: site.id, kind: .device, name: "Cellar",
            key: Key([UInt8](repeating: 9, count: 32))!)
        let device = Device(
            id: .new(at: noon), site: site.id, gateway: gateway.id, key: "cellar", name: "Cellar", origin: .added)
        let sensor = Sensor(
            id: .new(at: noon), number: 0, device: device.id, site: site.id, key: "vault", name: "Vault",
            kind: .contact, unit: "", range: nil, period: nil, alarmClass: .door,
            binding: SensorBinding(topic: "vault/state"))
        try await house.parts.registry.change(at: site.id) { database in
            try AccountRecords.add(site, at: noon, by: nil, in: database)
            try HomeRecords.put(gateway, in: database)
            try HomeRecords.put(device, in: database)
            try HomeRecords.add(sensor, in: database)
        }
        return sensor
    }

    @Test func `A sensor of another house is answered as one that does not exist, and not by its name`() async throws {
        try await TestHouse.run { house in
            let foreign = try await sensorElsewhere(house)
            _ = try await house.principal("Ada", .member)
            let (token, _) = try await house.parts.given.accounts.signIn(
                email: "ada@example.org", password: "long enough, is it?", address: "::1", isProgram: true)
            var routes = Routes(router: Router(), accounts: house.parts.given.accounts)
            SafetyRoutes(access: house.parts.access, desk: house.parts.safetyDesk, accounts: house.parts.given.accounts)
                .register(&routes)
            let fields = [
                (name: "Host", value: "hub.example"), (name: "Authorization", value: "Bearer \(token.text)"),
                (name: "Content-Type", value: "application/json"),
            ]
            var answers: [String] = []
            for id in [foreign.id, .new(at: noon)] {
                let request = Request(
                    .post, "/api/sites/\(house.site.id.text)/alarm-panel/arm", headers: Headers(fields),
                    body: Array(#"{"mode":"home","bypass":["\#(id.text)"]}"#.utf8))
                let answer = await routes.router.respond(to: request)
                guard case .bytes(let bytes) = answer.body else { continue }
                answers.append(
                    "\(answer.status) " + String(decoding: bytes, as: UTF8.self).replacing(id.text, with: "ID"))
            }
            #expect(answers.first?.hasPrefix("422") == true)
            #expect(answers.first == answers.last)
            #expect(answers.count == 2)
        }
    }
}
