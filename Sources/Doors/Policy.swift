import Accounts
import Gates
import Ledger
import Store
import System
import Wire

/// Why Doors says no.
public enum DoorsReason: Sendable, Equatable {
    /// They have no membership at the gate's site.
    case noMembership
    /// It begins on this day.
    case notStarted(Day)
    /// It ended on this day.
    case ended(Day)
    /// It was taken away on this day.
    case revoked(Day)
    /// Their membership has no role, and gates are given to roles.
    case noRole
    /// Their role does not have this gate.
    case roleLacksGate
    /// Their role's hours are over or have not begun; the wall clock at the site shows this when they begin next, nil when
    /// that is more than `DoorsPolicy.outlook` away.
    case outsideHours(next: LocalTime?)

    /// As events keep it.
    public var reason: Reason {
        switch self {
        case .noMembership: Reason("noMembership")
        case .notStarted(let day): Reason("notStarted", day.iso8601)
        case .ended(let day): Reason("ended", day.iso8601)
        case .revoked(let day): Reason("revokedOn", day.iso8601)
        case .noRole: Reason("noRole")
        case .roleLacksGate: Reason("roleLacksGate")
        case .outsideHours(let next): Reason("outsideHours", next?.text)
        }
    }

    /// How close it is to a yes: of several refusals the closest is told.
    fileprivate var rank: Int {
        switch self {
        case .noMembership: 0
        case .revoked: 1
        case .ended: 2
        case .notStarted: 3
        case .noRole: 4
        case .roleLacksGate: 5
        case .outsideHours: 6
        }
    }

    /// Of two that ended, the later end; of two that are to begin, the earlier beginning.
    fileprivate func isCloser(than other: DoorsReason) -> Bool {
        if rank != other.rank { return rank > other.rank }
        switch (self, other) {
        case (.ended(let a), .ended(let b)), (.revoked(let a), .revoked(let b)): return a > b
        case (.notStarted(let a), .notStarted(let b)): return a < b
        case (.outsideHours(let a?), .outsideHours(let b)): return b.map { a < $0 } ?? true
        default: return false
        }
    }
}

/// What a wall clock and a calendar show at a site.
public struct LocalTime: Sendable, Equatable, Comparable {
    public let day: Day
    /// Minutes from midnight, 0 to 1439.
    public let minute: Int

    /// See the properties.
    public init(day: Day, minute: Int) { (self.day, self.minute) = (day, minute) }

    /// What is shown there at that time.
    public init(_ time: Timestamp, in zone: Zone) { self.init(day: zone.day(at: time), minute: zone.minute(at: time)) }

    /// Nil unless the text is what `text` writes.
    public init?(text: String) {
        let parts = text.split(separator: " ")
        guard parts.count == 2, let day = Day(iso8601: String(parts[0])),
            let span = DaySpan(text: parts[1] + "-24:00")
        else { return nil }
        self.init(day: day, minute: span.start)
    }

    /// `2026-11-23 08:00`.
    public var text: String { "\(day.iso8601) \(clockText)" }

    /// `08:00`.
    public var clockText: String {
        let (hour, minute) = minute.quotientAndRemainder(dividingBy: 60)
        return (hour < 10 ? "0" : "") + "\(hour)" + (minute < 10 ? ":0" : ":") + "\(minute)"
    }

    /// Earlier ones first.
    public static func < (a: LocalTime, b: LocalTime) -> Bool { (a.day, a.minute) < (b.day, b.minute) }
}

/// What a decision of Doors stands on, read in the transaction that writes it down.
public struct DoorsFacts: Sendable {
    /// The person's memberships at the gate's site.
    public var memberships: [Membership]
    /// The roles that have the gate, with their hours; nil: at any time.
    public var rolesWithGate: [RoleID: Timetable?]
    /// The site's special days.
    public var specialDays: [SpecialDay]
    /// The site's time zone.
    public var zone: Zone

    /// See the properties.
    public init(
        memberships: [Membership], rolesWithGate: [RoleID: Timetable?], specialDays: [SpecialDay] = [], zone: Zone
    ) {
        (self.memberships, self.rolesWithGate, self.specialDays, self.zone) = (
            memberships, rolesWithGate, specialDays, zone
        )
    }
}

/// The decisions of a company's doors: pure, so that every one of them can be tried in a test.
public enum DoorsPolicy {
    /// How far ahead a refusal looks for the next opening, in milliseconds: three weeks, past any holiday.
    public static let outlook: Int64 = 21 * 86_400_000

    /// Whether somebody may pass now, and until when without a break.
    ///
    /// One membership that holds today, whose role has the gate and whose hours are open, is enough. Of several refusals the one that is
    /// closest to a yes is told.
    public static func decide(_ facts: DoorsFacts, at now: Timestamp) -> Result<Timestamp, Refusal> {
        var best = DoorsReason.noMembership
        var until: Timestamp?
        for membership in facts.memberships {
            switch decide(membership, facts, at: now) {
            case .success(let end): until = max(until ?? end, end)
            case .failure(let refusal): if refusal.reason.isCloser(than: best) { best = refusal.reason }
            }
        }
        if let until { return .success(until) }
        return .failure(Refusal(reason: best))
    }

    private static func decide(
        _ membership: Membership, _ facts: DoorsFacts, at now: Timestamp
    ) -> Result<Timestamp, Refusal> {
        let today = facts.zone.day(at: now)
        func no(_ reason: DoorsReason) -> Result<Timestamp, Refusal> { .failure(Refusal(reason: reason)) }
        if let revoked = membership.revoked { return no(.revoked(facts.zone.day(at: revoked))) }
        if let last = membership.lastDay, last < today { return no(.ended(last)) }
        if let first = membership.firstDay, first > today { return no(.notStarted(first)) }
        guard let role = membership.role else { return no(.noRole) }
        guard let hours = facts.rolesWithGate[role] else { return no(.roleLacksGate) }
        let end = membership.end(in: facts.zone)
        guard let hours else { return .success(end) }
        let horizon = now.adding(milliseconds: outlook)
        let stretches = hours.stretches(
            from: now, until: min(end, horizon), zone: facts.zone, specialDays: facts.specialDays)
        guard let next = stretches.first else { return no(.outsideHours(next: nil)) }
        // The first stretch is cut to begin now; a second is the protocol's unit of time.
        if next.start > now.seconds {
            return no(.outsideHours(next: LocalTime(.init(seconds: next.start), in: facts.zone)))
        }
        return .success(min(end, Timestamp(seconds: next.end)))
    }

    /// When somebody may pass between two moments: sorted, in Unix seconds.
    public static func times(_ facts: DoorsFacts, from: Timestamp, until: Timestamp) -> [Interval] {
        var hours = HoursBook(facts, from: from, until: until)
        return hours.times(of: facts.memberships)
    }

    /// A no, with its reason.
    public struct Refusal: Error, Equatable {
        /// Why.
        public let reason: DoorsReason
    }
}
