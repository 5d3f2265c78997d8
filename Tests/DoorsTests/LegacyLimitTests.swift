import Identity
import Store
import System
import Testing
import Wire

@testable import Accounts
@testable import Doors
@testable import Gates

@Suite("More old badges than a gate can hold")
struct LegacyLimitTests {
    /// Carries no longer frame than the bus does.
    private final class Carrier: GateCarrier {
        struct TooLong: Error {}
        let rights = Shared<[Rights]>([])

        func send(_ frame: GateFrame, to gate: GateID, at site: SiteID) throws {
            guard frame.encoded().count <= GateFrame.maxBytes else { throw TooLong() }
            if case .rights(let rights) = frame { self.rights.change { $0.append(rights) } }
        }
    }

    /// Members of a role with a badge each, as an earlier version could make them: sorted.
    private func crowd(_ count: Int, _ role: Role, of company: Company) async throws -> [PersonID] {
        let site = company.site.id
        let people = (0..<count).map { _ in PersonID.new(at: noon) }.sorted()
        try await company.given.gates.changeRights(at: site) { database in
            for person in people {
                try AccountRecords.add(
                    Person(id: person, name: "Bruno", email: "\(person.text)@example.org", language: nil),
                    passwordHash: nil, at: noon, in: database)
                try AccountRecords.add(
                    Membership(
                        id: .new(at: noon), person: person, site: site, permission: .member, role: role.id,
                        firstDay: nil, lastDay: nil), at: noon, by: nil, in: database)
                try database.execute(
                    "INSERT INTO legacy_badges (code, site, person, created, revoked) VALUES (?, ?, ?, ?, NULL)",
                    LegacyCode.random(Legacy.maxBadge), site, person, noon)
            }
        }
        return people
    }

    private func hello(_ gate: Gate, rights version: UInt64) throws -> GateFrame {
        .hello(
            try GateHello(
                session: Random.bytes(8), uptime: 50_000, bootCount: 1, journalID: ID16(Random.bytes(16))!,
                lastSequence: 0, rightsVersion: version, clock: .trusted, timeNonce: Nonce(Random.bytes(16))!,
                gateKey: gate.key!))
    }

