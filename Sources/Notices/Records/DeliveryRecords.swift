import Accounts
import Identity
import Ledger
import Store
import System

/// What became of a notice, for whoever sent it: per person and way, without any address.
public struct Delivery: Sendable {
    /// How far it came to one person by one way.
    public struct Parcel: Sendable {
        /// By which way.
        public let channel: Channel
        /// What became of it.
        public let state: ParcelState
        /// When it came to its end; nil: it waits.
        public let finished: Timestamp?
    }
    /// Somebody whom it is for.
    public struct Recipient: Sendable {
        /// Who.
        public let person: PersonID
        /// What people call them.
        public let name: String
        /// Whether it can reach them: false for somebody who has not joined, unless a letter goes to them.
        public let isReachable: Bool
        /// When they were told; nil: their turn has not come.
        public let told: Timestamp?
        /// Why it stayed in the inbox; nil: it did not.
        public let held: NoticePolicy.Held?
        /// When they read it.
        public let read: Timestamp?
        /// When they said that they take care.
        public let acknowledged: Timestamp?
        /// When one of their devices showed it first, as the device said; nil: none did, or none says so.
        public let shown: Timestamp?
        /// What left the hub for them.
        public let parcels: [Parcel]
    }

    /// What was sent.
    public let notice: Notice
    /// When somebody took care; nil: nobody yet.
    public let acknowledged: Timestamp?
    /// When the next person's turn is; nil: nobody's.
    public let turn: Timestamp?
    /// Whom it is for, in order.
    public let recipients: [Recipient]
    /// What left for the site's own server.
    public let webhook: [Parcel]
}

extension NoticeRecords {
    /// Of those whom a notice is for: who was only invited, so that no inbox of theirs can be opened, and who gets no letter either.
    private static func outOfReach(of id: NoticeID, in database: Database) throws -> Set<PersonID> {
        Set(
            try database.rows(
                """
                SELECT r.person FROM notice_recipients r JOIN people_awaited a ON a.id = r.person
                JOIN people p ON p.id = r.person WHERE r.notice = ? AND p.invited IS NOT NULL
                """, id
            ) { $0[0] as PersonID })
    }

    /// What became of a notice; nil when there is none of that name.
    public static func delivery(of id: NoticeID, in database: Database) throws -> Delivery? {
        guard let notice = try notice(id, in: database) else { return nil }
        let parcels = try OutboxRecords.states(of: id.raw.bytes, in: database).map {
            ($0.person, Delivery.Parcel(channel: $0.channel, state: $0.state, finished: $0.finished))
        }
        let outOfReach = try outOfReach(of: id, in: database)
        let recipients = try database.rows(
            """
            SELECT r.person, p.name, r.told, r.held, r.read, r.acknowledged,
                (SELECT min(shown) FROM notice_receipts s WHERE s.notice = r.notice AND s.person = r.person)
            FROM notice_recipients r JOIN people p ON p.id = r.person WHERE r.notice = ? ORDER BY r.place
            """, id
        ) { row in
            let person = row[0] as PersonID
            return Delivery.Recipient(
                person: person, name: row[1], isReachable: !outOfReach.contains(person), told: row[2],
                held: (row[3] as String?).flatMap { NoticePolicy.Held(rawValue: $0) }, read: row[4],
                acknowledged: row[5], shown: row[6], parcels: parcels.filter { $0.0 == person }.map(\.1))
        }
        let state = try database.row("SELECT acknowledged, turn FROM notices WHERE id = ?", id) {
            ($0[0] as Timestamp?, $0[1] as Timestamp?)
        }
        return Delivery(
            notice: notice, acknowledged: state?.0, turn: state?.1, recipients: recipients,
            webhook: parcels.filter { $0.0 == nil }.map(\.1))
    }

    /// What was sent at a site by people and by the hub, the newest first.
    /// - Parameter before: only notices older than this one.
    /// - Returns: with how many it is for, how many of them it has not reached (not joined, or not their turn), and how many read it.
    public static func sent(
        at site: SiteID, before: NoticeID? = nil, limit: Int, in database: Database
    ) throws -> [(notice: Notice, recipients: Int, notReached: Int, read: Int, isTaken: Bool)] {
        let ids = try database.rows(
            """
            SELECT id, acknowledged IS NOT NULL FROM notices
            WHERE site = ?1 AND (?2 IS NULL OR id < ?2) ORDER BY id DESC LIMIT ?3
            """, site, before, limit
        ) { ($0[0] as NoticeID, $0[1] as Bool) }
        return try ids.compactMap { id, isTaken in
            guard let notice = try notice(id, in: database) else { return nil }
            let counts = try database.row(
                "SELECT count(*), count(read) FROM notice_recipients WHERE notice = ?", id
            ) { ($0[0] as Int, $0[1] as Int) }
            let later = try database.rows(
                "SELECT person FROM notice_recipients WHERE notice = ? AND told IS NULL", id
            ) { $0[0] as PersonID }
            let notReached = try outOfReach(of: id, in: database).union(later).count
            return (notice, counts?.0 ?? 0, notReached, counts?.1 ?? 0, isTaken)
        }
    }
}
