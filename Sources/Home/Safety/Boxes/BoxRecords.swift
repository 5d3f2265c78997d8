import Household
import Ledger
import Store
import System
import Wire

/// What boxes told, and what they were told last. Every function runs inside the caller's transaction.
enum BoxRecords {
    /// A record as it was taken.
    struct Taken: Sendable {
        let digest: [UInt8]
        let head: Ledger.Head
    }

    /// What was taken under a number of a box's journal; nil: nothing yet.
    static func taken(
        _ sequence: UInt64, of journal: ID16, from gateway: GatewayID, in database: Database
    ) throws -> Taken? {
        try database.row(
            """
            SELECT digest, ledger_sequence, ledger_head FROM home_box_records
            WHERE gateway = ? AND journal = ? AND sequence = ?
            """, gateway, journal.bytes, sequence
        ) { Taken(digest: $0[0], head: Ledger.Head(sequence: $0[1], hash: $0[2])) }
    }

    static func add(
        _ sequence: UInt64, of journal: ID16, from gateway: GatewayID, _ taken: Taken, at now: Timestamp,
        in database: Database
    ) throws {
        try database.execute(
            """
            INSERT INTO home_box_records (gateway, journal, sequence, digest, at, ledger_sequence, ledger_head)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """, gateway, journal.bytes, sequence, taken.digest, now, taken.head.sequence, taken.head.hash)
    }

    /// The version of the settings that a box is to have, and what they are; nil: it never had any.
    static func settings(of gateway: GatewayID, in database: Database) throws -> (version: UInt64, digest: [UInt8])? {
        try database.row("SELECT version, digest FROM home_boxes WHERE gateway = ?", gateway) {
            (version: $0[0], digest: $0[1])
        }
    }

    static func putSettings(
        _ version: UInt64, _ digest: [UInt8], of gateway: GatewayID, in database: Database
    ) throws {
        try database.execute(
            """
            INSERT INTO home_boxes (gateway, version, digest) VALUES (?, ?, ?)
            ON CONFLICT (gateway) DO UPDATE SET version = excluded.version, digest = excluded.digest
            """, gateway, version, digest)
    }
}
