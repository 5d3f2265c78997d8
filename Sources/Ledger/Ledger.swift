import Crypto
import Identity
import Store
import System

/// Everything precious that happened, in one chain of hashes per site. Appended to, never changed.
///
/// Payload and salt lie beside the chain: they can be erased, and the chain still holds.
public struct Ledger: Sendable {
    /// The database that it lives in.
    public let store: Store

    /// - Parameter store: opened with `Ledger.migrations`.
    public init(_ store: Store) { self.store = store }

    /// The tables that it owns.
    public static let migrations = [
        Migration(
            "ledger.1",
            """
            CREATE TABLE events (
                position INTEGER PRIMARY KEY,
                site BLOB NOT NULL, sequence INTEGER NOT NULL, id BLOB NOT NULL UNIQUE, at INTEGER NOT NULL, kind TEXT NOT NULL,
                payload_hash BLOB NOT NULL, hash BLOB NOT NULL,
                UNIQUE (site, sequence)
            ) STRICT;
            CREATE TABLE event_payloads (
                event BLOB NOT NULL PRIMARY KEY REFERENCES events (id),
                salt BLOB NOT NULL, person BLOB, payload BLOB NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX event_payloads_by_person ON event_payloads (person) WHERE person IS NOT NULL;
            CREATE TABLE followers (name TEXT NOT NULL PRIMARY KEY, position INTEGER NOT NULL) STRICT;
            """),
        Migration(
            "ledger.changes.1",
            "CREATE INDEX events_of_changes ON events (site, sequence) WHERE substr(kind, 1, 8) <> 'opening.'"),
        Migration(
            "ledger.retention.1",
            """
            CREATE TABLE retention (
                site BLOB NOT NULL, kinds TEXT NOT NULL, days INTEGER NOT NULL, PRIMARY KEY (site, kinds)
            ) STRICT, WITHOUT ROWID;
            """),
    ]

    /// The end of a chain.
    public struct Head: Sendable, Equatable {
        /// The sequence of the newest event, 0 when there is none.
        public let sequence: UInt64
        /// Its hash, 32 bytes; zeros when there is none.
        public let hash: [UInt8]

        /// See the properties.
        public init(sequence: UInt64, hash: [UInt8]) { (self.sequence, self.hash) = (sequence, hash) }
    }

    /// Adds an event to its site's chain, inside the caller's transaction: state and event are written together or not at all.
    /// - Returns: the head of the chain after it.
    @discardableResult
    public static func append(_ event: NewEvent, to database: Database) throws -> Head {
        precondition(event.kind.utf8.count <= 32, "a kind has at most 32 bytes")
        let head = try head(of: event.site, in: database)
        let salt = Random.bytes(16)
        let payloadHash = Digest.sha256(salt + event.payload)
        let header = Header(site: event.site, sequence: head.sequence + 1, id: event.id, at: event.at, kind: event.kind)
        let hash = header.hash(after: head.hash, payloadHash: payloadHash)
        try database.execute(
            "INSERT INTO events (site, sequence, id, at, kind, payload_hash, hash) VALUES (?, ?, ?, ?, ?, ?, ?)",
            event.site, header.sequence, event.id, event.at, event.kind, payloadHash, hash)
        try database.execute(
            "INSERT INTO event_payloads (event, salt, person, payload) VALUES (?, ?, ?, ?)",
            event.id, salt, event.person, event.payload)
        return Head(sequence: header.sequence, hash: hash)
    }

    /// The end of a site's chain.
    public static func head(of site: SiteID, in database: Database) throws -> Head {
        try database.row("SELECT sequence, hash FROM events WHERE site = ? ORDER BY sequence DESC LIMIT 1", site) {
            Head(sequence: $0[0], hash: $0[1])
        } ?? Head(sequence: 0, hash: [UInt8](repeating: 0, count: 32))
    }

