import Ledger
import System
import Testing
import Wire

@testable import Accounts
@testable import Doors
@testable import Gates
@testable import Store

@Suite("What rights are read from")
struct RightsFenceTests {
    private struct Undone: Error { let wasRead: Bool }

    @Test("Every table that rights are read from is written in the one way to change rights")
    func complete() async throws {
        try await Company.run { company in
            let ada = try await company.principal("Ada", .owner)
            let gate = try await company.paired("Cancello")
            let role = try await company.role("Magazzino", gates: [gate])
            let hours = Timetable(
                id: .new(at: noon), site: company.site.id, name: "Sempre",
                week: Array(repeating: try DaySpan.list("00:00-24:00"), count: 7), keepsSpecialDays: true)
            try await company.given.store.write { database in
                try DoorsRecords.put(hours, in: database)
                try DoorsRecords.setReach(of: role.id, gates: [gate.id], groups: [], timetable: hours.id, in: database)
                try LegacyRecords.makeBadge(
                    for: ada.person.id, at: company.site.id, now: noon, sweeps: true, in: database)
            }
            let policy = try #require(company.given.gates.policy("doors"))
            @Sendable func readRights(_ database: Database) throws {
                _ = try policy.decide(ada.person.id, gate, at: noon, in: database)
                _ = try policy.takesBadges(gate, in: database)
                _ = try policy.localRights(of: gate, key: gate.key!, at: noon, in: database)
            }
            let tables = try company.given.store.read {
                try $0.rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'") {
                    $0[0] as String
                }
            }
            var read: Set<String> = []
            for table in tables {
                do {
                    try await company.given.store.write { database in
                        try database.run("ALTER TABLE \(table) RENAME TO gone")
                        do { try readRights(database) } catch is StoreError { throw Undone(wasRead: true) }
                        throw Undone(wasRead: false)
                    }
                } catch let undone as Undone { if undone.wasRead { read.insert(table) } }
            }
            // What a gate is itself is handed to the policies.
            #expect(read == Set(company.given.gates.fences.map(\.table)).subtracting(["gates"]))
        }
    }

    @Test("What would change rights in another way is refused, and what a manager does goes through")
    func refused() async throws {
        try await Company.run { company in
            let owner = try await company.principal("Ada", .owner)
            let (site, store) = (company.site, company.given.store)
            let gate = try await company.paired("Cancello")
            let role = try await company.role("Magazzino", gates: [gate])
            try await company.given.gates.fenceRights()
            let own = owner.memberships[0].membership
            var ended = own
            ended.revoked = noon
            let after = ended
            let writes: [@Sendable (Database) throws -> Void] = [
                { try AccountRecords.change(after, at: noon, by: nil, in: $0) },
                { try DoorsRecords.setReach(of: role.id, gates: [], groups: [], timetable: nil, in: $0) },
                { try LegacyRecords.setLegacy(gate.id, true, in: $0) },
                { _ = try $0.execute("UPDATE sites SET zone = 'Asia/Tokyo' WHERE id = ?", site.id) },
                { _ = try $0.execute("UPDATE gates SET retired = ? WHERE id = ?", noon, gate.id) },
            ]
            for write in writes {
                await #expect(throws: StoreError.self) { try await store.write(write) }
                try await company.given.gates.changeRights(at: site.id, write)
            }
        }
    }
}
