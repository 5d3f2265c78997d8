import Field
import Store
import System
import Wire

/// What a controller keeps: its key, its rights, its journal. A real database, since every transit must survive a cut of the power.
public struct GateMemory: Sendable {
    /// The file.
    public let store: Store
    /// The name of the journal: random, made with the file; a new file is a new journal, and the hub raises an alarm.
    public let journalID: ID16

    /// Records that the hub acknowledged stay so long, in milliseconds: 30 days, for a hub that goes back to a backup.
    static let retention: Int64 = 30 * 86_400_000

    private static let migrations = [
        Migration(
            "gate.1",
            """
            CREATE TABLE facts (name TEXT NOT NULL PRIMARY KEY, value BLOB NOT NULL) STRICT;
            CREATE TABLE journal (
                sequence INTEGER PRIMARY KEY, event BLOB NOT NULL, record BLOB NOT NULL, at INTEGER NOT NULL,
                is_acknowledged INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX journal_to_tell ON journal (sequence) WHERE is_acknowledged = 0;
            CREATE INDEX journal_by_event ON journal (event);
            """)
    ]

    /// Opens the file, or makes it.
    /// - Parameters:
    ///   - pageLimit: at most so many pages of 4 KiB, for tests of a full disk.
    ///   - reserve: room that is kept for the journal on a full disk; nil: none.
    public init(path: String, pageLimit: Int? = nil, reserve: Reserve? = nil) async throws {
        let store = try Store(
            path: path, migrations: Self.migrations + Self.headMigrations, pageLimit: pageLimit, reserve: reserve)
        self.store = store
        journalID = try await store.write(.vital) { database in
            if let known = try Self.fact("journal", in: database).flatMap({ ID16($0) }) { return known }
            let fresh = ID16(Random.bytes(16))!
            try Self.set("journal", fresh.bytes, in: database)
            return fresh
        }
    }

    private static func fact(_ name: String, in database: Database) throws -> [UInt8]? {
        try database.row("SELECT value FROM facts WHERE name = ?", name) { $0[0] as [UInt8] }
    }

