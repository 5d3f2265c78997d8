import Identity
import Ledger
import Store
import System

/// What is kept of sessions. Every function runs inside the caller's transaction.
public enum SessionRecords {
    /// What `accounts.1` did not keep yet.
    static let migration = Migration(
        "accounts.sessions.1",
        """
        ALTER TABLE sessions ADD COLUMN id BLOB;
        ALTER TABLE sessions ADD COLUMN seen INTEGER;
        ALTER TABLE sessions ADD COLUMN address TEXT;
        ALTER TABLE sessions ADD COLUMN client TEXT;
        UPDATE sessions SET id = randomblob(16), seen = created;
        CREATE UNIQUE INDEX sessions_by_id ON sessions (id);
        """)

    /// Which session a renewed one began as; of what was renewed before this was kept, nobody knows.
    static let originMigration = Migration(
        "accounts.sessions.2", "ALTER TABLE sessions ADD COLUMN origin BLOB; UPDATE sessions SET origin = id;")

    /// What a session shares with those that it was renewed from and into, and with no copy that was shut out. `origin` goes on then, for
    /// what is counted against its holder.
    static let lineMigration = Migration(
        "accounts.sessions.3", "ALTER TABLE sessions ADD COLUMN line BLOB; UPDATE sessions SET line = origin;")

    /// What has ended is swept out only after so many milliseconds more, a week: a clock that jumped ahead takes nothing away for good.
    static let kept: Int64 = 7 * 86_400_000

    /// Browsers in which one person is signed in, and programs, each. For a further one that ends which was used longest ago, of those that
    /// have shown no passkey where there are such: many sign-ins by a password end nothing that a passkey
    /// opened.
    /// - Key: person
    static let mostOfOne = 100
    /// Sessions of one person that have ended, or were renewed, and are not swept out yet.
    /// - Key: person
    static let mostEnded = 100

    /// Adds a session, and sweeps out what ended long ago.
    /// - Parameter sweeps: whether what is old may be removed by its age.
    /// - Returns: the hashes of those that had to end for it, and whether somebody misses one: a browser, or a program that went on with its
    ///   session instead of signing in each time.
    static func add(
        _ session: Session, of person: PersonID, openedBy way: ProofWay, sweeps: Bool = true, in database: Database
    ) throws -> (ended: [[UInt8]], isMissed: Bool) {
        if sweeps {
            try database.execute("DELETE FROM sessions WHERE expires < ?", session.created.adding(milliseconds: -kept))
        }
        try database.execute(
            """
            INSERT INTO sessions (
                hash, person, is_program, created, expires, id, origin, line, seen, address, client, opened_by
            ) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, ?6, ?7, ?8, ?9, ?10)
            """, session.hash, person, session.isProgram, session.created, session.expires, session.id, session.seen,
            session.address, session.client.stored, way.stored)
        try database.execute("UPDATE people SET came = ? WHERE id = ? AND came IS NULL", session.created, person)
        try SessionProofs.prove(session.hash, by: way, at: session.created, in: database)
        try forgetEnded(of: person, at: session.created, in: database)
        let others = try sessions(of: person, at: session.created, in: database).filter {
            $0.isProgram == session.isProgram && $0.hash != session.hash
        }
        let strong = Set(
            try database.rows("SELECT hash FROM sessions WHERE person = ? AND strong_at IS NOT NULL", person) {
                $0[0] as [UInt8]
            })
        // Partitioning keeps the order in which they were used.
        let inOrder = others.filter { strong.contains($0.hash) } + others.filter { !strong.contains($0.hash) }
        let tooMany = inOrder.dropFirst(mostOfOne - 1)
        let isMissed = tooMany.contains {
            !$0.isProgram || $0.seen.milliseconds - $0.created.milliseconds >= Accounts.useInterval
        }
        return (try tooMany.flatMap { try SessionRenewal.end($0.hash, in: database) }, isMissed)
    }

    /// Sweeps out more than `mostEnded` of a person's sessions that have ended, those first that ended first.
    private static func forgetEnded(of person: PersonID, at now: Timestamp, in database: Database) throws {
        try database.execute(
            """
            DELETE FROM sessions WHERE hash IN (
                SELECT hash FROM sessions WHERE person = ? AND expires <= ? ORDER BY expires DESC LIMIT -1 OFFSET ?)
            """, person, now, mostEnded)
    }

    /// Adds the session that takes the place of another: of the same person on the same device, signed in at the same time.
    /// - Parameter isNewLine: whether what is under way in the other one does not go on in this one.
    static func add(
        _ successor: [UInt8], after session: [UInt8], isNewLine: Bool = false, at now: Timestamp, expires: Timestamp,
        in database: Database
    ) throws {
        let id = SessionID.new(at: now)
        try database.execute(
            """
            INSERT INTO sessions (
                hash, person, is_program, created, expires, id, origin, line, seen, address, client, opened_by, proven,
                proven_by, strong_at, strong_by
            ) SELECT ?, person, is_program, created, ?, ?, origin, coalesce(?, line), ?, address, client, opened_by,
                proven, proven_by, strong_at, strong_by FROM sessions WHERE hash = ?
            """, successor, expires, id, isNewLine ? id : nil, now, session)
        let person = try database.row("SELECT person FROM sessions WHERE hash = ?", session) { $0[0] as PersonID }
        if let person { try forgetEnded(of: person, at: now, in: database) }
    }

