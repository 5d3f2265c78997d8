import Accounts
import Identity
import Ledger
import Store
import System

/// What people said about how they want to be told. Every function runs inside the caller's transaction.
public enum PreferenceRecords {
    static let migration = Migration(
        "notices.preferences.1",
        """
        CREATE TABLE notice_preferences (
            person BLOB NOT NULL PRIMARY KEY, push TEXT NOT NULL, mail TEXT NOT NULL, quiet_from INTEGER,
            quiet_to INTEGER, quiet_days INTEGER, shows_details INTEGER NOT NULL
        ) STRICT;
        """)

    /// What somebody said; what is usual when they said nothing.
    public static func preferences(of person: PersonID, in database: Database) throws -> NoticePreferences {
        try database.row(
            """
            SELECT push, mail, quiet_from, quiet_to, quiet_days, shows_details FROM notice_preferences WHERE person = ?
            """, person
        ) { preferences($0, from: 0) } ?? NoticePreferences()
    }

    static func preferences(_ row: Row, from first: Int32) -> NoticePreferences {
        var preferences = NoticePreferences()
        preferences.push = groups(row[first])
        preferences.mail = groups(row[first + 1])
        if let from = row[first + 2] as Int?, let to = row[first + 3] as Int?, let days = row[first + 4] as Int? {
            preferences.quiet = QuietHours(from: from, to: to, days: Set((1...7).filter { days & 1 << $0 != 0 }))
        }
        preferences.showsDetails = row[first + 5]
        return preferences
    }

    /// Keeps what somebody said.
    public static func put(
        _ preferences: NoticePreferences, of person: PersonID, in database: Database
    ) throws {
        let days = preferences.quiet.map { $0.days.reduce(0) { $0 | 1 << $1 } }
        try database.execute(
            """
            INSERT INTO notice_preferences (person, push, mail, quiet_from, quiet_to, quiet_days, shows_details)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (person) DO UPDATE SET push = excluded.push, mail = excluded.mail,
                quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to, quiet_days = excluded.quiet_days,
                shows_details = excluded.shows_details
            """, person, text(preferences.push), text(preferences.mail), preferences.quiet?.from,
            preferences.quiet?.to, days, preferences.showsDetails)
    }

    /// Forgets what somebody said: what is usual counts.
    static func erase(_ person: PersonID, in database: Database) throws {
        try database.execute("DELETE FROM notice_preferences WHERE person = ?", person)
    }

    private static func text(_ groups: Set<NoticeGroup>) -> String {
        NoticeGroup.allCases.filter(groups.contains).map(\.rawValue).joined(separator: " ")
    }

    private static func groups(_ text: String) -> Set<NoticeGroup> {
        Set(text.split(separator: " ").compactMap { NoticeGroup(rawValue: String($0)) })
    }

    // MARK: everything that a decision about somebody stands on

    /// Whom a notice is for, as far as it matters for how it is told.
    struct Reader: Sendable {
        let person: PersonID
        let language: Language
        /// Their own time zone; nil: they have not said.
        let zone: Zone?
        let preferences: NoticePreferences
    }

    /// Nil when there is nobody of that name any more.
    static func reader(_ person: PersonID, in database: Database) throws -> Reader? {
        try database.row(
            """
            SELECT p.id, p.language, p.zone, q.person IS NOT NULL, q.push, q.mail, q.quiet_from, q.quiet_to,
                q.quiet_days, q.shows_details
            FROM people p LEFT JOIN notice_preferences q ON q.person = p.id WHERE p.id = ?
            """, person, make: reader)
    }

    /// Everybody, for the memory of what cannot wait for the database.
    static func readers(limit: Int, in database: Database) throws -> [Reader] {
        try database.rows(
            """
            SELECT p.id, p.language, p.zone, q.person IS NOT NULL, q.push, q.mail, q.quiet_from, q.quiet_to,
                q.quiet_days, q.shows_details
            FROM people p LEFT JOIN notice_preferences q ON q.person = p.id ORDER BY p.id DESC LIMIT ?
            """, limit, make: reader)
    }

    private static func reader(_ row: Row) -> Reader {
        Reader(
            person: row[0], language: (row[1] as String?).flatMap(Language.init(rawValue:)) ?? .en,
            zone: (row[2] as String?).flatMap { Zone(name: $0) },
            preferences: row[3] ? preferences(row, from: 4) : NoticePreferences())
    }
}
