import Gates
import Ledger
import Notices
import Store

/// What gates ask for before they open from a notification. Every function runs inside the caller's transaction.
enum CheckInRecords {
    static let migration = Migration(
        "doors.checkIn.1",
        """
        CREATE TABLE check_in_gates (
            gate BLOB NOT NULL PRIMARY KEY REFERENCES gates (id), proof TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        """)

    /// What a gate asks for.
    static func proof(of gate: GateID, in database: Database) throws -> ActionProof {
        let stored = try database.row("SELECT proof FROM check_in_gates WHERE gate = ?", gate) { $0[0] as String }
        return stored.flatMap(ActionProof.init(rawValue:)) ?? CheckIn.usual
    }

    /// Says what a gate asks for.
    static func setProof(_ proof: ActionProof, of gate: GateID, in database: Database) throws {
        try database.execute(
            "INSERT INTO check_in_gates (gate, proof) VALUES (?, ?) ON CONFLICT (gate) DO UPDATE SET proof = excluded.proof",
            gate, proof.rawValue)
    }
}
