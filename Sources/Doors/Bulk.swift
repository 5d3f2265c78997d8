import Accounts
import Gates
import Identity
import Ledger
import Store
import System

/// What a manager does to several memberships at once.
enum BulkChange: Sendable, Equatable {
    /// Takes them away, at this moment.
    case revoke
    /// Gives back what was taken away.
    case reinstate
    /// Gives them another role, or none.
    case role(RoleID?)
    /// Ends them after a day, or leaves the end open.
    case lastDay(Day?)

    func applied(to before: Membership, at now: Timestamp) -> Membership {
        var after = before
        switch self {
        case .revoke: after.revoked = before.revoked ?? now
        case .reinstate: after.revoked = nil
        case .role(let role): after.role = role
        case .lastDay(let day): after.lastDay = day
        }
        return after
    }
}

/// What became of it.
struct BulkResult: Sendable {
    /// Names it, for undoing it.
    let batch: EventID
    /// How many memberships are other than before.
    let changed: Int
    /// Those that stayed as they were, and why.
    let refused: [(membership: MembershipID, refusal: MembershipEntry.Refusal)]
}

extension Doors {
    /// At most so many memberships are changed at once.
    static let bulkLimit = 1000
    /// A change can be undone for so long, in milliseconds: a day.
    static let undoable: Int64 = 86_400_000

    /// Changes memberships of a site in one transaction; those that may not be changed so stay as they were, and are told.
    func change(
        _ ids: [MembershipID], _ change: BulkChange, at site: Site, by principal: Principal
    ) async throws -> BulkResult {
        try requireProof(toShare: site, as: [], principal)
        guard ids.count <= Self.bulkLimit else { throw MembershipEntry.Refusal(field: "memberships", why: .tooMany) }
        // Taking access away waits for nothing.
        let rows = change == .revoke ? 0 : Set(ids).count
        try given.accounts.admit(rows: rows, of: principal)
        do { return try await changing(ids, change, at: site, by: principal) } catch let error
            as MembershipEntry.Refusal
        {
            // Nothing was done. What was written and taken back counts.
            given.accounts.giveBack(rows: rows, of: principal)
            throw error
        }
    }

    private func changing(
        _ ids: [MembershipID], _ change: BulkChange, at site: Site, by principal: Principal
    ) async throws -> BulkResult {
        let (now, sweeps) = (given.clock.now, given.clock.mayRemoveByAge)
        let batch = EventID.new(at: now)
        return try await inviting(to: site, by: principal, now) { database in
            if case .role(let role?) = change,
                try !AccountRecords.roles(of: site.id, in: database).contains(where: { $0.id == role })
            {
                throw MembershipEntry.Refusal(field: "role", why: .unknown)
            }
            try DoorsRecords.removeOldSteps(at: now, of: site.id, sweeps: sweeps, in: database)
            var (people, refused): ([PersonID: Invited], [(MembershipID, MembershipEntry.Refusal)]) = ([:], [])
            var changed = 0
            for id in ids {
                do {
                    guard let before = try AccountRecords.membership(id, in: database), before.site == site.id else {
                        throw MembershipEntry.Refusal(field: "membership", why: .unknown)
                    }
                    let after = change.applied(to: before, at: now)
                    if before == after { continue }
                    if let first = after.firstDay, let last = after.lastDay, last < first {
                        throw MembershipEntry.Refusal(field: "last_day", why: .endsBeforeItBegins)
                    }
                    try requireOther(before, after, principal, site, now)
                    try requireOwner(from: before, to: after, site, principal, now, database)
                    try requireProof(toShare: site, as: [before.permission], principal)
                    let invited = try people[before.person] ?? Invited(before.person, at: site.id, now, database)
                    try given.accounts.change(after, at: now, by: principal.person.id, in: database)
                    try DoorsRecords.addStep(
                        batch, before: before, after: after, at: now, by: principal.person.id, in: database)
                    people[before.person] = invited
                    changed += 1
                } catch let refusal as MembershipEntry.Refusal { refused.append((id, refusal)) }
            }
            return (BulkResult(batch: batch, changed: changed, refused: refused), people)
        }
    }

    /// Nobody takes away their own access by mistake.
    private func requireOther(
        _ before: Membership, _ after: Membership, _ principal: Principal, _ site: Site, _ now: Timestamp
    ) throws(MembershipEntry.Refusal) {
        let today = site.zone.day(at: now)
        if before.person == principal.person.id, before.holds(on: today), !after.holds(on: today) {
            throw MembershipEntry.Refusal(field: "membership", why: .yourself)
        }
    }

    /// Changes memberships in one transaction, and sends a letter to those who have nothing to come in by afterwards: see `Invited`.
    /// - Parameter body: answers with the people whom it touched, as they were invited before.
    private func inviting<T: Sendable>(
        to site: Site, by principal: Principal, _ now: Timestamp,
        _ body: @escaping @Sendable (Database) throws -> (T, [PersonID: Invited])
    ) async throws -> T {
        let (result, awaited) = try await commit(at: site) { database -> ((T, [PersonID]), Set<PersonID>) in
            let (result, people) = try body(database)
            let awaited = try people.filter { try $0.value.isToRepeat(now, database) }.keys.sorted()
            for person in awaited { try requireProof(toInvite: person, at: site, principal, database) }
            return ((result, awaited), Set(people.keys))
        }
        if given.letters.isSetUp { await invite(awaited, to: site, by: principal, asked: now) }
        return result
    }

