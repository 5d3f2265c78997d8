import HTTPServer
import Identity
import Ledger
import Store
import System

/// What kind of place a site is: a preset of features, which are then switched on one by one.
public enum SiteKind: String, Sendable, CaseIterable {
    /// Gates, roles, hours, attendance.
    case company
    /// An entry phone and flats.
    case building
    /// Shops and offers.
    case centre
    /// Sensors and an alarm.
    case home
}

/// A company, a building, a shopping centre, a home.
public struct Site: Sendable, Equatable {
    /// Its name in tables and topics.
    public let id: SiteID
    /// What people call it.
    public var name: String
    /// What it is.
    public var kind: SiteKind
    /// Where its days begin and end.
    public var zone: Zone

    /// See the properties.
    public init(id: SiteID, name: String, kind: SiteKind, zone: Zone) {
        (self.id, self.name, self.kind, self.zone) = (id, name, kind, zone)
    }
}

/// What the software lets somebody do at a site.
public enum Permission: String, Sendable, CaseIterable {
    /// Everything, and nobody can take it from the last one.
    case owner
    /// People, roles, gates, the log.
    case manager
    /// Devices, and no people.
    case installer
    /// Their own.
    case member
    /// Their own shop.
    case merchant
    /// What a pass says.
    case guest

    /// Those who may manage people.
    public static let managing: Set<Permission> = [.owner, .manager]
    /// Those who may change the place itself: its people, or its devices.
    public static let changing: Set<Permission> = [.owner, .manager, .installer]

    /// Whether somebody with this one may whatever somebody with the other may.
    func reaches(_ other: Permission) -> Bool {
        switch self {
        case .owner: true
        case .manager: other != .owner
        case .installer, .member: self == other || other == .guest
        case .merchant, .guest: self == other
        }
    }
}

/// A site's own word for what somebody is there.
public struct Role: Sendable, Equatable {
    /// The kind of id that names roles.
    public enum Name {}
    /// Its name in tables.
    public let id: ID<Name>
    /// Whose.
    public let site: SiteID
    /// What people call it.
    public var name: String
    /// How high; the site's own scale.
    public var level: Int

    /// See the properties.
    public init(id: ID<Name>, site: SiteID, name: String, level: Int) {
        (self.id, self.site, self.name, self.level) = (id, site, name, level)
    }
}

/// The name of a role in tables.
public typealias RoleID = ID<Role.Name>

/// A person at a site, with what they are there and the days that it holds. Several per person and site are normal.
public struct Membership: Sendable, Equatable {
    /// The kind of id that names memberships.
    public enum Name {}
    /// Its name in tables.
    public let id: ID<Name>
    /// Who.
    public let person: PersonID
    /// Where.
    public let site: SiteID
    /// What the software lets them do.
    public var permission: Permission
    /// What they are there, where the site has roles.
    public var role: RoleID?
    /// The first day that it holds, in the site's time zone; nil: always did.
    public var firstDay: Day?
    /// The last day that it holds, inclusive; nil: until further notice.
    public var lastDay: Day?
    /// When it was taken away, whatever its days say; nil: it was not.
    public var revoked: Timestamp?

    /// Whether it holds on a day.
    public func holds(on day: Day) -> Bool {
        revoked == nil && (firstDay.map { $0 <= day } ?? true) && (lastDay.map { day <= $0 } ?? true)
    }

    /// Whether it was taken away, or its last day is before that one.
    public func isOver(on day: Day) -> Bool { revoked != nil || (lastDay.map { $0 < day } ?? false) }

    /// See the properties.
    public init(
        id: ID<Name>, person: PersonID, site: SiteID, permission: Permission, role: RoleID?, firstDay: Day?,
        lastDay: Day?, revoked: Timestamp? = nil
    ) {
        (self.id, self.person, self.site, self.permission, self.role, self.firstDay, self.lastDay) = (
            id, person, site, permission, role, firstDay, lastDay
        )
        self.revoked = revoked
    }
}

extension Membership {
    /// Whether somebody may more by it than by what they had at the site: by its permission, not by its role. What is given back as it was
    /// is nothing more; one that has ended and is raised is, since it may be given back.
    /// - Parameter before: all that they had, itself as it was among it.
    func exceeds(_ before: [Membership]) -> Bool {
        !before.contains { ($0.revoked == nil || $0.id == id) && $0.permission.reaches(permission) }
    }
}

