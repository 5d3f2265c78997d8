import Identity
import Ledger
import Store
import System

/// Which memberships of a site a list shows.
public struct PeopleFilter: Sendable, Equatable {
    /// Whether a membership holds.
    public enum Status: String, Sendable, CaseIterable {
        /// It holds today.
        case current
        /// It begins later.
        case future
        case ended
        /// It was taken away.
        case revoked
        /// It holds or will, and its person has never signed in.
        case waiting
    }

    /// Only names and addresses that hold it; all when empty.
    public var search: String
    /// Only with this role; nil: whatever the role.
    public var role: RoleID?
    /// Only those; nil: all.
    public var status: Status?
    /// What day it is at the site.
    public var today: Day

    /// See the properties.
    public init(search: String = "", role: RoleID? = nil, status: Status? = nil, today: Day) {
        (self.search, self.role, self.status, self.today) = (search, role, status, today)
    }

    /// LIKE's own signs are taken literally.
    fileprivate var pattern: String {
        "%" + search.reduce(into: "") { $0 += "%_\\".contains($1) ? "\\\($1)" : "\($1)" } + "%"
    }
}

extension AccountRecords {
    /// One membership of a manager's list.
    public struct Listed: Sendable {
        public let membership: Membership
        /// Whose.
        public let person: Person
        /// The name of its role.
        public let role: String?
        /// Whether they ever signed in, or have a way in that only they can have.
        public let hasJoined: Bool
        /// How it stands with their invitations; nil: none is good.
        public let invitation: Invitation.State?
    }

    /// A site's memberships with who they are of and the name of the role, by name: a page of a manager's list.
    /// - Parameters:
    ///   - offset: how many to skip.
    ///   - limit: at most so many.
    ///   - now: which invitations are good; those that ended are there for a while.
    public static func people(
        of site: SiteID, _ filter: PeopleFilter, offset: Int, limit: Int, now: Timestamp = Timestamp(milliseconds: 0),
        in database: Database
    ) throws -> [Listed] {
        try database.rows(
            """
            SELECT m.id, m.person, m.site, m.permission, m.role, m.first_day, m.last_day, m.revoked,
                p.name, p.email, p.language, p.invited, r.name,
                NOT EXISTS (SELECT 1 FROM people_awaited a WHERE a.id = p.id),
                (SELECT min(CASE i.trouble WHEN 'refused' THEN 'refused' ELSE 'open' END) FROM invitations i
                    WHERE i.person = p.id AND i.expires > ?8)
            FROM memberships m JOIN people p ON p.id = m.person LEFT JOIN roles r ON r.id = m.role
            WHERE m.site = ?1 AND (?2 = '%%' OR p.name LIKE ?2 ESCAPE '\\'
                OR coalesce(p.invited, p.email) LIKE ?2 ESCAPE '\\')
                AND (?3 IS NULL OR m.role = ?3)
                AND (?4 = '' OR ?4 = CASE
                    WHEN m.revoked IS NOT NULL THEN 'revoked' WHEN m.last_day < ?5 THEN 'ended'
                    WHEN ?4 = 'waiting' AND EXISTS (SELECT 1 FROM people_awaited a WHERE a.id = p.id) THEN 'waiting'
                    WHEN m.first_day > ?5 THEN 'future' ELSE 'current' END)
            ORDER BY p.name COLLATE NOCASE, m.id LIMIT ?6 OFFSET ?7
            """, site, filter.pattern, filter.role, filter.status?.rawValue ?? "", filter.today, limit, offset, now
        ) { row in
            let member = membership(row)
            return Listed(
                membership: member,
                person: Person(id: member.person, name: row[8], email: row[9], language: row[10], invited: row[11]),
                role: row[12], hasJoined: row[13],
                invitation: (row[14] as String?).flatMap(Invitation.State.init))
        }
    }

    /// Who has a part in a site on a day, each once, by name: a page of a choice of people.
    /// - Parameters:
    ///   - search: only names and addresses that hold it; all when empty.
    ///   - offset: how many to skip.
    ///   - limit: at most so many.
    public static func present(
        at site: SiteID, on day: Day, search: String = "", offset: Int, limit: Int, in database: Database
    ) throws -> [Person] {
        try database.rows(
            """
            SELECT p.id, p.name, p.email, p.language, p.invited FROM people p
            WHERE (?3 = '%%' OR p.name LIKE ?3 ESCAPE '\\'
                OR coalesce(p.invited, p.email) LIKE ?3 ESCAPE '\\') AND p.id IN (
                SELECT person FROM memberships WHERE site = ?1 AND revoked IS NULL
                    AND (first_day IS NULL OR first_day <= ?2) AND (last_day IS NULL OR last_day >= ?2))
            ORDER BY p.name COLLATE NOCASE, p.id LIMIT ?4 OFFSET ?5
            """, site, day, PeopleFilter(search: search, today: day).pattern, limit, offset
        ) { Person(id: $0[0], name: $0[1], email: $0[2], language: $0[3], invited: $0[4]) }
    }

    /// How many they are, of all pages.
    public static func presentCount(
        at site: SiteID, on day: Day, search: String = "", in database: Database
    ) throws -> Int {
        try database.row(
            """
            SELECT count(*) FROM people p
            WHERE (?3 = '%%' OR p.name LIKE ?3 ESCAPE '\\'
                OR coalesce(p.invited, p.email) LIKE ?3 ESCAPE '\\') AND p.id IN (
                SELECT person FROM memberships WHERE site = ?1 AND revoked IS NULL
                    AND (first_day IS NULL OR first_day <= ?2) AND (last_day IS NULL OR last_day >= ?2))
            """, site, day, PeopleFilter(search: search, today: day).pattern
        ) { $0[0] as Int } ?? 0
    }

    /// How many memberships the whole list has.
    public static func peopleCount(of site: SiteID, _ filter: PeopleFilter, in database: Database) throws -> Int {
        try database.row(
            """
            SELECT count(*) FROM memberships m JOIN people p ON p.id = m.person LEFT JOIN roles r ON r.id = m.role
            WHERE m.site = ?1 AND (?2 = '%%' OR p.name LIKE ?2 ESCAPE '\\'
                OR coalesce(p.invited, p.email) LIKE ?2 ESCAPE '\\')
                AND (?3 IS NULL OR m.role = ?3)
                AND (?4 = '' OR ?4 = CASE
                    WHEN m.revoked IS NOT NULL THEN 'revoked' WHEN m.last_day < ?5 THEN 'ended'
                    WHEN ?4 = 'waiting' AND EXISTS (SELECT 1 FROM people_awaited a WHERE a.id = p.id) THEN 'waiting'
                    WHEN m.first_day > ?5 THEN 'future' ELSE 'current' END)
            """, site, filter.pattern, filter.role, filter.status?.rawValue ?? "", filter.today
        ) { $0[0] as Int } ?? 0
    }
}
