import Accounts
import Gates
import Identity
import Ledger
import Store
import System
import Wire

/// The tables of the original web service and their queries. Every function runs inside the caller's transaction.
enum LegacyRecords {
    /// The original counted everything; so the things that its answers name have a number here, given once.
    static let migration = Migration(
        "doors.legacy.1",
        """
        CREATE TABLE legacy_accounts (
            person BLOB NOT NULL REFERENCES people (id), site BLOB NOT NULL REFERENCES sites (id),
            username TEXT NOT NULL UNIQUE, password TEXT NOT NULL, created INTEGER NOT NULL, last_used INTEGER,
            revoked INTEGER, PRIMARY KEY (person, site)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX legacy_accounts_by_site ON legacy_accounts (site);
        CREATE TABLE legacy_sites (
            site BLOB NOT NULL PRIMARY KEY REFERENCES sites (id), allows_get INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE legacy_numbers (number INTEGER PRIMARY KEY, thing BLOB NOT NULL UNIQUE) STRICT;
        CREATE TABLE legacy_gates (gate BLOB NOT NULL PRIMARY KEY REFERENCES gates (id)) STRICT, WITHOUT ROWID;
        CREATE TABLE legacy_badges (
            code TEXT NOT NULL PRIMARY KEY, site BLOB NOT NULL REFERENCES sites (id),
            person BLOB NOT NULL REFERENCES people (id), created INTEGER NOT NULL, revoked INTEGER
        ) STRICT;
        CREATE UNIQUE INDEX legacy_badges_in_force ON legacy_badges (site, person) WHERE revoked IS NULL;
        CREATE INDEX legacy_badges_by_site ON legacy_badges (site, revoked);
        """)

    // MARK: accounts

    private static func account(_ row: Row) -> LegacyAccount {
        LegacyAccount(
            person: row[0], site: row[1], username: row[2], created: row[3], lastUsed: row[4], revoked: row[5])
    }

    /// Somebody's account at a site, also one that was revoked.
    static func account(of person: PersonID, at site: SiteID, in database: Database) throws -> LegacyAccount? {
        try database.row(
            """
            SELECT person, site, username, created, last_used, revoked FROM legacy_accounts
            WHERE person = ? AND site = ?
            """, person, site, make: account)
    }

    /// Where somebody has an account in force, or a badge.
    static func sites(of person: PersonID, in database: Database) throws -> [SiteID] {
        try database.rows(
            """
            SELECT site FROM legacy_accounts WHERE person = ?1 AND revoked IS NULL
            UNION SELECT site FROM legacy_badges WHERE person = ?1 AND revoked IS NULL
            """, person
        ) { $0[0] }
    }

    /// The account of a user name with the hash of its password; nil when there is none in force.
    static func account(username: String, in database: Database) throws -> (LegacyAccount, hash: String)? {
        try database.row(
            """
            SELECT person, site, username, created, last_used, revoked, password FROM legacy_accounts
            WHERE username = ? AND revoked IS NULL
            """, username
        ) { (account($0), $0[6]) }
    }

    /// A site's accounts with whose they are, by name.
    static func accounts(of site: SiteID, in database: Database) throws -> [(account: LegacyAccount, name: String)] {
        try database.rows(
            """
            SELECT a.person, a.site, a.username, a.created, a.last_used, a.revoked, p.name
            FROM legacy_accounts a JOIN people p ON p.id = a.person
            WHERE a.site = ? ORDER BY p.name COLLATE NOCASE, a.person
            """, site
        ) { (account($0), $0[6]) }
    }

    /// Whether a user name is somebody's, or was.
    static func isTaken(_ username: String, in database: Database) throws -> Bool {
        try database.row("SELECT 1 FROM legacy_accounts WHERE username = ?", username) { $0[0] as Int } != nil
    }

    /// Makes an account, or gives the one that is there another password and puts it in force again.
    static func set(_ account: LegacyAccount, hash: String, in database: Database) throws {
        try database.execute(
            """
            INSERT INTO legacy_accounts (person, site, username, password, created, last_used, revoked)
            VALUES (?, ?, ?, ?, ?, NULL, NULL)
            ON CONFLICT (person, site) DO UPDATE SET password = excluded.password, created = excluded.created,
                last_used = NULL, revoked = NULL
            """, account.person, account.site, account.username, hash, account.created)
    }

    static func setLastUsed(_ now: Timestamp, _ account: LegacyAccount, in database: Database) throws {
        try database.execute(
            "UPDATE legacy_accounts SET last_used = ? WHERE person = ? AND site = ?", now, account.person, account.site)
    }

    static func revoke(of person: PersonID, at site: SiteID, now: Timestamp, in database: Database) throws {
        try database.execute(
            """
            UPDATE legacy_accounts SET revoked = ?, password = '' WHERE person = ? AND site = ? AND revoked IS NULL
            """, now, person, site)
    }

    // MARK: sites

    /// Whether a site takes sign-ins by GET.
    static func allowsGET(_ site: SiteID, in database: Database) throws -> Bool {
        try database.row("SELECT allows_get FROM legacy_sites WHERE site = ?", site) { $0[0] as Bool } ?? false
    }

    static func setAllowsGET(_ allows: Bool, at site: SiteID, in database: Database) throws {
        try database.execute(
            """
            INSERT INTO legacy_sites (site, allows_get) VALUES (?, ?)
            ON CONFLICT (site) DO UPDATE SET allows_get = excluded.allows_get
            """, site, allows)
    }

    // MARK: numbers