    @Test("A gate gets as many as fit, longest known people first, and what is taken away always reaches it")
    func oldData() async throws {
        try await Company.run { company in
            let (doors, site) = (company.doors, company.site.id)
            let owner = try await company.principal("Ada", .owner)
            let gate = try await company.paired("Cancello")
            let role = try await company.role("Magazzino", gates: [gate])
            let people = try await crowd(7_800, role, of: company)
            try await doors.setLegacy(gate.id, true, at: site, by: owner)
            let badges = try company.given.store.read { try LegacyRecords.badges(of: site, in: $0) }
            let codes = Dictionary(uniqueKeysWithValues: badges.map { ($0.person, $0.code) })
            let carrier = Carrier()
            let gates = Gates(accounts: company.given.accounts, carrier: carrier, clock: company.given.clock)
            gates.register(try #require(company.given.gates.policy("doors")))

            func greet() async throws -> LocalRights {
                let held = carrier.rights.value.last?.version ?? 1
                try await gates.receive(hello(gate, rights: held), from: gate.id, at: site)
                return try #require(carrier.rights.value.last?.local)
            }
            func decide(_ person: PersonID, _ local: LocalRights) -> GateReason {
                local.decide(LocalRights.name(of: codes[person]!, gateKey: gate.key!), at: noon.seconds)
            }
            func isToldCut() throws -> Bool {
                try gates.health(of: gate.id)?.troubles.contains(.badgesCut) ?? false
            }
            let first = try await greet()
            #expect(first.holders.count == LegacyPolicy.mostBadges)
            #expect(decide(people[0], first) == .none && decide(people[5_999], first) == .none)
            #expect(decide(people[6_000], first) == .notValid)

            try await doors.revokeLegacy(of: people[0], at: site, by: owner.person.id)
            let second = try await greet()
            #expect(decide(people[0], second) != .none)
            #expect(decide(people[6_000], second) == .none && decide(people[6_001], second) == .notValid)
            #expect(try isToldCut())
            // A hub that starts again says nothing new of it before it has made the gate's rights again.
            let again = Gates(accounts: company.given.accounts, carrier: Carrier(), clock: company.given.clock)
            again.register(try #require(company.given.gates.policy("doors")))
            for _ in 0..<2 { try await again.receive(hello(gate, rights: 99), from: gate.id, at: site) }
            #expect(try again.health(of: gate.id)?.troubles == [.badgesCut])
            // Of a gate that takes passes since, it is over.
            try await doors.setLegacy(gate.id, false, at: site, by: owner)
            let later = Gates(accounts: company.given.accounts, carrier: Carrier(), clock: company.given.clock)
            later.register(try #require(company.given.gates.policy("doors")))
            try await later.receive(hello(gate, rights: 99), from: gate.id, at: site)
            #expect(try later.health(of: gate.id)?.troubles == [])
            try await doors.setLegacy(gate.id, true, at: site, by: owner)

            // Once all fit, also those that were taken away lately have a place.
            let (now, gone) = (noon, people[1...1_800])
            try await company.given.gates.changeRights(at: site) { database in
                for person in gone {
                    try LegacyRecords.revokeBadge(of: person, at: site, now: now, sweeps: true, in: database)
                }
            }
            let third = try await greet()
            #expect(decide(people[1], third) == .expired && decide(people[7_799], third) == .none)
            _ = try await greet()
            #expect(try !isToldCut())
            let told = try company.given.ledger.events(of: site, after: 0, limit: 100_000)
                .filter { $0.kind == "gate.troubles" }
                .map { String(decoding: $0.payload ?? [], as: UTF8.self) }
            #expect(told.count == 3)
            #expect(told.first?.contains(#""began":["badgesCut"]"#) == true)
            #expect(told.last?.contains(#""ended":["badgesCut"]"#) == true)
        }
    }

    @Test("A gate for old badges gets its hours anew once the hub's clock is set: they were those of another time")
    func clockSet() async throws {
        try await Company.run { company in
            let (owner, site) = (try await company.principal("Ada", .owner), company.site.id)
            let gate = try await company.paired("Barrier")
            try await company.doors.setLegacy(gate.id, true, at: site, by: owner)
            let carrier = Carrier()
            let gates = Gates(accounts: company.given.accounts, carrier: carrier, clock: company.given.clock)
            gates.register(try #require(company.given.gates.policy("doors")))
            try await gates.receive(hello(gate, rights: 1), from: gate.id, at: site)
            let before = try #require(carrier.rights.value.last).version
            _ = try await gates.endPassesMadeAhead()
            #expect(carrier.rights.value.last?.version == before)
            _ = try await gates.endPassesMadeAhead(isSet: true)
            #expect(carrier.rights.value.last?.version == before + 1)
        }
    }

    @Test("As many badges as are given out fit with many different hours; of more hours the gate has the first stretch")
    func fits() throws {
        let people = (0..<LegacyPolicy.mostBadges).map { _ in PersonID.new(at: noon) }
        let badges = people.enumerated().map { number, person in
            LegacyBadge(code: Array("\(number)".utf8), person: person, revoked: nil)
        }
        func hours(_ number: UInt64) -> [Interval] {
            (0..<16).map { (part: UInt64) -> Interval in
                Interval(start: part * 1000, end: part * 1000 + 500 - number)
            }
        }
        func times(_ different: Int) -> [PersonID: [Interval]] {
            var times: [PersonID: [Interval]] = [:]
            for (number, person) in people.enumerated() { times[person] = hours(UInt64(number % different)) }
            return times
        }
        func name(_ code: [UInt8]) -> ID16 { ID16(high: 0, low: UInt64(String(decoding: code, as: UTF8.self))!) }
        let (some, none) = try LegacyPolicy.localRights(of: badges, times: times(100), name: name)
        #expect(some.holders.count == badges.count && some.calendars.count == 100 && none == 0)
        let (many, cut) = try LegacyPolicy.localRights(of: badges, times: times(200), name: name)
        let held = many.calendars.count
        #expect(many.holders.count == badges.count && (100..<200).contains(held) && cut == (200 - held) * 30)
        let last = ID16(high: 0, low: UInt64(badges.count - 1))
        #expect(many.decide(last, at: 100) == .none && many.decide(last, at: 600) == .expired)
    }

    @Test("A site that has as many as a gate can hold gets no further badge; one in place of another it does")
    func full() async throws {
        try await Company.run { company in
            let (doors, site) = (company.doors, company.site)
            let (owner, member) = (
                try await company.principal("Ada", .owner).person.id,
                try await company.principal("Carlo", .member).person.id
            )
            _ = try await doors.makeLegacyPassword(for: owner, at: site, by: owner)
            let role = try await company.role("Magazzino")
            let people = try await crowd(LegacyPolicy.mostBadges - 1, role, of: company)
            await #expect(throws: LegacyBadgesFull.self) {
                _ = try await doors.makeLegacyPassword(for: member, at: site, by: owner)
            }
            func badge(_ person: PersonID) throws -> String? {
                try company.given.store.read { try LegacyRecords.badge(of: person, at: site.id, in: $0) }
            }
            let before = try badge(owner)
            try await doors.replaceLegacyBadge(of: owner, at: site.id, by: owner)
            #expect(try badge(owner) != nil && badge(owner) != before && badge(member) == nil)
            try await doors.revokeLegacy(of: people[0], at: site.id, by: owner)
            _ = try await doors.makeLegacyPassword(for: member, at: site, by: owner)
            #expect(try badge(member) != nil)
        }
    }
}