    /// The event of that name, nil when there is none.
    public static func event(_ id: EventID, in database: Database) throws -> Event? {
        try database.row(
            """
            SELECT e.position, e.site, e.sequence, e.id, e.at, e.kind, p.person, p.payload
            FROM events e LEFT JOIN event_payloads p ON p.event = e.id WHERE e.id = ?
            """, id, make: Self.event)
    }

    private static func event(_ row: Row) -> Event {
        Event(
            id: row[3], site: row[1], sequence: row[2], position: row[0], kind: row[5], at: row[4], person: row[6],
            payload: row[7])
    }

    /// Events of a site, oldest first.
    /// - Parameters:
    ///   - sequence: only those after it.
    ///   - limit: at most so many.
    public func events(of site: SiteID, after sequence: UInt64, limit: Int) throws -> [Event] {
        try store.read { database in
            try database.rows(
                """
                SELECT e.position, e.site, e.sequence, e.id, e.at, e.kind, p.person, p.payload
                FROM events e LEFT JOIN event_payloads p ON p.event = e.id
                WHERE e.site = ? AND e.sequence > ? ORDER BY e.sequence LIMIT ?
                """, site, sequence, limit, make: Self.event)
        }
    }

    /// Events of a site of some kinds, newest first: what a log shows.
    /// - Parameters:
    ///   - kinds: at most eight.
    ///   - sequence: only those before it; all when nil.
    ///   - limit: at most so many.
    public func newest(of site: SiteID, kinds: [String], before sequence: UInt64?, limit: Int) throws -> [Event] {
        precondition(kinds.count <= 8)
        func kind(_ place: Int) -> String? { place < kinds.count ? kinds[place] : nil }
        return try store.read { database in
            try database.rows(
                """
                SELECT e.position, e.site, e.sequence, e.id, e.at, e.kind, p.person, p.payload
                FROM events e LEFT JOIN event_payloads p ON p.event = e.id
                WHERE e.site = ? AND e.sequence < ? AND e.kind IN (?, ?, ?, ?, ?, ?, ?, ?)
                ORDER BY e.sequence DESC LIMIT ?
                """, site, sequence.map { Int64(clamping: $0) } ?? Int64.max, kind(0), kind(1), kind(2), kind(3),
                kind(4),
                kind(5), kind(6), kind(7), limit, make: Self.event)
        }
    }

    /// Events of a site that are no openings, newest first: what somebody changed. Found by an index of their own, however many
    /// openings lie between them.
    /// - Parameters:
    ///   - sequence: only those before it; all when nil.
    ///   - limit: at most so many.
    public func changes(of site: SiteID, before sequence: UInt64?, limit: Int) throws -> [Event] {
        try store.read { database in
            try database.rows(
                """
                SELECT e.position, e.site, e.sequence, e.id, e.at, e.kind, p.person, p.payload
                FROM events e LEFT JOIN event_payloads p ON p.event = e.id
                WHERE e.site = ? AND e.sequence < ? AND substr(e.kind, 1, 8) <> 'opening.' ORDER BY e.sequence DESC LIMIT ?
                """, site, sequence.map { Int64(clamping: $0) } ?? Int64.max, limit, make: Self.event)
        }
    }

    /// All events of this hub after a position, oldest first.
    public func events(after position: Int64, limit: Int) throws -> [Event] {
        try store.read { database in
            try database.rows(
                """
                SELECT e.position, e.site, e.sequence, e.id, e.at, e.kind, p.person, p.payload
                FROM events e LEFT JOIN event_payloads p ON p.event = e.id
                WHERE e.position > ? ORDER BY e.position LIMIT ?
                """, position, limit, make: Self.event)
        }
    }

    /// The newest position, 0 when nothing ever happened.
    public func position() throws -> Int64 {
        try store.read {
            try $0.row("SELECT position FROM events ORDER BY position DESC LIMIT 1") { $0[0] as Int64 } ?? 0
        }
    }
}