    private static func set(_ name: String, _ value: [UInt8], in database: Database) throws {
        try database.execute(
            "INSERT INTO facts (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            name, value)
    }

    // MARK: pairing

    /// What pairing left behind.
    public struct Identity: Sendable {
        public let gate: ID16
        public let site: ID16
        /// What it shares with the hub.
        public let key: Key
        /// What people call it.
        public let name: String
        /// SHA-256 of the certificate of the hub's broker, when it was paired over TLS: the only one that it talks to.
        public let broker: [UInt8]?

        /// See the properties.
        public init(gate: ID16, site: ID16, key: Key, name: String, broker: [UInt8]? = nil) {
            (self.gate, self.site, self.key, self.name, self.broker) = (gate, site, key, name, broker)
        }
    }

    /// What pairing left behind; nil before.
    public func identity() throws -> Identity? {
        try store.read { database in
            guard let gate = try Self.fact("gate", in: database).flatMap({ ID16($0) }),
                let site = try Self.fact("site", in: database).flatMap({ ID16($0) }),
                let key = try Self.fact("key", in: database).flatMap({ Key($0) }),
                let name = try Self.fact("name", in: database)
            else { return nil }
            return Identity(
                gate: gate, site: site, key: key, name: String(decoding: name, as: UTF8.self),
                broker: try Self.fact("broker", in: database))
        }
    }

    /// Keeps what a pairing agreed on. A paired controller is never paired over: that takes a reset at the gate.
    public func setIdentity(_ identity: Identity) async throws {
        try await store.write(.vital) { database in
            if try Self.fact("key", in: database) != nil {
                throw PairingFailure(description: "this controller is paired already: reset it at the gate first")
            }
            try Self.set("gate", identity.gate.bytes, in: database)
            try Self.set("site", identity.site.bytes, in: database)
            try Self.set("key", identity.key.bytes, in: database)
            try Self.set("name", Array(identity.name.utf8), in: database)
            if let broker = identity.broker { try Self.set("broker", broker, in: database) }
        }
    }

    // MARK: boots, rights, time

    /// Counts a start. Answers how many there have been.
    public func countBoot() async throws -> UInt32 {
        try await store.write(.vital) { database in
            let count = (try Self.fact("boots", in: database).map { UInt32(bigEndianBytes: $0) } ?? 0) &+ 1
            try Self.set("boots", count.bigEndianBytes, in: database)
            return count
        }
    }

    /// The rights as the hub signed them; nil before the first.
    public func rights(_ key: Key) throws -> Rights? {
        guard let bytes = try store.read({ try Self.fact("rights", in: $0) }),
            let rights = try? Rights(decoding: bytes),
            rights.verifies(gateKey: key)
        else { return nil }
        return rights
    }

    /// Keeps new rights, whole or not at all.
    public func setRights(_ rights: Rights) async throws {
        try await store.write(.vital) { try Self.set("rights", rights.encoded(), in: $0) }
    }

    /// The latest time that was ever trusted here, in seconds: no later answer may be below it.
    public func clockFloor() throws -> UInt64 {
        try store.read { try Self.fact("floor", in: $0).map { UInt64(bigEndianBytes: $0) } ?? 0 }
    }

    /// Raises that floor.
    public func setClockFloor(_ seconds: UInt64) async throws {
        try await store.write(.vital) { database in
            try Self.set("floor", seconds.bigEndianBytes, in: database)
        }
    }

    // MARK: journal

    /// The sequence of the newest record, 0 when there is none.
    public func lastSequence() throws -> UInt64 {
        try store.read {
            try $0.row("SELECT sequence FROM journal ORDER BY sequence DESC LIMIT 1") { $0[0] as UInt64 } ?? 0
        }
    }

    /// Writes a record down, durably, under the next sequence.
    /// - Parameters:
    ///   - weight: of an opening vital, so that it has the room that is kept.
    ///   - make: makes the record for its sequence.
    func append(
        _ weight: WriteWeight, at now: Timestamp, _ make: @escaping @Sendable (UInt64) throws -> JournalRecord
    ) async throws -> JournalRecord {
        try await store.write(weight) { database in
            let last =
                try database.row("SELECT sequence FROM journal ORDER BY sequence DESC LIMIT 1") { $0[0] as UInt64 } ?? 0
            let record = try make(last + 1)
            try database.execute(
                "INSERT INTO journal (sequence, event, record, at, is_acknowledged) VALUES (?, ?, ?, ?, ?)",
                record.sequence,
                record.eventID.bytes, record.encoded(), now, false)
            return record
        }
    }

    /// Puts another outcome in the place of a record that nobody was told yet: the relay did not move.
    func replace(_ record: JournalRecord) async throws {
        try await store.write(.vital) { database in
            _ = try database.execute(
                "UPDATE journal SET record = ? WHERE sequence = ?", record.encoded(), record.sequence)
        }
    }

    /// Records that the hub has not acknowledged, oldest first.
    func untold(after sequence: UInt64, limit: Int) throws -> [JournalRecord] {
        try store.read { database in
            try database.rows(
                "SELECT record FROM journal WHERE is_acknowledged = 0 AND sequence > ? ORDER BY sequence LIMIT ?",
                sequence, limit
            ) { try JournalRecord(decoding: $0[0]) }
        }
    }

    /// How many records the hub has not acknowledged, and how many numbers the journal spans: a count of its rows would read them
    /// all, every few seconds.
    func count() throws -> (waiting: Int, kept: Int) {
        try store.read { database in
            let waiting = try database.row("SELECT count(*) FROM journal WHERE is_acknowledged = 0") { $0[0] as Int }
            let first = try database.row("SELECT min(sequence) FROM journal") { $0[0] as Int? } ?? nil
            let last = try database.row("SELECT max(sequence) FROM journal") { $0[0] as Int? } ?? nil
            guard let first, let last else { return (0, 0) }
            return (waiting ?? 0, last - first + 1)
        }
    }

    /// The record of an event; nil when there is none.
    func record(of event: ID16) throws -> JournalRecord? {
        try store.read { database in
            try database.row("SELECT record FROM journal WHERE event = ? LIMIT 1", event.bytes) {
                try JournalRecord(decoding: $0[0])
            }
        }
    }

    /// The hub has this record. What is older than `retention` goes.
    /// - Parameter now: by a clock that is trusted; nil: nothing goes.
    func acknowledge(_ sequence: UInt64, now: Timestamp?) async throws {
        try await store.write(.vital) { database in
            try database.execute("UPDATE journal SET is_acknowledged = 1 WHERE sequence = ?", sequence)
            guard let now else { return }
            // A few of the oldest: an opening waits for this. The newest stays whatever its age: its sequence must never be given again.
            try database.execute(
                """
                DELETE FROM journal WHERE sequence IN (SELECT sequence FROM journal ORDER BY sequence LIMIT 200)
                    AND is_acknowledged = 1 AND at < ? AND sequence < (SELECT max(sequence) FROM journal)
                """, now.adding(milliseconds: -Self.retention))
        }
    }
}
