import Identity
import Ledger
import Store
import System

/// The tables of accounts and their queries. Every function runs inside the caller's transaction.
public enum AccountRecords {
    /// The tables that accounts own.
    public static let migrations = [
        Migration(
            "accounts.1",
            """
            CREATE TABLE hub (name TEXT NOT NULL PRIMARY KEY, value BLOB NOT NULL) STRICT;
            CREATE TABLE sites (
                id BLOB NOT NULL PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL, zone TEXT NOT NULL, created INTEGER NOT NULL
            ) STRICT;
            CREATE TABLE people (
                id BLOB NOT NULL PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL UNIQUE, password TEXT NOT NULL,
                language TEXT, created INTEGER NOT NULL
            ) STRICT;
            CREATE TABLE sessions (
                hash BLOB NOT NULL PRIMARY KEY, person BLOB NOT NULL REFERENCES people (id), is_program INTEGER NOT NULL,
                created INTEGER NOT NULL, expires INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX sessions_by_person ON sessions (person);
            CREATE TABLE roles (
                id BLOB NOT NULL PRIMARY KEY, site BLOB NOT NULL REFERENCES sites (id), name TEXT NOT NULL, level INTEGER NOT NULL,
                UNIQUE (site, name)
            ) STRICT;
            CREATE TABLE memberships (
                id BLOB NOT NULL PRIMARY KEY, person BLOB NOT NULL REFERENCES people (id), site BLOB NOT NULL REFERENCES sites (id),
                permission TEXT NOT NULL, role BLOB REFERENCES roles (id), first_day INTEGER, last_day INTEGER
            ) STRICT;
            CREATE INDEX memberships_by_person ON memberships (person, site);
            CREATE INDEX memberships_by_site ON memberships (site);
            """),
        Migration("accounts.2", "ALTER TABLE memberships ADD COLUMN revoked INTEGER;"),
        SessionRenewal.migration,
        SessionRecords.migration,
        WayRecords.migration,
        LinkRecords.migration,
        PhotoRecords.migration,
        WayRecords.passkeysMigration, WayRecords.changesMigration,
        SessionRecords.originMigration, SessionRecords.lineMigration,
        SessionProofs.migration,
        InvitationRecords.migration, InvitationRecords.lettersMigration,
        // What is changed is found without looking at a whole table: everybody's writing waits for it. See `test_plans`.
        Migration(
            "accounts.indexes.1",
            """
            DROP INDEX memberships_by_site;
            CREATE INDEX memberships_by_founding ON memberships (site, id);
            CREATE INDEX memberships_of_owners ON memberships (site, first_day)
                WHERE permission = 'owner' AND revoked IS NULL AND last_day IS NULL;
            CREATE INDEX memberships_by_role ON memberships (role) WHERE role IS NOT NULL;
            CREATE INDEX sessions_by_origin ON sessions (origin);
            CREATE INDEX sessions_by_end ON sessions (expires);
            CREATE INDEX links_by_end ON links (expires);
            CREATE INDEX invitations_by_end ON invitations (expires);
            CREATE INDEX invitations_by_author ON invitations (by_person) WHERE by_person IS NOT NULL;
            DELETE FROM renewals WHERE predecessor NOT IN (SELECT hash FROM sessions);
            CREATE TRIGGER renewals_end AFTER DELETE ON sessions BEGIN
                DELETE FROM renewals WHERE successor = OLD.hash
                    AND NOT EXISTS (SELECT 1 FROM sessions WHERE hash = predecessor);
                -- What hung on one that ended in the same moment goes along with its successor.
                DELETE FROM renewals WHERE predecessor = OLD.hash
                    AND NOT (is_confirmed = 1 AND EXISTS (SELECT 1 FROM sessions WHERE hash = successor));
            END;
            """),
        // By id, too: to spare a sort SQLite would take `memberships_by_founding`, and look at all of a site's.
        Migration(
            "accounts.indexes.2",
            """
            DROP INDEX memberships_by_person;
            CREATE INDEX memberships_of_person ON memberships (person, site, id);
            """),
    ]

    // MARK: the hub's own facts

    /// A fact of the hub by name.
    public static func hubValue(_ name: String, in database: Database) throws -> [UInt8]? {
        try database.row("SELECT value FROM hub WHERE name = ?", name) { $0[0] as [UInt8] }
    }

