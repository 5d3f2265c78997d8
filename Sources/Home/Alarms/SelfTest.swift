import Accounts
import Identity
import JSON
import Ledger
import Notices
import Store
import System

/// One try of the way that an alarm takes: from the box over the hub and the push services to the screens of the telephones, with the
/// moments at which it came there.
struct SelfTest: Sendable, Equatable {
    /// The kind of id that names tests.
    enum Name {}
    /// Where the way began.
    enum Origin: String, Sendable, JSONChoice {
        /// At the box of the house, which was asked and answered.
        case box
        /// At the hub: no box answered.
        case hub
    }
    /// A telephone that should show it.
    struct Phone: Sendable, Equatable {
        let device: PushDeviceID
        let person: PersonID
        /// What its person is called; nil: they are gone.
        let name: String?
        let client: Client
        /// When the push service took it; nil: it has not.
        var sent: Timestamp?
        /// When the telephone showed it, as it says; nil: it has not said so.
        var shown: Timestamp?
    }

    /// So long is waited for the telephones, in milliseconds.
    static let patience: Int64 = 60_000
    /// Two tests of a house lie so far apart at least, in milliseconds.
    /// - Key: house
    static let pause: Int64 = 30_000
    /// So many tests of a house are kept; the oldest go.
    /// - Key: house
    static let kept = 100
    /// So long is waited for the box.
    static let boxPatience = Duration.seconds(5)

    /// Its name in tables.
    let id: SelfTestID
    let site: SiteID
    /// When it began.
    let at: Timestamp
    /// Who asked for it; nil: it was its hour.
    let by: PersonID?
    let origin: Origin
    /// When the hub had heard the box, or had begun itself.
    let heard: Timestamp
    /// When people were told.
    let told: Timestamp
    let notice: NoticeID
    /// When it was over; nil: it runs.
    var ended: Timestamp?
    var phones: [Phone]

    /// From the beginning to the last telephone that answered, in milliseconds; nil: none did.
    var slowest: Int64? { phones.compactMap(\.shown).max().map { $0.milliseconds - at.milliseconds } }
    /// Those that did not answer.
    var silent: [Phone] { phones.filter { $0.shown == nil } }
}

/// The name of a test in tables.
typealias SelfTestID = ID<SelfTest.Name>

/// Tests as they are kept. Every function runs inside the caller's transaction.
enum SelfTestRecords {
    static let migration = Migration(
        "home.alarms.tests.1",
        """
        CREATE TABLE home_tests (
            id BLOB NOT NULL PRIMARY KEY, site BLOB NOT NULL REFERENCES sites (id), at INTEGER NOT NULL, person BLOB,
            origin TEXT NOT NULL, heard INTEGER NOT NULL, told INTEGER NOT NULL, notice BLOB NOT NULL, ended INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX home_tests_by_site ON home_tests (site, id);
        CREATE TABLE home_test_phones (
            test BLOB NOT NULL REFERENCES home_tests (id), device BLOB NOT NULL, person BLOB NOT NULL, client TEXT,
            sent INTEGER, shown INTEGER, PRIMARY KEY (test, device)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE home_drills (
            site BLOB NOT NULL PRIMARY KEY REFERENCES sites (id), until INTEGER NOT NULL, sounds INTEGER NOT NULL,
            person BLOB
        ) STRICT, WITHOUT ROWID;
        """)

    static func add(_ test: SelfTest, in database: Database) throws {
        try database.execute(
            """
            INSERT INTO home_tests (id, site, at, person, origin, heard, told, notice) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """, test.id, test.site, test.at, test.by, test.origin.rawValue, test.heard, test.told, test.notice)
        for phone in test.phones {
            try database.execute(
                "INSERT INTO home_test_phones (test, device, person, client) VALUES (?, ?, ?, ?)", test.id,
                phone.device, phone.person, phone.client.stored)
        }
        let old = try database.rows(
            "SELECT id FROM home_tests WHERE site = ? ORDER BY id DESC LIMIT -1 OFFSET ?", test.site, SelfTest.kept
        ) { $0[0] as SelfTestID }
        for one in old {
            try database.execute("DELETE FROM home_test_phones WHERE test = ?", one)
            try database.execute("DELETE FROM home_tests WHERE id = ?", one)
        }
    }

