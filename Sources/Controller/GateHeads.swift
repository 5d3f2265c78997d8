import Store
import System
import Wire

/// What a controller keeps of the hub's ledger: the head that each acknowledgement tells, the first of every hour and the newest.
///
/// Never overwritten: whoever rewrites the hub's history would have to rewrite it at every gate too.
///
/// When the hub goes back to a backup, a new branch begins; the heads of the branch before stay.
extension GateMemory {
    /// At most so many hours are kept: over two years in which something happened. The very first stays.
    static let keptHeads = 20_000

    static let headMigrations = [
        Migration(
            "gate.heads.1",
            """
            CREATE TABLE heads (
                number INTEGER PRIMARY KEY, branch INTEGER NOT NULL, ledger_sequence INTEGER NOT NULL,
                ledger_head BLOB NOT NULL, at INTEGER NOT NULL, is_kept INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX heads_by_sequence ON heads (branch, ledger_sequence);
            """)
    ]

    /// A head of the site's chain, as the hub acknowledged it.
    public struct LedgerHead: Sendable, Equatable {
        /// How often the hub had gone back before, as far as this gate noticed.
        public let branch: Int
        /// The chain's sequence.
        public let sequence: UInt64
        /// 32 bytes.
        public let hash: [UInt8]
        /// When it was told, by the gate's own clock.
        public let at: Timestamp
    }

    private static func head(_ row: Row) -> LedgerHead {
        LedgerHead(branch: row[0], sequence: row[1], hash: row[2], at: row[3])
    }

    /// Everything that is kept, oldest first.
    public func heads() throws -> [LedgerHead] {
        try store.read {
            try $0.rows(
                "SELECT branch, ledger_sequence, ledger_head, at FROM heads ORDER BY number", make: Self.head)
        }
    }

    private static func newest(in database: Database) throws -> LedgerHead? {
        try database.row(
            """
            SELECT branch, ledger_sequence, ledger_head, at FROM heads ORDER BY branch DESC, ledger_sequence DESC LIMIT 1
            """, make: head)
    }

    /// The newest head of the branch that the hub is on; nil before the first.
    func newestHead() throws -> LedgerHead? { try store.read { try Self.newest(in: $0) } }

    /// The newest head of all branches: what a hub that went back is told.
    func highestHead() throws -> LedgerHead? {
        try store.read {
            try $0.row(
                "SELECT branch, ledger_sequence, ledger_head, at FROM heads ORDER BY ledger_sequence DESC LIMIT 1",
                make: Self.head)
        }
    }

    /// Keeps a head: the first of its hour for good, the newest until a newer one comes. An older one, which the hub tells of a
    /// record that it had already, says nothing new.
    func keepHead(_ sequence: UInt64, _ hash: [UInt8], at now: Timestamp) async throws {
        try await store.write(.vital) { database in
            let newest = try Self.newest(in: database)
            if let newest, sequence <= newest.sequence { return }
            let branch = newest?.branch ?? 0
            let hour = now.milliseconds / 3_600_000 * 3_600_000
            let isFirst =
                try database.row(
                    "SELECT 1 FROM heads WHERE branch = ? AND is_kept = 1 AND at >= ? AND at < ? LIMIT 1", branch, hour,
                    hour + 3_600_000
                ) { $0[0] as Int } == nil
            if let newest {
                try database.execute(
                    "DELETE FROM heads WHERE branch = ? AND ledger_sequence = ? AND is_kept = 0", branch,
                    newest.sequence)
            }
            try Self.insert(branch, sequence, hash, now, isKept: isFirst, in: database)
            if isFirst {
                try database.execute(
                    """
                    DELETE FROM heads WHERE number = (SELECT number FROM heads ORDER BY number LIMIT 1 OFFSET 1)
                        AND (SELECT count(*) FROM heads) > ?
                    """, Self.keptHeads)
            }
        }
    }

    private static func insert(
        _ branch: Int, _ sequence: UInt64, _ hash: [UInt8], _ now: Timestamp, isKept: Bool, in database: Database
    ) throws {
        try database.execute(
            "INSERT INTO heads (branch, ledger_sequence, ledger_head, at, is_kept) VALUES (?, ?, ?, ?, ?)", branch,
            sequence, hash, now, isKept)
    }

    /// The hub went back to a head: a new branch begins there, and records after a sequence count as not told.
    func wentBack(to sequence: UInt64, _ hash: [UInt8], tellAgainAfter record: UInt64, at now: Timestamp) async throws {
        try await store.write(.vital) { database in
            // The newest of the branch before stays for good: it proves what was lost.
            try database.execute("UPDATE heads SET is_kept = 1 WHERE is_kept = 0")
            let branch = try Self.newest(in: database)?.branch ?? -1
            try Self.insert(branch + 1, sequence, hash, now, isKept: true, in: database)
            try database.execute("UPDATE journal SET is_acknowledged = 0 WHERE sequence > ?", record)
        }
    }

    /// How many records after a sequence the journal still has.
    func recordCount(after sequence: UInt64) throws -> UInt64 {
        try store.read {
            try $0.row("SELECT count(*) FROM journal WHERE sequence > ?", sequence) { $0[0] as UInt64 } ?? 0
        }
    }
}

extension GateController {
    /// Takes the question of a hub that was restored from a backup: what it lost is told again, and what it cannot know is told.
    func take(_ recall: Recall) async {
        guard recall.journalID == journalID, isFresh(recall) else { return }
        do {
            let newest = try memory.newestHead()
            if newest.map({ recall.ledgerSequence < $0.sequence }) ?? true {
                Log.warning(
                    "gate", "the hub went back to a backup: what came after is told again",
                    ["gate": identity.gate.hex, "from": "\(newest?.sequence ?? 0)", "to": "\(recall.ledgerSequence)"])
                try await memory.wentBack(
                    to: recall.ledgerSequence, recall.ledgerHead, tellAgainAfter: recall.after, at: wall.now)
                newestLedgerSequence = recall.ledgerSequence
                headWhenWritten = [:]
            }
            let highest = try memory.highestHead()
            answer(
                try Witness(
                    ledgerSequence: highest?.sequence ?? 0,
                    ledgerHead: highest?.hash ?? [UInt8](repeating: 0, count: 32),
                    records: memory.recordCount(after: recall.after), recall: recall, gateKey: identity.key))
        } catch {
            Log.failure(
                "gate", "the hub's question after its restore could not be answered; it asks again",
                ["gate": identity.gate.hex, "why": "\(error)"])
        }
    }

    /// Keeps the head that an acknowledgement tells. One that is not above what was known when its record was written cannot come
    /// from the same history: the hub went back without saying so, and everything that the journal has is told again.
    func witness(_ acknowledgement: Acknowledgement) async throws {
        let (sequence, hash) = (acknowledgement.ledgerSequence, acknowledgement.ledgerHead)
        if let known = headWhenWritten.removeValue(forKey: acknowledgement.sequence), sequence <= known {
            Log.warning(
                "gate", "the hub went back without saying so: everything that the journal has is told again",
                ["gate": identity.gate.hex, "from": "\(known)", "to": "\(sequence)"])
            headWhenWritten = [:]
            try await memory.wentBack(to: sequence, hash, tellAgainAfter: 0, at: wall.now)
            newestLedgerSequence = sequence
            tellFromTheBeginning()
            return
        }
        newestLedgerSequence = max(newestLedgerSequence, sequence)
        try await memory.keepHead(sequence, hash, at: wall.now)
    }
}
