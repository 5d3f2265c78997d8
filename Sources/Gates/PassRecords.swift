import Accounts
import Identity
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
    /// From its first second to the first one after it.
    let life: Interval
    /// Sorted; empty: all its life.
    let intervals: [Interval]
    /// What it is made of, to give it again; nil in one that was issued before the hub kept it.
    let header: PassHeader?

    init(_ header: PassHeader, of person: PersonID) {
        (id, gate, self.person, self.header) = (header.passID, GateID(header.gateID), person, header)
        (life, intervals) = (Interval(start: header.notBefore, end: header.notAfter), header.intervals)
    }

    init(_ row: Row) throws {
        if let bytes = row[5] as [UInt8]? {
            self = LivePass(try PassHeader(decoding: bytes), of: row[2])
            return
        }
        var intervals: [Interval] = []
        var reader = Reader((row[4] as [UInt8]?) ?? [])
        while reader.remaining > 0 {
            let start = try reader.u64()
            intervals.append(Interval(start: start, end: try reader.u64()))
        }
        (id, gate, person, header) = (ID16(row[0]) ?? .zero, row[1], row[2], nil)
        (life, self.intervals) = (Interval(start: 0, end: row[3]), intervals)
    }

    /// When it still opens.
    func times(from now: UInt64) -> [Interval] {
        let left = [Interval(start: max(now, life.start), end: max(now, life.end))].normalised()
        return intervals.isEmpty ? left : intervals.intersection(left)
    }
}

extension GateRecords {
    static let passesMigration = Migration("gates.passes.1", "ALTER TABLE passes ADD COLUMN header BLOB;")

    /// Notes a pass that was made. Without the gate's key nobody can make it again.
    static func add(_ header: PassHeader, of person: PersonID, in database: Database) throws {
        try database.execute(
            "INSERT INTO passes (id, gate, person, not_after, header) VALUES (?, ?, ?, ?, ?)", header.passID.bytes,
            GateID(header.gateID), person, header.notAfter, header.encoded())
    }

    /// The passes of somebody that nobody took away.
    static func goodPasses(of person: PersonID, at site: SiteID, now: Timestamp, in database: Database) throws
        -> [LivePass]
    {
        try database.rows(
            """
            SELECT p.id, p.gate, p.person, p.not_after, p.intervals, p.header FROM passes p JOIN gates g ON g.id = p.gate
            WHERE p.person = ? AND g.site = ? AND p.not_after >= ?
                AND NOT EXISTS (SELECT 1 FROM denied_passes d WHERE d.gate = p.gate AND d.pass = p.id)
            """, person, site, now.seconds, make: LivePass.init)
    }

    static func livePasses(of person: PersonID, at site: SiteID, now: Timestamp, in database: Database) throws
        -> [LivePass]
    {
        try database.rows(
            """
            SELECT p.id, p.gate, p.person, p.not_after, p.intervals, p.header FROM passes p JOIN gates g ON g.id = p.gate
            WHERE p.person = ? AND g.site = ? AND p.not_after >= ?
            """, person, site, now.seconds, make: LivePass.init)
    }

    static func livePasses(at gate: GateID, now: Timestamp, in database: Database) throws -> [LivePass] {
        try database.rows(
            "SELECT id, gate, person, not_after, intervals, header FROM passes WHERE gate = ? AND not_after >= ?", gate,
            now.seconds, make: LivePass.init)
    }

    /// Lets every gate that denies passes have its list anew.
    /// - Returns: those gates.
    static func raiseRightsOfThoseThatDeny(in database: Database) throws -> [GateID] {
        let gates = try database.rows("SELECT DISTINCT gate FROM denied_passes") { $0[0] as GateID }
        for gate in gates { try raiseRightsVersion(of: gate, in: database) }
        return gates
    }

    /// Passes that nobody took away and that say that they were made later than now.
    static func passesMadeAhead(of now: Timestamp, in database: Database) throws -> [LivePass] {
        let latest = now.seconds + Gates.clockLeeway
        return try database.rows(
            """
            SELECT p.id, p.gate, p.person, p.not_after, p.intervals, p.header FROM passes p
            WHERE p.not_after >= ? AND NOT EXISTS (
                SELECT 1 FROM denied_passes d WHERE d.gate = p.gate AND d.pass = p.id)
            """, now.seconds, make: LivePass.init
        ).filter { pass in
            // An older hub kept no headers: no pass lives longer than a day.
            pass.header.map { $0.issued > latest } ?? (pass.life.end > latest + UInt64(PassHeader.maxLifetime))
        }
    }

    static func removePasses(endedBefore seconds: UInt64, in database: Database) throws {
        try database.execute("DELETE FROM passes WHERE not_after < ?", seconds)
        try database.execute("DELETE FROM denied_passes WHERE until < ?", seconds)
    }

    static func holder(of pass: ID16, at gate: GateID, in database: Database) throws -> PersonID? {
        try database.row("SELECT person FROM passes WHERE id = ? AND gate = ?", pass.bytes, gate) { $0[0] as PersonID }
    }

    /// Puts all live passes of a person at a site's gates on those gates' deny lists.
    /// - Returns: the gates whose rights changed; they get them by `Gates.changeRights`, in which this is done.
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
                pass.id.bytes, pass.life.end)
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

    /// Says that a gate's controller holds something old: it gets new rights with its next hello, or by
    /// `Gates.changeRights`, in which this is done.
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
