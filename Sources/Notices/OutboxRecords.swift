import Identity
import JSON
import Ledger
import Store
import System

/// What became of a parcel, for whoever sent it.
public enum ParcelState: String, Sendable, JSONChoice {
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
            INSERT INTO outbox (id, channel, person, subject, payload, created, expires, attempts, due, share, state)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'waiting')
            """, parcel.id, parcel.channel.rawValue, parcel.person, parcel.subject, parcel.payload, parcel.created,
            parcel.expires, parcel.attempts, due ?? parcel.created, parcel.share)
    }

    static let expiryMigration = Migration(
        "notices.outbox.2", "CREATE INDEX outbox_by_expiry ON outbox (channel, state, expires, due);")

    /// Older parcels get a share: the site's whose server is called, else the person's, else the subject's or their own.
    static let shareMigration = Migration(
        "notices.outbox.3",
        """
        ALTER TABLE outbox ADD COLUMN share BLOB NOT NULL DEFAULT x'';
        UPDATE outbox SET share = CASE
            WHEN channel = 'webhook' AND length(payload) >= 16 THEN substr(payload, 1, 16)
            WHEN person IS NOT NULL THEN person
            WHEN length(subject) = 16 THEN subject
            ELSE id END
        WHERE state = 'waiting';
        DROP INDEX outbox_by_expiry;
        CREATE INDEX outbox_by_share ON outbox (channel, share, expires, due) WHERE state = 'waiting';
        CREATE INDEX outbox_by_share_due ON outbox (channel, share, due) WHERE state = 'waiting';
        """)

    /// What ended long ago, and what nobody carries any more, is found without looking at all of it.
    static let endMigration = Migration(
        "notices.outbox.4",
        """
        CREATE INDEX outbox_by_end ON outbox (finished) WHERE finished IS NOT NULL;
        CREATE INDEX outbox_by_lateness ON outbox (expires) WHERE state = 'waiting';
        """)

    /// The shares for which something waits on a channel, in the order of their ids: at most so many of those that follow one.
    ///
    /// It steps from share to share, by an index: how many parcels each has does not matter.
    static func waitingShares(
        on channel: Channel, after share: ShareID?, limit: Int, in database: Database
    ) throws -> [WaitingShare] {
        try database.rows(waitingSharesQuery, channel.rawValue, share?.raw.bytes ?? [], limit) {
            WaitingShare(share: $0[0], due: $0[1], expires: $0[2])
        }
    }

    static let waitingSharesQuery: StaticString = """
        WITH RECURSIVE found (share) AS (
            SELECT min(share) FROM outbox WHERE channel = ?1 AND state = 'waiting' AND share > ?2
            UNION ALL
            SELECT (SELECT min(share) FROM outbox WHERE channel = ?1 AND state = 'waiting' AND share > found.share)
            FROM found WHERE share IS NOT NULL
            LIMIT ?3
        )
        SELECT share,
            (SELECT min(due) FROM outbox WHERE channel = ?1 AND state = 'waiting' AND share = found.share),
            (SELECT min(expires) FROM outbox WHERE channel = ?1 AND state = 'waiting' AND share = found.share)
        FROM found WHERE share IS NOT NULL
        """

    /// What is due of a share and soonest too late, without those on their way already.
    /// - Parameter held: how many of the share are on their way.
    static func first(
        of share: ShareID, on channel: Channel, at now: Timestamp, without busy: Set<ParcelID>, held: Int,
        in database: Database
    ) throws -> Parcel? {
        try database.rows(firstQuery, channel.rawValue, share, now, held + 1) {
            Parcel(
                id: $0[0], channel: channel, person: $0[1], subject: $0[2], payload: $0[3], created: $0[4],
                expires: $0[5], share: share, attempts: $0[6])
        }.first { !busy.contains($0.id) }
    }

    static let firstQuery: StaticString = """
        SELECT id, person, subject, payload, created, expires, attempts FROM outbox INDEXED BY outbox_by_share
        WHERE channel = ? AND state = 'waiting' AND share = ? AND due <= ? ORDER BY expires, due LIMIT ?
        """

    /// When the next parcel of a channel is due that is not due yet; nil when there is none.
    static func nextDue(on channel: Channel, after now: Timestamp, in database: Database) throws -> Timestamp? {
        try database.row(nextDueQuery, channel.rawValue, now) { $0[0] as Timestamp? } ?? nil
    }

    static let nextDueQuery: StaticString = """
        SELECT min(due) FROM outbox WHERE channel = ? AND state = 'waiting' AND due > ?
        """

    /// Whether any parcel of a channel is due.
    static func isAnyDue(on channel: Channel, at now: Timestamp, in database: Database) throws -> Bool {
        try database.row(
            "SELECT 1 FROM outbox WHERE channel = ? AND state = 'waiting' AND due <= ? LIMIT 1", channel.rawValue, now
        ) { _ in true } ?? false
    }

    /// A parcel is tried again later.
    static func postpone(_ id: ParcelID, until due: Timestamp, why: String, in database: Database) throws {
        try database.execute(
            "UPDATE outbox SET attempts = attempts + 1, due = ?, why = ? WHERE id = ?", due, why, id)
    }

    /// What was on its way at once when the hub ended is due now: whoever carried it is gone.
    /// - Parameters:
    ///   - began: when this hub began.
    ///   - lease: how long it would be left alone.
    static func release(before began: Timestamp, within lease: Int64, in database: Database) throws {
        try database.execute(
            """
            UPDATE outbox SET due = ?1
            WHERE state = 'waiting' AND attempts = 0 AND created < ?1 AND due > ?1 AND due <= ?2
            """, began, began.adding(milliseconds: lease))
    }

    /// The clock was set back: what was handed in while it was ahead counts as handed in now, and what is to be tried again waits for no
    /// longer than the longest pause.
    static func clockWentBack(to now: Timestamp, on channel: Channel, in database: Database) throws {
        // Nothing is due before it was handed in.
        try database.execute(
            """
            UPDATE outbox SET due = due - (created - ?1), expires = expires - (created - ?1), created = ?1
            WHERE channel = ?2 AND state = 'waiting' AND due > ?1 AND created > ?1
            """, now, channel.rawValue)
        try database.execute(
            "UPDATE outbox SET due = ?1 WHERE channel = ?2 AND state = 'waiting' AND due > ?3 AND attempts > 0", now,
            channel.rawValue, now.adding(milliseconds: Outbox.longestPause))
    }

    /// A parcel for which no lane was free at once is due now.
    static func release(_ id: ParcelID, at now: Timestamp, in database: Database) throws {
        try database.execute("UPDATE outbox SET due = ? WHERE id = ? AND state = 'waiting'", now, id)
    }

    /// A parcel has come to its end: what it held goes, what became of it is known for a while.
    static func finish(
        _ id: ParcelID, _ state: ParcelState, why: String?, at now: Timestamp, in database: Database
    ) throws {
        try database.execute(
            """
            UPDATE outbox SET attempts = attempts + 1, state = ?, why = ?, finished = ?, payload = x'', share = x''
            WHERE id = ?
            """, state.rawValue, why, now, id)
    }

    /// Forgets some of what came to its end long ago, and ends some of what nobody carries any more: its channel would have noticed that it
    /// is too late.
    /// - Returns: whether there may be more.
    static func sweep(at now: Timestamp, in database: Database) throws -> Bool {
        let (long, late) = (now.adding(milliseconds: -kept), now.adding(milliseconds: -grace))
        let old = try database.rows("SELECT id FROM outbox WHERE finished < ? LIMIT ?", long, Expiry.batch) {
            $0[0] as ParcelID
        }
        for id in old { try database.execute("DELETE FROM outbox WHERE id = ?", id) }
        let over = try database.rows(
            "SELECT id FROM outbox WHERE state = 'waiting' AND expires < ? LIMIT ?", late, Expiry.batch
        ) { $0[0] as ParcelID }
        for id in over {
            try database.execute(
                "UPDATE outbox SET state = 'expired', finished = ?, payload = x'', share = x'' WHERE id = ?", now, id)
        }
        return max(old.count, over.count) == Expiry.batch
    }

    /// A parcel that is too late is left to its channel for so long, in milliseconds: an hour.
    private static let grace: Int64 = 3_600_000

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

    /// Letters to somebody whom nobody knew, that are on their way.
    static func eraseLetters(of share: ShareID, in database: Database) throws {
        try database.execute(
            "DELETE FROM outbox WHERE channel = ? AND state = 'waiting' AND share = ? AND person IS NULL",
            Channel.mail.rawValue, share)
    }

    /// What is on its way to somebody goes with them.
    static func erase(_ person: PersonID, in database: Database) throws {
        try database.execute("DELETE FROM outbox WHERE person = ?", person)
    }
}