    /// Takes back what a change of several memberships did, where nobody changed it since.
    /// - Returns: nil when there is no such change, or it is more than a day ago.
    /// - Throws: 403 without the proof, 429 where more is given back than `ChangeLimit.rows` has left.
    func undo(_ batch: EventID, at site: Site, by principal: Principal) async throws -> BulkResult? {
        // Taking access away is free, so that giving it back is not: the two could go on for ever.
        let rows = try given.store.read { database in
            try DoorsRecords.steps(of: batch, at: site.id, in: database)
                .count { $0.before.revoked == nil && $0.after.revoked != nil }
        }
        try given.accounts.admit(rows: rows, of: principal)
        let result = try await undoing(batch, at: site, by: principal)
        if result == nil { given.accounts.giveBack(rows: rows, of: principal) }
        return result
    }

    private func undoing(_ batch: EventID, at site: Site, by principal: Principal) async throws -> BulkResult? {
        let now = given.clock.now
        return try await inviting(to: site, by: principal, now) { database in
            let steps = try DoorsRecords.steps(of: batch, at: site.id, in: database)
            guard let first = steps.first, first.at > now.adding(milliseconds: -Self.undoable) else {
                return (nil, [:])
            }
            try requireProof(
                toShare: site, as: steps.flatMap { [$0.before.permission, $0.after.permission] }, principal)
            var refused: [(MembershipID, MembershipEntry.Refusal)] = []
            var people: [PersonID: Invited] = [:]
            for step in steps {
                do {
                    guard let current = try AccountRecords.membership(step.after.id, in: database),
                        current == step.after
                    else { throw MembershipEntry.Refusal(field: "membership", why: .changedSince) }
                    try requireOwner(from: current, to: step.before, site, principal, now, database)
                    let invited = try people[current.person] ?? Invited(current.person, at: site.id, now, database)
                    try given.accounts.change(step.before, at: now, by: principal.person.id, in: database)
                    people[current.person] = invited
                } catch let refusal as MembershipEntry.Refusal { refused.append((step.after.id, refusal)) }
            }
            try database.execute("DELETE FROM membership_steps WHERE batch = ?", batch)
            return (BulkResult(batch: batch, changed: steps.count - refused.count, refused: refused), people)
        }
    }
}

extension DoorsRecords {
    /// A membership before and after a change of several.
    struct Step {
        let before: Membership
        let after: Membership
        let at: Timestamp
    }

    /// Steps of a site that can be undone no more and are not swept out yet; the oldest go first.
    /// - Key: site
    static let mostOldSteps = 20_000

    /// Removes the steps that can be undone no more.
    /// - Parameter sweeps: whether what is old may be removed by its age; else more than `mostOldSteps` go.
    static func removeOldSteps(at now: Timestamp, of site: SiteID, sweeps: Bool, in database: Database) throws {
        let line = now.adding(milliseconds: -Doors.undoable)
        if sweeps { try database.execute("DELETE FROM membership_steps WHERE at < ?", line) }
        try database.execute(
            """
            DELETE FROM membership_steps WHERE (batch, membership) IN (
                SELECT batch, membership FROM membership_steps WHERE site = ? AND at < ?
                ORDER BY at DESC LIMIT -1 OFFSET ?)
            """, site, line, mostOldSteps)
    }

    static func addStep(
        _ batch: EventID, before: Membership, after: Membership, at now: Timestamp, by person: PersonID,
        in database: Database
    ) throws {
        try database.execute(
            """
            INSERT INTO membership_steps (batch, membership, site, person, at, by_person, before, after)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """, batch, after.id, after.site, after.person, now, person, text(before), text(after))
    }

    static func steps(of batch: EventID, at site: SiteID, in database: Database) throws -> [Step] {
        try database.rows(
            "SELECT membership, person, at, before, after FROM membership_steps WHERE batch = ? AND site = ?", batch,
            site
        ) { row -> Step? in
            let (id, person) = (row[0] as MembershipID, row[1] as PersonID)
            guard let before = membership(row[3], id, person, site), let after = membership(row[4], id, person, site)
            else { return nil }
            return Step(before: before, after: after, at: row[2])
        }.compactMap { $0 }
    }

    /// Permission, role, first day, last day, revoked; a slash for nothing.
    private static func text(_ membership: Membership) -> String {
        [
            membership.permission.rawValue, membership.role?.text, membership.firstDay?.iso8601,
            membership.lastDay?.iso8601, membership.revoked?.iso8601,
        ].map { $0 ?? "/" }.joined(separator: " ")
    }

    private static func membership(
        _ text: String, _ id: MembershipID, _ person: PersonID, _ site: SiteID
    ) -> Membership? {
        let parts = text.split(separator: " ").map { $0 == "/" ? nil : String($0) }
        guard parts.count == 5, let permission = parts[0].flatMap(Permission.init(rawValue:)) else { return nil }
        return Membership(
            id: id, person: person, site: site, permission: permission, role: parts[1].flatMap { RoleID($0) },
            firstDay: parts[2].flatMap { Day(iso8601: $0) }, lastDay: parts[3].flatMap { Day(iso8601: $0) },
            revoked: parts[4].flatMap { Timestamp(iso8601: $0) })
    }
}
