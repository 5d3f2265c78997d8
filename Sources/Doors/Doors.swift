import Accounts
import Commands
import Gates
import Ledger
import Pages
import Platform
import Store
import System

/// Doors: the badge becomes a phone. A company's people, roles, gates and the log of who went through.
public struct Doors: Feature {
    let given: Given

    /// The tables that it owns.
    public static var migrations: [Migration] { DoorsRecords.migrations }

    /// Makes it, and says that it decides for the gates that name `doors`.
    public init(_ given: Given) {
        self.given = given
        given.gates.register(Decisions())
    }

    /// Doors asks nothing that others answer, and answers nothing but through its gates.
    public func register(commands: Commands) {}

    /// Follows the ledger for the pages that live.
    public func run() async throws { try await tellLive() }

    /// The decisions, as Gates asks for them.
    struct Decisions: GatePolicy {
        let name = "doors"

        func decide(_ person: PersonID, _ gate: Gate, at now: Timestamp, in database: Database) throws -> Verdict {
            switch DoorsPolicy.decide(try DoorsRecords.facts(person, gate, in: database), at: now) {
            case .success(let until): .granted(until: until)
            case .failure(let refusal): .denied(refusal.reason.reason)
            }
        }

        func text(of reason: Reason, in language: String, to audience: Audience) -> String? {
            guard ["noMembership", "notStarted", "ended", "noRole", "roleLacksGate"].contains(reason.code) else {
                return nil
            }
            let language = Language(rawValue: language) ?? .en
            let day = reason.parameter.flatMap { Day(iso8601: $0) }?.text(language) ?? ""
            switch audience {
            case .person: return DoorsWords.in(language).doorsReason(code: reason.code, date: day)
            case .manager: return MembershipWords.in(language).told(code: reason.code, day: day)
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
