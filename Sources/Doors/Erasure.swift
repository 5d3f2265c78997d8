import Accounts
import Ledger
import Store

extension Doors {
    /// Badges go with the person, and whatever else Doors keeps of them: legacy accounts, and the steps by which a change of several
    /// people, or an import, could be taken back.
    public static let erasers = [
        Eraser(erase: { erasure, database in
            let (person, site) = (erasure.person, erasure.site)
            try database.execute("DELETE FROM badges WHERE person = ? AND site = ?", person, site)
            try database.execute(
                "DELETE FROM membership_steps WHERE site = ? AND (person = ? OR by_person = ?)", site, person, person)
            try database.execute(
                """
                DELETE FROM people_import_items WHERE import IN (SELECT id FROM people_imports WHERE site = ?)
                    AND (person = ? OR import IN (SELECT id FROM people_imports WHERE author = ?))
                """, site, person, person)
            try database.execute("DELETE FROM people_imports WHERE site = ? AND author = ?", site, person)
            try database.execute("DELETE FROM legacy_accounts WHERE person = ? AND site = ?", person, site)
            try database.execute("DELETE FROM legacy_badges WHERE person = ? AND site = ?", person, site)
            // Another site may know the person by that number.
            if try !AccountRecords.isMemberElsewhere(person, than: site, in: database) {
                try database.execute("DELETE FROM legacy_numbers WHERE thing = ?", person)
            }
        })
    ]
}
