import Identity
import Ledger
import Store
import System
import Wire

// A hub that was restored from a backup does not know what it granted, denied and wrote down after it. Until a gate has been
// compared, nothing is issued for it and the hub does not open it.

extension GateRecords {
    static let restoredMigration = Migration(
        "gates.restored.1",
        """
        CREATE TABLE gates_restored (
            gate BLOB NOT NULL PRIMARY KEY REFERENCES gates (id), since INTEGER NOT NULL,
            site_sequence INTEGER NOT NULL, site_head BLOB NOT NULL, rights_version INTEGER NOT NULL,
            is_raised INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """)

    /// The kind of the event that tells what a comparison found.
    public static let comparedKind = "gate.compared"

    /// What a gate that waits to be compared is compared with.
    struct Restored: Sendable {
        /// The last sequence of the site's chain in the backup, and its head.
        let head: Ledger.Head
        /// The version of its rights in the backup.
        let rightsVersion: UInt64
        /// Whether rights and epoch are above the gate's own already.
        let isRaised: Bool
    }

    /// Marks every gate after a restore: a new epoch ends every pass of before, and nothing is issued until each was compared.
    /// - Parameter heads: of the sites' chains as they were in the backup.
    /// - Returns: how many paired gates wait.
    public static func markRestored(
        at now: Timestamp, heads: (SiteID, Database) throws -> Ledger.Head, in database: Database
    ) throws -> Int {
        try database.execute("DELETE FROM gates_restored")
        try PairingRecords.removeAll(in: database)
        var count = 0
        for gate in try gates(in: database) where gate.key != nil {
            let head = try heads(gate.site, database)
            try database.execute(
                """
                INSERT INTO gates_restored (gate, since, site_sequence, site_head, rights_version, is_raised)
                VALUES (?, ?, ?, ?, ?, 0)
                """, gate.id, now, head.sequence, head.hash, gate.rightsVersion)
            try database.execute(
                "UPDATE gates SET epoch = epoch + 1, rights_version = rights_version + 1 WHERE id = ?", gate.id)
            count += 1
        }
        return count
    }

    static func restored(_ gate: GateID, in database: Database) throws -> Restored? {
        try database.row(
            "SELECT site_sequence, site_head, rights_version, is_raised FROM gates_restored WHERE gate = ?", gate
        ) { Restored(head: .init(sequence: $0[0], hash: $0[1]), rightsVersion: $0[2], isRaised: $0[3]) }
    }

    /// A gate needs no comparison any more: it was compared, or paired anew.
    static func endRestored(_ gate: GateID, in database: Database) throws {
        try database.execute("DELETE FROM gates_restored WHERE gate = ?", gate)
    }

    /// Puts rights and epoch above what a gate has: each rise of its epoch came with a rise of its version.
    static func raise(_ gate: GateID, _ restored: Restored, above version: UInt64, in database: Database) throws {
        let missed = version > restored.rightsVersion ? version - restored.rightsVersion : 0
        try database.execute(
            """
            UPDATE gates SET epoch = epoch + ?, rights_version = max(rights_version, ?) + 1 WHERE id = ?
            """, missed, version, gate)
        try database.execute("UPDATE gates_restored SET is_raised = 1 WHERE gate = ?", gate)
    }

    /// The newest sequence of a gate's journal that the ledger holds; 0 when none.
    static func lastTransit(of gate: GateID, journal: ID16, in database: Database) throws -> UInt64 {
        try database.row(
            "SELECT max(sequence) FROM transits WHERE gate = ? AND journal = ?", gate, journal.bytes
        ) { $0[0] as UInt64? ?? 0 } ?? 0
    }

    /// The hash of an event of a site; nil when the chain does not go so far.
    static func hash(of site: SiteID, at sequence: UInt64, in database: Database) throws -> [UInt8]? {
        try database.row("SELECT hash FROM events WHERE site = ? AND sequence = ?", site, sequence) {
            $0[0] as [UInt8]
        }
    }
}

extension Gates {
    /// Records of a journal may overtake one another by so many: what the backup lacks lies no further back.
    private static let overtaking: UInt64 = 64

    /// Asks a gate that waits to be compared what it knows beyond the backup, after its rights were raised above its own.
    /// - Returns: whether it waits.
    func recall(_ id: GateID, at site: SiteID, _ key: Key, _ hello: GateHello) async throws -> Bool {
        guard let restored = try store.read({ try GateRecords.restored(id, in: $0) }) else { return false }
        if !restored.isRaised {
            let version = hello.rightsVersion
            try await change { try GateRecords.raise(id, restored, above: version, in: $0) }
        }
        let last = try store.read { try GateRecords.lastTransit(of: id, journal: hello.journalID, in: $0) }
        let recall = try Recall(
            journalID: hello.journalID, after: last > Self.overtaking ? last - Self.overtaking : 0,
            ledgerSequence: restored.head.sequence, ledgerHead: restored.head.hash, nonce: hello.timeNonce,
            gateKey: key)
        recalls.withLock { recalls in
            // The last two: the gate may be answering the one before.
            recalls[id] = (recalls[id] ?? []).suffix(1) + [recall.tag]
        }
        try carrier.send(.recall(recall), to: id, at: site)
        return true
    }

    /// A gate has told what it knows: it is compared, and open for business again.
    func take(_ witness: Witness, from id: GateID, _ site: SiteID, _ key: Key) async throws {
        let asked = recalls.withLock { $0[id] ?? [] }
        guard asked.contains(where: { witness.verifies(gateKey: key, recall: $0) }) else { return }
        let now = clock.now
        let lost = try await store.write(.vital) { database -> UInt64? in
            guard let restored = try GateRecords.restored(id, in: database) else { return nil }
            let (known, kept) = (witness.ledgerSequence, restored.head.sequence)
            // What the gate saw of the part that the backup has must be the same.
            let agrees =
                try known == 0 || known > kept
                || GateRecords.hash(of: site, at: known, in: database) == witness.ledgerHead
            let lost = known > kept ? known - kept : 0
            try Ledger.append(
                NewEvent(
                    id: .new(at: now), site: site, kind: GateRecords.comparedKind, at: now,
                    payload: GateComparedPayload(
                        gate: id, kept: kept, known: known, lost: lost, records: witness.records, agrees: agrees
                    ).document()), to: database)
            try GateRecords.endRestored(id, in: database)
            return lost
        }
        guard let lost else { return }
        recalls.withLock { $0[id] = nil }
        Log.warning(
            "gates", "a gate was compared after the restore",
            ["gate": id.text, "lost": "\(lost)", "tells": "\(witness.records)"])
        announce(id, .ready)
    }
}
