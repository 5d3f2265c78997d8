import Gates
import Identity
import Ledger
import Store
import System
import Testing
import Wire

@testable import Accounts
@testable import Doors
@testable import Gates

@Suite("Hours at a company's gates")
struct HoursTests {
    /// A company whose Ada has a role with these hours, and a paired gate that the role has.
    private func office(
        _ monday: String, _ rest: String..., test: (Company, PersonID, Role, Gate, Timetable) async throws -> Void
    ) async throws {
        let lines = [monday] + rest
        try await Company.run { company in
            let gate = try await company.paired("Ingresso")
            let role = try await company.role("Clerk", gates: [gate])
            let owner = try await company.principal("Olga", .owner)
            let (_, person) = try await company.doors.addPerson(
                company.entry("Ada", role: role.id.text), at: company.site, by: owner)
            let timetable = Timetable(
                id: .new(at: noon), site: company.site.id, name: "Office",
                week: try (0..<7).map { try DaySpan.list($0 < lines.count ? lines[$0] : "") }, keepsSpecialDays: true)
            try await company.given.store.write { database in
                try DoorsRecords.put(timetable, in: database)
                try DoorsRecords.setReach(
                    of: role.id, gates: [gate.id], groups: [], timetable: timetable.id, in: database)
            }
            try await test(company, person.id, role, gate, timetable)
        }
    }

