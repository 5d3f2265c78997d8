import Accounts
import Crypto
import Identity
import Ledger
import Store
import System

/// The notices as they are kept: what was said, to whom it goes in which order, and what became of it. Every function runs inside the
/// caller's transaction.
public enum NoticeRecords {
    static let migration = Migration(
        "notices.1",
        """
        CREATE TABLE notices (
            id BLOB NOT NULL PRIMARY KEY, site BLOB, kind TEXT NOT NULL, urgency TEXT NOT NULL, content BLOB NOT NULL,
            sender BLOB, about BLOB, sameness BLOB, created INTEGER NOT NULL, expires INTEGER NOT NULL,
            pause INTEGER, turn INTEGER, acknowledged INTEGER, acknowledged_by BLOB
        ) STRICT;
        CREATE INDEX notices_by_sameness ON notices (sameness, created);
        CREATE INDEX notices_by_turn ON notices (turn);
        CREATE INDEX notices_by_site ON notices (site, id);
        CREATE INDEX notices_by_created ON notices (created);
        CREATE TABLE notice_recipients (
            notice BLOB NOT NULL REFERENCES notices (id), person BLOB NOT NULL, place INTEGER NOT NULL, kind TEXT NOT NULL,
            told INTEGER, held TEXT, read INTEGER, acknowledged INTEGER, PRIMARY KEY (notice, person)
        ) STRICT;
        CREATE INDEX notice_recipients_by_person ON notice_recipients (person, told, notice);
        CREATE INDEX notice_recipients_by_kind ON notice_recipients (person, kind, told);
        CREATE TABLE notice_acts (
            notice BLOB NOT NULL REFERENCES notices (id), person BLOB NOT NULL, action TEXT NOT NULL, at INTEGER NOT NULL,
            outcome TEXT, PRIMARY KEY (notice, person, action)
        ) STRICT;
        """)

    /// Notices about people who were erased while an alarm was on: they go when it is over.
    static let goingMigration = Migration(
        "notices.2",
        """
        ALTER TABLE notices ADD COLUMN goes_when_over INTEGER;
        CREATE INDEX notices_going ON notices (id) WHERE goes_when_over = 1;
        """)

    /// What names somebody who is erased is found without looking at all notices of the hub.
    static let peopleMigration = Migration(
        "notices.3",
        """
        CREATE INDEX notices_by_about ON notices (about) WHERE about IS NOT NULL;
        CREATE INDEX notices_by_sender ON notices (sender) WHERE sender IS NOT NULL;
        CREATE INDEX notices_by_acknowledger ON notices (acknowledged_by) WHERE acknowledged_by IS NOT NULL;
        """)

    /// What people sent at a site in the last hour is found without looking at what the hub told there.
    static let sentMigration = Migration(
        "notices.4",
        "CREATE INDEX notices_by_people ON notices (site, created) WHERE sender IS NOT NULL;")

    /// A notice is known for so long, in milliseconds: 90 days.
    static let kept: Int64 = 90 * 86_400_000

    // MARK: notices

    /// What makes two notices the same: nothing of the key can be read from it.
    static func sameness(_ notify: Notify) -> [UInt8]? {
        notify.key.map {
            Digest.sha256(Array("\(notify.site?.text ?? "")\n\(notify.content.kind.text)\n\($0)".utf8))
        }
    }

    /// The newest notice of that sameness since a time. One of a later time than now is of a clock that was ahead, and no hindrance.
    static func same(
        as sameness: [UInt8], since time: Timestamp, at now: Timestamp, in database: Database
    ) throws -> NoticeID? {
        try database.row(
            """
            SELECT id FROM notices WHERE sameness = ? AND created > ? AND created <= ? ORDER BY created DESC LIMIT 1
            """, sameness, time, now
        ) { $0[0] as NoticeID }
    }

