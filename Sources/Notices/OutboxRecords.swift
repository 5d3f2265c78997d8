import Ledger
import Store
import System

/// What became of a parcel, for whoever sent it.
public enum ParcelState: String, Sendable {
    /// It is tried now and then.
    case waiting
    /// It has arrived.
    case delivered
    /// The other side will not have it.
    case refused
    /// It is too old to matter.
    case expired
}

/// The parcels as they are kept. Every function runs inside the caller's transaction.
public enum OutboxRecords {
    static let migration = Migration(
        "notices.outbox.1",
        """
        CREATE TABLE outbox (
            id BLOB NOT NULL PRIMARY KEY, channel TEXT NOT NULL, person BLOB, subject BLOB, payload BLOB NOT NULL,
            created INTEGER NOT NULL, expires INTEGER NOT NULL, attempts INTEGER NOT NULL, due INTEGER NOT NULL,
            state TEXT NOT NULL, why TEXT, finished INTEGER
        ) STRICT;
        CREATE INDEX outbox_by_due ON outbox (channel, state, due);
        CREATE INDEX outbox_by_subject ON outbox (subject);
        CREATE INDEX outbox_by_person ON outbox (person);
        """)

    /// What has come to an end is known for so long, in milliseconds: 30 days.
    static let kept: Int64 = 30 * 86_400_000

    /// Hands a parcel in. It is carried once the transaction is on disk.
    /// - Parameter due: not before this; at once unless told.
    public static func add(_ parcel: Parcel, due: Timestamp? = nil, in database: Database) throws {
        precondition(parcel.payload.count <= Parcel.longest, "a parcel is bounded by whoever makes it")
        try database.execute(
            """
            INSERT INTO outbox (id, channel, person, subject, payload, created, expires, attempts, due, state)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'waiting')
            """, parcel.id, parcel.channel.rawValue, parcel.person, parcel.subject, parcel.payload, parcel.created,
            parcel.expires, parcel.attempts, due ?? parcel.created)
    }

    static let expiryMigration = Migration(
        "notices.outbox.2", "CREATE INDEX outbox_by_expiry ON outbox (channel, state, expires, due);")

    /// What is due on a channel, without those on their way already. What is soonest too late goes first: a letter that somebody waits for
    /// before the invitations of a thousand people.
    static func due(
        on channel: Channel, at now: Timestamp, without busy: Set<ParcelID>, limit: Int, in database: Database
    ) throws -> [Parcel] {
        let found = try database.rows(
            """
            SELECT id, person, subject, payload, created, expires, attempts FROM outbox
            WHERE channel = ? AND state = 'waiting' AND +due <= ? ORDER BY expires, due LIMIT ?
            """, channel.rawValue, now, limit + busy.count
        ) {
            Parcel(
                id: $0[0], channel: channel, person: $0[1], subject: $0[2], payload: $0[3], created: $0[4],
                expires: $0[5], attempts: $0[6])
        }
        return Array(found.filter { !busy.contains($0.id) }.prefix(limit))
    }

    /// When the next parcel of a channel is due, without those on their way already; nil when none waits.
    static func nextDue(on channel: Channel, without busy: Set<ParcelID>, in database: Database) throws -> Timestamp? {
        try database.rows(
            "SELECT id, due FROM outbox WHERE channel = ? AND state = 'waiting' ORDER BY due LIMIT ?",
            channel.rawValue, busy.count + 1
        ) { ($0[0] as ParcelID, $0[1] as Timestamp) }.first { !busy.contains($0.0) }?.1
    }

    /// A parcel is tried again later.
    static func postpone(_ id: ParcelID, until due: Timestamp, why: String, in database: Database) throws {
        try database.execute(
            "UPDATE outbox SET attempts = attempts + 1, due = ?, why = ? WHERE id = ?", due, why, id)
    }

    /// A parcel has come to its end: what it held goes, what became of it is known for a while.
    static func finish(
        _ id: ParcelID, _ state: ParcelState, why: String?, at now: Timestamp, in database: Database
    ) throws {
        try database.execute(
            "UPDATE outbox SET attempts = attempts + 1, state = ?, why = ?, finished = ?, payload = x'' WHERE id = ?",
            state.rawValue, why, now, id)
    }

    /// Forgets what came to its end long ago.
    static func sweep(before time: Timestamp, in database: Database) throws {
        try database.execute("DELETE FROM outbox WHERE finished < ?", time)
    }

    /// What became of everything that belongs to a subject.
    public static func states(
        of subject: [UInt8], in database: Database
    ) throws -> [(channel: Channel, person: PersonID?, state: ParcelState, why: String?, finished: Timestamp?)] {
        try database.rows(
            "SELECT channel, person, state, why, finished FROM outbox WHERE subject = ? ORDER BY created, id", subject
        ) {
            (
                Channel(rawValue: $0[0]) ?? .mail, $0[1] as PersonID?, ParcelState(rawValue: $0[2]) ?? .waiting,
                $0[3] as String?, $0[4] as Timestamp?
            )
        }
    }

    /// How many parcels of a subject were handed in since then.
    static func count(of subject: [UInt8], since time: Timestamp, in database: Database) throws -> Int {
        try database.row("SELECT count(*) FROM outbox WHERE subject = ? AND created > ?", subject, time) { $0[0] } ?? 0
    }

    /// What is on its way to somebody goes with them.
    static func erase(_ person: PersonID, in database: Database) throws {
        try database.execute("DELETE FROM outbox WHERE person = ?", person)
    }
}
