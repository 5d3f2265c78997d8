import Accounts
import Gates
import Identity
import Ledger
import Store
import System

extension GateGroup {
    /// What the ledger tells of it.
    var told: [(name: StaticString, value: String)] {
        [("name", name), ("gates", gates.map(\.text).sorted().joined(separator: ", "))]
    }
}

extension Doors {
    /// Adds a group of gates, or changes the one of that id.
    func putGroup(
        _ id: GateGroupID?, name: String, gates: [GateID], at site: SiteID, by person: PersonID
    ) async throws -> GateGroup {
        let name = try Rules.name(name)
        guard gates.count <= Rules.maxGates else { throw RuleFault(field: "gates", why: .tooMany(Rules.maxGates)) }
        let now = given.clock.now
        return try await commitRule(at: site) { database in
            let all = try DoorsRecords.gateGroups(of: site, in: database)
            let before = all.first { $0.id == id }
            if id != nil && before == nil { throw RuleFault(field: "rule", why: .gone) }
            if before == nil && all.count >= Rules.maxOfAKind {
                throw RuleFault(field: "rule", why: .tooMany(Rules.maxOfAKind))
            }
            let known = try DoorsRecords.gateNames(of: site, in: database)
            guard gates.allSatisfy({ known[$0] != nil }) else { throw RuleFault(field: "gates", why: .unknown) }
            let after = GateGroup(
                id: id ?? .new(at: now), site: site, name: name, gates: Array(Set(gates)).sorted { $0.text < $1.text })
            if before == after { return (after, .nobody) }
            try DoorsRecords.put(after, in: database)
            try Audit(
                before == nil ? "group.added" : "group.changed", ("group", after.id.text),
                before: before?.told, after: after.told
            ).append(at: now, site: site, by: person, in: database)
            return (after, .people(try DoorsRecords.people(with: after.id, at: site, in: database)))
        }
    }

    /// Removes a group of gates: the roles that had it no longer open its gates, unless they have them otherwise.
    func removeGroup(_ id: GateGroupID, at site: SiteID, by person: PersonID) async throws {
        let now = given.clock.now
        try await commitRule(at: site) { database in
            guard let before = try DoorsRecords.gateGroups(of: site, in: database).first(where: { $0.id == id }) else {
                throw RuleFault(field: "rule", why: .gone)
            }
            let people = try DoorsRecords.people(with: id, at: site, in: database)
            try DoorsRecords.remove(id, in: database)
            try Audit("group.removed", ("group", id.text), before: before.told).append(
                at: now, site: site, by: person, in: database)
            return ((), .people(people))
        }
    }
}

extension DoorsRecords {
    /// The roles that have a group of gates.
    static func roles(with group: GateGroupID, in database: Database) throws -> Set<RoleID> {
        Set(
            try database.rows("SELECT role FROM role_gate_groups WHERE gate_group = ?", group) { $0[0] as RoleID })
    }

    /// Everybody whose role has a group of gates.
    static func people(with group: GateGroupID, at site: SiteID, in database: Database) throws -> Set<PersonID> {
        try people(with: try roles(with: group, in: database), at: site, in: database)
    }
}
