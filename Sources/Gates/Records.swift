import Accounts
import Crypto
import Identity
import Ledger
import Store
import System
import Wire

/// The tables of gates and their queries. Every function runs inside the caller's transaction.
public enum GateRecords {
    /// The tables that gates own.
    public static let migrations = [
        Migration(
            "gates.1",
            """
            CREATE TABLE gates (
                id BLOB NOT NULL PRIMARY KEY, site BLOB NOT NULL REFERENCES sites (id), name TEXT NOT NULL, policy TEXT NOT NULL,
                key BLOB, epoch INTEGER NOT NULL, pulse INTEGER NOT NULL, rights_version INTEGER NOT NULL,
                UNIQUE (site, name)
            ) STRICT;
            CREATE TABLE pairings (
                gate BLOB NOT NULL PRIMARY KEY REFERENCES gates (id), code BLOB NOT NULL, username TEXT NOT NULL UNIQUE,
                expires INTEGER NOT NULL, tries INTEGER NOT NULL
            ) STRICT;
            CREATE TABLE passes (
                id BLOB NOT NULL PRIMARY KEY, gate BLOB NOT NULL REFERENCES gates (id),
                person BLOB NOT NULL REFERENCES people (id), not_after INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX passes_by_person ON passes (person);
            CREATE INDEX passes_by_end ON passes (not_after);
            CREATE TABLE denied_passes (
                gate BLOB NOT NULL REFERENCES gates (id), pass BLOB NOT NULL, until INTEGER NOT NULL, PRIMARY KEY (gate, pass)
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE openings (
                event BLOB NOT NULL PRIMARY KEY, site BLOB NOT NULL, gate BLOB NOT NULL REFERENCES gates (id), person BLOB NOT NULL,
                at INTEGER NOT NULL, outcome TEXT
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX openings_without_outcome ON openings (at) WHERE outcome IS NULL;
            CREATE TABLE journals (
                gate BLOB NOT NULL REFERENCES gates (id), journal BLOB NOT NULL, first_seen INTEGER NOT NULL,
                PRIMARY KEY (gate, journal)
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE transits (
                gate BLOB NOT NULL REFERENCES gates (id), journal BLOB NOT NULL, sequence INTEGER NOT NULL,
                site_sequence INTEGER NOT NULL, site_head BLOB NOT NULL, person BLOB, at INTEGER NOT NULL, opened INTEGER NOT NULL,
                PRIMARY KEY (sequence, gate, journal)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX transits_by_person ON transits (person, at) WHERE person IS NOT NULL AND opened = 1;
            """),
        Migration(
            "gates.2",
            """
            ALTER TABLE gates ADD COLUMN retired INTEGER;
            ALTER TABLE passes ADD COLUMN intervals BLOB;
            ALTER TABLE transits ADD COLUMN digest BLOB;
            CREATE TABLE gate_reports (
                gate BLOB NOT NULL PRIMARY KEY REFERENCES gates (id), at INTEGER NOT NULL, clock_offset INTEGER, waiting INTEGER,
                kept INTEGER, software TEXT, starts INTEGER NOT NULL, rights_version INTEGER NOT NULL, troubles TEXT NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX passes_by_gate ON passes (gate, not_after);
            """),
        PairingRecords.migration, PairingRecords.makerMigration,
        restoredMigration,
        refusalsMigration,
        // What the gate was asked for and why it refused; null in transits of before, and where there is none.
        Migration(
            "gates.intents.1",
            """
            ALTER TABLE transits ADD COLUMN intent TEXT;
            ALTER TABLE transits ADD COLUMN intent_reason INTEGER;
            ALTER TABLE transits ADD COLUMN reason INTEGER;
            """),
        passesMigration,
        Migration(
            "gates.indexes.1",
            """
            CREATE INDEX openings_by_person ON openings (person, site);
            CREATE INDEX openings_by_time ON openings (site, at);
            DROP INDEX transits_by_person;
            CREATE INDEX transits_by_person ON transits (person, at) WHERE person IS NOT NULL;
            CREATE INDEX transits_by_time ON transits (gate, at) WHERE person IS NOT NULL;
            CREATE INDEX denied_passes_by_end ON denied_passes (until);
            """),
    ]

    // MARK: gates

    static func gate(_ row: Row) -> Gate {
        Gate(
            id: row[0], site: row[1], name: row[2], policy: row[3], key: (row[4] as [UInt8]?).flatMap { Key($0) },
            epoch: UInt32(truncatingIfNeeded: row[5] as Int), pulse: UInt16(truncatingIfNeeded: row[6] as Int),
            rightsVersion: row[7], retired: row[8])
    }

    /// The gate of that id, nil when there is none.
    public static func gate(_ id: GateID, in database: Database) throws -> Gate? {
        try database.row(
            "SELECT id, site, name, policy, key, epoch, pulse, rights_version, retired FROM gates WHERE id = ?", id,
            make: gate)
    }

    /// A site's gates that are in use, by name.
    public static func gates(of site: SiteID, in database: Database) throws -> [Gate] {
        try database.rows(
            """
            SELECT id, site, name, policy, key, epoch, pulse, rights_version, retired FROM gates
            WHERE site = ? AND retired IS NULL ORDER BY name
            """, site,
            make: gate)
    }

    /// All gates of this hub, also those that were taken out of use.
    public static func gates(in database: Database) throws -> [Gate] {
        try database.rows(
            "SELECT id, site, name, policy, key, epoch, pulse, rights_version, retired FROM gates ORDER BY id",
            make: gate)
    }