    /// As which session one of a person's began, and whether a passkey was shown in it or in one that it was renewed from or into: whoever
    /// ends one of them, under whichever id, ends them all. Nil: the person has no such session.
    static func beginning(
        of id: SessionID, of person: PersonID, in database: Database
    ) throws -> (origin: SessionID, isStrong: Bool)? {
        try database.row(
            """
            SELECT origin, EXISTS (
                SELECT 1 FROM sessions AS own WHERE own.origin = sessions.origin AND own.strong_at IS NOT NULL)
            FROM sessions WHERE id = ? AND person = ?
            """, id, person
        ) { ($0[0], $0[1]) }
    }

    /// A person's sessions that have not ended, the last used first. Of one that is being renewed only the token that its holder has
    /// shown last.
    public static func sessions(of person: PersonID, at now: Timestamp, in database: Database) throws -> [Session] {
        try database.rows(
            """
            SELECT id, hash, created, seen, expires, address, client, is_program FROM sessions
            WHERE person = ? AND expires > ?
                AND NOT EXISTS (SELECT 1 FROM renewals WHERE predecessor = hash AND is_confirmed = 1)
                AND NOT EXISTS (SELECT 1 FROM renewals WHERE successor = hash AND is_confirmed = 0)
            ORDER BY seen DESC, created DESC, id
            """, person, now
        ) {
            Session(
                id: $0[0], hash: $0[1], created: $0[2], seen: $0[3], expires: $0[4], address: $0[5],
                client: Client(stored: $0[6]), isProgram: $0[7])
        }
    }

    /// Notes that a session was used.
    static func note(_ use: SessionUse, of hash: [UInt8], in database: Database) throws {
        try database.execute(
            "UPDATE sessions SET seen = ?, address = coalesce(?, address) WHERE hash = ?", use.at, use.address, hash)
    }

    /// Whether a session is as it was when a request came: not ended, and with every proof that it had. Long work goes on when the session
    /// was renewed meanwhile.
    public static func stands(_ principal: Principal, at now: Timestamp, in database: Database) throws -> Bool {
        let person = principal.person.id
        let found =
            try database.row(
                "SELECT proven, strong_at FROM sessions WHERE hash = ? AND person = ? AND expires > ?",
                principal.session, person, now
            ) { Proof(at: $0[0], strongAt: $0[1]) }
            ?? database.row(
                """
                SELECT proven, strong_at FROM sessions WHERE person = ? AND line = ? AND expires > ?
                ORDER BY proven DESC LIMIT 1
                """, person, principal.line, now
            ) { Proof(at: $0[0], strongAt: $0[1]) }
        guard let found else { return false }
        return found.at >= principal.proof.at && (found.isStrong || !principal.proof.isStrong)
    }

    /// Ends one session of a person, with those that it was renewed from and into.
    /// - Returns: the hashes of their tokens; none when the person has no such session.
    static func end(_ id: SessionID, of person: PersonID, in database: Database) throws -> [[UInt8]] {
        let hash = try database.row("SELECT hash FROM sessions WHERE id = ? AND person = ?", id, person) {
            $0[0] as [UInt8]
        }
        guard let hash else { return [] }
        try LinkRecords.endWishes(of: person, in: database)
        return try SessionRenewal.end(hash, in: database)
    }

    /// Ends all sessions of a person but one.
    /// - Returns: the hashes of their tokens.
    static func endOthers(than hash: [UInt8], of person: PersonID, in database: Database) throws -> [[UInt8]] {
        try LinkRecords.endWishes(of: person, in: database)
        return try database.rows("DELETE FROM sessions WHERE person = ? AND hash <> ? RETURNING hash", person, hash) {
            $0[0]
        }
    }

    /// Changes somebody's password, unless it was changed since it was looked at, and tells the hub's chain.
    /// - Parameters:
    ///   - before: the hash that the shown password belongs to.
    ///   - after: from `Passwords.hash`.
    /// - Returns: whether it was changed.
    static func changePassword(
        of person: PersonID, from before: String, to after: String, at now: Timestamp, in database: Database
    ) throws -> Bool {
        let count = try database.execute(
            "UPDATE people SET password = ? WHERE id = ? AND password = ?", after, person, before)
        guard count == 1 else { return false }
        try AddressRecords.tell("password.changed", person, at: now, in: database)
        return true
    }

    /// Sets somebody's password, whatever it was, and tells the hub's chain.
    static func setPassword(of person: PersonID, to hash: String, at now: Timestamp, in database: Database) throws {
        try database.execute("UPDATE people SET password = ? WHERE id = ?", hash, person)
        try AddressRecords.tell("password.changed", person, at: now, in: database)
    }

    /// Ends all sessions of a person.
    /// - Returns: the hashes of their tokens.
    static func endAll(of person: PersonID, in database: Database) throws -> [[UInt8]] {
        try AccountRecords.sessions(of: person, in: database).flatMap { try SessionRenewal.end($0, in: database) }
    }
}

/// That a session was used, and whence.
struct SessionUse: Sendable {
    let at: Timestamp
    let address: String?
}
