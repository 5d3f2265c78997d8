import Accounts
import Gates
import Ledger
import Store
import System

/// Why Doors says no.
public enum DoorsReason: Sendable, Equatable {
    /// They have no membership at the gate's site.
    case noMembership
    /// It begins on this day.
    case notStarted(Day)
    /// It ended on this day.
    case ended(Day)
    /// Their membership has no role, and gates are given to roles.
    case noRole
    /// Their role does not have this gate.
    case roleLacksGate

    /// As events keep it.
    public var reason: Reason {
        switch self {
        case .noMembership: Reason("noMembership")
        case .notStarted(let day): Reason("notStarted", day.iso8601)
        case .ended(let day): Reason("ended", day.iso8601)
        case .noRole: Reason("noRole")
        case .roleLacksGate: Reason("roleLacksGate")
        }
    }
}

/// What a decision of Doors stands on, read in the transaction that writes it down.
public struct DoorsFacts: Sendable {
    /// The person's memberships at the gate's site.
    public var memberships: [Membership]
    /// The roles that have the gate.
    public var rolesWithGate: Set<RoleID>
    /// The site's time zone.
    public var zone: Zone

    /// See the properties.
    public init(memberships: [Membership], rolesWithGate: Set<RoleID>, zone: Zone) {
        (self.memberships, self.rolesWithGate, self.zone) = (memberships, rolesWithGate, zone)
    }
}

/// The decisions of a company's doors: pure, so that every one of them can be tried in a test.
public enum DoorsPolicy {
    /// Whether somebody may pass now.
    ///
    /// One membership that holds today and whose role has the gate is enough. Of several refusals the one that is closest to a yes
    /// is told: the gate that the role lacks, before the role that is missing, before days still to come, before days gone by.
    public static func decide(_ facts: DoorsFacts, at now: Timestamp) -> Result<Timestamp, Refusal> {
        let today = facts.zone.day(at: now)
        var best: (rank: Int, reason: DoorsReason) = (0, .noMembership)
        var until: Timestamp?
        for membership in facts.memberships {
            let (rank, reason): (Int, DoorsReason)
            if let last = membership.lastDay, last < today {
                (rank, reason) = (1, .ended(last))
            } else if let first = membership.firstDay, first > today {
                (rank, reason) = (2, .notStarted(first))
            } else if membership.role == nil {
                (rank, reason) = (3, .noRole)
            } else if !facts.rolesWithGate.contains(membership.role!) {
                (rank, reason) = (4, .roleLacksGate)
            } else {
                let end =
                    membership.lastDay.map { facts.zone.start(of: $0.adding(days: 1)) } ?? Timestamp(milliseconds: .max)
                until = max(until ?? end, end)
                continue
            }
            // Of two that ended, the later end; of two that are to begin, the earlier beginning.
            if rank > best.rank || (rank == best.rank && isCloser(reason, than: best.reason)) { best = (rank, reason) }
        }
        if let until { return .success(until) }
        return .failure(Refusal(reason: best.reason))
    }

    /// A no, with its reason.
    public struct Refusal: Error, Equatable {
        /// Why.
        public let reason: DoorsReason
    }

    private static func isCloser(_ a: DoorsReason, than b: DoorsReason) -> Bool {
        switch (a, b) {
        case (.ended(let a), .ended(let b)): a > b
        case (.notStarted(let a), .notStarted(let b)): a < b
        default: false
        }
    }
}