/// The name of a membership in tables.
public typealias MembershipID = ID<Membership.Name>

/// Somebody with an account.
public struct Person: Sendable, Equatable {
    /// Their name in tables.
    public let id: PersonID
    /// What people call them.
    public var name: String
    /// Where mail reaches them; in lower case, unique.
    public var email: String
    /// `en`, `it`, `es`; nil: what the browser asks for.
    public var language: String?
    /// Which clock they live by; nil: each site's own.
    public var zone: Zone?

    /// Where the invitations of a stand-in go: somebody whom a site expects and who has not come yet. Nothing else is sent there.
    public var invited: String?

    /// What a site's lists and files show as their address: where they are invited, else what their account has.
    public var shownAddress: String { invited ?? email }

    /// Where mail reaches them; nil for somebody of whom no address is known.
    public var address: String? { email.hasSuffix(Self.withoutAddress) ? nil : email }

    /// What stands in the place of an address for somebody who came by a service that told none. The domain exists nowhere (RFC 6761).
    public static func placeholder(for person: PersonID) -> String { person.text + withoutAddress }
    private static let withoutAddress = "@no-address.invalid"

    /// See the properties.
    public init(
        id: PersonID, name: String, email: String, language: String?, zone: Zone? = nil, invited: String? = nil
    ) {
        (self.id, self.name, self.email, self.language, self.zone) = (id, name, email, language, zone)
        self.invited = invited
    }
}

/// Who makes a request, as far as it has been proven.
public struct Principal: Sendable {
    /// The account.
    public let person: Person
    /// All their memberships, current or not, with the site of each; without those at sites that are `locked`.
    public let memberships: [(membership: Membership, site: Site)]
    /// Sites that they are a member of, and that ask for a stronger proof than this session has.
    public let locked: [Site]
    /// The hash of the token that proved it: the session's key.
    public let session: [UInt8]
    /// The session in which they signed in, which this one is or was renewed from: what is counted against whoever holds it.
    public let origin: SessionID
    /// What it shares with those that it was renewed from and into: what is under way in one of them goes on in the next.
    let line: SessionID
    /// Whether it came as a bearer token, from a program.
    public let isProgram: Bool
    /// When and how well who they are was proven last in this session.
    public let proof: Proof

    /// The memberships that hold at that time at a site.
    public func current(at site: SiteID, _ time: Timestamp) -> [Membership] {
        memberships.filter { $0.site.id == site && $0.membership.holds(on: $0.site.zone.day(at: time)) }.map(
            \.membership)
    }

    /// Refuses whoever is a member of a site that asks for a stronger proof than this session has.
    public func requireUnlocked(_ site: SiteID) throws(Problem) {
        if locked.contains(where: { $0.id == site }) { throw .secondFactorNeeded }
    }

    /// Whether any membership at a site holds at that time, or is to come.
    public func belongs(to site: SiteID, _ time: Timestamp) -> Bool {
        memberships.contains { $0.site.id == site && !$0.membership.isOver(on: $0.site.zone.day(at: time)) }
    }

    /// Whether one of the permissions holds at that time at a site.
    public func may(_ permissions: Set<Permission>, at site: SiteID, _ time: Timestamp) -> Bool {
        current(at: site, time).contains { permissions.contains($0.permission) }
    }

    /// The clock of whatever is about themselves and no site: the one that they chose, else that of their first site; of one that is
    /// locked, or where their access has ended, when there is no other.
    public func zone(at time: Timestamp) -> Zone {
        person.zone ?? sites(at: time).first?.zone ?? locked.first?.zone ?? memberships.first?.site.zone ?? .utc
    }

    /// The sites where any membership holds at that time, each once, in the order of the memberships.
    public func sites(at time: Timestamp) -> [Site] {
        var seen: Set<SiteID> = []
        return memberships.compactMap { entry in
            entry.membership.holds(on: entry.site.zone.day(at: time)) && seen.insert(entry.site.id).inserted
                ? entry.site : nil
        }
    }
}
