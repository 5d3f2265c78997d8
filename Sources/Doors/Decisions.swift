import Accounts
import Gates
import Identity
import Ledger
import Pages
import Store
import System
import Wire

extension Doors {
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

// What a decision stands on.
extension DoorsRecords {
    /// The tables that are read below, and those of legacy gates.
    static let fences =
        [
            "role_gates", "role_gate_groups", "gate_group_gates", "role_hours", "timetables", "special_days",
            "legacy_gates", "legacy_badges",
        ].map { Fence($0) } + [Fence("sites", column: "zone")]

    /// What a decision about somebody at a gate stands on.
    static func facts(_ person: PersonID, _ gate: Gate, in database: Database) throws -> DoorsFacts {
        var facts = try facts(gate, in: database)
        facts.memberships = try AccountRecords.memberships(of: person, at: gate.site, in: database)
        return facts
    }

    /// The same without anybody's memberships.
    static func facts(_ gate: Gate, in database: Database) throws -> DoorsFacts {
        let roles = try database.rows(
            """
            SELECT r.role, t.id, t.name, t.week, t.keeps_special_days FROM (
                SELECT role FROM role_gates WHERE gate = ?
                UNION SELECT rg.role FROM gate_group_gates gg JOIN role_gate_groups rg ON rg.gate_group = gg.gate_group
                WHERE gg.gate = ?
            ) r LEFT JOIN role_hours h ON h.role = r.role LEFT JOIN timetables t ON t.id = h.timetable
            """, gate.id, gate.id
        ) { row -> (RoleID, Timetable?) in
            guard let id = row[1] as TimetableID? else { return (row[0], nil) }
            return (
                row[0],
                Timetable(
                    id: id, site: gate.site, name: row[2], week: weeks.week(row[3]), keepsSpecialDays: row[4])
            )
        }
        let zone = try database.row("SELECT zone FROM sites WHERE id = ?", gate.site) { Zone(name: $0[0]) } ?? nil
        let keepsSpecialDays = roles.contains { $0.1?.keepsSpecialDays ?? false }
        return DoorsFacts(
            memberships: [], rolesWithGate: Dictionary(uniqueKeysWithValues: roles),
            specialDays: keepsSpecialDays ? try specialDays(of: gate.site, in: database) : [], zone: zone ?? .utc)
    }
}

/// The hours of the roles of one gate between two moments, each worked out once however many people have the role.
struct HoursBook {
    private let facts: DoorsFacts
    private let from: Timestamp
    private let until: Timestamp
    private var stretches: [RoleID: [Interval]] = [:]

    init(_ facts: DoorsFacts, from: Timestamp, until: Timestamp) {
        (self.facts, self.from, self.until) = (facts, from, until)
    }

    /// When a person with these memberships may pass.
    mutating func times(of memberships: [Membership]) -> [Interval] {
        var found: [Interval] = []
        for membership in memberships where membership.revoked == nil {
            guard let role = membership.role, let hours = facts.rolesWithGate[role] else { continue }
            let start = membership.firstDay.map { max(facts.zone.start(of: $0), from) } ?? from
            let end = min(membership.end(in: facts.zone), until)
            guard start < end else { continue }
            found += open(role, hours).intersection([Interval(start: start.seconds, end: end.seconds)])
        }
        return found.normalised()
    }

    private mutating func open(_ role: RoleID, _ hours: Timetable?) -> [Interval] {
        if let known = stretches[role] { return known }
        let found =
            hours?.stretches(from: from, until: until, zone: facts.zone, specialDays: facts.specialDays)
            ?? [Interval(start: from.seconds, end: until.seconds)]
        stretches[role] = found
        return found
    }
}

extension Membership {
    /// The first moment after its last day, or the end of time.
    func end(in zone: Zone) -> Timestamp {
        lastDay.map { zone.start(of: $0.adding(days: 1)) } ?? Timestamp(milliseconds: .max)
    }
}
