import Commands
import Glibc
import Identity
import Ledger
import Pages
import Store
import System
// Exported: every file of these tests sees it.
@_exported import TestSupport
import Wire

@testable import Accounts
@testable import Doors
@testable import Gates
@testable import Platform

let noon = Timestamp(iso8601: "2026-11-21T12:00:00.000Z")!
let rome = Zone(name: "Europe/Rome")!

func day(_ text: String) -> Day { Day(iso8601: text)! }
func moment(_ text: String) -> Timestamp { Timestamp(iso8601: text)! }

/// Doors on a real file, put together by a hub that nobody can reach.
final class Company: Sendable {
    let doors: Doors
    let given: Given
    let site = Site(id: .new(at: noon), name: "Officina", kind: .company, zone: rome)
    let time: Shared<Timestamp>

    private init(_ hub: Hub, _ time: Shared<Timestamp>) {
        self.time = time
        // Gates of its own, since the hub's already have a policy of that name.
        let gates = Gates(accounts: hub.given.accounts, carrier: hub.given.gates.carrier, clock: hub.given.clock)
        given = Given(
            store: hub.given.store, ledger: hub.given.ledger, clock: hub.given.clock, accounts: hub.given.accounts,
            commands: Commands(),
            notices: hub.given.notices, letters: hub.given.letters, gates: gates, navigation: Navigation(),
            live: hub.given.live, bus: nil, pairing: nil)
        doors = Doors(given)
    }

    /// Builds it, runs the test and takes it down again, also when the test fails.
    /// - Parameter clock: the hub's; nil: one that shows `time`.
    static func run(clock: WallClock? = nil, _ test: (Company) async throws -> Void) async throws {
        let folder =
            "/tmp/soglia-doors-\(getpid())-\(Random.bytes(8).map { String($0, radix: 16) }.joined(separator: "-"))"
        let time = Shared(noon)
        var settings = Hub.Settings(folder: folder, server: .init(), clock: clock ?? WallClock { time.value })
        settings.passwordMemory = 64 << 10
        // Limits do not refill, however long a test takes.
        settings.uptime = { 1_000_000 }
        let hub = try Hub(settings, features: [Doors.self])
        let company = Company(hub, time)
        let outcome: Result<Void, any Error>
        do {
            let site = company.site
            try await company.given.store.write { try AccountRecords.add(site, at: noon, by: nil, in: $0) }
            outcome = .success(try await test(company))
        } catch { outcome = .failure(error) }
        await hub.stop()
        for name in Files.names(in: folder) { Files.remove(folder + "/" + name) }
        rmdir(folder)
        try outcome.get()
    }

    /// Somebody with a membership, signed in.
    func principal(_ name: String, _ permission: Permission) async throws -> Principal {
        let person = Person(id: .new(at: noon), name: name, email: "\(name.lowercased())@example.org", language: nil)
        let membership = Membership(
            id: .new(at: noon), person: person.id, site: site.id, permission: permission, role: nil, firstDay: nil,
            lastDay: nil)
        let hash = try await given.accounts.passwordHash("long enough, is it?")
        try await given.accounts.change { database in
            try AccountRecords.add(person, passwordHash: hash, at: noon, in: database)
            try AccountRecords.add(membership, at: noon, by: nil, in: database)
        }
        let (token, _) = try await given.accounts.signIn(
            email: person.email, password: "long enough, is it?", address: "::1", isProgram: true)
        guard let principal = try given.accounts.principal(token: token.text) else { throw SystemError("nobody") }
        return principal
    }

    func role(_ name: String, gates: [Gate] = []) async throws -> Role {
        let role = Role(id: .new(at: noon), site: site.id, name: name, level: 1)
        try await given.store.write { database in
            try AccountRecords.add(role, at: noon, by: nil, in: database)
            for gate in gates { try DoorsRecords.give(gate.id, to: role.id, in: database) }
        }
        return role
    }

    func gate(_ name: String) async throws -> Gate {
        let gate = Gate(
            id: .new(at: noon), site: site.id, name: name, policy: "doors", key: nil, epoch: 1, pulse: 3000,
            rightsVersion: 1)
        try await given.store.write { try GateRecords.add(gate, at: noon, by: nil, in: $0) }
        return gate
    }

    /// A gate whose controller shares a key with the hub.
    func paired(_ name: String) async throws -> Gate {
        let gate = Gate(
            id: .new(at: noon), site: site.id, name: name, policy: "doors", key: Key(Random.bytes(32)), epoch: 1,
            pulse: 3000, rightsVersion: 1)
        try await given.gates.change { try GateRecords.add(gate, at: noon, by: nil, in: $0) }
        return gate
    }

    /// Changes rights of the site, and answers at which gates they are others now.
    func raised(_ change: @escaping @Sendable (Database) throws -> Void) async throws -> [GateID] {
        try await raised(by: { try await given.gates.changeRights(at: site.id, change) })
    }

    /// At which gates rights are others after something was done.
    func raised(by body: () async throws -> Void) async throws -> [GateID] {
        func versions() throws -> [GateID: UInt64] {
            let gates = try given.store.read { try GateRecords.allGates(of: site.id, in: $0) }
            return Dictionary(uniqueKeysWithValues: gates.map { ($0.id, $0.rightsVersion) })
        }
        let before = try versions()
        try await body()
        return try versions().filter { before[$0.key] != $0.value }.map(\.key)
    }

    /// What Doors says of somebody at a gate.
    func verdict(_ person: PersonID, _ gate: Gate, at time: Timestamp = noon) throws -> Verdict {
        guard let policy = given.gates.policy("doors") else { throw SystemError("no policy") }
        return try given.store.read { try policy.decide(person, gate, at: time, in: $0) }
    }

    func entry(
        _ name: String = "Bruno", permission: String = "member", role: String = "", from first: String = "",
        to last: String = ""
    ) -> MembershipEntry {
        MembershipEntry(
            name: name, email: "\(name.lowercased())@example.org", password: "long enough, is it?",
            permission: permission, role: role,
            firstDay: first, lastDay: last)
    }

    /// Why an entry is refused, `field: why`; nil when it is not.
    func refusal(_ body: () async throws -> Void) async throws -> MembershipEntry.Refusal? {
        do {
            try await body()
            return nil
        } catch let refusal as MembershipEntry.Refusal { return refusal }
    }
}
