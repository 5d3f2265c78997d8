import Accounts
import Crypto
import HTTPServer
import Identity
import Ledger
import Store
import System

/// The devices that pushes go to. Every function runs inside the caller's transaction.
///
/// A device belongs to a session and is nobody's without it: whoever signs out, on the device or from elsewhere, is not followed by
/// what is told to them. A session that is renewed at the start of the app takes its device along.
enum PushRecords {
    static let migration = Migration(
        "notices.push.1",
        """
        CREATE TABLE push_devices (
            id BLOB NOT NULL PRIMARY KEY, person BLOB NOT NULL, session BLOB NOT NULL,
            endpoint_hash BLOB NOT NULL UNIQUE, endpoint TEXT NOT NULL, public_key BLOB NOT NULL, secret BLOB NOT NULL,
            created INTEGER NOT NULL, reached INTEGER, failures INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX push_devices_by_person ON push_devices (person);
        CREATE INDEX push_devices_by_session ON push_devices (session);
        """)

    /// At most so many devices of one person; the oldest goes first, and those before all others whose session has shown no passkey: many
    /// sign-ins by a password make no telephone deaf at a site that asks for a passkey.
    /// - Key: person
    static let most = 10

    // MARK: writing

    /// Adds a device, or notes what has changed of it. One session has one; one endpoint is one device, whoever had it before.
    /// - Returns: which it is, and whether another one had to go for it.
    @discardableResult
    static func put(
        _ subscription: PushSubscription, of person: PersonID, session: [UInt8], at now: Timestamp,
        in database: Database
    ) throws -> (id: PushDeviceID, isInPlaceOfAnother: Bool) {
        let hash = Digest.sha256(Array(subscription.endpoint.utf8))
        let known = try database.row(
            "SELECT id, created, reached, failures FROM push_devices WHERE endpoint_hash = ? AND person = ?", hash,
            person
        ) {
            (
                id: $0[0] as PushDeviceID, created: $0[1] as Timestamp, reached: $0[2] as Timestamp?,
                failures: $0[3] as Int
            )
        }
        try remove(session: session, in: database)
        try database.execute("DELETE FROM push_devices WHERE endpoint_hash = ?", hash)
        let id = known?.id ?? .new(at: now)
        try database.execute(
            """
            INSERT INTO push_devices
                (id, person, session, endpoint_hash, endpoint, public_key, secret, created, reached, failures)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, id, person, session, hash, subscription.endpoint, subscription.key.bytes, subscription.auth,
            known?.created ?? now, known?.reached, known?.failures ?? 0)
        // Its own comes after those of stronger sessions, and before its like.
        let gone = try database.rows(
            """
            DELETE FROM push_devices WHERE person = ?1 AND id NOT IN (
                SELECT p.id FROM push_devices p LEFT JOIN sessions s ON s.hash = p.session WHERE p.person = ?1
                ORDER BY s.strong_at IS NOT NULL DESC, p.id = ?2 DESC, p.created DESC, p.id DESC LIMIT ?3
            ) RETURNING id
            """, person, id, most
        ) { $0[0] as PushDeviceID }
        guard !gone.contains(id) else {
            throw Problem.conflict(
                "ten devices that have shown a passkey hear notices already: show a passkey here, or sign out elsewhere",
                type: "too-many-devices")
        }
        return (id, !gone.isEmpty)
    }

    /// Takes the device of a session away. Answers whether there was one.
    @discardableResult
    static func remove(session: [UInt8], in database: Database) throws -> Bool {
        try database.execute(
            """
            DELETE FROM push_devices WHERE session = ?1
                OR session IN (SELECT predecessor FROM renewals WHERE successor = ?1)
            """, session) > 0
    }

    /// Takes a device away that its push service knows no more.
    static func remove(_ id: PushDeviceID, in database: Database) throws {
        try database.execute("DELETE FROM push_devices WHERE id = ?", id)
    }

    /// Notes what became of an attempt.
    /// - Parameter reached: when it arrived; nil: it did not.
    static func note(_ id: PushDeviceID, reached: Timestamp?, in database: Database) throws {
        try database.execute(
            """
            UPDATE push_devices SET reached = coalesce(?1, reached), failures = iif(?1 IS NULL, failures + 1, 0)
            WHERE id = ?2
            """, reached, id)
    }

    /// A session has ended: its device goes, or moves on to the one that took its place.
    static func sessionEnded(_ session: [UInt8], at now: Timestamp, in database: Database) throws {
        try database.execute(
            """
            UPDATE push_devices SET session = (SELECT successor FROM renewals WHERE predecessor = ?1)
            WHERE session = ?1 AND EXISTS (
                SELECT 1 FROM renewals r JOIN sessions s ON s.hash = r.successor
                WHERE r.predecessor = ?1 AND r.is_confirmed = 1 AND s.expires > ?2
            )
            """, session, now)
        try database.execute(
            """
            DELETE FROM push_devices WHERE session = ?1
                AND NOT EXISTS (SELECT 1 FROM sessions WHERE hash = ?1 AND expires > ?2)
            """, session, now)
    }

    /// The same for all that have ended in the meantime.
    /// - Parameter sweeps: whether what is old may be removed by its age; else those alone are looked at that were ended or renewed.
    static func sweep(at now: Timestamp, sweeps: Bool, in database: Database) throws {
        let line = sweeps ? now : Timestamp(milliseconds: .min)
        let ended = try database.rows(
            """
            SELECT session FROM push_devices
            WHERE session NOT IN (SELECT hash FROM sessions WHERE expires > ?)
                OR session IN (SELECT predecessor FROM renewals WHERE is_confirmed = 1)
            """, line
        ) { $0[0] as [UInt8] }
        for session in ended { try sessionEnded(session, at: line, in: database) }
    }

    /// Whoever is erased is reached no more.
    static func erase(_ person: PersonID, in database: Database) throws {
        try database.execute("DELETE FROM push_devices WHERE person = ?", person)
    }

    // MARK: reading

    // Both look by the session that a device belongs to now: of one that is being renewed, the one that takes its place.

    /// Somebody's devices, the newest first.
    static func devices(of person: PersonID, at now: Timestamp, in database: Database) throws -> [PushDevice] {
        try database.rows(
            """
            SELECT d.id, d.person, s.hash, d.created, d.reached, d.failures, s.strong_at IS NOT NULL
            FROM push_devices d JOIN sessions s ON s.hash = coalesce(
                (SELECT successor FROM renewals WHERE predecessor = d.session AND is_confirmed = 1), d.session
            ) WHERE s.expires > ?1 AND d.person = ?2
            ORDER BY d.created DESC, d.id DESC
            """, now, person
        ) {
            PushDevice(
                id: $0[0], person: $0[1], session: $0[2], created: $0[3], reached: $0[4], failures: $0[5],
                isStrong: $0[6])
        }
    }

    /// Where a device is reached, as long as its session lasts; nil: it is gone, or is a service on this machine.
    /// - Parameter allowsLoopback: whether a service on this machine will do.
    static func subscription(
        of id: PushDeviceID, at now: Timestamp, allowsLoopback: Bool, in database: Database
    ) throws -> PushSubscription? {
        try database.row(
            """
            SELECT d.endpoint, d.public_key, d.secret
            FROM push_devices d JOIN sessions s ON s.hash = coalesce(
                (SELECT successor FROM renewals WHERE predecessor = d.session AND is_confirmed = 1), d.session
            ) WHERE s.expires > ?1 AND d.id = ?2
            """, now, id
        ) { row in
            // Checked again: the demo's folder may be a hub's now.
            try? PushSubscription(endpoint: row[0], key: row[1], auth: row[2], allowsLoopback: allowsLoopback)
        } ?? nil
    }
}