    /// Adds a gate and tells its site's chain.
    public static func add(_ gate: Gate, at now: Timestamp, by person: PersonID?, in database: Database) throws {
        try database.execute(
            "INSERT INTO gates (id, site, name, policy, key, epoch, pulse, rights_version) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            gate.id, gate.site, gate.name, gate.policy, gate.key?.bytes, Int(gate.epoch), Int(gate.pulse),
            gate.rightsVersion)
        try Ledger.append(
            NewEvent(
                id: .new(at: now), site: gate.site, kind: "gate.added", at: now,
                payload: GateAddedPayload(gate: gate, person: person).document()), to: database)
    }

    // MARK: pairing

    /// Gives a gate the key that a pairing agreed on, and tells its site's chain.
    static func setKey(_ key: Key, of gate: Gate, at now: Timestamp, in database: Database) throws {
        try database.execute(
            "UPDATE gates SET key = ?, rights_version = rights_version + 1 WHERE id = ?", key.bytes, gate.id)
        try endRestored(gate.id, in: database)
        try Ledger.append(
            NewEvent(
                id: .new(at: now), site: gate.site, kind: "gate.paired", at: now,
                payload: GatePairedPayload(gate: gate.id, isReplaced: gate.key != nil).document()), to: database)
    }

    // MARK: openings and transits

    /// Whether a gate waits to be compared after a restore.
    static func isRestored(_ gate: GateID, in database: Database) throws -> Bool {
        try database.row("SELECT 1 FROM gates_restored WHERE gate = ?", gate) { $0[0] as Int } != nil
    }

    static func addOpening(
        _ event: EventID, gate: Gate, person: PersonID, at now: Timestamp, in database: Database
    ) throws {
        try database.execute(
            "INSERT INTO openings (event, site, gate, person, at, outcome) VALUES (?, ?, ?, ?, ?, NULL)", event,
            gate.site,
            gate.id, person, now)
    }

    /// An opening that the hub granted.
    struct Opening {
        let event: EventID
        let site: SiteID
        let gate: GateID
        let person: PersonID
        let at: Timestamp
        let outcome: OpeningOutcome?
    }

    private static func opening(_ row: Row) -> Opening {
        Opening(
            event: row[0], site: row[1], gate: row[2], person: row[3], at: row[4],
            outcome: (row[5] as String?).flatMap(OpeningOutcome.init))
    }

    static func opening(_ event: EventID, in database: Database) throws -> Opening? {
        try database.row(
            "SELECT event, site, gate, person, at, outcome FROM openings WHERE event = ?", event, make: opening)
    }

    /// The same, if it is of that gate: no gate speaks for another.
    static func opening(_ event: EventID, at gate: GateID, in database: Database) throws -> Opening? {
        try opening(event, in: database).flatMap { $0.gate == gate ? $0 : nil }
    }

    static func openingsWithoutOutcome(in database: Database) throws -> [Opening] {
        try database.rows(
            "SELECT event, site, gate, person, at, outcome FROM openings WHERE outcome IS NULL ORDER BY at",
            make: opening)
    }

    static func setOutcome(_ outcome: OpeningOutcome, of opening: EventID, in database: Database) throws {
        try database.execute("UPDATE openings SET outcome = ? WHERE event = ?", outcome.rawValue, opening)
    }

    /// Whether the hub has seen a journal of that gate before; remembers it.
    /// - Returns: false when it is another than before, and not the first: somebody put a new file in the gate.
    static func noteJournal(_ journal: ID16, of gate: GateID, now: Timestamp, in database: Database) throws -> Bool {
        let known = try database.rows("SELECT journal FROM journals WHERE gate = ?", gate) { $0[0] as [UInt8] }
        if known.contains(journal.bytes) { return true }
        try database.execute(
            "INSERT INTO journals (gate, journal, first_seen) VALUES (?, ?, ?)", gate, journal.bytes, now)
        return known.isEmpty
    }

    /// Where a journal's record stands in the ledger, and whether what was written down then is what is told now; nil when it
    /// has not come yet.
    static func transit(
        _ record: JournalRecord, of gate: GateID, in database: Database
    ) throws -> (head: Ledger.Head, isSame: Bool)? {
        let digest = digest(of: record)
        return try database.row(
            "SELECT site_sequence, site_head, digest FROM transits WHERE gate = ? AND journal = ? AND sequence = ?",
            gate, record.journalID.bytes, record.sequence
        ) { (Ledger.Head(sequence: $0[0], hash: $0[1]), ($0[2] as [UInt8]?).map { $0 == digest } ?? true) }
    }

    /// Half a SHA-256: it only has to tell one record from another.
    private static func digest(of record: JournalRecord) -> [UInt8] {
        Array(Digest.sha256(record.encoded()).prefix(16))
    }

    static func addTransit(
        _ record: JournalRecord, of gate: GateID, person: PersonID?, at: Timestamp, head: Ledger.Head,
        in database: Database
    ) throws {
        try database.execute(
            """
            INSERT INTO transits (
                gate, journal, sequence, site_sequence, site_head, person, at, opened, digest, intent, intent_reason, reason
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, gate, record.journalID.bytes, record.sequence, head.sequence, head.hash, person, at,
            record.outcome == .opened, digest(of: record), "\(record.intent.kind)",
            record.intent.reason.map { Int($0) },
            record.outcome == .opened ? nil : Int(record.reason))
    }

    /// When somebody last went through each gate, as far as their last 200 transits tell.
    static func lastTransits(of person: PersonID, in database: Database) throws -> [GateID: Timestamp] {
        let found = try database.rows(
            """
            SELECT gate, max(at) FROM (
                SELECT gate, at FROM transits WHERE person = ? AND opened = 1 ORDER BY at DESC LIMIT 200
            ) GROUP BY gate
            """, person
        ) { ($0[0] as GateID, $0[1] as Timestamp) }
        return Dictionary(uniqueKeysWithValues: found)
    }
}
