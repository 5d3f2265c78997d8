import Accounts
import Identity
import Ledger
import Store
import System
import Wire

// The one way to change what people may: it checks the passes that are out in the same transaction, and sends gates their rights after it.

/// Whose rights a change may touch.
public enum Touched: Sendable {
    /// Nobody's: nothing changed, or nothing by which gates open.
    case nobody
    /// Nobody's pass opens too much now: something was added, or a badge changed. Gates that take badges get their copy of rights anew.
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

    /// The same inside a transaction that began for another reason: what is done when somebody shuts out everybody else, say.
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

    /// What rights are read from, also by the policies: it is written in `changeRights` alone. Where a site has no gate nobody has rights.
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
    /// stays good, so that nobody stands before a shut door because somebody else's hours were mended. Gates that take badges have to get
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
        let rights = try store.read { database in
            let local =
                try gate.retired == nil && policy?.takesBadges(gate, in: database) == true
                ? policy?.localRights(of: gate, key: key, at: now, in: database) : nil
            return try GateRecords.rights(of: gate, key: key, local: local, now: now, in: database)
        }
        try carrier.send(.rights(rights), to: gate.id, at: gate.site)
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
