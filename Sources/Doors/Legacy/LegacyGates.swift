import Accounts
import Gates
import Identity
import Ledger
import Store
import Synchronization
import System
import Wire

// Legacy gates: which they are, and what each must know by itself.

extension Doors {
    /// What gates hold is made anew so often, in seconds: the calendars in it reach only `LegacyPolicy.outlook` ahead.
    static let legacyPeriod: Int64 = 6 * 3600

    /// Makes a gate a legacy gate, which takes the original system's badges in the air and no pass, or the other way round. The first
    /// takes a fresh proof: such a badge is readable by anyone who hears it.
    /// - Throws: `Gates.Unknown` when there is no such gate at that site.
    func setLegacy(_ id: GateID, _ isLegacy: Bool, at site: SiteID, by principal: Principal) async throws {
        let now = given.clock.now
        try await given.gates.changeRights(at: site) { database, touched in
            // No pass: what it takes is another thing from now on.
            touched = .nobody
            guard let gate = try GateRecords.gate(id, in: database), gate.site == site, gate.retired == nil else {
                throw Gates.Unknown()
            }
            let before = try LegacyRecords.isLegacy(id, in: database)
            if before == isLegacy { return }
            if isLegacy { try Routes.requireFreshProof(principal, at: now) }
            try LegacyRecords.setLegacy(id, isLegacy, in: database)
            try GateRecords.raiseRightsVersion(of: id, in: database)
            func mode(_ isLegacy: Bool) -> [(name: StaticString, value: String)] {
                [("mode", isLegacy ? "legacy" : "pass")]
            }
            try Audit("gate.mode.changed", ("gate", id.text), before: mode(before), after: mode(isLegacy)).append(
                at: now, site: site, by: principal.person.id, in: database)
        }
    }

    /// Says whether a site takes sign-ins of the original's app by GET. To begin with it takes a fresh proof.
    func setLegacyGET(_ allows: Bool, at site: SiteID, by principal: Principal) async throws {
        let now = given.clock.now
        try await given.store.write { database in
            let before = try LegacyRecords.allowsGET(site, in: database)
            if allows, !before { try Routes.requireFreshProof(principal, at: now) }
            try LegacyRecords.setAllowsGET(allows, at: site, in: database)
            func fields(_ allows: Bool) -> [(name: StaticString, value: String)] { [("allowsGET", "\(allows)")] }
            try Audit("legacy.get.changed", ("site", site.text), before: fields(before), after: fields(allows)).append(
                at: now, site: site, by: principal.person.id, in: database)
        }
    }

    /// Makes what legacy gates hold reach further ahead, again and again. Runs until cancelled.
    func keepLegacyRights() async throws {
        while true {
            let sites = try given.store.read { try LegacyRecords.sitesWithGates(in: $0) }
            if !sites.isEmpty {
                try await given.gates.changeRights(.vital, at: sites) { _, touched in touched = .noPass }
            }
            try await Task.sleep(for: .seconds(Self.legacyPeriod))
        }
    }
}

extension Doors.Decisions {
    func takesBadges(_ gate: Gate, in database: Database) throws -> Bool {
        try LegacyRecords.isLegacy(gate.id, in: database)
    }

    func localRights(
        of gate: Gate, key: Key, at now: Timestamp, in database: Database
    ) throws -> (rights: LocalRights, cut: Int) {
        let badges = try LegacyRecords.badges(of: gate.site, in: database)
        let from = now.adding(milliseconds: -LegacyPolicy.leeway)
        var known = KnownMemberships(at: gate.site)
        let times =
            gate.retired == nil
            ? try times(
                of: badges.filter { $0.revoked == nil }.map(\.person), gate, from: from,
                until: now.adding(milliseconds: LegacyPolicy.outlook), &known, in: database) : [:]
        return try LegacyPolicy.localRights(of: badges, times: times) { LocalRights.name(of: $0, gateKey: key) }
    }

    func holder(of badge: ID16, at gate: Gate, key: Key, in database: Database) throws -> PersonID? {
        try names.holder(of: badge, at: gate.id) {
            try LegacyRecords.isHolder($0, at: gate.site, in: database)
        } named: {
            let badges = try LegacyRecords.badges(of: gate.site, in: database)
            return Dictionary(
                badges.map { (LocalRights.name(of: $0.code, gateKey: key), $0.person) },
                uniquingKeysWith: { first, _ in first })
        }
    }
}

/// Whose badge it is that a gate's journal names, as far as it was worked out before: that is a MAC for every badge of the site.
final class LegacyNames: Sendable {
    private let known = Mutex<[GateID: [ID16: PersonID]]>([:])

    /// Remembered or not: a person who was erased since is nobody, and the badge may go on under the account that took their place.
    func holder(
        of badge: ID16, at gate: GateID, _ isHolder: (PersonID) throws -> Bool, named: () throws -> [ID16: PersonID]
    ) throws -> PersonID? {
        if let person = known.withLock({ $0[gate]?[badge] }), try isHolder(person) { return person }
        let names = try named()
        known.withLock { $0[gate] = names }
        return try names[badge].flatMap { try isHolder($0) ? $0 : nil }
    }
}
