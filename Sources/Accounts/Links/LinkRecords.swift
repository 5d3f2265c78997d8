import Crypto
import Identity
import Ledger
import Store
import System

/// The links in letters as they are kept. Every function runs inside the caller's transaction.
public enum LinkRecords {
    static let migration = Migration(
        "accounts.links.1",
        """
        CREATE TABLE links (
            hash BLOB NOT NULL PRIMARY KEY, purpose TEXT NOT NULL, person BLOB REFERENCES people (id), address TEXT NOT NULL,
            name TEXT, language TEXT, expires INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX links_by_person ON links (person);
        CREATE INDEX links_by_address ON links (address, purpose);
        ALTER TABLE people ADD COLUMN signed_in INTEGER;
        UPDATE people SET signed_in = created WHERE id IN (SELECT person FROM sessions);
        """)

    /// Links that have ended and are not swept out yet. Anybody may ask for one, for any number of addresses.
    /// - Key: hub
    static let mostEnded = 1_000

    /// Makes a link. The older ones of the same purpose and person, or address, open nothing any more; but several people may ask for one
    /// address.
    /// - Parameter sweeps: whether what is old may be removed by its age.
    /// - Returns: its secret, for the letter and nothing else.
    public static func add(
        _ link: OneTimeLink, at now: Timestamp, sweeps: Bool, in database: Database
    ) throws -> Token {
        let token = Token()
        try database.execute(
            "DELETE FROM links WHERE purpose = ?1 AND (person = ?2 OR (address = ?3 AND purpose <> 'address'))",
            link.purpose.rawValue, link.person, link.address)
        if sweeps { try database.execute("DELETE FROM links WHERE expires < ?", now) }
        try forgetEnded(at: now, in: database)
        try database.execute(
            "INSERT INTO links (hash, purpose, person, address, name, language, expires) VALUES (?, ?, ?, ?, ?, ?, ?)",
            Token.hash(token.text), link.purpose.rawValue, link.person, link.address, link.name, link.language,
            link.expires)
        return token
    }

    /// Sweeps out more than `mostEnded` of those that have ended, those first that ended first.
    private static func forgetEnded(at now: Timestamp, in database: Database) throws {
        try database.execute(
            """
            DELETE FROM links WHERE hash IN (
                SELECT hash FROM links WHERE expires <= ? ORDER BY expires DESC LIMIT -1 OFFSET ?)
            """, now, mostEnded)
    }

    /// The link of a shown secret; nil when it opens nothing: one for an account, when registration was closed since.
    static func find(
        _ text: String, for purposes: Set<LinkPurpose>, at now: Timestamp, in database: Database
    ) throws -> OneTimeLink? {
        guard text.utf8.count == 43 else { return nil }
        let found = try database.row(
            "SELECT purpose, person, address, name, language, expires FROM links WHERE hash = ? AND expires > ?",
            Token.hash(text), now
        ) { row in
            LinkPurpose(rawValue: row[0]).map {
                OneTimeLink(
                    purpose: $0, person: row[1], address: row[2], name: row[3], language: row[4], expires: row[5])
            }
        }
        guard let link = found ?? nil, purposes.contains(link.purpose) else { return nil }
        if link.purpose == .register, try !AccountRecords.isRegistrationOpen(in: database) { return nil }
        return link
    }

    /// Uses a link up, in the transaction of what it is used for.
    /// - Throws: `LinkIsSpent`.
    static func spend(
        _ text: String, for purposes: Set<LinkPurpose>, at now: Timestamp, in database: Database
    ) throws -> OneTimeLink {
        guard let link = try find(text, for: purposes, at: now, in: database) else { throw LinkIsSpent() }
        try database.execute("DELETE FROM links WHERE hash = ?", Token.hash(text))
        return link
    }

    /// Notes that somebody asked for another address, or for a letter to their own. Its link is made when the letter is written.
    /// - Parameter sweeps: whether what is old may be removed by its age.
    public static func wish(
        _ address: String, for person: PersonID, at now: Timestamp, sweeps: Bool, in database: Database
    ) throws {
        let expires = now.adding(milliseconds: LinkPurpose.address.lifetime)
        _ = try add(
            OneTimeLink(purpose: .address, person: person, address: address, expires: expires), at: now, sweeps: sweeps,
            in: database)
    }

    /// Whether somebody who asked for an address still wants it: nothing ended what they asked in.
    public static func isWished(
        _ address: String, by person: PersonID, at now: Timestamp, in database: Database
    ) throws -> Bool {
        try database.row(
            "SELECT 1 FROM links WHERE purpose = 'address' AND person = ? AND address = ? AND expires > ?", person,
            address, now
        ) { _ in true } ?? false
    }

    /// Ends what somebody asked for another address by. Where a session or a way in is ended, it may have been a stranger's, who asked
    /// for a letter to theirs.
    static func endWishes(of person: PersonID, in database: Database) throws {
        try database.execute("DELETE FROM links WHERE purpose = 'address' AND person = ?", person)
    }

    /// Ends every link of somebody, and every one that went to their address.
    static func end(of person: PersonID, in database: Database) throws {
        try database.execute(
            "DELETE FROM links WHERE person = ?1 OR address = (SELECT email FROM people WHERE id = ?1)", person)
    }

    /// Notes that somebody has signed in.
    /// - Returns: whether it was the first time ever.
    public static func noteSignIn(of person: PersonID, at now: Timestamp, in database: Database) throws -> Bool {
        try database.execute("UPDATE people SET signed_in = ? WHERE id = ? AND signed_in IS NULL", now, person) == 1
    }

    /// When somebody's address was confirmed last; nil: never.
    public static func confirmed(_ person: PersonID, in database: Database) throws -> Timestamp? {
        try database.row("SELECT confirmed FROM people WHERE id = ?", person) { $0[0] as Timestamp? } ?? nil
    }

    /// So long after somebody first came in their address is taken for theirs, in milliseconds: a day.
    static let settling: Int64 = 86_400_000

    /// Whether somebody's address may be taken for theirs: they confirmed it, or first came in a day ago or more. Accounts for addresses of
    /// others are quickly made.
    public static func isSettled(_ person: PersonID, at now: Timestamp, in database: Database) throws -> Bool {
        try database.row(
            "SELECT confirmed IS NOT NULL OR coalesce(came <= ?, 0) FROM people WHERE id = ?",
            now.adding(milliseconds: -settling), person
        ) { $0[0] as Bool } ?? false
    }
}
