import Accounts
import Identity
import Ledger
import Store
import System
import Wire

// The one way to change what people may: it checks the passes that are out in the same transaction, and sends gates their rights after it.

/// Whose rights a change may touch.
public enum Touched: Sendable {
    /// No person's: nothing changed, or nothing by which gates open.
    case nobody
    /// No pass opens too much now: something was added, or a badge changed. Gates that take badges get their copy of rights anew.
    case noPass
    /// Those of these people.
    case people(Set<PersonID>)
    /// Those of everybody at the sites.
    case everybody
}

extension Gates {
    /// Changes what rights at a site are made of: members, roles, groups, hours, badges, gates. In the same transaction the passes are denied
    /// that allow more than everybody may now; after the commit each gate whose rights are others gets them. One that cannot be reached, or
    /// that a hub did not reach because it died, gets them with its next hello.
    /// - Parameters:
    ///   - weight: whether the change can wait while the disk is nearly full.
    ///   - body: what it throws undoes the change, and no gate hears of it. See `Store.write`.
    @discardableResult
    public func changeRights<T: Sendable>(
        _ weight: WriteWeight = .current, at site: SiteID, _ body: @escaping @Sendable (Database) throws -> T
    ) async throws -> T {
        try await changeRights(weight, at: [site]) { database, _ in try body(database) }
    }

    /// The same for a change that knows whose rights it touches: of a few people it is quicker to check the passes.
    /// - Parameter body: says whose; everybody's unless it does.
    @discardableResult
    public func changeRights<T: Sendable>(
        _ weight: WriteWeight = .current, at site: SiteID,
        _ body: @escaping @Sendable (Database, inout Touched) throws -> T
    ) async throws -> T {
        try await changeRights(weight, at: [site], body)
    }

    /// The same for a change of several sites.
    @discardableResult
    public func changeRights<T: Sendable>(
        _ weight: WriteWeight = .current, at sites: [SiteID],
        _ body: @escaping @Sendable (Database, inout Touched) throws -> T
    ) async throws -> T {
        try await accounts.change(weight) { database in
            try self.changeRights(at: sites, in: database) { try body(database, &$0) }
        }
    }

    /// The same inside a transaction that began for another reason: what is done when a person shuts out everybody else, say.
    public func changeRights<T>(
        at sites: [SiteID], in database: Database, _ body: (inout Touched) throws -> T
    ) throws -> T {
        let (sites, now) = (Set(sites), clock.now)
        let before = try GateRecords.rightsVersions(at: sites, in: database)
        var touched = Touched.everybody
        let result = try database.passingFences { try body(&touched) }
        for site in sites { try recheckPasses(of: touched, at: site, now: now, in: database) }
        for (gate, version) in try GateRecords.rightsVersions(at: sites, in: database) where before[gate] != version {
            sendRights(to: gate, afterCommitOf: database)
        }
        return result
    }

    /// What rights are read from, also by the policies: it is written in `changeRights` alone. Where a site has no gate, no person has rights.
    var fences: [Fence] {
        [
            Fence("memberships", where: "EXISTS (SELECT 1 FROM gates WHERE site = row.site)"),
            Fence("gates", column: "retired"),
        ] + policies.withLock { Array($0.values) }.flatMap(\.fences)
    }

    /// Refuses from now on what would change rights without `changeRights`. For builds that are tested.
    public func fenceRights() async throws { try await store.put(fences: fences) }

    // MARK: the passes that are out

    private func recheckPasses(of touched: Touched, at site: SiteID, now: Timestamp, in database: Database) throws {
        let people: Set<PersonID>?
        switch touched {
        case .nobody: return
        case .noPass: people = []
        case .people(let some):
            if some.isEmpty { return }
            people = some
        case .everybody: people = nil
        }
        try recheckPasses(of: people, at: try GateRecords.gates(of: site, in: database), now: now, in: database)
    }

    private static let fewPeople = 100

    /// Denies the passes that are out and allow more than their holders' rights do now: something was taken away. What still holds
    /// stays good: a change of another person's hours must not shut out its holder. Gates that take badges have to get
    /// their copy of rights anew.
    /// - Parameters:
    ///   - people: whose rights changed; nil: of everybody who has a pass for those gates.
    ///   - gates: at which gates, all of one site.
    func recheckPasses(
        of people: Set<PersonID>? = nil, at gates: [Gate], now: Timestamp, in database: Database
    ) throws {
        guard let site = gates.first?.site else { return }
        // Of a few people it is quicker to look at their passes than at those of everybody at every gate.
        var byGate: [GateID: [LivePass]]?
        if let people, people.count <= Self.fewPeople {
            let passes = try people.flatMap { try GateRecords.livePasses(of: $0, at: site, now: now, in: database) }
            byGate = Dictionary(grouping: passes, by: \.gate)
        }
        var known = KnownMemberships(at: site)
        for gate in gates {
            guard let policy = policy(gate.policy) else { continue }
            if try policy.takesBadges(gate, in: database) {
                try GateRecords.raiseRightsVersion(of: gate.id, in: database)
            }
            let live =
                try byGate.map { $0[gate.id] ?? [] }
                ?? GateRecords.livePasses(at: gate.id, now: now, in: database).filter {
                    people?.contains($0.person) ?? true
                }
            guard let end = live.map(\.life.end).max() else { continue }
            let holders = Array(Set(live.map(\.person)))
            let times =
                gate.retired == nil
                ? try policy.times(
                    of: holders, gate, from: now, until: Timestamp(seconds: end), &known, in: database) : [:]
            let denied = live.filter { !$0.times(from: now.seconds).isCovered(by: times[$0.person] ?? []) }
            _ = try GateRecords.deny(denied, now: now, in: database)
        }
    }