    /// Keeps a fact of the hub; an older one of that name is replaced.
    public static func setHubValue(_ name: String, _ value: [UInt8], in database: Database) throws {
        try database.execute(
            "INSERT INTO hub (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value", name,
            value)
    }

    /// Forgets a fact of the hub.
    public static func removeHubValue(_ name: String, in database: Database) throws {
        try database.execute("DELETE FROM hub WHERE name = ?", name)
    }

    /// Forgets a fact of the hub, unless it is another one by now.
    public static func removeHubValue(_ name: String, if value: [UInt8], in database: Database) throws {
        try database.execute("DELETE FROM hub WHERE name = ? AND value = ?", name, value)
    }

    // MARK: sites

    /// Adds a site and tells both the site's chain and the hub's own.
    public static func add(_ site: Site, at now: Timestamp, by person: PersonID?, in database: Database) throws {
        try database.execute(
            "INSERT INTO sites (id, name, kind, zone, created) VALUES (?, ?, ?, ?, ?)",
            site.id, site.name, site.kind.rawValue, site.zone.name, now)
        var payload = AuditPayload()
        payload.add("site", site.id.text)
        try Ledger.append(
            NewEvent(id: .new(at: now), site: .hub, kind: "site.created", at: now, payload: payload.bytes), to: database
        )
        payload.add("name", site.name)
        payload.add("kind", site.kind.rawValue)
        payload.add("zone", site.zone.name)
        payload.add("by", person?.text)
        try Ledger.append(
            NewEvent(id: .new(at: now), site: site.id, kind: "site.created", at: now, payload: payload.bytes),
            to: database)
    }

    static func site(_ row: Row, from first: Int32) -> Site {
        Site(
            id: row[first], name: row[first + 1], kind: SiteKind(rawValue: row[first + 2]) ?? .company,
            zone: Zone(name: row[first + 3]) ?? .utc)
    }

    /// The site of that name, nil when there is none.
    public static func site(_ id: SiteID, in database: Database) throws -> Site? {
        try database.row("SELECT id, name, kind, zone FROM sites WHERE id = ?", id) { site($0, from: 0) }
    }

    /// All sites, by name.
    public static func sites(in database: Database) throws -> [Site] {
        try database.rows("SELECT id, name, kind, zone FROM sites ORDER BY name, id") { site($0, from: 0) }
    }

    // MARK: people

    /// Whether anybody has an account: before, the first-run page makes the owner.
    public static func isEmpty(in database: Database) throws -> Bool {
        try database.row("SELECT 1 FROM people LIMIT 1") { $0[0] as Int } == nil
    }

    /// Adds an account.
    /// - Parameter passwordHash: from `Passwords.hash`; nil for somebody who has none yet and so cannot sign in with one.
    public static func add(_ person: Person, passwordHash: String?, at now: Timestamp, in database: Database) throws {
        try database.execute(
            "INSERT INTO people (id, name, email, password, language, created) VALUES (?, ?, ?, ?, ?, ?)",
            person.id, person.name, person.email, passwordHash ?? noPassword, person.language, now)
    }

    /// What stands in the place of a hash where there is no password: no password has it.
    static let noPassword = ""

    private static func person(_ row: Row) -> Person {
        Person(
            id: row[0], name: row[1], email: row[2], language: row[3],
            zone: (row[4] as String?).flatMap { Zone(name: $0) })
    }

    private static func anyPerson(_ row: Row) -> Person {
        var person = person(row)
        person.invited = row[5]
        return person
    }

    /// The account, or stand-in, of that id.
    public static func person(_ id: PersonID, in database: Database) throws -> Person? {
        try database.row(
            "SELECT id, name, email, language, zone, invited FROM people WHERE id = ?", id, make: anyPerson)
    }

    /// The account of an address in lower case.
    public static func person(email: String, in database: Database) throws -> Person? {
        try database.row(
            "SELECT id, name, email, language, zone, invited FROM people WHERE email = ?", email, make: anyPerson)
    }

    /// The stored password hash of an account; nil when it has no password yet.
    public static func passwordHash(of person: PersonID, in database: Database) throws -> String? {
        let stored = try storedPassword(of: person, in: database)
        return stored == noPassword ? nil : stored
    }

    /// The same, or what stands in its place; nil when there is no such account.
    static func storedPassword(of person: PersonID, in database: Database) throws -> String? {
        try database.row("SELECT password FROM people WHERE id = ?", person) { $0[0] as String }
    }