    @Test("A pass holds the hours of the next day, also those that begin only later")
    func passHoldsHours() async throws {
        // Noon of Saturday in UTC is one o'clock in Rome.
        try await office("08:00-18:00", "", "", "", "", "09:00-12:00 14:00-18:00", "10:00-11:00") {
            company, ada, _, _, _ in
            let pass = try #require(
                try await company.given.gates.issuePasses(to: ada, at: company.site.id).first?.pass)
            #expect(
                pass.header.intervals == [
                    Interval(
                        start: moment("2026-11-21T13:00:00.000Z").seconds,
                        end: moment("2026-11-21T17:00:00.000Z").seconds),
                    Interval(
                        start: moment("2026-11-22T09:00:00.000Z").seconds,
                        end: moment("2026-11-22T10:00:00.000Z").seconds),
                ])
            #expect(pass.header.notAfter == moment("2026-11-22T10:00:00.000Z").seconds)
            #expect(pass.header.notBefore == moment("2026-11-21T13:00:00.000Z").seconds)
        }
    }

    @Test("Whoever has no hours within a day gets no pass")
    func noHours() async throws {
        try await office("08:00-18:00") { company, ada, _, _, _ in
            let issued = try await company.given.gates.issuePasses(to: ada, at: company.site.id)
            #expect(issued.isEmpty)
        }
    }

    @Test("A pass that begins only tomorrow stays while its hours do, and goes with them")
    func begins() async throws {
        try await office("", "", "", "", "", "", "10:00-11:00") { company, ada, _, gate, timetable in
            let issued = try await company.given.gates.issuePasses(to: ada, at: company.site.id)
            #expect(issued.first?.pass.header.intervals == [])
            let site = company.site.id
            func change(_ sunday: String) async throws -> [GateID] {
                var other = timetable
                other.week[6] = try DaySpan.list(sunday)
                let changed = other
                return try await company.raised { try DoorsRecords.put(changed, in: $0) }
            }
            #expect(try await change("10:00-11:00").isEmpty)
            let again = try await company.given.gates.issuePasses(to: ada, at: site)
            #expect(again.first?.pass.header.passID == issued.first?.pass.header.passID)
            #expect(try await change("10:30-11:00") == [gate.id])
        }
    }

    @Test("Hours that shrink deny the pass, hours that grow leave it good")
    func recheck() async throws {
        try await office("", "", "", "", "", "09:00-18:00") { company, ada, _, gate, timetable in
            _ = try await company.given.gates.issuePasses(to: ada, at: company.site.id)
            func change(_ saturday: String) async throws -> [GateID] {
                var other = timetable
                other.week[5] = try DaySpan.list(saturday)
                let changed = other
                return try await company.raised { try DoorsRecords.put(changed, in: $0) }
            }
            #expect(try await change("08:00-20:00").isEmpty)
            #expect(try await change("09:00-18:00").isEmpty)
            #expect(try await change("09:00-17:59") == [gate.id])
        }
    }

    @Test("A group's gates are its roles' gates; without the group they are not")
    func groups() async throws {
        try await office("", "", "", "", "", "00:00-24:00") { company, ada, role, _, timetable in
            let yard = try await company.paired("Cortile")
            #expect(try company.verdict(ada, yard) == .denied(Reason("roleLacksGate")))
            let group = GateGroup(id: .new(at: noon), site: company.site.id, name: "Outside", gates: [yard.id])
            try await company.given.store.write { database in
                try DoorsRecords.put(group, in: database)
                try DoorsRecords.setReach(
                    of: role.id, gates: [], groups: [group.id], timetable: timetable.id, in: database)
            }
            guard case .granted = try company.verdict(ada, yard) else {
                Issue.record("the group's gate did not open")
                return
            }
            let issued = try await company.given.gates.issuePasses(to: ada, at: company.site.id)
            #expect(issued.map(\.gate.id) == [yard.id])
            let changed = try await company.raised { try DoorsRecords.remove(group.id, in: $0) }
            #expect(changed == [yard.id])
            #expect(try company.verdict(ada, yard) == .denied(Reason("roleLacksGate")))
        }
    }

    @Test("A gate that was taken out of use opens for nobody, and its passes are denied")
    func retired() async throws {
        try await office("", "", "", "", "", "00:00-24:00") { company, ada, _, gate, _ in
            _ = try await company.given.gates.issuePasses(to: ada, at: company.site.id)
            let gates = company.given.gates
            let changed = try await company.raised(by: {
                _ = try await gates.retire(gate.id, at: company.site.id, by: ada)
            })
            #expect(changed == [gate.id])
            let good = try company.given.store.read {
                try GateRecords.goodPasses(of: ada, at: company.site.id, now: noon, in: $0)
            }
            #expect(good.isEmpty)
            await #expect(throws: Gates.Unknown.self) { try await gates.open(gate.id, by: ada, intent: .apri) }
            #expect(try await gates.issuePasses(to: ada, at: company.site.id).isEmpty)
        }
    }

    @Test("Ten thousand people's rights at a gate are worked out as each alone would be")
    func many() async throws {
        try await office("08:00-18:00", "", "", "", "", "09:00-12:00 14:00-18:00") { company, _, role, gate, _ in
            let site = company.site.id
            let people = try await company.given.store.write { database in
                try (0..<500).map { number in
                    let person = Person(
                        id: .new(at: noon), name: "P\(number)", email: "p\(number)@example.org", language: nil)
                    try AccountRecords.add(person, passwordHash: "", at: noon, in: database)
                    try AccountRecords.add(
                        Membership(
                            id: .new(at: noon), person: person.id, site: site, permission: .member,
                            role: number % 7 == 0 ? nil : role.id, firstDay: nil,
                            lastDay: number % 3 == 0 ? day("2026-11-21") : nil), at: noon, by: nil, in: database)
                    return person.id
                }
            }
            guard let policy = company.given.gates.policy("doors") else { throw SystemError("no policy") }
            let end = noon.adding(milliseconds: 3 * 86_400_000)
            try company.given.store.read { database in
                func times(of people: [PersonID], _ known: inout KnownMemberships) throws -> [PersonID: [Interval]] {
                    try policy.times(of: people, gate, from: noon, until: end, &known, in: database)
                }
                var known = KnownMemberships(at: site)
                let together = try times(of: people, &known)
                #expect(try times(of: people, &known) == together, "read once")
                for person in people {
                    var fresh = KnownMemberships(at: site)
                    let alone = try times(of: [person], &fresh)
                    #expect(together[person] ?? [] == alone[person] ?? [])
                }
            }
        }
    }
}
