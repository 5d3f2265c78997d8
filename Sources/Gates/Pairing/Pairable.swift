import Identity
import Ledger
import Store
import System
import Wire

/// Where a controller stands, and what it may say and hear on the bus once it has a key.
public struct BusWay: Sendable {
    public let site: ID16
    /// What people call what it moves or watches.
    public let name: String
    /// Its name on the bus. Its password both sides make out of its key (`BusNames.password`).
    public let username: String
    /// The topics that it may publish on, wildcards allowed.
    public let publish: [String]
    /// Those that it may hear.
    public let subscribe: [String]

    /// See the properties.
    public init(site: ID16, name: String, username: String, publish: [String], subscribe: [String]) {
        (self.site, self.name, self.username) = (site, name, username)
        (self.publish, self.subscribe) = (publish, subscribe)
    }
}

/// A kind of thing that codes pair with the hub: the controllers of gates, the boxes of homes.
public protocol Pairable: Sendable {
    /// As its codes are kept, `gate`. Never changed.
    var kind: String { get }
    /// With what their names on the bus begin, and nothing else's: `gate-`.
    var usernamePrefix: String { get }
    /// Keeps the key that an exchange agreed on, when who made the code may still make one.
    /// - Parameter maker: who made the code; nil: the hub's administrator, on the machine itself.
    /// - Returns: where that one stands; nil when there is no such thing any more, or the maker's rights have gone.
    func accept(_ key: Key, for subject: ID16, by maker: PersonID?, at now: Timestamp) async throws -> BusWay?
    /// All that have a key, and so a way onto the bus.
    func ways() throws -> [(way: BusWay, key: Key)]
    /// One of them has come in.
    func cameIn(_ subject: ID16)
}

/// The codes that wait for a controller.
public enum PairingRecords {
    static let migration = Migration(
        "gates.pairing.2",
        """
        CREATE TABLE pairing_codes (
            kind TEXT NOT NULL, subject BLOB NOT NULL, code BLOB NOT NULL, username TEXT NOT NULL UNIQUE,
            expires INTEGER NOT NULL, tries INTEGER NOT NULL, PRIMARY KEY (kind, subject)
        ) STRICT, WITHOUT ROWID;
        """)

    /// Who made a code. Those of before, which last ten minutes, were made by nobody who is known, and open nothing.
    static let makerMigration = Migration(
        "gates.pairing.3", "ALTER TABLE pairing_codes ADD COLUMN by_person BLOB; DELETE FROM pairing_codes;")

    /// A code that waits.
    public struct Pending: Sendable {
        /// What kind of thing it is for.
        public let kind: String
        /// Which.
        public let subject: ID16
        /// 16 bytes.
        public let code: [UInt8]
        /// The name of its exchange on the bus.
        public let username: String
        /// When it ends.
        public let expires: Timestamp
        /// How many exchanges have begun.
        let tries: Int
        /// Who made it; nil: the hub's administrator.
        let maker: PersonID?
    }

    /// As tables keep the name of a thing of any kind.
    private typealias Subject = ID<Pending>

    private static func pending(_ row: Row) -> Pending {
        Pending(
            kind: row[0], subject: (row[1] as Subject).raw, code: row[2], username: row[3], expires: row[4],
            tries: row[5], maker: row[6])
    }

    static func all(in database: Database) throws -> [Pending] {
        try database.rows("SELECT kind, subject, code, username, expires, tries, by_person FROM pairing_codes") {
            pending($0)
        }
    }

    static func pending(username: String, in database: Database) throws -> Pending? {
        try database.row(
            "SELECT kind, subject, code, username, expires, tries, by_person FROM pairing_codes WHERE username = ?",
            username
        ) { pending($0) }
    }

    /// The code that waits for one thing; nil when none does.
    public static func pending(
        _ kind: String, _ subject: ID16, now: Timestamp, in database: Database
    ) throws -> Pending? {
        try database.row(
            """
            SELECT kind, subject, code, username, expires, tries, by_person FROM pairing_codes
            WHERE kind = ? AND subject = ? AND expires > ?
            """, kind, Subject(subject), now
        ) { pending($0) }
    }

    /// The things of a kind for which a code waits.
    public static func waiting(_ kind: String, now: Timestamp, in database: Database) throws -> Set<ID16> {
        Set(
            try database.rows("SELECT subject FROM pairing_codes WHERE kind = ? AND expires > ?", kind, now) {
                ($0[0] as Subject).raw
            })
    }

    /// Removes the code that waits for a thing, and those of which the time is over. A thing has one, so that their number is bounded also
    /// while none is swept out.
    /// - Parameter sweeps: whether what is old may be removed by its age.
    /// - Returns: the names on the bus of those that went.
    static func removeOver(
        _ kind: String, _ subject: ID16, now: Timestamp, sweeps: Bool, in database: Database
    ) throws -> [String] {
        try database.rows(
            "DELETE FROM pairing_codes WHERE (kind = ? AND subject = ?) OR (? AND expires <= ?) RETURNING username",
            kind, Subject(subject), sweeps, now
        ) { $0[0] }
    }

    static func set(_ pending: Pending, in database: Database) throws {
        try database.execute(
            """
            INSERT INTO pairing_codes (kind, subject, code, username, expires, tries, by_person)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """, pending.kind, Subject(pending.subject), pending.code, pending.username, pending.expires, pending.tries,
            pending.maker)
    }

    static func countTry(_ username: String, in database: Database) throws {
        try database.execute("UPDATE pairing_codes SET tries = tries + 1 WHERE username = ?", username)
    }

    /// - Returns: whether it was there.
    static func remove(_ username: String, in database: Database) throws -> Bool {
        try database.execute("DELETE FROM pairing_codes WHERE username = ?", username) > 0
    }

    static func removeAll(in database: Database) throws { try database.execute("DELETE FROM pairing_codes") }
}
