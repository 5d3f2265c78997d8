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
