import Gates
import Notices
import Store
import System
import Testing

@testable import Accounts
@testable import Doors

/// The two clocks of a machine: that of the day, which can be set, and one that never jumps.
private struct MachineClocks {
    let day = Shared(noon)
    let steady = Shared(UInt64(7_000_000))

    /// The clock of a hub that starts on it.
    func start() -> WallClock {
        WallClock(
            CheckedClock(
                CheckedClock.Source(
                    machine: { [day] in day.value }, steady: { [steady] in steady.value }, isKept: { false },
                    boot: [UInt8](repeating: 3, count: 16)), mark: nil, newest: nil))
    }

    func pass(_ milliseconds: Int64) {
        jump(milliseconds)
        steady.change { $0 += UInt64(milliseconds) }
    }

    func jump(_ milliseconds: Int64) { day.change { $0 = $0.adding(milliseconds: milliseconds) } }
}

/// What a hub keeps for a while and then removes.
enum Aging: CaseIterable, Sendable {
    case invitation, link, pairingCode, step, badge, imported

    /// So long it is kept, in milliseconds.
    var kept: Int64 {
        switch self {
        case .invitation: Invitation.lifetime
        case .link: LinkPurpose.address.lifetime
        case .pairingCode: 600_000
        case .step: Doors.undoable
        case .badge: 31 * 86_400_000
        case .imported: ImportRecords.memory
        }
    }

    /// The names of those that are there.
    func names(_ company: Company) throws -> Set<String> {
        try company.given.store.read { database in
            let rows =
                switch self {
                case .invitation: try database.rows("SELECT hex(hash) FROM invitations") { $0[0] as String }
                case .link: try database.rows("SELECT hex(hash) FROM links") { $0[0] as String }
                case .pairingCode: try database.rows("SELECT username FROM pairing_codes") { $0[0] as String }
                case .step: try database.rows("SELECT hex(batch) FROM membership_steps") { $0[0] as String }
                case .badge: try database.rows("SELECT code FROM legacy_badges") { $0[0] as String }
                case .imported: try database.rows("SELECT hex(import) FROM people_import_items") { $0[0] as String }
                }
            return Set(rows)
        }
    }

    /// Makes one, and has those removed that are too old.
    func make(_ number: Int, for person: Person, _ membership: Membership, _ company: Company) async throws {
        let (site, given) = (company.site, company.given)
        let owner = try await company.principal("Olga\(number)", .owner)
        switch self {
        case .invitation:
            _ = try await given.accounts.invitationOnPaper(for: person.id, at: site.id, by: owner.person.id)
        case .link: try await given.letters.changeAddress(of: owner.person, to: "new\(number)@example.org", .en)
        case .pairingCode:
            _ = try await PairingDesk.prepare(try await company.gate("G\(number)").id, given.store, given.clock)
        case .step: _ = try await company.doors.change([membership.id], .revoke, at: site, by: owner)
        case .badge:
            _ = try await company.doors.makeLegacyPassword(for: person.id, at: site, by: owner.person.id)
            try await company.doors.revokeLegacy(of: person.id, at: site.id, by: owner.person.id)
        case .imported:
            let done = ImportRecords.Done(
                id: .new(at: given.clock.now), site: site.id, author: owner.person.id, at: given.clock.now, people: 1,
                memberships: 0, unchanged: 0, roles: 0, undone: nil)
            let item = ImportRecords.Item(
                kind: .person, thing: person.id.text, person: person.id, name: person.name, made: "")
            try await given.store.write { try ImportRecords.add(done, [item], in: $0) }
            try await company.doors.forgetOldImports()
        }
    }
}

@Suite("What is removed by its age")
struct SweepTests {
    @Test("It stays while the hub doubts its clock, and for ten minutes afterwards", arguments: Aging.allCases)
    func waits(_ aging: Aging) async throws {
        let machine = MachineClocks()
        try await Company.run(clock: machine.start()) { company in
            let owner = try await company.principal("Olga", .owner)
            var people: [(Person, Membership)] = []
            for number in 0..<4 {
                let (membership, person) = try await company.doors.addPerson(
                    company.entry("P\(number)"), at: company.site, by: owner)
                people.append((person, membership))
            }
            try await aging.make(0, for: people[0].0, people[0].1, company)
            let old = try aging.names(company)
            #expect(old.count == 1)

            machine.jump(300 * 86_400_000)
            machine.pass(aging.kept + 1)
            try await aging.make(1, for: people[1].0, people[1].1, company)
            #expect(try aging.names(company).isSuperset(of: old))
            machine.jump(-300 * 86_400_000)
            try await aging.make(2, for: people[2].0, people[2].1, company)
            #expect(try aging.names(company).isSuperset(of: old), "the clock is believed only since a moment")
            machine.pass(Int64(ClockCheck.firstMinutes))
            try await aging.make(3, for: people[3].0, people[3].1, company)
            #expect(try aging.names(company).isDisjoint(with: old))
        }
    }
}
