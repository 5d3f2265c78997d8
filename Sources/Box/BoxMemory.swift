import Field
import Safeguard
import Store
import System
import Wire

/// What the box keeps: its key, its journal, how its panel stands; and beside that, in a file of its own, the hub's settings. A real
/// database, since every alarm must survive a cut of the power.
public struct BoxMemory: Sendable {
    /// The folder with everything.
    public let folder: String
    /// The database.
    public let store: Store
    /// The name of the journal: random, made with the file.
    public let journalID: ID16

    private static let migrations = [
        Migration(
            "box.1",
            """
            CREATE TABLE facts (name TEXT NOT NULL PRIMARY KEY, value BLOB NOT NULL) STRICT;
            CREATE TABLE journal (
                sequence INTEGER PRIMARY KEY, record BLOB NOT NULL, is_acknowledged INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX journal_to_tell ON journal (sequence) WHERE is_acknowledged = 0;
            CREATE TABLE panel (
                only INTEGER PRIMARY KEY CHECK (only = 1), state INTEGER NOT NULL, mode INTEGER NOT NULL,
                sounds INTEGER NOT NULL, number INTEGER NOT NULL, time_left INTEGER, ends INTEGER, bypass INTEGER NOT NULL,
                tripped TEXT NOT NULL, valve_open INTEGER NOT NULL
            ) STRICT;
            """)
    ]

    /// Opens what is in the folder, or makes it.
    /// - Parameters:
    ///   - pageLimit: at most so many pages of 4 KiB, for tests of a full disk.
    ///   - reserve: room that is kept for the journal on a full disk; nil: none.
    public init(folder: String, pageLimit: Int? = nil, reserve: Reserve? = nil) async throws {
        try Files.makeFolder(folder)
        let store = try Store(
            path: folder + "/box.sqlite", migrations: Self.migrations, pageLimit: pageLimit, reserve: reserve)
        (self.folder, self.store) = (folder, store)
        journalID = try await store.write(.vital) { database in
            if let known = try Self.fact("journal", in: database).flatMap({ ID16($0) }) { return known }
            guard let fresh = ID16(Random.bytes(16)) else { throw SystemError("no random bytes") }
            try Self.set("journal", fresh.bytes, in: database)
            return fresh
        }
    }

    private static func fact(_ name: String, in database: Database) throws -> [UInt8]? {
        try database.row("SELECT value FROM facts WHERE name = ?", name) { $0[0] as [UInt8] }
    }

    private static func number(_ name: String, in database: Database) throws -> UInt64 {
        try fact(name, in: database).map { UInt64(bigEndianBytes: $0) } ?? 0
    }

