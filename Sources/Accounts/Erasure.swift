import Identity
import Ledger
import Store
import System

// What accounts do when somebody is erased. The last of all rooms: the others' rows point at people.

extension AccountRecords {
    /// Memberships at the site; and when no other site has the person, sessions, password and the account itself.
    public static let eraser = Eraser(erase: { erasure, database in
        try database.execute(
            "DELETE FROM memberships WHERE person = ? AND site = ?", erasure.person, erasure.site)
        guard try !isMemberElsewhere(erasure.person, than: erasure.site, in: database) else { return }
        try database.execute(
            """
            DELETE FROM renewals WHERE predecessor IN (SELECT hash FROM sessions WHERE person = ?)
                OR successor IN (SELECT hash FROM sessions WHERE person = ?)
            """, erasure.person, erasure.person)
        try database.execute("DELETE FROM sessions WHERE person = ?", erasure.person)
        try WayRecords.erase(erasure.person, in: database)
        try LinkRecords.end(of: erasure.person, in: database)
        try InvitationRecords.erase(erasure.person, in: database)
        try PhotoRecords.remove(of: erasure.person, in: database)
        try database.execute("DELETE FROM people WHERE id = ?", erasure.person)
    })

    /// The hashes of somebody's sessions: what has to be cut when the account ends.
    public static func sessions(of person: PersonID, in database: Database) throws -> [[UInt8]] {
        try database.rows("SELECT hash FROM sessions WHERE person = ?", person) { $0[0] as [UInt8] }
    }

    /// Ends every session: after a restore, those that somebody ended since would live again.
    public static func removeSessions(in database: Database) throws {
        try database.execute("DELETE FROM renewals")
        try database.execute("DELETE FROM sessions")
    }
}
