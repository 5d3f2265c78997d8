import Identity
import Ledger
import Store
import System

extension AccountRecords {
    /// Changes what people call a site and which clock counts there, and tells its chain. Nothing is written when nothing changes.
    public static func change(
        _ site: Site, from before: Site, at now: Timestamp, by person: PersonID?, in database: Database
    ) throws {
        if site == before { return }
        try database.execute("UPDATE sites SET name = ?, zone = ? WHERE id = ?", site.name, site.zone.name, site.id)
        func told(_ site: Site) -> [(name: StaticString, value: String)] {
            [("name", site.name), ("zone", site.zone.name)]
        }
        try Audit("site.changed", ("site", site.id.text), before: told(before), after: told(site)).append(
            at: now, site: site.id, by: person, in: database)
    }
}

extension AccountRecords {
    /// The time zone in which to tell somebody of a moment: their own, else that of one of their sites.
    public static func clockZone(of person: PersonID, in database: Database) throws -> Zone {
        let name = try database.row(
            """
            SELECT coalesce(p.zone, (
                SELECT s.zone FROM memberships m JOIN sites s ON s.id = m.site WHERE m.person = p.id ORDER BY s.name LIMIT 1
            )) FROM people p WHERE p.id = ?
            """, person
        ) { $0[0] as String? }
        return (name ?? nil).flatMap { Zone(name: $0) } ?? .utc
    }
}