    /// Changes what people call somebody.
    public static func rename(_ person: PersonID, to name: String, in database: Database) throws {
        try database.execute("UPDATE people SET name = ? WHERE id = ?", name, person)
    }

    /// Changes the language of somebody's pages; nil: what the browser asks for.
    public static func setLanguage(_ language: String?, of person: PersonID, in database: Database) throws {
        try database.execute("UPDATE people SET language = ? WHERE id = ?", language, person)
    }

    /// Changes which clock somebody lives by; nil: each site's own.
    public static func setZone(_ zone: Zone?, of person: PersonID, in database: Database) throws {
        try database.execute("UPDATE people SET zone = ? WHERE id = ?", zone?.name, person)
    }

    // MARK: sessions

    /// Ends a session, with those that a renewal ties to it.
    /// - Returns: the hashes of all tokens that it had.
    @discardableResult
    public static func removeSession(_ hash: [UInt8], in database: Database) throws -> [[UInt8]] {
        try SessionRenewal.end(hash, in: database)
    }

    /// Whom a session proves, with when it ends and was last used; nil when there is none of that hash.
    static func principal(_ hash: [UInt8], in database: Database) throws -> Accounts.Remembered? {
        let found = try database.row(
            """
            SELECT p.id, p.name, p.email, p.language, p.zone, s.is_program, s.expires, s.seen, s.proven, s.strong_at, s.origin, s.line
            FROM sessions s JOIN people p ON p.id = s.person WHERE s.hash = ?
            """, hash
        ) {
            (
                person($0), $0[5] as Bool, $0[6] as Timestamp, $0[7] as Timestamp, Proof(at: $0[8], strongAt: $0[9]),
                $0[10] as SessionID, $0[11] as SessionID
            )
        }
        guard let (person, isProgram, expires, seen, proof, origin, line) = found else { return nil }
        let memberships = try database.rows(
            """
            SELECT m.id, m.person, m.site, m.permission, m.role, m.first_day, m.last_day, m.revoked, s.id, s.name, s.kind, s.zone,
                s.second_factor
            FROM memberships m JOIN sites s ON s.id = m.site WHERE m.person = ? ORDER BY s.name, m.id
            """, person.id
        ) { (membership: membership($0), site: site($0, from: 8), isLocked: $0[12] as Bool && !proof.isStrong) }
        let locked = memberships.filter { $0.isLocked && $0.membership.revoked == nil }.map(\.site)
        return Accounts.Remembered(
            principal: Principal(
                person: person, memberships: memberships.filter { !$0.isLocked }.map { ($0.membership, $0.site) },
                locked: locked.enumerated().filter { index, site in !locked[..<index].contains(site) }.map(\.element),
                session: hash, origin: origin, line: line, isProgram: isProgram, proof: proof),
            expires: expires, seen: seen)
    }

    // MARK: roles and memberships

    /// Adds a role.
    public static func add(_ role: Role, at now: Timestamp, by person: PersonID?, in database: Database) throws {
        try database.execute(
            "INSERT INTO roles (id, site, name, level) VALUES (?, ?, ?, ?)", role.id, role.site, role.name, role.level)
        var payload = AuditPayload()
        payload.add("role", role.id.text)
        payload.add("name", role.name)
        payload.add("level", role.level)
        payload.add("by", person?.text)
        try Ledger.append(
            NewEvent(id: .new(at: now), site: role.site, kind: "role.added", at: now, payload: payload.bytes),
            to: database)
    }

    /// A site's roles, by level and name.
    public static func roles(of site: SiteID, in database: Database) throws -> [Role] {
        try database.rows("SELECT id, site, name, level FROM roles WHERE site = ? ORDER BY level, name", site) {
            Role(id: $0[0], site: $0[1], name: $0[2], level: $0[3])
        }
    }

    static func membership(_ row: Row) -> Membership {
        Membership(
            id: row[0], person: row[1], site: row[2], permission: Permission(rawValue: row[3]) ?? .guest, role: row[4],
            firstDay: row[5], lastDay: row[6], revoked: row[7])
    }

    /// A person's memberships at a site: what a decision about them stands on.
    public static func memberships(of person: PersonID, at site: SiteID, in database: Database) throws -> [Membership] {
        try database.rows(
            """
            SELECT id, person, site, permission, role, first_day, last_day, revoked FROM memberships
            WHERE person = ? AND site = ? ORDER BY id
            """, person, site, make: membership)
    }

