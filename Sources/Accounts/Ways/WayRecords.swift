import Identity
import Ledger
import Store
import System

/// The ways in as they are kept. Every function runs inside the caller's transaction.
public enum WayRecords {
    /// The most identities, and the most passkeys, of one account.
    /// - Key: person
    public static let limit = 20

    static let migration = Migration(
        "accounts.ways.1",
        """
        ALTER TABLE people ADD COLUMN confirmed INTEGER;
        ALTER TABLE people ADD COLUMN zone TEXT;
        ALTER TABLE sites ADD COLUMN second_factor INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE sessions ADD COLUMN proven INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE sessions ADD COLUMN is_strong INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE identities (
            issuer TEXT NOT NULL, subject TEXT NOT NULL, person BLOB NOT NULL REFERENCES people (id), label TEXT NOT NULL,
            added INTEGER NOT NULL, used INTEGER, PRIMARY KEY (issuer, subject)
        ) STRICT;
        CREATE INDEX identities_by_person ON identities (person);
        CREATE TABLE passkeys (
            id BLOB NOT NULL PRIMARY KEY, person BLOB NOT NULL REFERENCES people (id), party TEXT NOT NULL, name TEXT NOT NULL,
            public_key BLOB NOT NULL, counter INTEGER NOT NULL, is_backed_up INTEGER NOT NULL, added INTEGER NOT NULL,
            used INTEGER
        ) STRICT;
        CREATE INDEX passkeys_by_person ON passkeys (person);
        """)

    /// What `accounts.ways.1` did not keep yet of a passkey.
    static let passkeysMigration = Migration(
        "accounts.passkeys.1",
        """
        ALTER TABLE passkeys ADD COLUMN may_be_backed_up INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE passkeys ADD COLUMN transports TEXT NOT NULL DEFAULT '';
        """)

    /// When somebody's passkeys were changed last without showing one.
    static let changesMigration = Migration(
        "accounts.passkeys.2", "ALTER TABLE people ADD COLUMN passkeys_changed INTEGER;")

    /// For so long after such a change the account is not deleted and gets no other address, in milliseconds: a week.
    static let pauseAfterChange: Int64 = 7 * 86_400_000

    /// Notes that the passkeys of an account that has one are changed in a session that has not just shown one.
    static func noteChange(by principal: Principal, at now: Timestamp, in database: Database) throws {
        guard !principal.proof.isFreshlyStrong(at: now), try !passkeys(of: principal.person.id, in: database).isEmpty
        else { return }
        try database.execute(
            "UPDATE people SET passkeys_changed = ? WHERE id = ?", now, principal.person.id)
    }

    /// See `noteChange`.
    static func changed(_ person: PersonID, in database: Database) throws -> Timestamp? {
        try database.row("SELECT passkeys_changed FROM people WHERE id = ?", person) { $0[0] as Timestamp? } ?? nil
    }

    /// Everything by which somebody gets in.
    public static func ways(of person: PersonID, in database: Database) throws -> WaysIn {
        WaysIn(
            hasPassword: try AccountRecords.passwordHash(of: person, in: database) != nil,
            passkeys: try passkeys(of: person, in: database), identities: try identities(of: person, in: database))
    }

    // MARK: identities

    /// Whom a service speaks of, and their account here; nil when nobody has linked it.
    public static func person(issuer: String, subject: String, in database: Database) throws -> PersonID? {
        try database.row("SELECT person FROM identities WHERE issuer = ? AND subject = ?", issuer, subject) {
            $0[0] as PersonID
        }
    }

    /// Somebody's identities, the first added first.
    public static func identities(of person: PersonID, in database: Database) throws -> [Identity] {
        try database.rows(
            "SELECT issuer, subject, label, added, used FROM identities WHERE person = ? ORDER BY added, issuer", person
        ) { Identity(issuer: $0[0], subject: $0[1], label: $0[2], added: $0[3], used: $0[4]) }
    }

