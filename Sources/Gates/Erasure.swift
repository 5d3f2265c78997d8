import Ledger
import Store
import System

// What gates do when somebody is erased, and when openings are too old to be kept.

extension GateRecords {
    /// Transits forget who it was, and stay: the gate's journal is counted by them. Openings and issued passes go; what those passes
    /// could open was denied before (`denyPasses`).
    public static let eraser = Eraser(
        erase: { erasure, database in
            let (person, site) = (erasure.person, erasure.site)
            try database.execute(
                """
                UPDATE transits SET person = NULL WHERE person = ? AND gate IN (SELECT id FROM gates WHERE site = ?)
                """, person, site)
            try database.execute("DELETE FROM openings WHERE person = ? AND site = ?", person, site)
            try database.execute("DELETE FROM refusals WHERE person = ? AND site = ?", person, site)
            try database.execute(
                "DELETE FROM passes WHERE person = ? AND gate IN (SELECT id FROM gates WHERE site = ?)", person, site)
            // A code without a maker would be the administrator's.
            try database.execute("DELETE FROM pairing_codes WHERE by_person = ?", person)
        },
        expire: { expiry, database in
            guard expiry.group == .openings else { return false }
            let transits = try database.rows(
                """
                SELECT t.sequence, t.gate, t.journal FROM gates g CROSS JOIN transits t ON t.gate = g.id
                WHERE g.site = ? AND t.person IS NOT NULL AND t.at < ? LIMIT ?
                """, expiry.site, expiry.before, Expiry.batch
            ) { (sequence: $0[0] as UInt64, gate: $0[1] as GateID, journal: $0[2] as [UInt8]) }
            for one in transits {
                try database.execute(
                    "UPDATE transits SET person = NULL WHERE sequence = ? AND gate = ? AND journal = ?", one.sequence,
                    one.gate, one.journal)
            }
            let openings = try database.execute(
                "DELETE FROM openings WHERE event IN (SELECT event FROM openings WHERE site = ? AND at < ? LIMIT ?)",
                expiry.site, expiry.before, Expiry.batch)
            try database.execute("DELETE FROM refusals WHERE site = ? AND last < ?", expiry.site, expiry.before)
            return max(transits.count, openings) >= Expiry.batch
        })
}