    // MARK: the gates

    /// Has a gate get its rights once they are on disk; once, however often that is asked for.
    func sendRights(to gate: GateID, afterCommitOf database: Database) {
        database.afterCommit(gate) { self.sendNewRights(to: gate) }
    }

    /// Sends its new rights to a gate that can be reached; another one gets them when it says hello.
    private func sendNewRights(to id: GateID) {
        guard live.isReachable(id, now: uptime()) else { return }
        do {
            guard let gate = try store.read({ try GateRecords.gate(id, in: $0) }), let key = gate.key else { return }
            try sendRights(to: gate, key)
        } catch {
            unsent.withLock { _ = $0.insert(id) }
            Log.warning(
                "gates", "rights could not be sent; the gate gets them as soon as the carrier is back",
                ["gate": id.text, "why": "\(error)"])
        }
    }

    func sendRights(to gate: Gate, _ key: Key) throws {
        let now = clock.now
        let policy = policy(gate.policy)
        let (rights, cut) = try store.read { database in
            let copy =
                try takesBadges(gate, in: database)
                ? policy?.localRights(of: gate, key: key, at: now, in: database) : nil
            return (
                try GateRecords.rights(of: gate, key: key, local: copy?.rights, now: now, in: database), copy?.cut ?? 0
            )
        }
        noteCut(cut, of: gate.id)
        try carrier.send(.rights(rights), to: gate.id, at: gate.site)
    }

    /// Whether a gate takes badges, by a copy of rights of its own.
    func takesBadges(_ gate: Gate, in database: Database) throws -> Bool {
        try gate.retired == nil && policy(gate.policy)?.takesBadges(gate, in: database) == true
    }

    /// Keeps for the next hello of a gate whether it can hold all its badges.
    private func noteCut(_ cut: Int, of gate: GateID) {
        let wasCut = cutRights.withLock { $0.updateValue(cut > 0, forKey: gate) }
        if cut > 0, wasCut != true {
            Log.warning(
                "gates", "a gate has more badges, or more different hours, than it can hold",
                ["gate": gate.text, "badges": "\(cut)"])
        }
    }

    /// Sends the rights that could not be sent: the carrier is back.
    public func sendUnsentRights() {
        let gates = unsent.withLock { unsent in
            defer { unsent = [] }
            return unsent
        }
        for gate in gates { sendNewRights(to: gate) }
    }
}

extension GateRecords {
    fileprivate static func rightsVersions(
        at sites: Set<SiteID>, in database: Database
    ) throws -> [GateID: UInt64] {
        var versions: [GateID: UInt64] = [:]
        for site in sites {
            let gates = try database.rows("SELECT id, rights_version FROM gates WHERE site = ?", site) {
                ($0[0] as GateID, $0[1] as UInt64)
            }
            for (gate, version) in gates { versions[gate] = version }
        }
        return versions
    }
}

/// The memberships of a site that were read in one transaction: its many gates read them once.
public struct KnownMemberships {
    private let site: SiteID
    private var ofPerson: [PersonID: [Membership]] = [:]
    /// Up to so many people are looked up one by one.
    private static let fewPeople = 100

    /// Nothing was read yet.
    public init(at site: SiteID) { self.site = site }

    /// What some people have at the site, ended or not; nothing of who has nothing.
    public mutating func memberships(
        of people: [PersonID], in database: Database
    ) throws -> [PersonID: [Membership]] {
        let missing = people.filter { ofPerson[$0] == nil }
        if missing.count <= Self.fewPeople {
            for person in missing {
                ofPerson[person] = try AccountRecords.memberships(of: person, at: site, in: database)
            }
        } else {
            let all = Dictionary(grouping: try AccountRecords.memberships(at: site, in: database), by: \.person)
            for person in missing { ofPerson[person] = all[person] ?? [] }
        }
        return people.reduce(into: [:]) { found, person in
            if let own = ofPerson[person], !own.isEmpty { found[person] = own }
        }
    }
}

// The passes that are out, and those that gates refuse.

/// A pass that a person keeps, as far as the hub knows.
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

    /// Notes a pass that was made. Without the gate's key it cannot be made again.
    static func add(_ header: PassHeader, of person: PersonID, in database: Database) throws {
        try database.execute(
            "INSERT INTO passes (id, gate, person, not_after, header) VALUES (?, ?, ?, ?, ?)", header.passID.bytes,
            GateID(header.gateID), person, header.notAfter, header.encoded())
    }

    /// The passes of a person that were not taken away.
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

    /// Passes that were not taken away and that say that they were made later than now.
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
