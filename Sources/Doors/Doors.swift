import Accounts
import Commands
import Gates
import Identity
import Ledger
import Pages
import Platform
import Store
import System
import Wire

/// Doors: the badge becomes a phone. A company's people, roles, gates and the log of who went through.
public struct Doors: Feature {
    let given: Given
    /// Imports between their dry run and their end.
    let imports: ImportDesk

    /// The tables that it owns.
    public static var migrations: [Migration] { DoorsRecords.migrations + ImportRecords.migrations }

    /// Makes it, and says that it decides for the gates that name `doors`.
    public init(_ given: Given) {
        self.given = given
        imports = ImportDesk(clock: given.clock)
        given.gates.register(Decisions())
        given.accounts.whenOthersAreShutOut { [clock = given.clock, gates = given.gates] in
            try Self.endLegacy(of: $0, at: $1, sweeps: clock.mayRemoveByAge, gates, in: $2)
        }
        given.accounts.whenRaised { [clock = given.clock, gates = given.gates] in
            try Self.endLegacy(by: $0, sweeps: clock.mayRemoveByAge, gates, in: $1)
        }
    }

    /// Doors answers no command but through its gates, and says what its notices do.
    public func register(commands: Commands) { registerCheckIn() }

    /// Follows the ledger for the pages that live, and keeps what legacy gates hold.
    public func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await tellLive() }
            group.addTask { try await keepLegacyRights() }
            group.addTask { try await GateTroubles(given: given).follow() }
            group.addTask { try await forgetImports() }
            try await group.next()
            group.cancelAll()
        }
    }

    /// The decisions, as Gates asks for them.
    struct Decisions: GatePolicy {
        let name = "doors"
        let names = LegacyNames()

        func decide(_ person: PersonID, _ gate: Gate, at now: Timestamp, in database: Database) throws -> Verdict {
            switch DoorsPolicy.decide(try DoorsRecords.facts(person, gate, in: database), at: now) {
            case .success(let until): .granted(until: until)
            case .failure(let refusal): .denied(refusal.reason.reason)
            }
        }

        func times(
            of people: [PersonID], _ gate: Gate, from: Timestamp, until: Timestamp, _ known: inout KnownMemberships,
            in database: Database
        ) throws -> [PersonID: [Interval]] {
            var hours = HoursBook(try DoorsRecords.facts(gate, in: database), from: from, until: until)
            return try known.memberships(of: people, in: database).mapValues { hours.times(of: $0) }
        }

        var fences: [Fence] { DoorsRecords.fences }

        func text(of reason: Reason, in language: String, to audience: Audience) -> String? {
            let language = Language(rawValue: language) ?? .en
            var detail = ""
            switch reason.code {
            case "noMembership", "noRole", "roleLacksGate": break
            case "notStarted", "ended", "revokedOn":
                detail = reason.parameter.flatMap { Day(iso8601: $0) }?.text(language) ?? ""
            case "outsideHours":
                detail =
                    reason.parameter.flatMap { LocalTime(text: $0) }.map { "\($0.day.text(language)), \($0.clockText)" }
                    ?? ""
            default: return nil
            }
            switch audience {
            case .person: return DoorsWords.in(language).doorsReason(code: reason.code, detail: detail)
            case .manager: return MembershipWords.in(language).told(code: reason.code, detail: detail)
            }
        }

        func badge(
            of person: PersonID, at site: SiteID, _ now: Timestamp, in database: Database
        ) throws -> (code: String, role: String?)? {
            guard let code = try DoorsRecords.badge(of: person, at: site, in: database) else { return nil }
            let zone = try AccountRecords.site(site, in: database)?.zone ?? .utc
            let current = try AccountRecords.memberships(of: person, at: site, in: database).first {
                $0.holds(on: zone.day(at: now))
            }
            let role = try AccountRecords.roles(of: site, in: database).first { $0.id == current?.role }
            return (code, role?.name)
        }
    }
}