    static func add(
        _ notice: Notice, about: PersonID?, sameness: [UInt8]?, pause minutes: Int?, in database: Database
    ) throws {
        try database.execute(
            """
            INSERT INTO notices (id, site, kind, urgency, content, sender, about, sameness, created, expires, pause)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, notice.id, notice.site, notice.content.kind.text, notice.content.urgency.rawValue,
            notice.content.storedBytes, notice.sender, about, sameness, notice.created, notice.expires, minutes)
    }

    /// The columns that make a `Notice`, in the order that `notice(_:from:)` reads.
    private static func notice(_ row: Row, from first: Int32 = 0) throws -> Notice {
        let content = try NoticeContent(
            kind: NoticeKind(text: row[first + 2]) ?? "site.unknown",
            urgency: Urgency(rawValue: row[first + 3]) ?? .normal,
            stored: row[first + 4])
        return Notice(
            id: row[first], site: row[first + 1], content: content, sender: row[first + 5], created: row[first + 6],
            expires: row[first + 7])
    }

    /// The notice of that name.
    public static func notice(_ id: NoticeID, in database: Database) throws -> Notice? {
        try database.row(
            "SELECT id, site, kind, urgency, content, sender, created, expires FROM notices WHERE id = ?", id
        ) { try notice($0) }
    }

    // MARK: recipients

    static func addRecipient(
        _ person: PersonID, of notice: Notice, place: Int, in database: Database
    ) throws {
        try database.execute(
            "INSERT INTO notice_recipients (notice, person, place, kind) VALUES (?, ?, ?, ?)", notice.id, person, place,
            notice.content.kind.text)
    }

    static func setTold(
        _ person: PersonID, of notice: NoticeID, at now: Timestamp, held: NoticePolicy.Held?, in database: Database
    ) throws {
        try database.execute(
            "UPDATE notice_recipients SET told = ?, held = ? WHERE notice = ? AND person = ?", now, held?.rawValue,
            notice, person)
    }

    /// How many notices of a kind have left the inbox for a person since a time; those of one site, or of none.
    static func countTold(
        _ person: PersonID, kind: NoticeKind, at site: SiteID?, since time: Timestamp, in database: Database
    ) throws -> Int {
        try database.row(
            """
            SELECT count(*) FROM notice_recipients AS recipients JOIN notices ON notices.id = recipients.notice
            WHERE recipients.person = ? AND recipients.kind = ? AND recipients.told > ? AND recipients.held IS NULL
                AND notices.site IS ?
            """, person, kind.text, time, site
        ) { $0[0] as Int } ?? 0
    }

    // MARK: turns

    static func setTurn(_ time: Timestamp?, of notice: NoticeID, in database: Database) throws {
        try database.execute("UPDATE notices SET turn = ? WHERE id = ?", time, notice)
    }

    /// The clock was set back: no turn is further away than the pause between two.
    static func clockWentBack(to now: Timestamp, in database: Database) throws {
        try database.execute(
            "UPDATE notices SET turn = ?1 WHERE turn > ?2 AND turn > ?2 + pause * 60000", now,
            now.adding(milliseconds: ClockCheck.tolerance))
    }

    /// When the next person's turn is, of all notices.
    static func nextTurn(in database: Database) throws -> Timestamp? {
        try database.row("SELECT turn FROM notices WHERE turn IS NOT NULL ORDER BY turn LIMIT 1") {
            $0[0] as Timestamp
        }
    }

    /// Notices where somebody's turn has come, with the pause between two in minutes.
    static func turns(
        at now: Timestamp, limit: Int, in database: Database
    ) throws -> [(notice: Notice, minutes: Int)] {
        try database.rows(
            """
            SELECT id, site, kind, urgency, content, sender, created, expires, pause FROM notices
            WHERE turn <= ? ORDER BY turn LIMIT ?
            """, now, limit
        ) { (try notice($0), $0[8] as Int) }
    }

    /// Who has not been told yet, in order.
    static func waiting(for notice: NoticeID, in database: Database) throws -> [PersonID] {
        try database.rows(
            "SELECT person FROM notice_recipients WHERE notice = ? AND told IS NULL ORDER BY place", notice
        ) { $0[0] as PersonID }
    }

    // MARK: what people do about it

    /// Whether somebody was told, and so may read it, answer it, act on it.
    static func wasTold(_ person: PersonID, of notice: NoticeID, in database: Database) throws -> Bool {
        try database.row(
            "SELECT 1 FROM notice_recipients WHERE notice = ? AND person = ? AND told IS NOT NULL", notice, person
        ) { $0[0] as Int } != nil
    }

    static func setRead(_ person: PersonID, of notice: NoticeID, at now: Timestamp, in database: Database) throws {
        try database.execute(
            "UPDATE notice_recipients SET read = ? WHERE notice = ? AND person = ? AND read IS NULL", now, notice,
            person)
    }

    /// What somebody was told and has not read, the oldest first.
    /// - Parameters:
    ///   - last: what follows this one; nil: from the first on.
    ///   - limit: at most so many.
    static func unread(
        of person: PersonID, after last: NoticeID?, limit: Int, in database: Database
    ) throws -> [(notice: NoticeID, site: SiteID?)] {
        try database.rows(
            """
            SELECT r.notice, n.site FROM notice_recipients r JOIN notices n ON n.id = r.notice
            WHERE r.person = ?1 AND r.told IS NOT NULL AND r.read IS NULL AND (?2 IS NULL OR r.notice > ?2)
            ORDER BY r.notice LIMIT ?3
            """, person, last, limit
        ) { ($0[0], $0[1]) }
    }

    /// Whether this was the first acknowledgement.
    static func acknowledge(
        _ notice: NoticeID, by person: PersonID, at now: Timestamp, in database: Database
    ) throws -> Bool {
        try database.execute(
            "UPDATE notice_recipients SET acknowledged = ? WHERE notice = ? AND person = ? AND acknowledged IS NULL",
            now, notice, person)
        return try database.execute(
            """
            UPDATE notices SET acknowledged = ?, acknowledged_by = ?, turn = NULL
            WHERE id = ? AND acknowledged IS NULL
            """, now, person, notice) == 1
    }

    /// Notes that somebody is about to act. False: they have acted already.
    static func beginAct(
        _ action: String, of person: PersonID, on notice: NoticeID, at now: Timestamp, in database: Database
    ) throws -> Bool {
        try database.execute(
            """
            INSERT INTO notice_acts (notice, person, action, at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING
            """, notice, person, action, now) == 1
    }

    /// Notes what came of it; nil: nothing did, and it may be tried again.
    static func endAct(
        _ action: String, of person: PersonID, on notice: NoticeID, outcome: String?, in database: Database
    ) throws {
        if let outcome {
            try database.execute(
                "UPDATE notice_acts SET outcome = ? WHERE notice = ? AND person = ? AND action = ?", outcome, notice,
                person, action)
        } else {
            try database.execute(
                "DELETE FROM notice_acts WHERE notice = ? AND person = ? AND action = ?", notice, person, action)
        }
    }

    // MARK: the inbox

    /// A notice as it lies in somebody's inbox.
    public struct Received: Sendable {
        /// What.
        public let notice: Notice
        /// When they were told.
        public let told: Timestamp
        /// When they read it; nil: not yet.
        public let read: Timestamp?
        /// When they said that they take care; nil: they did not.
        public let acknowledged: Timestamp?
        /// Whether anybody has said that they take care.
        public let isTaken: Bool
        /// Whether it goes from one person to the next until somebody takes care.
        public let isInTurn: Bool
        /// What they did about it.
        public let acts: [String]
    }

    /// Where a list of what somebody received goes on.
    public struct InboxCursor: Sendable, Equatable {
        let told: Timestamp
        let notice: NoticeID

        /// For the interface: opaque.
        public var text: String { "\(told.milliseconds)-\(notice.text)" }

        /// Nil unless `text` wrote it.
        public init?(_ text: String) {
            let parts = text.split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count == 2, let told = Int64(parts[0]), let notice = NoticeID(String(parts[1])) else {
                return nil
            }
            (self.told, self.notice) = (Timestamp(milliseconds: told), notice)
        }

        init(after received: Received) { (told, notice) = (received.told, received.notice.id) }
    }

    /// What somebody was told, the newest first.
    public static func inbox(
        of person: PersonID, after cursor: InboxCursor? = nil, limit: Int, in database: Database
    ) throws -> (items: [Received], next: InboxCursor?) {
        let last = Timestamp(milliseconds: .max)
        let found = try database.rows(
            """
            SELECT n.id, n.site, n.kind, n.urgency, n.content, n.sender, n.created, n.expires,
                r.told, r.read, r.acknowledged, n.acknowledged IS NOT NULL, n.pause IS NOT NULL
            FROM notice_recipients r JOIN notices n ON n.id = r.notice
            WHERE r.person = ?1 AND r.told IS NOT NULL AND (r.told < ?2 OR (r.told = ?2 AND r.notice < ?3))
            ORDER BY r.told DESC, r.notice DESC LIMIT ?4
            """, person, cursor?.told ?? last, cursor?.notice.raw.bytes ?? [], limit + 1
        ) { row in
            Received(
                notice: try notice(row), told: row[8], read: row[9], acknowledged: row[10], isTaken: row[11],
                isInTurn: row[12], acts: try acts(of: person, on: row[0], in: database))
        }
        let items = Array(found.prefix(limit))
        return (items, found.count > limit ? items.last.map { InboxCursor(after: $0) } : nil)
    }

    private static func acts(of person: PersonID, on notice: NoticeID, in database: Database) throws -> [String] {
        try database.rows("SELECT action FROM notice_acts WHERE notice = ? AND person = ?", notice, person) {
            $0[0] as String
        }
    }

    /// How many notices somebody has not read, at most `most`.
    public static func unread(of person: PersonID, most: Int = 100, in database: Database) throws -> Int {
        try database.row(
            """
            SELECT count(*) FROM (SELECT 1 FROM notice_recipients
                WHERE person = ? AND told IS NOT NULL AND read IS NULL LIMIT ?)
            """, person, most
        ) { $0[0] as Int } ?? 0
    }
}
