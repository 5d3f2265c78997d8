import Identity
import Ledger
import Store
import System

/// The one way in which memberships are written: what lets somebody in, and was meant for less, ends in the same transaction.
extension Accounts {
    /// Runs a change of anything that a principal is made of, and forgets the remembered principals after it.
    public func change<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await change(.current, body)
    }

    /// The same, for a change that can or cannot wait while the disk is nearly full.
    public func change<T: Sendable>(
        _ weight: WriteWeight, _ body: @escaping @Sendable (Database) throws -> T
    ) async throws -> T {
        try await store.write(weight) { database in
            // Before anything else that follows: a page that is told of the change asks with the rights of now.
            database.afterCommit("principals") { self.forgetPrincipals() }
            return try body(database)
        }
    }

    private func forgetPrincipals() {
        known.withLock {
            $0.generation += 1
            $0.sessions.removeAll(keepingCapacity: true)
        }
    }

    /// Adds a membership.
    /// - Parameter isNew: whether its person was made in this very transaction, with what they come in by.
    public func add(
        _ membership: Membership, isNew: Bool = false, at now: Timestamp, by author: PersonID?, in database: Database
    ) throws {
        try tellRaise(to: membership, at: now, by: author, in: database)
        try AccountRecords.add(membership, isNew: isNew, at: now, by: author, in: database)
    }

    /// Changes a membership and tells what it was before and is now. Nothing is written when nothing changes.
    public func change(
        _ membership: Membership, at now: Timestamp, by author: PersonID?, in database: Database
    ) throws {
        try tellRaise(to: membership, at: now, by: author, in: database)
        try AccountRecords.change(membership, at: now, by: author, in: database)
    }

    /// Gives an account the place of a stand-in. Who has a part in the site by both is raised where either of them gives more than the other.
    func hand(
        over invitation: Invitation, to person: PersonID, _ handovers: [Handover], at now: Timestamp,
        in database: Database
    ) throws {
        let own = try AccountRecords.memberships(of: person, in: database)
        let theirs = try AccountRecords.memberships(of: invitation.person, in: database)
        try InvitationRecords.hand(over: invitation, to: person, handovers, at: now, in: database)
        for (site, theirs) in Dictionary(grouping: theirs, by: \.site) {
            let own = own.filter { $0.site == site }
            let isRaised =
                theirs.contains { $0.isChanging && $0.exceeds(own) }
                || own.contains { $0.isChanging && $0.exceeds(theirs) }
            guard !own.isEmpty, isRaised else { continue }
            try tell(Raise(person: person, site: site, author: person, at: now), in: database)
        }
    }

    private func tellRaise(
        to membership: Membership, at now: Timestamp, by author: PersonID?, in database: Database
    ) throws {
        let (person, site) = (membership.person, membership.site)
        guard membership.isChanging,
            membership.exceeds(try AccountRecords.memberships(of: person, at: site, in: database))
        else { return }
        try tell(Raise(person: person, site: site, author: author, at: now), in: database)
    }
}

extension Membership {
    fileprivate var isChanging: Bool { Permission.changing.contains(permission) }
}

// Rows of roles and memberships.
extension AccountRecords {
    /// Adds a role.
    public static func add(_ role: Role, at now: Timestamp, by person: PersonID?, in database: Database) throws {
        try database.execute(
            "INSERT INTO roles (id, site, name, level) VALUES (?, ?, ?, ?)", role.id, role.site, role.name, role.level)
        var payload = AuditPayload()
        payload.add("role", role.id.text)
        payload.add("name", role.name)
        payload.add("level", role.level)
        payload.add("by", person?.text)
        try Ledger.append(
            NewEvent(id: .new(at: now), site: role.site, kind: "role.added", at: now, payload: payload.bytes),
            to: database)
    }

    /// A site's roles, by level and name.
    public static func roles(of site: SiteID, in database: Database) throws -> [Role] {
        try database.rows("SELECT id, site, name, level FROM roles WHERE site = ? ORDER BY level, name", site) {
            Role(id: $0[0], site: $0[1], name: $0[2], level: $0[3])
        }
    }

    static func membership(_ row: Row) -> Membership {
        Membership(
            id: row[0], person: row[1], site: row[2], permission: Permission(rawValue: row[3]) ?? .guest, role: row[4],
            firstDay: row[5], lastDay: row[6], revoked: row[7])
    }