    /// Whether somebody has one of the permissions at a site today, by the database: what a transaction judges by that comes later than
    /// the request.
    public static func may(
        _ person: PersonID, _ permissions: Set<Permission>, at site: SiteID, now: Timestamp, in database: Database
    ) throws -> Bool {
        guard let today = try self.site(site, in: database)?.zone.day(at: now) else { return false }
        return try memberships(of: person, at: site, in: database).contains {
            permissions.contains($0.permission) && $0.holds(on: today)
        }
    }

    /// The site that somebody is of, for what many of one site share: the first of their houses, or else of their sites.
    static func firstSite(of person: PersonID, in database: Database) throws -> SiteID? {
        try database.row(
            """
            SELECT s.id FROM memberships m JOIN sites s ON s.id = m.site WHERE m.person = ? AND m.revoked IS NULL
            ORDER BY s.kind = 'home' DESC, m.id LIMIT 1
            """, person
        ) { $0[0] as SiteID }
    }

    /// The memberships of somebody that nobody took away, by id.
    static func rights(of person: PersonID, in database: Database) throws -> [MembershipID: Membership] {
        Dictionary(
            uniqueKeysWithValues: try memberships(of: person, in: database).filter { $0.revoked == nil }.map {
                ($0.id, $0)
            })
    }

    /// All memberships of somebody, with those that ended.
    static func memberships(of person: PersonID, in database: Database) throws -> [Membership] {
        try database.rows(
            "SELECT id, person, site, permission, role, first_day, last_day, revoked FROM memberships WHERE person = ? ORDER BY id",
            person, make: membership)
    }

    /// All memberships of a site, with those that ended: what a decision about everybody stands on.
    public static func memberships(at site: SiteID, in database: Database) throws -> [Membership] {
        try database.rows(
            "SELECT id, person, site, permission, role, first_day, last_day, revoked FROM memberships WHERE site = ?",
            site, make: membership)
    }

    /// The membership of that id.
    public static func membership(_ id: MembershipID, in database: Database) throws -> Membership? {
        try database.row(
            "SELECT id, person, site, permission, role, first_day, last_day, revoked FROM memberships WHERE id = ?", id,
            make: membership)
    }

    /// Memberships of one site, also those that ended: a company of 5,000 people for decades.
    /// - Key: site
    public static let mostMemberships = 50_000
    /// Memberships of one person at one site, also those that ended.
    /// - Key: person and site
    public static let mostMembershipsOfOne = 100

    /// Whether a site has room for another membership of somebody.
    public static func hasRoom(for person: PersonID, at site: SiteID, in database: Database) throws -> Bool {
        try room(at: site, in: database) > 0 && hasRoomOfOwn(person, at: site, in: database)
    }

    /// For how many more memberships a site has room. It counts all: who adds many asks once.
    public static func room(at site: SiteID, in database: Database) throws -> Int {
        let count = try database.row("SELECT count(*) FROM memberships WHERE site = ?", site) { $0[0] as Int }
        return mostMemberships - (count ?? 0)
    }

    /// Whether somebody may have another membership at a site that has room.
    public static func hasRoomOfOwn(_ person: PersonID, at site: SiteID, in database: Database) throws -> Bool {
        let count = try database.row(
            "SELECT count(*) FROM memberships WHERE person = ? AND site = ?", person, site
        ) { $0[0] as Int }
        return (count ?? 0) < mostMembershipsOfOne
    }

    /// How many sites somebody owns, or made and is still a part of, whoever owns them now.
    public static func countOwned(by person: PersonID, in database: Database) throws -> Int {
        try database.row(
            """
            SELECT count(DISTINCT site) FROM memberships m WHERE person = ?1 AND revoked IS NULL AND (
                permission = 'owner'
                OR person = (SELECT f.person FROM memberships f WHERE f.site = m.site ORDER BY f.id LIMIT 1))
            """, person
        ) { $0[0] as Int } ?? 0
    }

    /// Adds a membership of a place that is made with its people, as a demo's: there is nothing that a right could raise. Else see
    /// `Accounts.add`.
    public static func found(_ membership: Membership, at now: Timestamp, in database: Database) throws {
        try add(membership, isNew: true, at: now, by: nil, in: database)
    }

