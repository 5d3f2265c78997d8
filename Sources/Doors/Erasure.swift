import Ledger
import Store

extension Doors {
    /// Badges go with the person, and so do the steps that could undo a change of their membership or an import, and their
    /// old app.
    public static let erasers = [
        Eraser(erase: { erasure, database in
            try database.execute(
                "DELETE FROM badges WHERE person = ? AND site = ?", erasure.person, erasure.site)
            try database.execute(
                "DELETE FROM membership_steps WHERE site = ? AND (person = ? OR by_person = ?)", erasure.site,
                erasure.person, erasure.person)
            try ImportRecords.forget(erasure.person, at: erasure.site, in: database)
            try LegacyRecords.erase(erasure.person, at: erasure.site, in: database)
            try raiseLegacyRights(at: erasure.site, in: database)
        })
    ]
}
