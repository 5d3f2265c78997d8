import Accounts
import Ledger
import Store
import System
import Wire

// The passes that are out, and those that gates refuse.

/// A pass that somebody keeps, as far as the hub knows.
struct LivePass {
    let id: ID16
    let gate: GateID
    let person: PersonID
    let notAfter: UInt64
    /// Sorted; empty: until its end at any time.
    let intervals: [Interval]

    /// When it still opens.
    func times(from now: UInt64) -> [Interval] {
        let life = [Interval(start: now, end: max(notAfter, now))].normalised()
        return intervals.isEmpty ? life : intervals.intersection(life)
    }
}

extension GateRecords {
    static func addPass(_ pass: LivePass, in database: Database) throws {
        var bytes = ByteWriter(capacity: 16 * pass.intervals.count)
        for interval in pass.intervals {
            bytes.u64(interval.start)
            bytes.u64(interval.end)
        }
        try database.execute(
            "INSERT INTO passes (id, gate, person, not_after, intervals) VALUES (?, ?, ?, ?, ?)", pass.id.bytes,
            pass.gate, pass.person, pass.notAfter, bytes.bytes)
    }

    private static func livePass(_ row: Row) throws -> LivePass {
        var intervals: [Interval] = []
        var reader = Reader((row[4] as [UInt8]?) ?? [])
        while reader.remaining > 0 {
            let start = try reader.u64()
            intervals.append(Interval(start: start, end: try reader.u64()))
        }
        return LivePass(
            id: ID16(row[0]) ?? .zero, gate: row[1], person: row[2], notAfter: row[3], intervals: intervals)
    }

    static func livePasses(of person: PersonID, at site: SiteID, now: Timestamp, in database: Database) throws
        -> [LivePass]
    {
        try database.rows(
            """
            SELECT p.id, p.gate, p.person, p.not_after, p.intervals FROM passes p JOIN gates g ON g.id = p.gate
            WHERE p.person = ? AND g.site = ? AND p.not_after >= ?
            """, person, site, now.seconds, make: livePass)
    }

    static func livePasses(at gate: GateID, now: Timestamp, in database: Database) throws -> [LivePass] {
        try database.rows(
            "SELECT id, gate, person, not_after, intervals FROM passes WHERE gate = ? AND not_after >= ?", gate,
            now.seconds, make: livePass)
    }

    static func removePasses(endedBefore seconds: UInt64, in database: Database) throws {
        try database.execute("DELETE FROM passes WHERE not_after < ?", seconds)
        try database.execute("DELETE FROM denied_passes WHERE until < ?", seconds)
    }

    static func holder(of pass: ID16, at gate: GateID, in database: Database) throws -> PersonID? {
        try database.row("SELECT person FROM passes WHERE id = ? AND gate = ?", pass.bytes, gate) { $0[0] as PersonID }
    }

    /// Puts all live passes of a person at a site's gates on those gates' deny lists.
    /// - Returns: the gates whose rights changed, for `Gates.rightsChanged`.
    public static func denyPasses(
        of person: PersonID, at site: SiteID, now: Timestamp, in database: Database
    ) throws -> [GateID] {
        try deny(try livePasses(of: person, at: site, now: now, in: database), now: now, in: database)
    }

    /// Puts passes on the deny lists of their gates.
    /// - Returns: the gates whose rights changed.
    static func deny(_ passes: [LivePass], now: Timestamp, in database: Database) throws -> [GateID] {
        var gates: Set<GateID> = []
        for pass in passes {
            let isNew = try database.execute(
                "INSERT INTO denied_passes (gate, pass, until) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", pass.gate,
                pass.id.bytes, pass.notAfter)
            if isNew > 0 { gates.insert(pass.gate) }
        }
        for gate in gates {
            try raiseRightsVersion(of: gate, in: database)
            let denied = try database.row(
                "SELECT count(*) FROM denied_passes WHERE gate = ? AND until >= ?", gate, now.seconds
            ) { $0[0] as Int }
            // A list that a gate cannot hold: a new epoch ends every pass of the old one instead.
            if denied ?? 0 > Rights.maxDenied {
                try database.execute("UPDATE gates SET epoch = epoch + 1 WHERE id = ?", gate)
                try database.execute("DELETE FROM denied_passes WHERE gate = ?", gate)
            }
        }
        return Array(gates)
    }

    /// Says that a gate's controller holds something old: it gets new rights with its next hello, or from `Gates.rightsChanged`.
    public static func raiseRightsVersion(of gate: GateID, in database: Database) throws {
        try database.execute("UPDATE gates SET rights_version = rights_version + 1 WHERE id = ?", gate)
    }

    /// What a gate's controller should hold now.
    /// - Parameter local: of a gate that takes badges.
    static func rights(
        of gate: Gate, key: Key, local: LocalRights?, now: Timestamp, in database: Database
    ) throws -> Rights {
        let denied = try database.rows(
            "SELECT pass, until FROM denied_passes WHERE gate = ? AND until >= ? ORDER BY until DESC, pass LIMIT ?",
            gate.id, now.seconds, Rights.maxDenied
        ) { row in Denied(passID: ID16(row[0]) ?? .zero, until: row[1]) }
        return try Rights(
            version: gate.rightsVersion, epoch: gate.epoch, denied: denied,
            settings: GateSettings(pulseMilliseconds: gate.pulse), local: local, gateKey: key)
    }
}