    /// Adds a membership; only by `Accounts.add`.
    static func add(
        _ membership: Membership, isNew: Bool = false, at now: Timestamp, by person: PersonID?, in database: Database
    ) throws {
        let before = try memberships(of: membership.person, at: membership.site, in: database)
        try database.execute(
            """
            INSERT INTO memberships (id, person, site, permission, role, first_day, last_day, revoked)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """, membership.id, membership.person, membership.site, membership.permission.rawValue, membership.role,
            membership.firstDay, membership.lastDay, membership.revoked)
        try InvitationRecords.end(whatIsNotMeantFor: membership, before: before, isNew: isNew, now: now, in: database)
        var payload = AuditPayload()
        payload.add(membership, as: "after")
        payload.add("by", person?.text)
        try Ledger.append(
            NewEvent(
                id: .new(at: now), site: membership.site, kind: "membership.added", at: now, person: membership.person,
                payload: payload.bytes), to: database)
    }

    /// Changes a membership and tells what it was before and is now; only by `Accounts.change`. Nothing is written when nothing changes.
    static func change(
        _ membership: Membership, at now: Timestamp, by person: PersonID?, in database: Database
    ) throws {
        guard let before = try self.membership(membership.id, in: database), before != membership else { return }
        let all = try memberships(of: membership.person, at: membership.site, in: database)
        try database.execute(
            "UPDATE memberships SET permission = ?, role = ?, first_day = ?, last_day = ?, revoked = ? WHERE id = ?",
            membership.permission.rawValue, membership.role, membership.firstDay, membership.lastDay,
            membership.revoked,
            membership.id)
        try InvitationRecords.end(whatIsNotMeantFor: membership, before: all, isNew: false, now: now, in: database)
        var payload = AuditPayload()
        payload.add(before, as: "before")
        payload.add(membership, as: "after")
        payload.add("by", person?.text)
        try Ledger.append(
            NewEvent(
                id: .new(at: now), site: membership.site, kind: "membership.changed", at: now,
                person: membership.person,
                payload: payload.bytes), to: database)
    }

    /// Whether somebody has a part in another site too.
    public static func isMemberElsewhere(_ person: PersonID, than site: SiteID, in database: Database) throws -> Bool {
        try database.row("SELECT 1 FROM memberships WHERE person = ? AND site <> ? LIMIT 1", person, site) {
            $0[0] as Int
        } != nil
    }

    /// The place that was made first with this hub, whatever the clock showed when others were; nil: there is none.
    public static func firstSite(in database: Database) throws -> SiteID? {
        // Rows keep their order, also when the file is written anew.
        try database.row("SELECT id FROM sites ORDER BY rowid LIMIT 1") { $0[0] }
    }

    /// Who made a site: its first member, whatever they are now; once that one is erased, the next.
    public static func founder(of site: SiteID, in database: Database) throws -> PersonID? {
        try database.row("SELECT person FROM memberships WHERE site = ? ORDER BY id LIMIT 1", site) { $0[0] }
    }

    /// Who made each site.
    public static func founders(in database: Database) throws -> [SiteID: PersonID] {
        // Beside a minimum SQLite gives the other columns of its row.
        let found = try database.rows("SELECT site, person, min(id) FROM memberships GROUP BY site") {
            ($0[0] as SiteID, $0[1] as PersonID)
        }
        return Dictionary(uniqueKeysWithValues: found)
    }

    /// Whether somebody but this person owns the site on a day, and without an end.
    public static func hasOwner(besides person: PersonID, at site: SiteID, on day: Day, in database: Database) throws
        -> Bool
    {
        try hasOwner(at: site, on: day, butPerson: person, butMembership: nil, in: database)
    }

    /// Whether somebody but this membership owns the site on a day, and without an end.
    public static func hasOtherOwner(than id: MembershipID, at site: SiteID, on day: Day, in database: Database) throws
        -> Bool
    {
        try hasOwner(at: site, on: day, butPerson: nil, butMembership: id, in: database)
    }

    private static func hasOwner(
        at site: SiteID, on day: Day, butPerson person: PersonID?, butMembership id: MembershipID?,
        in database: Database
    ) throws -> Bool {
        // The one whose first day is the earliest, or who has none.
        try database.row(
            """
            SELECT id, person, site, permission, role, first_day, last_day, revoked FROM memberships
            WHERE site = ? AND permission = 'owner' AND revoked IS NULL AND last_day IS NULL
                AND person IS NOT ? AND id IS NOT ?
            ORDER BY first_day LIMIT 1
            """, site, person, id, make: membership
        )?.holds(on: day) ?? false
    }
}
