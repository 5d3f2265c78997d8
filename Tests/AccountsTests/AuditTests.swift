import Identity
import JSON
import Ledger
import Store
import System
import Testing

@testable import Accounts

@Suite("What the ledger is told of accounts")
struct AuditTests {
    private struct Side: Decodable, Equatable {
        let membership: String
        let person: String
        let permission: String
        let role: String?
        let firstDay: String?
        let lastDay: String?
    }
    private struct Change: Decodable {
        let before: Side?
        let after: Side?
        let by: String?
    }

    private func changes(_ house: House, _ site: Site) throws -> [(kind: String, change: Change, person: PersonID?)] {
        try Ledger(house.store).events(of: site.id, after: 0, limit: 100).filter { $0.kind.hasPrefix("membership") }.map
        {
            ($0.kind, try JSONReader.decode(Change.self, from: try #require($0.payload)), $0.person)
        }
    }

    @Test("A membership's events carry what it was before, what it is after, who did it and whom it is about")
    func memberships() async throws {
        try await House.run { house in
            let (ada, bruno) = (try await house.person("Ada"), try await house.person("Bruno"))
            let site = try await house.site("Officina")
            var membership = try await house.member(bruno, of: site, .member, to: "2026-12-31")
            let role = Role(id: .new(at: noon), site: site.id, name: "Magazzino", level: 2)
            try await house.accounts.change { try AccountRecords.add(role, at: noon, by: ada.id, in: $0) }
            (membership.permission, membership.role, membership.lastDay) = (.manager, role.id, nil)
            membership.firstDay = Day(iso8601: "2026-11-01")
            let changed = membership
            try await house.accounts.change { try AccountRecords.change(changed, at: noon, by: ada.id, in: $0) }
            // The same once more changes nothing and tells nothing.
            try await house.accounts.change { try AccountRecords.change(changed, at: noon, by: ada.id, in: $0) }
            let told = try changes(house, site)
            #expect(told.map(\.kind) == ["membership.added", "membership.changed"])
            let (added, change) = (told[0].change, told[1].change)
            #expect(added.before == nil)
            #expect(added.after?.lastDay == "2026-12-31")
            #expect(added.by == bruno.id.text)
            #expect(change.before == added.after)
            #expect(
                change.after
                    == Side(
                        membership: membership.id.text, person: bruno.id.text, permission: "manager",
                        role: role.id.text, firstDay: "2026-11-01",
                        lastDay: nil))
            #expect(change.by == ada.id.text)
            #expect(told.allSatisfy { $0.person == bruno.id })
        }
    }

    @Test("State and event are written together or not at all")
    func together() async throws {
        try await House.run { house in
            let ada = try await house.person("Ada")
            let site = try await house.site("Officina")
            let before = try Ledger(house.store).position()
            let stranger = Membership(
                id: .new(at: noon), person: .new(at: noon), site: site.id, permission: .member, role: nil,
                firstDay: nil, lastDay: nil)
            await #expect(throws: StoreError.self) {
                try await house.accounts.change { try AccountRecords.add(stranger, at: noon, by: ada.id, in: $0) }
            }
            #expect(try Ledger(house.store).position() == before)
        }
    }

    @Test("Another owner is somebody else's membership that holds on that day")
    func otherOwner() async throws {
        try await House.run { house in
            let (ada, bruno) = (try await house.person("Ada"), try await house.person("Bruno"))
            let site = try await house.site("Officina")
            let first = try await house.member(ada, of: site, .owner)
            let day = try #require(Day(iso8601: "2026-11-21"))
            func hasOther() throws -> Bool {
                try house.store.read { try AccountRecords.hasOtherOwner(than: first.id, at: site.id, on: day, in: $0) }
            }
            #expect(try !hasOther())
            try await house.member(bruno, of: site, .manager)
            try await house.member(bruno, of: site, .owner, to: "2026-11-20")
            #expect(try !hasOther())
            try await house.member(bruno, of: site, .owner, from: "2026-11-21")
            #expect(try hasOther())
        }
    }

    @Test("A search takes its letters literally, and pages follow one another")
    func search() async throws {
        try await House.run { house in
            let site = try await house.site("Officina")
            for name in ["Ada", "Bruno", "Carla", "Dario"] {
                try await house.member(try await house.person(name), of: site)
            }
            func names(_ search: String, _ offset: Int = 0, _ limit: Int = 10) throws -> [String] {
                try house.store.read {
                    try AccountRecords.people(
                        of: site.id, PeopleFilter(search: search, today: Day(daysSinceEpoch: 20_000)), offset: offset,
                        limit: limit, in: $0
                    ).map(
                        \.person.name)
                }
            }
            #expect(try names("") == ["Ada", "Bruno", "Carla", "Dario"])
            #expect(try names("AR") == ["Carla", "Dario"])
            #expect(try names("bruno@") == ["Bruno"])
            for search in ["%", "_", "\\", "'", "A%a"] { #expect(try names(search).isEmpty) }
            #expect(try names("", 1, 2) == ["Bruno", "Carla"])
        }
    }

    @Test("Who has a part in a site on a day is there once, by name, whatever else they had or will have")
    func present() async throws {
        try await House.run { house in
            let (site, today) = (try await house.site("Officina"), Day(daysSinceEpoch: 20_000))
            func add(_ name: String, _ first: Int?, _ last: Int?, isRevoked: Bool = false) async throws {
                let known = try house.store.read {
                    try AccountRecords.person(email: "\(name.lowercased())@example.org", in: $0)
                }
                let person: Person
                if let known { person = known } else { person = try await house.person(name) }
                let membership = Membership(
                    id: .new(at: noon), person: person.id, site: site.id, permission: .member, role: nil,
                    firstDay: first.map { today.adding(days: $0) }, lastDay: last.map { today.adding(days: $0) },
                    revoked: isRevoked ? noon : nil)
                try await house.store.write { try AccountRecords.add(membership, at: noon, by: nil, in: $0) }
            }
            for name in ["zoe", "Bruno", "ada"] { try await add(name, nil, nil) }
            try await add("Carla", 0, 0)
            try await add("Carla", -1, 1)
            try await add("Dario", 1, nil)
            try await add("Elsa", nil, -1)
            try await add("Fabio", nil, nil, isRevoked: true)
            func names(_ search: String = "", _ offset: Int = 0, _ limit: Int = 10) throws -> [String] {
                try house.store.read {
                    try AccountRecords.present(
                        at: site.id, on: today, search: search, offset: offset, limit: limit, in: $0)
                }.map(\.name)
            }
            #expect(try names() == ["ada", "Bruno", "Carla", "zoe"])
            #expect(try names("", 1, 2) == ["Bruno", "Carla"])
            #expect(try names("A", 0, 2) == ["ada", "Bruno"])
            for search in ["%", "_", "\\", "'"] { #expect(try names(search).isEmpty) }
            let count = try house.store.read {
                try AccountRecords.presentCount(at: site.id, on: today, search: "carla", in: $0)
            }
            #expect(count == 1)
        }
    }
}