    /// Links an identity to an account, and tells the hub's chain. Linking it once more changes its label alone.
    /// - Throws: `WayRefusal.belongsToAnother`, `tooMany`.
    public static func add(_ identity: Identity, to person: PersonID, in database: Database) throws {
        let owner = try self.person(issuer: identity.issuer, subject: identity.subject, in: database)
        if let owner, owner != person { throw WayRefusal.belongsToAnother }
        if owner == nil, try identities(of: person, in: database).count >= limit { throw WayRefusal.tooMany }
        try database.execute(
            """
            INSERT INTO identities (issuer, subject, person, label, added) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (issuer, subject) DO UPDATE SET label = excluded.label
            """, identity.issuer, identity.subject, person, identity.label, identity.added)
        if owner == nil { try tell("way.added", "identity", identity.issuer, of: person, identity.added, database) }
    }

    /// Notes that somebody came in by an identity.
    public static func noteUse(issuer: String, subject: String, at now: Timestamp, in database: Database) throws {
        try database.execute(
            "UPDATE identities SET used = ? WHERE issuer = ? AND subject = ?", now, issuer, subject)
    }

    /// Unlinks an identity, and tells the hub's chain.
    /// - Throws: `WayRefusal.isLast`, `unknown`.
    public static func removeIdentity(
        issuer: String, subject: String, of person: PersonID, at now: Timestamp, in database: Database
    ) throws {
        guard try self.person(issuer: issuer, subject: subject, in: database) == person else {
            throw WayRefusal.unknown
        }
        try keepOne(of: person, in: database)
        try database.execute("DELETE FROM identities WHERE issuer = ? AND subject = ?", issuer, subject)
        try tell("way.removed", "identity", issuer, of: person, now, database)
    }

    // MARK: passkeys

    private static func passkey(_ row: Row) -> Passkey {
        Passkey(
            id: row[0], party: row[1], name: row[2], publicKey: row[3], counter: UInt32(clamping: row[4] as Int),
            isBackupEligible: row[6], isBackedUp: row[5], transports: Passkey.Transport.list(row[7]), added: row[8],
            used: row[9])
    }

    /// Somebody's passkeys, the first added first.
    public static func passkeys(of person: PersonID, in database: Database) throws -> [Passkey] {
        try database.rows(
            """
            SELECT id, party, name, public_key, counter, is_backed_up, may_be_backed_up, transports, added, used FROM passkeys
            WHERE person = ? ORDER BY added, id
            """, person, make: passkey)
    }

    /// The passkey that a device calls so, and whose it is.
    public static func passkey(_ id: [UInt8], in database: Database) throws -> (Passkey, PersonID)? {
        try database.row(
            """
            SELECT id, party, name, public_key, counter, is_backed_up, may_be_backed_up, transports, added, used, person
            FROM passkeys WHERE id = ?
            """, id
        ) { (passkey($0), $0[10] as PersonID) }
    }

