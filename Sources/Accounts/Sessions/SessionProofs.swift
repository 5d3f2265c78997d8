import Identity
import Ledger
import Store
import System

/// By which way a session was opened, proven last and made strong, so that it ends, or is weak again, when that way is taken away.
///
/// Every function runs inside the caller's transaction.
enum SessionProofs {
    /// Of sessions that began before this was kept nobody knows by what: `opened_by` is null. What they were strong by may have been
    /// shown at their beginning, so it is not fresh. `is_strong` is not used any more.
    static let migration = Migration(
        "accounts.proofs.1",
        """
        ALTER TABLE sessions ADD COLUMN opened_by TEXT;
        ALTER TABLE sessions ADD COLUMN proven_by TEXT;
        ALTER TABLE sessions ADD COLUMN strong_by TEXT;
        ALTER TABLE sessions ADD COLUMN strong_at INTEGER;
        UPDATE sessions SET strong_at = created WHERE is_strong;
        """)

    /// Whether a way is still one of somebody's.
    /// - Parameter hash: of the password as it was when the way was looked at, or what stands in its place.
    static func holds(
        _ way: ProofWay, of person: PersonID, _ hash: String, in database: Database
    ) throws -> Bool {
        switch way {
        case .password, .letter: try AccountRecords.storedPassword(of: person, in: database) == hash
        case .passkey(let id): try WayRecords.passkeys(of: person, in: database).contains { $0.reference == id }
        case .identity(let issuer, let subject):
            try WayRecords.person(issuer: issuer, subject: subject, in: database) == person
        }
    }

    /// Notes that the holder of a session has proven who they are once more. What was strong stays strong. A token that the same browser
    /// got in the same moment, by a renewal, knows of it too.
    static func prove(_ session: [UInt8], by way: ProofWay, at now: Timestamp, in database: Database) throws {
        try database.execute(
            """
            UPDATE sessions SET proven = ?1, proven_by = ?2
            WHERE (person, origin) = (SELECT person, origin FROM sessions WHERE hash = ?3)
            """, now, way.stored, session)
        guard way.method.isStrong else { return }
        try database.execute(
            """
            UPDATE sessions SET strong_at = ?1, strong_by = ?2
            WHERE (person, origin) = (SELECT person, origin FROM sessions WHERE hash = ?3)
            """, now, way.stored, session)
    }

    /// Takes away what a way in gave: the sessions that it opened, and those in which it was the last strong one, end, whatever else was
    /// proven in them since, for they are where that way is, on a lost phone, say. Others, and the one in which it is done, go on, without
    /// the strength and the freshness that this one gave. A session of which nobody knows what opened it ends too.
    /// - Parameter session: the one in which it is done; it goes on when it was proven by another way in the last minutes. Nil: none.
    /// - Returns: the sessions that ended, or reach less from now on.
    static func takeAway(
        _ way: ProofWay, from person: PersonID, by session: [UInt8]?, at now: Timestamp, in database: Database
    ) throws -> [[UInt8]] {
        if let session { try keep(session, without: way, at: now, in: database) }
        try LinkRecords.endWishes(of: person, in: database)
        var changed = try database.rows(
            """
            DELETE FROM sessions WHERE person = ?1 AND (opened_by IS NULL OR opened_by = ?2
                OR strong_by = ?2 AND origin IS NOT (SELECT origin FROM sessions WHERE hash = ?3)) RETURNING hash
            """, person, way.stored, session
        ) { $0[0] as [UInt8] }
        if way.method.isStrong {
            changed += try database.rows(
                """
                UPDATE sessions SET strong_at = NULL, strong_by = NULL
                WHERE person = ? AND strong_at IS NOT NULL AND (strong_by IS NULL OR strong_by = ?) RETURNING hash
                """, person, way.stored
            ) { $0[0] as [UInt8] }
        }
        try database.execute(
            "UPDATE sessions SET proven = 0, proven_by = NULL WHERE person = ? AND proven_by = ?", person, way.stored)
        return changed
    }

    /// From now on a session counts as opened by the other way that was shown in it, with the one that it is renewed from or to.
    private static func keep(
        _ session: [UInt8], without way: ProofWay, at now: Timestamp, in database: Database
    ) throws {
        let found = try database.row(
            "SELECT opened_by, proven_by, proven, origin FROM sessions WHERE hash = ?", session
        ) { ($0[0] as String?, $0[1] as String?, $0[2] as Timestamp, $0[3] as SessionID) }
        guard let (openedBy, provenBy, proven, origin) = found, openedBy == nil || openedBy == way.stored,
            let provenBy, provenBy != way.stored, Proof(at: proven, strongAt: nil).isFresh(at: now)
        else { return }
        try database.execute("UPDATE sessions SET opened_by = ? WHERE origin = ?", provenBy, origin)
    }

    /// The sessions, of everybody who has a part in a site, that have shown no strong way.
    static func weak(at site: SiteID, in database: Database) throws -> [[UInt8]] {
        try database.rows(
            """
            SELECT hash FROM sessions WHERE strong_at IS NULL
                AND person IN (SELECT person FROM memberships WHERE site = ?)
            """, site
        ) { $0[0] }
    }
}
