import Accounts
import Gates
import Identity
import Ledger
import Store
import System

/// A role with everything that it gives.
struct RoleRule: Sendable, Equatable {
    var role: Role
    /// Given one by one; also those out of use, so that taking one back is enough.
    var gates: [GateID]
    /// Given by group.
    var groups: [GateGroupID]
    /// Nil: at any time.
    var hours: TimetableID?

    /// What the ledger tells of it.
    var told: [(name: StaticString, value: String)] {
        [
            ("name", role.name), ("level", "\(role.level)"), ("timetable", hours?.text ?? ""),
            ("gates", gates.map(\.text).sorted().joined(separator: ", ")),
            ("groups", groups.map(\.text).sorted().joined(separator: ", ")),
        ]
    }
}

/// What a form or a program says of a role.
struct RoleEntry: Sendable {
    var name: String
    var level: Int
    var gates: [GateID]
    var groups: [GateGroupID]
    var hours: TimetableID?
}

extension Doors {
    /// Adds a role, or changes the one of that id; nothing is written when nothing changes.
    func putRole(_ id: RoleID?, _ entry: RoleEntry, at site: SiteID, by person: PersonID) async throws -> RoleRule {
        let name = try Rules.name(entry.name)
        guard Rules.levels.contains(entry.level) else { throw RuleFault(field: "level", why: .level) }
        guard entry.gates.count <= Rules.maxGates else {
            throw RuleFault(field: "gates", why: .tooMany(Rules.maxGates))
        }
        guard entry.groups.count <= Rules.maxOfAKind else {
            throw RuleFault(field: "groups", why: .tooMany(Rules.maxOfAKind))
        }
        let now = given.clock.now
        return try await commitRule(at: site) { database in
            let before = try id.map { id -> RoleRule in
                guard let known = try DoorsRecords.roleRule(id, at: site, in: database) else {
                    throw RuleFault(field: "rule", why: .gone)
                }
                return known
            }
            try Self.check(entry, at: site, isNew: before == nil, database)
            let after = RoleRule(
                role: Role(id: id ?? .new(at: now), site: site, name: name, level: entry.level),
                gates: Array(Set(entry.gates)).sorted { $0.text < $1.text },
                groups: Array(Set(entry.groups)).sorted { $0.text < $1.text }, hours: entry.hours)
            if before == after { return (after, .nobody) }
            try AccountRecords.put(after.role, in: database)
            try DoorsRecords.setReach(
                of: after.role.id, gates: after.gates, groups: after.groups, timetable: after.hours, in: database)
            try Audit(
                before == nil ? "role.added" : "role.changed", ("role", after.role.id.text), before: before?.told,
                after: after.told
            ).append(at: now, site: site, by: person, in: database)
            if before == nil { return (after, .nobody) }
            return (
                after, .people(try DoorsRecords.people(with: [after.role.id], at: site, in: database))
            )
        }
    }

    private static func check(_ entry: RoleEntry, at site: SiteID, isNew: Bool, _ database: Database) throws {
        if isNew, try AccountRecords.roles(of: site, in: database).count >= Rules.maxOfAKind {
            throw RuleFault(field: "rule", why: .tooMany(Rules.maxOfAKind))
        }
        let gates = try DoorsRecords.gateNames(of: site, in: database)
        guard entry.gates.allSatisfy({ gates[$0] != nil }) else { throw RuleFault(field: "gates", why: .unknown) }
        let groups = Set(try DoorsRecords.gateGroups(of: site, in: database).map(\.id))
        guard entry.groups.allSatisfy(groups.contains) else { throw RuleFault(field: "groups", why: .unknown) }
        if let hours = entry.hours {
            guard try DoorsRecords.timetable(hours, in: database)?.site == site else {
                throw RuleFault(field: "hours", why: .unknown)
            }
        }
    }

    /// Removes a role that nobody has any more. Memberships that ended lose its name, and say so in the ledger.
    func removeRole(_ id: RoleID, at site: Site, by person: PersonID) async throws {
        let now = given.clock.now
        let today = site.zone.day(at: now)
        @Sendable func requireUnused(_ database: Database) throws -> RoleRule {
            guard let before = try DoorsRecords.roleRule(id, at: site.id, in: database) else {
                throw RuleFault(field: "rule", why: .gone)
            }
            let count = try DoorsRecords.peopleCounts(at: site.id, today: today, in: database)[id] ?? 0
            if count > 0 { throw RuleFault(field: "rule", why: .inUse(count)) }
            return before
        }
        // Those of decades are changed in parts: doors that open wait for each.
        var count = Self.bulkLimit
        while count == Self.bulkLimit {
            count = try await given.gates.changeRights(at: site.id) { database, touched in
                _ = try requireUnused(database)
                touched = .nobody
                return try takeRole(id, fromAtMost: Self.bulkLimit, at: site.id, now, by: person, in: database)
            }
        }
        try await commitRule(at: site.id) { database in
            let before = try requireUnused(database)
            try takeRole(id, fromAtMost: .max, at: site.id, now, by: person, in: database)
            try DoorsRecords.forgetSteps(naming: id, at: site.id, in: database)
            try DoorsRecords.setReach(of: id, gates: [], groups: [], timetable: nil, in: database)
            try AccountRecords.remove(id, in: database)
            try Audit("role.removed", ("role", id.text), before: before.told).append(
                at: now, site: site.id, by: person, in: database)
            return ((), .nobody)
        }
    }

    /// - Returns: from how many.
    @discardableResult
    private func takeRole(
        _ id: RoleID, fromAtMost limit: Int, at site: SiteID, _ now: Timestamp, by person: PersonID,
        in database: Database
    ) throws -> Int {
        let own = try AccountRecords.memberships(at: site, in: database).filter { $0.role == id }.prefix(limit)
        for var membership in own {
            membership.role = nil
            try given.accounts.change(membership, at: now, by: person, in: database)
        }
        return own.count
    }
}

extension DoorsRecords {
    /// A role of a site with everything that it gives; nil when there is none.
    static func roleRule(_ id: RoleID, at site: SiteID, in database: Database) throws -> RoleRule? {
        guard let role = try AccountRecords.roles(of: site, in: database).first(where: { $0.id == id }) else {
            return nil
        }
        return try roleRule(role, in: database)
    }

    /// All roles of a site with everything that they give, by level and name.
    static func roleRules(of site: SiteID, in database: Database) throws -> [RoleRule] {
        try AccountRecords.roles(of: site, in: database).map { try roleRule($0, in: database) }
    }

    private static func roleRule(_ role: Role, in database: Database) throws -> RoleRule {
        RoleRule(
            role: role, gates: try gates(of: role.id, in: database), groups: try gateGroups(of: role.id, in: database),
            hours: try timetable(of: role.id, in: database))
    }

    /// The roles that have a gate, one by one or by a group.
    static func roles(having gate: GateID, in database: Database) throws -> Set<RoleID> {
        Set(
            try database.rows(
                """
                SELECT role FROM role_gates WHERE gate = ?
                UNION SELECT rg.role FROM gate_group_gates gg JOIN role_gate_groups rg ON rg.gate_group = gg.gate_group
                WHERE gg.gate = ?
                """, gate, gate
            ) { $0[0] as RoleID })
    }

    /// A change of several memberships that gave or took a role cannot be undone once the role is gone.
    static func forgetSteps(naming role: RoleID, at site: SiteID, in database: Database) throws {
        try database.execute(
            "DELETE FROM membership_steps WHERE site = ? AND (instr(ifnull(before, ''), ?) > 0 OR instr(after, ?) > 0)",
            site, role.text, role.text)
    }
}