    /// The number of a thing: the same for ever, from 1.
    static func number<Name>(of thing: ID<Name>, in database: Database) throws -> Int {
        try database.execute("INSERT INTO legacy_numbers (thing) VALUES (?) ON CONFLICT DO NOTHING", thing)
        return try database.row("SELECT number FROM legacy_numbers WHERE thing = ?", thing) { $0[0] as Int } ?? 0
    }

    // MARK: gates

    /// Whether a gate takes the original system's badges, and no pass, in the air.
    static func isLegacy(_ gate: GateID, in database: Database) throws -> Bool {
        try database.row("SELECT 1 FROM legacy_gates WHERE gate = ?", gate) { $0[0] as Int } != nil
    }

    /// The legacy gates of a site that are in use, by name.
    static func gates(of site: SiteID, in database: Database) throws -> [Gate] {
        let ids = Set(
            try database.rows(
                "SELECT l.gate FROM legacy_gates l JOIN gates g ON g.id = l.gate WHERE g.site = ?", site
            ) { $0[0] as GateID })
        return ids.isEmpty ? [] : try GateRecords.gates(of: site, in: database).filter { ids.contains($0.id) }
    }

    /// The sites that have a legacy gate.
    static func sitesWithGates(in database: Database) throws -> [SiteID] {
        try database.rows("SELECT DISTINCT g.site FROM legacy_gates l JOIN gates g ON g.id = l.gate") {
            $0[0] as SiteID
        }
    }

    static func setLegacy(_ gate: GateID, _ isLegacy: Bool, in database: Database) throws {
        if isLegacy {
            try database.execute("INSERT INTO legacy_gates (gate) VALUES (?) ON CONFLICT DO NOTHING", gate)
        } else {
            try database.execute("DELETE FROM legacy_gates WHERE gate = ?", gate)
        }
    }

    // MARK: badges

    /// Whoever a badge was taken from stays known so long, in milliseconds: a gate that was alone may still tell of an attempt.
    private static let memory: Int64 = 31 * 86_400_000

    /// The code of somebody's badge at a site; nil when they have none. It opens: it is for their app alone.
    static func badge(of person: PersonID, at site: SiteID, in database: Database) throws -> String? {
        try database.row(
            "SELECT code FROM legacy_badges WHERE site = ? AND person = ? AND revoked IS NULL", site, person
        ) { $0[0] as String }
    }

    /// Gives somebody a badge at a site. The one that they had opens no more, and leaves its place to the new one.
    /// - Parameter sweeps: whether what is old may be removed by its age.
    /// - Throws: `LegacyBadgesFull` where a gate can hold no more of them.
    static func makeBadge(
        for person: PersonID, at site: SiteID, now: Timestamp, sweeps: Bool, in database: Database
    ) throws {
        if try badge(of: person, at: site, in: database) == nil {
            let count = try database.row(
                "SELECT count(*) FROM legacy_badges WHERE site = ? AND revoked IS NULL", site
            ) { $0[0] as Int }
            if count ?? 0 >= LegacyPolicy.mostBadges { throw LegacyBadgesFull() }
        }
        try revokeBadge(of: person, at: site, now: now, sweeps: sweeps, in: database)
        try database.execute(
            "INSERT INTO legacy_badges (code, site, person, created, revoked) VALUES (?, ?, ?, ?, NULL)",
            LegacyCode.random(Legacy.maxBadge), site, person, now)
    }

    /// Takes somebody's badge at a site away, and removes those that were taken away long ago.
    /// - Parameter sweeps: whether what is old may be removed by its age; else those go that `badges` has no place for.
    static func revokeBadge(
        of person: PersonID, at site: SiteID, now: Timestamp, sweeps: Bool, in database: Database
    ) throws {
        try database.execute(
            "UPDATE legacy_badges SET revoked = ? WHERE site = ? AND person = ? AND revoked IS NULL", now, site, person)
        if sweeps {
            try database.execute("DELETE FROM legacy_badges WHERE revoked < ?", now.adding(milliseconds: -memory))
        } else {
            try database.execute(
                """
                DELETE FROM legacy_badges WHERE code IN (
                    SELECT code FROM legacy_badges WHERE site = ? AND revoked IS NOT NULL
                    ORDER BY revoked DESC LIMIT -1 OFFSET ?)
                """, site, LocalRights.maxHolders)
        }
    }

    /// The badges of a site: those in force, of the longest known people first; then those that were taken away lately, newest first.
    static func badges(of site: SiteID, in database: Database) throws -> [LegacyBadge] {
        try database.rows(
            """
            SELECT code, person, revoked FROM legacy_badges WHERE site = ?
            ORDER BY revoked IS NOT NULL, revoked DESC, person, code LIMIT ?
            """, site, LocalRights.maxHolders
        ) { LegacyBadge(code: Array(($0[0] as String).utf8), person: $0[1], revoked: $0[2]) }
    }

    /// Whether somebody has, or had lately, a badge at a site.
    static func isHolder(_ person: PersonID, at site: SiteID, in database: Database) throws -> Bool {
        try database.row("SELECT 1 FROM legacy_badges WHERE site = ? AND person = ? LIMIT 1", site, person) {
            $0[0] as Int
        } != nil
    }

    /// Removes everything about somebody at a site.
    static func erase(_ person: PersonID, at site: SiteID, in database: Database) throws {
        try database.execute("DELETE FROM legacy_accounts WHERE person = ? AND site = ?", person, site)
        try database.execute("DELETE FROM legacy_badges WHERE person = ? AND site = ?", person, site)
        try database.execute(
            """
            DELETE FROM legacy_numbers WHERE thing = ? AND NOT EXISTS (SELECT 1 FROM legacy_accounts WHERE person = ?)
            """, person, person)
    }
}
