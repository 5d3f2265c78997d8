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
}
