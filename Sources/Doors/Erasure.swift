import Accounts
import Ledger
import Store

extension Doors {
    /// Badges go with the person, and whatever else Doors keeps of them: their old app, and the steps by which a change of several
    /// people, or an import, could be taken back.
    public static let erasers = [
        Eraser(erase: { erasure, database in
            let (person, site) = (erasure.person, erasure.site)
            try database.execute("DELETE FROM badges WHERE person = ? AND site = ?", person, site)
            try database.execute(
                "DELETE FROM membership_steps WHERE site = ? AND (person = ? OR by_person = ?)", site, person, person)
            try ImportRecords.forget(person, at: site, in: database)
            try LegacyRecords.erase(person, at: site, in: database)
        })
    ]
}
