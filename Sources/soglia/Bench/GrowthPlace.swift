import Accounts
import Crypto
import Doors
import Gates
import HTTPServer
import Identity
import JSON
import Ledger
import Platform
import Store
import System
import Wire

/// A company of any size in a folder of its own, for measuring how things grow; gone afterwards.
struct GrowthPlace: Sendable {
    static let email = "bench@example.com"
    let folder: String
    let site: SiteID
    let people: [PersonID]
    let gates: [GateID]
    let password: String

    init(people count: Int, gates gateCount: Int) async throws {
        folder = "/tmp/soglia-growth-" + EventID.new(at: WallClock.system.now).text.suffix(10)
        try Files.makeFolder(folder)
        password = Token().text
        let hash = try await Passwords().hash(password)
        let now = WallClock.system.now
        let site = Site(id: .new(at: now), name: "Bench", kind: .company, zone: .utc)
        let role = Role(id: .new(at: now), site: site.id, name: "Everybody", level: 1)
        let made = (0..<gateCount).map {
            Gate(
                id: .new(at: now), site: site.id, name: "Gate \($0)", policy: "doors", key: Key(Random.bytes(32)),
                epoch: 1,
                pulse: 3000, rightsVersion: 1)
        }
        let folks = (0..<count).map {
            Person(
                id: .new(at: now), name: "Person \($0)", email: $0 == 0 ? Self.email : "p\($0)@example.com",
                language: nil)
        }
        (self.site, people, gates) = (site.id, folks.map(\.id), made.map(\.id))
        let store = try open()
        try await store.write { database in
            try AccountRecords.add(site, at: now, by: nil, in: database)
            try AccountRecords.add(role, at: now, by: nil, in: database)
            for gate in made {
                try GateRecords.add(gate, at: now, by: nil, in: database)
                try DoorsRecords.give(gate.id, to: role.id, in: database)
            }
            for (index, person) in folks.enumerated() {
                try AccountRecords.add(person, passwordHash: hash, at: now, in: database)
                try AccountRecords.found(
                    Membership(
                        id: .new(at: now), person: person.id, site: site.id, permission: index == 0 ? .owner : .member,
                        role: role.id, firstDay: nil, lastDay: nil), at: now, in: database)
            }
            try AccountRecords.setHubValue(ServeCommand.demoMark, [1], in: database)
        }
        await store.close()
    }

    func open() throws -> Store {
        try Store(path: folder + "/soglia.sqlite", migrations: Hub.migrations + Doors.migrations)
    }

    /// The hub in this process, that nobody can reach.
    func hub() throws -> Hub { try Hub(Hub.Settings(folder: folder, server: ServerSettings()), features: [Doors.self]) }

    /// Openings as a gate tells them, in one commit.
    func addEvents(_ count: Int, to store: Store) async throws {
        let (site, person, gate) = (site, people[0], gates[0])
        try await store.write { database in
            for _ in 0..<count {
                let now = WallClock.system.now
                var json = JSONWriter(capacity: 200)
                json.object { json in
                    json.field("gate", gate.text)
                    json.field("person", person.text)
                    json.field("how", "hub")
                    json.field("at", now.iso8601)
                    json.field("isClockTrusted", true)
                }
                try Ledger.append(
                    NewEvent(
                        id: .new(at: now), site: site, kind: OpeningKind.opened, at: now, person: person,
                        payload: json.bytes), to: database)
            }
        }
    }

    /// Removes the folder.
    func remove() async throws { _ = try await Child.start("/bin/rm", ["-rf", folder]).wait() }
}
