import Identity
import Ledger
import Store
import System

/// What an import that is taken back undoes.
extension AccountRecords {
    /// Takes a membership away, and tells its site's chain what it was; not whose by name, which nobody could erase once the person is gone.
    public static func takeBack(
        _ membership: Membership, at now: Timestamp, by person: PersonID?, in database: Database
    ) throws {
        try database.execute("DELETE FROM memberships WHERE id = ?", membership.id)
        // As where it is ended: what invites somebody who has nothing left is good for nothing that is given back later.
        if try !InvitationRecords.isExpected(membership.person, at: membership.site, now: now, in: database) {
            try InvitationRecords.end(of: membership.person, in: database)
        }
        var payload = AuditPayload()
        payload.add(membership, as: "before")
        payload.add("by", person?.text)
        try Ledger.append(
            NewEvent(
                id: .new(at: now), site: membership.site, kind: "membership.removed", at: now,
                person: membership.person,
                payload: payload.bytes), to: database)
    }

    /// Takes an account away that nobody used: it never signed in, and nothing happened to it but changes of memberships and badges.
    /// - Parameter clearing: takes away what belongs to it, its memberships first of all. It is as if it never ran where the account
    ///   stays.
    /// - Returns: false when the account stays, because it was used or something refers to it.
    public static func takeBack(
        unused person: PersonID, in database: Database, clearing: () throws -> Void
    ) throws -> Bool {
        try database.execute("SAVEPOINT unused_account")
        do {
            try clearing()
            try LinkRecords.end(of: person, in: database)
            try InvitationRecords.erase(person, in: database)
            let isGone = try removeUnused(person, in: database)
            if !isGone { try database.execute("ROLLBACK TO unused_account") }
            try database.execute("RELEASE unused_account")
            return isGone
        } catch let error as StoreError where error.isConstraint {
            try database.execute("ROLLBACK TO unused_account")
            try database.execute("RELEASE unused_account")
            return false
        }
    }

    private static func removeUnused(_ person: PersonID, in database: Database) throws -> Bool {
        try database.execute(
            """
            DELETE FROM people WHERE id = ?1 AND came IS NULL
                AND NOT EXISTS (SELECT 1 FROM memberships WHERE person = ?1)
                AND NOT EXISTS (SELECT 1 FROM sessions WHERE person = ?1)
                AND NOT EXISTS (
                    SELECT 1 FROM event_payloads p JOIN events e ON e.id = p.event WHERE p.person = ?1 AND e.kind NOT IN (
                        'membership.added', 'membership.changed', 'membership.removed', 'membership.joined',
                        'membership.invited.letter', 'membership.invited.paper', 'membership.readdressed',
                        'person.renamed', 'badge.changed'
                    )
                )
            """, person) == 1
    }

    /// Whether somebody has an account of their own: they signed in once, or can.
    public static func isOwn(_ person: PersonID, in database: Database) throws -> Bool {
        let hasSignedIn = try database.row(
            "SELECT 1 FROM people WHERE id = ? AND came IS NOT NULL", person
        ) { $0[0] as Int }
        return try hasSignedIn != nil || WayRecords.ways(of: person, in: database).count > 0
    }

    /// Takes a role away that nobody has and no gate is given to.
    /// - Returns: false when it stays, because something refers to it.
    public static func takeBack(unused role: Role, at now: Timestamp, by person: PersonID?, in database: Database)
        throws
        -> Bool
    {
        do {
            guard try database.execute("DELETE FROM roles WHERE id = ?", role.id) == 1 else { return false }
        } catch {
            if error.isConstraint { return false }
            throw error
        }
        try Audit("role.removed", ("role", role.id.text), before: [("name", role.name), ("level", String(role.level))])
            .append(at: now, site: role.site, by: person, in: database)
        return true
    }
}