    private static func test(_ row: Row, in database: Database) throws -> SelfTest {
        let id = row[0] as SelfTestID
        return SelfTest(
            id: id, site: row[1], at: row[2], by: row[3], origin: SelfTest.Origin(rawValue: row[4]) ?? .hub,
            heard: row[5], told: row[6], notice: row[7], ended: row[8],
            phones: try database.rows(
                """
                SELECT t.device, t.person, p.name, t.client, t.sent, t.shown
                FROM home_test_phones t LEFT JOIN people p ON p.id = t.person WHERE t.test = ? ORDER BY p.name, t.device
                """, id
            ) {
                SelfTest.Phone(
                    device: $0[0], person: $0[1], name: $0[2], client: Client(stored: $0[3]), sent: $0[4],
                    shown: $0[5])
            })
    }

    static func test(_ id: SelfTestID, in database: Database) throws -> SelfTest? {
        try database.row(
            "SELECT id, site, at, person, origin, heard, told, notice, ended FROM home_tests WHERE id = ?", id
        ) { try test($0, in: database) }
    }

    /// Of a house, the newest first.
    static func tests(of site: SiteID, limit: Int, in database: Database) throws -> [SelfTest] {
        try database.rows(
            """
            SELECT id, site, at, person, origin, heard, told, notice, ended FROM home_tests
            WHERE site = ? ORDER BY id DESC LIMIT ?
            """, site, limit
        ) { try test($0, in: database) }
    }

    /// Those that run.
    static func running(in database: Database) throws -> [SelfTest] {
        try database.rows(
            """
            SELECT id, site, at, person, origin, heard, told, notice, ended FROM home_tests
            WHERE ended IS NULL ORDER BY id
            """
        ) { try test($0, in: database) }
    }

    /// When a house was last tried; nil: never. One of a later time than now is of a clock that was ahead, and does not count.
    static func last(at site: SiteID, before now: Timestamp, in database: Database) throws -> Timestamp? {
        try database.row("SELECT max(at) FROM home_tests WHERE site = ? AND at <= ?", site, now) {
            $0[0] as Timestamp?
        } ?? nil
    }

    /// Takes over what has become known since: what push services took, what telephones say.
    /// - Returns: the test as it is then.
    static func update(_ test: SelfTest, at now: Timestamp, in database: Database) throws -> SelfTest {
        var test = test
        let receipts = Dictionary(
            try ReceiptRecords.receipts(of: test.notice, in: database).map { ($0.device, $0.shown) }
        ) { first, _ in first }
        let sent = try OutboxRecords.states(of: test.notice.raw.bytes, in: database).filter {
            $0.channel == .push && $0.state == .delivered
        }
        for index in test.phones.indices {
            let phone = test.phones[index]
            test.phones[index].shown = receipts[phone.device]
            test.phones[index].sent = sent.filter { $0.person == phone.person }.compactMap(\.finished).min()
        }
        // One that began later than now did so by a clock that was ahead.
        let age = now.milliseconds - test.at.milliseconds
        let isOver = test.silent.isEmpty || age >= SelfTest.patience || age < -ClockCheck.tolerance
        if isOver { test.ended = now }
        for phone in test.phones {
            try database.execute(
                "UPDATE home_test_phones SET sent = ?, shown = ? WHERE test = ? AND device = ?", phone.sent,
                phone.shown, test.id, phone.device)
        }
        try database.execute("UPDATE home_tests SET ended = ? WHERE id = ?", test.ended, test.id)
        return test
    }

    // MARK: exercises

    static func drills(in database: Database) throws -> [(site: SiteID, drill: Drill)] {
        try database.rows("SELECT site, until, sounds, person FROM home_drills") {
            (site: $0[0], drill: Drill(until: $0[1], sounds: $0[2], by: $0[3]))
        }
    }

    /// - Parameter drill: nil: it is over.
    static func set(_ drill: Drill?, at site: SiteID, in database: Database) throws {
        try database.execute("DELETE FROM home_drills WHERE site = ?", site)
        guard let drill else { return }
        try database.execute(
            "INSERT INTO home_drills (site, until, sounds, person) VALUES (?, ?, ?, ?)", site, drill.until,
            drill.sounds, drill.by)
    }
}
