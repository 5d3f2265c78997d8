import Ledger
import Store
import System

/// What an import that is taken back undoes.
extension AccountRecords {
    /// Takes a membership away, and tells its site's chain what it was.
    /// - Parameter name: what people called the person: after this nothing else may know.
    public static func takeBack(
        _ membership: Membership, of name: String, at now: Timestamp, by person: PersonID?, in database: Database
    ) throws {
        try database.execute("DELETE FROM memberships WHERE id = ?", membership.id)
        var payload = AuditPayload()
        payload.add(membership, as: "before")
        payload.add("name", name)
        payload.add("by", person?.text)
        try Ledger.append(
            NewEvent(
                id: .new(at: now), site: membership.site, kind: "membership.removed", at: now,
                person: membership.person,
                payload: payload.bytes), to: database)
    }

    /// Takes an account away that nobody used: it has no membership, no session, and nothing happened to it but memberships.
    /// - Returns: false when it stays, because something refers to it.
    public static func takeBack(unused person: PersonID, in database: Database) throws -> Bool {
        let isUsed = try database.row(
            """
            SELECT 1 WHERE EXISTS (SELECT 1 FROM memberships WHERE person = ?1) OR EXISTS (SELECT 1 FROM sessions WHERE person = ?1)
                OR EXISTS (
                    SELECT 1 FROM event_payloads p JOIN events e ON e.id = p.event
                    WHERE p.person = ?1 AND e.kind NOT IN ('membership.added', 'membership.removed', 'membership.joined')
                )
            """, person
        ) { $0[0] as Int }
        if isUsed != nil { return false }
        try database.execute("DELETE FROM invitations WHERE person = ?", person)
        do {
            return try database.execute("DELETE FROM people WHERE id = ?", person) == 1
        } catch {
            if error.isConstraint { return false }
            throw error
        }
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