    /// A person's memberships at a site: what a decision about them stands on.
    public static func memberships(of person: PersonID, at site: SiteID, in database: Database) throws -> [Membership] {
        try database.rows(
            """
            SELECT id, person, site, permission, role, first_day, last_day, revoked FROM memberships
            WHERE person = ? AND site = ? ORDER BY id
            """, person, site, make: membership)
    }

    /// Whether somebody has one of the permissions at a site today, by the database: what a transaction judges by that comes later than
    /// the request.
    public static func may(
        _ person: PersonID, _ permissions: Set<Permission>, at site: SiteID, now: Timestamp, in database: Database
    ) throws -> Bool {
        guard let today = try self.site(site, in: database)?.zone.day(at: now) else { return false }
        return try memberships(of: person, at: site, in: database).contains {
            permissions.contains($0.permission) && $0.holds(on: today)
        }
    }

    /// The site that somebody is of, for what many of one site share: the first of their houses, or else of their sites.
    static func firstSite(of person: PersonID, in database: Database) throws -> SiteID? {
        try database.row(
            """
            SELECT s.id FROM memberships m JOIN sites s ON s.id = m.site WHERE m.person = ? AND m.revoked IS NULL
            ORDER BY s.kind = 'home' DESC, m.id LIMIT 1
            """, person
        ) { $0[0] as SiteID }
    }

    /// The memberships of somebody that nobody took away, by id.
    static func rights(of person: PersonID, in database: Database) throws -> [MembershipID: Membership] {
        Dictionary(
            uniqueKeysWithValues: try memberships(of: person, in: database).filter { $0.revoked == nil }.map {
                ($0.id, $0)
            })
    }

    /// All memberships of somebody, with those that ended.
    static func memberships(of person: PersonID, in database: Database) throws -> [Membership] {
        try database.rows(
            "SELECT id, person, site, permission, role, first_day, last_day, revoked FROM memberships WHERE person = ? ORDER BY id",
            person, make: membership)
    }

    /// All memberships of a site, with those that ended: what a decision about everybody stands on.
    public static func memberships(at site: SiteID, in database: Database) throws -> [Membership] {
        try database.rows(
            "SELECT id, person, site, permission, role, first_day, last_day, revoked FROM memberships WHERE site = ?",
            site, make: membership)
    }

    /// The membership of that id.
    public static func membership(_ id: MembershipID, in database: Database) throws -> Membership? {
        try database.row(
            "SELECT id, person, site, permission, role, first_day, last_day, revoked FROM memberships WHERE id = ?", id,
            make: membership)
    }

    /// Memberships of one site, also those that ended: a company of 5,000 people for decades.
    /// - Key: site
    public static let mostMemberships = 50_000
    /// Memberships of one person at one site, also those that ended.
    /// - Key: person and site
    public static let mostMembershipsOfOne = 100

    /// Whether a site has room for another membership of somebody.
    public static func hasRoom(for person: PersonID, at site: SiteID, in database: Database) throws -> Bool {
        try room(at: site, in: database) > 0 && hasRoomOfOwn(person, at: site, in: database)
    }

    /// For how many more memberships a site has room. It counts all: who adds many asks once.
    public static func room(at site: SiteID, in database: Database) throws -> Int {
        let count = try database.row("SELECT count(*) FROM memberships WHERE site = ?", site) { $0[0] as Int }
        return mostMemberships - (count ?? 0)
    }

    /// Whether somebody may have another membership at a site that has room.
    public static func hasRoomOfOwn(_ person: PersonID, at site: SiteID, in database: Database) throws -> Bool {
        let count = try database.row(
            "SELECT count(*) FROM memberships WHERE person = ? AND site = ?", person, site
        ) { $0[0] as Int }
        return (count ?? 0) < mostMembershipsOfOne
    }

    /// How many sites somebody owns, or made and is still a part of, whoever owns them now.
    public static func countOwned(by person: PersonID, in database: Database) throws -> Int {
        try database.row(
            """
            SELECT count(DISTINCT site) FROM memberships m WHERE person = ?1 AND revoked IS NULL AND (
                permission = 'owner'
                OR person = (SELECT f.person FROM memberships f WHERE f.site = m.site ORDER BY f.id LIMIT 1))
            """, person
        ) { $0[0] as Int } ?? 0
    }

    /// Adds a membership of a place that is made with its people, as a demo's: there is nothing that a right could raise. Else see
    /// `Accounts.add`.
    public static func found(_ membership: Membership, at now: Timestamp, in database: Database) throws {
        try add(membership, isNew: true, at: now, by: nil, in: database)
    }