    /// Adds a passkey to an account, and tells the hub's chain.
    /// - Throws: `WayRefusal.belongsToAnother` when one of that id is there already (W3C Web Authentication, 7.1, step 26), `tooMany`.
    public static func add(_ passkey: Passkey, to person: PersonID, in database: Database) throws {
        if try self.passkey(passkey.id, in: database) != nil { throw WayRefusal.belongsToAnother }
        if try passkeys(of: person, in: database).count >= limit { throw WayRefusal.tooMany }
        try database.execute(
            """
            INSERT INTO passkeys (
                id, person, party, name, public_key, counter, is_backed_up, may_be_backed_up, transports, added
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, passkey.id, person, passkey.party, passkey.name, passkey.publicKey, Int(passkey.counter),
            passkey.isBackedUp, passkey.isBackupEligible, Passkey.Transport.text(passkey.transports), passkey.added)
        try tell("way.added", "passkey", passkey.party, of: person, passkey.added, database)
    }

    /// Notes that a passkey was used: its counter as it is now, and whether devices share it.
    /// - Returns: whether it was noted; not when it has signed as often in the meantime, or is gone.
    public static func noteUse(_ passkey: Passkey, at now: Timestamp, in database: Database) throws -> Bool {
        let count = try database.execute(
            """
            UPDATE passkeys SET counter = ?1, is_backed_up = ?2, used = ?3
            WHERE id = ?4 AND (counter < ?1 OR counter = 0 AND ?1 = 0)
            """, Int(passkey.counter), passkey.isBackedUp, now, passkey.id)
        return count == 1
    }

    /// Tells the hub's chain that a passkey has signed more often than it says: somebody may have a copy of it.
    public static func suspect(_ passkey: Passkey, of person: PersonID, at now: Timestamp, in database: Database) throws
    {
        try tell("passkey.suspected", "passkey", passkey.party, of: person, now, database)
    }

    /// Changes what its person calls a passkey.
    /// - Throws: `WayRefusal.unknown`.
    public static func rename(_ id: [UInt8], of person: PersonID, to name: String, in database: Database) throws {
        let count = try database.execute(
            "UPDATE passkeys SET name = ? WHERE id = ? AND person = ?", name, id, person)
        if count != 1 { throw WayRefusal.unknown }
    }

    /// Removes a passkey, and tells the hub's chain.
    /// - Throws: `WayRefusal.isLast`, `unknown`.
    public static func removePasskey(
        _ id: [UInt8], of person: PersonID, at now: Timestamp, in database: Database
    ) throws {
        guard let (passkey, owner) = try passkey(id, in: database), owner == person else { throw WayRefusal.unknown }
        try keepOne(of: person, in: database)
        try database.execute("DELETE FROM passkeys WHERE id = ?", id)
        try tell("way.removed", "passkey", passkey.party, of: person, now, database)
    }

    // MARK: both

    /// Removes every identity and passkey of an account that gets another way in, and tells the hub's chain of each.
    static func removeAll(of person: PersonID, at now: Timestamp, in database: Database) throws {
        for identity in try identities(of: person, in: database) {
            try tell("way.removed", "identity", identity.issuer, of: person, now, database)
        }
        for passkey in try passkeys(of: person, in: database) {
            try tell("way.removed", "passkey", passkey.party, of: person, now, database)
        }
        try database.execute(
            """
            UPDATE people SET passkeys_changed = ? WHERE id = ?
                AND EXISTS (SELECT 1 FROM passkeys WHERE passkeys.person = people.id)
            """, now, person)
        try erase(person, in: database)
    }

    private static func keepOne(of person: PersonID, in database: Database) throws {
        if try ways(of: person, in: database).count <= 1 { throw WayRefusal.isLast }
    }

    private static func tell(
        _ kind: String, _ way: String, _ of: String, of person: PersonID, _ now: Timestamp, _ database: Database
    ) throws {
        var payload = AuditPayload()
        payload.add("person", person.text)
        payload.add("way", way)
        payload.add("of", of)
        try Ledger.append(
            NewEvent(id: .new(at: now), site: .hub, kind: kind, at: now, person: person, payload: payload.bytes),
            to: database)
    }

    /// What goes with an account.
    static func erase(_ person: PersonID, in database: Database) throws {
        try database.execute("DELETE FROM identities WHERE person = ?", person)
        try database.execute("DELETE FROM passkeys WHERE person = ?", person)
    }

    // MARK: second factor

    /// Whether a site opens itself only to whoever has proven who they are in a strong way.
    public static func asksSecondFactor(_ site: SiteID, in database: Database) throws -> Bool {
        try database.row("SELECT second_factor FROM sites WHERE id = ?", site) { $0[0] as Bool } ?? false
    }

    /// Every site that does, by name: what a session that is not strong is not told of.
    public static func sitesThatAsk(in database: Database) throws -> [Site] {
        try database.rows("SELECT id, name, kind, zone FROM sites WHERE second_factor ORDER BY name, id") {
            AccountRecords.site($0, from: 0)
        }
    }

    /// Switches that on or off, and tells the site's chain.
    public static func askSecondFactor(
        _ isAsked: Bool, at site: SiteID, now: Timestamp, by person: PersonID?, in database: Database
    ) throws {
        let before = try asksSecondFactor(site, in: database)
        try database.execute("UPDATE sites SET second_factor = ? WHERE id = ?", isAsked, site)
        try Audit(
            "site.changed", ("site", site.text), before: [("secondFactor", before ? "asked" : "not asked")],
            after: [("secondFactor", isAsked ? "asked" : "not asked")]
        ).append(at: now, site: site, by: person, in: database)
    }
}
