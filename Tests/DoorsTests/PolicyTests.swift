import Accounts
import Ledger
import Store
import System
import Testing

@testable import Doors

@Suite("The policy of doors")
struct PolicyTests {
    private static let (porter, stranger) = (RoleID.new(at: noon), RoleID.new(at: noon))

    private static func membership(_ role: RoleID?, _ first: String? = nil, _ last: String? = nil) -> Membership {
        Membership(
            id: .new(at: noon), person: .new(at: noon), site: .new(at: noon), permission: .member, role: role,
            firstDay: first.map(day),
            lastDay: last.map(day))
    }

    private static func decide(_ memberships: [Membership], zone: Zone = rome, at time: Timestamp = noon) -> Result<
        Timestamp, DoorsPolicy.Refusal
    > {
        DoorsPolicy.decide(DoorsFacts(memberships: memberships, rolesWithGate: [porter: nil], zone: zone), at: time)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let words: String
        let memberships: [Membership]
        let reason: DoorsReason?
        var testDescription: String { words }
    }

    static let forEver = Timestamp(milliseconds: .max)

    static let cases: [Case] = [
        Case(words: "nobody's", memberships: [], reason: .noMembership),
        Case(words: "with the gate", memberships: [membership(porter)], reason: nil),
        Case(words: "ended", memberships: [membership(porter, nil, "2026-11-20")], reason: .ended(day("2026-11-20"))),
        Case(
            words: "to begin", memberships: [membership(porter, "2026-11-22")], reason: .notStarted(day("2026-11-22"))),
        Case(words: "without a role", memberships: [membership(nil)], reason: .noRole),
        Case(words: "with a role without the gate", memberships: [membership(stranger)], reason: .roleLacksGate),
        Case(
            words: "ended before its role is looked at", memberships: [membership(nil, nil, "2026-11-20")],
            reason: .ended(day("2026-11-20"))),
        Case(
            words: "that never was: ends before it begins",
            memberships: [membership(porter, "2026-11-30", "2026-11-10")], reason: .ended(day("2026-11-10"))),
        Case(
            words: "two that ended, the later is told",
            memberships: [membership(porter, nil, "2026-11-01"), membership(porter, nil, "2026-11-20")],
            reason: .ended(day("2026-11-20"))),
        Case(
            words: "two to begin, the earlier is told",
            memberships: [membership(porter, "2026-12-01"), membership(porter, "2026-11-25")],
            reason: .notStarted(day("2026-11-25"))),
        Case(
            words: "ended and to begin, the coming one is told",
            memberships: [membership(porter, "2026-12-01"), membership(porter, nil, "2026-11-20")],
            reason: .notStarted(day("2026-12-01"))),
        Case(
            words: "to begin and without a role, the missing role is told",
            memberships: [membership(nil), membership(porter, "2026-12-01")],
            reason: .noRole),
        Case(
            words: "without a role and without the gate, the gate is told",
            memberships: [membership(stranger), membership(nil)],
            reason: .roleLacksGate),
        Case(
            words: "one good among bad ones",
            memberships: [
                membership(stranger), membership(porter, nil, "2026-11-20"), membership(porter), membership(nil),
            ], reason: nil),
    ]

    @Test(
        "Each reason is told where it is the one closest to a yes, in whatever order the memberships come",
        arguments: cases)
    func reasons(item: Case) {
        for order in [item.memberships, item.memberships.reversed(), item.memberships.shuffled()] {
            switch Self.decide(order) {
            case .success: #expect(item.reason == nil)
            case .failure(let refusal): #expect(refusal.reason == item.reason)
            }
        }
    }

    @Test(
        "The first and the last day are both inclusive, by the site's own midnight",
        arguments: [
            ("Europe/Rome", "2026-11-19T22:59:59.999Z", false), ("Europe/Rome", "2026-11-19T23:00:00.000Z", true),
            ("Europe/Rome", "2026-11-21T22:59:59.999Z", true), ("Europe/Rome", "2026-11-21T23:00:00.000Z", false),
            ("America/New_York", "2026-11-20T04:59:59.999Z", false),
            ("America/New_York", "2026-11-20T05:00:00.000Z", true),
            ("America/New_York", "2026-11-22T04:59:59.999Z", true),
            ("America/New_York", "2026-11-22T05:00:00.000Z", false),
            ("Pacific/Kiritimati", "2026-11-19T09:59:59.999Z", false),
            ("Pacific/Kiritimati", "2026-11-19T10:00:00.000Z", true),
            ("Pacific/Kiritimati", "2026-11-21T09:59:59.999Z", true),
            ("Pacific/Kiritimati", "2026-11-21T10:00:00.000Z", false),
        ])
    func boundaries(zone: String, time: String, holds: Bool) throws {
        let zone = try #require(Zone(name: zone))
        let answer = Self.decide(
            [Self.membership(Self.porter, "2026-11-20", "2026-11-21")], zone: zone, at: moment(time))
        #expect(((try? answer.get()) != nil) == holds)
        // A yes ends with the first moment of the day after the last: to the millisecond where the no begins.
        if holds { #expect(try answer.get() == zone.start(of: day("2026-11-22"))) }
    }

    @Test("Until is the latest of all that hold, and for ever where one has no end")
    func until() throws {
        let (short, long, endless) = (
            Self.membership(Self.porter, nil, "2026-11-21"), Self.membership(Self.porter, nil, "2026-12-31"),
            Self.membership(Self.porter)
        )
        #expect(try Self.decide([short]).get() == moment("2026-11-21T23:00:00.000Z"))
        #expect(try Self.decide([short, long]).get() == moment("2026-12-31T23:00:00.000Z"))
        #expect(try Self.decide([long, short]).get() == moment("2026-12-31T23:00:00.000Z"))
        #expect(try Self.decide([short, endless, long]).get() == Self.forEver)
        // One that ends later but lacks the gate, or has not begun, does not lengthen a yes.
        #expect(
            try Self.decide([short, Self.membership(Self.stranger), Self.membership(Self.porter, "2026-11-22")]).get()
                == moment("2026-11-21T23:00:00.000Z"))
    }

    private static func any() -> Membership {
        func some(_ range: ClosedRange<Int>) -> Day? {
            Bool.random() ? nil : day("2026-11-21").adding(days: .random(in: range))
        }
        return Membership(
            id: .new(at: noon), person: .new(at: noon), site: .new(at: noon),
            permission: .allCases.randomElement() ?? .guest,
            role: [nil, porter, stranger].randomElement() ?? nil, firstDay: some(-3...3), lastDay: some(-3...3))
    }

    @Test("One more membership never turns a yes into a no, nor shortens it; and one fewer never turns a no into a yes")
    func monotone() throws {
        for _ in 0..<5000 {
            let memberships = (0..<Int.random(in: 0...4)).map { _ in Self.any() }
            let time = noon.adding(milliseconds: .random(in: -172_800_000...172_800_000))
            let before = Self.decide(memberships, at: time)
            let after = Self.decide(memberships + [Self.any()], at: time)
            if let until = try? before.get() { #expect(try after.get() >= until) }
            // The whole is a yes exactly where one alone is.
            let alone = memberships.compactMap { try? Self.decide([$0], at: time).get() }
            #expect((try? before.get()) == alone.max())
        }
    }

    @Test("Reasons are kept with the day that their words need")
    func kept() {
        #expect(DoorsReason.ended(day("2026-11-20")).reason.parameter == "2026-11-20")
        #expect(DoorsReason.notStarted(day("2026-11-22")).reason.code == "notStarted")
        #expect(DoorsReason.noRole.reason.parameter == nil)
    }
}