    private static func set(_ name: String, _ value: [UInt8], in database: Database) throws {
        try database.execute(
            "INSERT INTO facts (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            name, value)
    }

    private static func set(_ name: String, _ value: UInt64, in database: Database) throws {
        try set(name, value.bigEndianBytes, in: database)
    }

    // MARK: pairing

    /// What pairing left behind.
    public struct Identity: Sendable {
        /// The box, as the hub's gateway.
        public let box: ID16
        /// The house.
        public let site: ID16
        /// What it shares with the hub.
        public let key: Key
        /// What people call it.
        public let name: String
        /// SHA-256 of the certificate of the hub's broker, when it was paired over TLS: the only one that it talks to.
        public let broker: [UInt8]?

        /// See the properties.
        public init(box: ID16, site: ID16, key: Key, name: String, broker: [UInt8]? = nil) {
            (self.box, self.site, self.key, self.name, self.broker) = (box, site, key, name, broker)
        }

        /// What every topic of it begins with.
        public var prefix: String { BusNames.gatewayPrefix(site: site, gateway: box) }
    }

    /// What pairing left behind; nil before.
    public func identity() throws -> Identity? {
        try store.read { database in
            guard let box = try Self.fact("box", in: database).flatMap({ ID16($0) }),
                let site = try Self.fact("site", in: database).flatMap({ ID16($0) }),
                let key = try Self.fact("key", in: database).flatMap({ Key($0) }),
                let name = try Self.fact("name", in: database)
            else { return nil }
            return Identity(
                box: box, site: site, key: key, name: String(decoding: name, as: UTF8.self),
                broker: try Self.fact("broker", in: database))
        }
    }

    /// Keeps what a pairing agreed on. A paired box is never paired over: that takes a reset at the box.
    public func setIdentity(_ identity: Identity) async throws {
        try await store.write(.vital) { database in
            if try Self.fact("key", in: database) != nil {
                throw PairingFailure(description: "this box is paired already: reset it first")
            }
            try Self.set("box", identity.box.bytes, in: database)
            try Self.set("site", identity.site.bytes, in: database)
            try Self.set("key", identity.key.bytes, in: database)
            try Self.set("name", Array(identity.name.utf8), in: database)
            if let broker = identity.broker { try Self.set("broker", broker, in: database) }
        }
    }

    // MARK: boots and time

    /// Counts a start. Answers how many there have been.
    func countBoot() async throws -> UInt32 {
        try await store.write(.vital) { database in
            let count = try Self.number("boots", in: database) + 1
            try Self.set("boots", count, in: database)
            return UInt32(truncatingIfNeeded: count)
        }
    }

    /// The latest time that was ever trusted here, in seconds: no later answer may be below it.
    func clockFloor() throws -> UInt64 { try store.read { try Self.number("floor", in: $0) } }

    /// Raises that floor.
    func setClockFloor(_ seconds: UInt64) async throws {
        try await store.write(.vital) { try Self.set("floor", seconds, in: $0) }
    }

    // MARK: settings

    private var settingsPath: String { folder + "/settings" }

    /// The settings as the hub signed them; nil before the first, and when the file is not whole: the box then stands as it was
    /// made until the hub sends them again.
    func settings(_ key: Key) -> BoxSettings? {
        guard let bytes = try? Files.read(settingsPath, limit: 16 << 10),
            let settings = try? BoxSettings(decoding: bytes), settings.verifies(boxKey: key)
        else { return nil }
        return settings
    }

    /// The highest version that was ever kept here: older settings are never taken again, also when the file is lost.
    func settingsFloor() throws -> UInt64 { try store.read { try Self.number("settings", in: $0) } }

    /// Keeps new settings, whole or not at all: a cut of the power at any byte leaves the old ones or the new.
    func setSettings(_ settings: BoxSettings) async throws {
        try await store.write(.vital) { database in
            try Self.set("settings", settings.version, in: database)
            try Files.replace(settingsPath, with: settings.encoded())
        }
    }

    // MARK: the panel

    /// How the panel stood when it was written last.
    /// - Parameters:
    ///   - uptime: milliseconds of the clock that deadlines are kept by.
    ///   - wall: what the world's clock shows, right or not.
    func kept(uptime: Int64, wall: Timestamp) throws -> BoxCore.Kept? {
        try store.read { database in
            try database.row(
                "SELECT state, mode, sounds, number, time_left, ends, bypass, tripped, valve_open FROM panel"
            ) { row in
                let left: Int64? = row[4]
                let ends: Int64? = row[5]
                let deadline = left.map { left in
                    // A clock that was put back prolongs nothing.
                    uptime + min(max((ends ?? 0) - wall.milliseconds, 0), left)
                }
                let names = (row[7] as String).split(separator: " ")
                return BoxCore.Kept(
                    panel: Panel(
                        state: PanelState(rawValue: UInt8(clamping: row[0] as Int)) ?? .disarmed,
                        mode: ArmMode(rawValue: UInt8(clamping: row[1] as Int)), deadline: deadline,
                        isSounding: row[2], number: row[3]),
                    bypass: UInt64(bitPattern: row[6] as Int64),
                    tripped: Set(names.compactMap { BoxSensor(rawValue: String($0)) }), isValveOpen: row[8])
            }
        }
    }

    private static func keep(
        _ kept: BoxCore.Kept, uptime: Int64, wall: Timestamp, in database: Database
    ) throws {
        let left = kept.panel.left(at: uptime)
        try database.execute(
            """
            INSERT INTO panel (only, state, mode, sounds, number, time_left, ends, bypass, tripped, valve_open)
            VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (only) DO UPDATE SET
                state = excluded.state, mode = excluded.mode, sounds = excluded.sounds, number = excluded.number,
                time_left = excluded.time_left, ends = excluded.ends, bypass = excluded.bypass,
                tripped = excluded.tripped, valve_open = excluded.valve_open
            """, Int(kept.panel.state.rawValue), Int(kept.panel.mode?.rawValue ?? 0), kept.panel.isSounding,
            kept.panel.number, left, left.map { wall.milliseconds + $0 }, Int64(bitPattern: kept.bypass),
            kept.tripped.map(\.rawValue).sorted().joined(separator: " "), kept.isValveOpen)
    }

    // MARK: the journal

    /// The sequence of the newest record, 0 when there is none.
    func lastSequence() throws -> UInt64 {
        try store.read { try $0.row("SELECT max(sequence) FROM journal") { $0[0] as UInt64? } ?? nil } ?? 0
    }

    /// Writes down, durably and at once, what happened and how the panel stands now.
    /// - Returns: the records under their sequences.
    func append(
        _ contents: [BoxRecord.Content], _ kept: BoxCore.Kept, uptime: Int64, wall: Timestamp, key: Key
    ) async throws -> [BoxRecord] {
        let journal = journalID
        return try await store.write(.vital) { database in
            let last = try database.row("SELECT max(sequence) FROM journal") { $0[0] as UInt64? } ?? nil
            var records: [BoxRecord] = []
            for content in contents {
                let record = BoxRecord(
                    journalID: journal, sequence: (last ?? 0) + UInt64(records.count) + 1, content: content, boxKey: key
                )
                try database.execute(
                    "INSERT INTO journal (sequence, record, is_acknowledged) VALUES (?, ?, 0)", record.sequence,
                    record.encoded())
                records.append(record)
            }
            try Self.keep(kept, uptime: uptime, wall: wall, in: database)
            return records
        }
    }

    /// Records that the hub has not acknowledged, oldest first.
    func untold(after sequence: UInt64, limit: Int) throws -> [BoxRecord] {
        try store.read { database in
            try database.rows(
                "SELECT record FROM journal WHERE is_acknowledged = 0 AND sequence > ? ORDER BY sequence LIMIT ?",
                sequence, limit
            ) { try BoxRecord(decoding: $0[0]) }
        }
    }

    /// How many records wait for the hub.
    public func waiting() throws -> Int {
        try store.read {
            try $0.row("SELECT count(*) FROM journal WHERE is_acknowledged = 0") { $0[0] as Int } ?? 0
        }
    }

    /// The hub has this record. The newest stays: its sequence must never be given again.
    func acknowledge(_ sequence: UInt64) async throws {
        try await store.write(.vital) { database in
            try database.execute("UPDATE journal SET is_acknowledged = 1 WHERE sequence = ?", sequence)
            try database.execute(
                "DELETE FROM journal WHERE is_acknowledged = 1 AND sequence < (SELECT max(sequence) FROM journal)")
        }
    }
}
