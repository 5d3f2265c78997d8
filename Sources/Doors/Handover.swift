import Accounts
import Ledger
import Store

extension Doors {
    /// Badges and the account for the original system's app go on under the account that joins, unless it has its own here.
    public static let handovers = [
        Handover { standIn, person, site, database in
            // An old app of theirs that was taken away is none; and nobody keeps a badge without the app that can take it away.
            if try LegacyRecords.account(of: person, at: site, in: database)?.revoked != nil {
                try LegacyRecords.erase(person, at: site, in: database)
            }
            for update in Self.moves {
                try database.execute(update, person, standIn, site)
            }
            try database.execute("DELETE FROM badges WHERE person = ? AND site = ?", standIn, site)
            try LegacyRecords.erase(standIn, at: site, in: database)
        }
    ]

    private static let moves: [StaticString] = [
        "UPDATE OR IGNORE badges SET person = ? WHERE person = ? AND site = ?",
        "UPDATE OR IGNORE legacy_accounts SET person = ? WHERE person = ? AND site = ?",
        "UPDATE OR IGNORE legacy_badges SET person = ? WHERE person = ? AND site = ?",
    ]
}