    /// Adds a membership; only by `Accounts.add`.
    static func add(
        _ membership: Membership, isNew: Bool = false, at now: Timestamp, by person: PersonID?, in database: Database
    ) throws {
        let before = try memberships(of: membership.person, at: membership.site, in: database)
        try database.execute(
            """
            INSERT INTO memberships (id, person, site, permission, role, first_day, last_day, revoked)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """, membership.id, membership.person, membership.site, membership.permission.rawValue, membership.role,
            membership.firstDay, membership.lastDay, membership.revoked)
        try InvitationRecords.end(whatIsNotMeantFor: membership, before: before, isNew: isNew, now: now, in: database)
        var payload = AuditPayload()
        payload.add(membership, as: "after")
        payload.add("by", person?.text)
        try Ledger.append(
            NewEvent(
                id: .new(at: now), site: membership.site, kind: "membership.added", at: now, person: membership.person,
                payload: payload.bytes), to: database)
    }

    /// Changes a membership and tells what it was before and is now; only by `Accounts.change`. Nothing is written when nothing changes.
    static func change(
        _ membership: Membership, at now: Timestamp, by person: PersonID?, in database: Database
    ) throws {
        guard let before = try self.membership(membership.id, in: database), before != membership else { return }
        let all = try memberships(of: membership.person, at: membership.site, in: database)
        try database.execute(
            "UPDATE memberships SET permission = ?, role = ?, first_day = ?, last_day = ?, revoked = ? WHERE id = ?",
            membership.permission.rawValue, membership.role, membership.firstDay, membership.lastDay,
            membership.revoked,
            membership.id)
        try InvitationRecords.end(whatIsNotMeantFor: membership, before: all, isNew: false, now: now, in: database)
        var payload = AuditPayload()
        payload.add(before, as: "before")
        payload.add(membership, as: "after")
        payload.add("by", person?.text)
        try Ledger.append(
            NewEvent(
                id: .new(at: now), site: membership.site, kind: "membership.changed", at: now,
                person: membership.person,
                payload: payload.bytes), to: database)
    }

    /// Whether somebody has a part in another site too.
    public static func isMemberElsewhere(_ person: PersonID, than site: SiteID, in database: Database) throws -> Bool {
        try database.row("SELECT 1 FROM memberships WHERE person = ? AND site <> ? LIMIT 1", person, site) {
            $0[0] as Int
        } != nil
    }

    /// The place that was made first with this hub, whatever the clock showed when others were; nil: there is none.
    public static func firstSite(in database: Database) throws -> SiteID? {
        // Rows keep their order, also when the file is written anew.
        try database.row("SELECT id FROM sites ORDER BY rowid LIMIT 1") { $0[0] }
    }

    /// Who made a site: its first member, whatever they are now; once that one is erased, the next.
    public static func founder(of site: SiteID, in database: Database) throws -> PersonID? {
        try database.row("SELECT person FROM memberships WHERE site = ? ORDER BY id LIMIT 1", site) { $0[0] }
    }

    /// Who made each site.
    public static func founders(in database: Database) throws -> [SiteID: PersonID] {
        // Beside a minimum SQLite gives the other columns of its row.
        let found = try database.rows("SELECT site, person, min(id) FROM memberships GROUP BY site") {
            ($0[0] as SiteID, $0[1] as PersonID)
        }
        return Dictionary(uniqueKeysWithValues: found)
    }

    /// Whether somebody but this person owns the site on a day, and without an end.
    public static func hasOwner(besides person: PersonID, at site: SiteID, on day: Day, in database: Database) throws
        -> Bool
    {
        try hasOwner(at: site, on: day, butPerson: person, butMembership: nil, in: database)
    }

    /// Whether somebody but this membership owns the site on a day, and without an end.
    public static func hasOtherOwner(than id: MembershipID, at site: SiteID, on day: Day, in database: Database) throws
        -> Bool
    {
        try hasOwner(at: site, on: day, butPerson: nil, butMembership: id, in: database)
    }

    private static func hasOwner(
        at site: SiteID, on day: Day, butPerson person: PersonID?, butMembership id: MembershipID?,
        in database: Database
    ) throws -> Bool {
        // The one whose first day is the earliest, or who has none.
        try database.row(
            """
            SELECT id, person, site, permission, role, first_day, last_day, revoked FROM memberships
            WHERE site = ? AND permission = 'owner' AND revoked IS NULL AND last_day IS NULL
                AND person IS NOT ? AND id IS NOT ?
            ORDER BY first_day LIMIT 1
            """, site, person, id, make: membership
        )?.holds(on: day) ?? false
    }
}
