import Accounts
import Identity
import Ledger
import Store
import System

extension Notices {
    /// What was told to a person, what they did about it, the notices about them; and, when no other site has the person, how they want
    /// to be told. By their id alone: what people wrote is kept, whatever names stand in it.
    public static let eraser = Eraser(erase: { erasure, database in
        let isLast = try !AccountRecords.isMemberElsewhere(erasure.person, than: erasure.site, in: database)
        try NoticeRecords.erase(erasure.person, at: erasure.site, erasure.at, isLast: isLast, in: database)
        try WebhookRecords.erase(erasure.person, at: erasure.site, isLast: isLast, in: database)
        guard isLast else { return }
        try OutboxRecords.erase(erasure.person, in: database)
        // A letter that somebody asked for by the address alone names nobody.
        let address = try database.row("SELECT email FROM people WHERE id = ?", erasure.person) { $0[0] as String? }
        if let share = address.flatMap({ $0 }).flatMap({ ShareID(address: $0) }) {
            try OutboxRecords.eraseLetters(of: share, in: database)
        }
        try PushRecords.erase(erasure.person, in: database)
        try PreferenceRecords.erase(erasure.person, in: database)
    })
}

extension NoticeRecords {
    /// - Parameter time: when the erasure was asked for.
    static func erase(
        _ person: PersonID, at site: SiteID, _ time: Timestamp, isLast: Bool, in database: Database
    ) throws {
        // A notice that still calls people about an alarm stays until it is over: see `sweepOver`.
        try database.execute(
            """
            UPDATE notices SET about = NULL, goes_when_over = 1
            WHERE about = ?1 AND (site = ?2 OR ?3) AND acknowledged IS NULL AND expires > ?4
                AND (turn IS NOT NULL OR urgency = 'critical')
            """, person, site, isLast, time)
        let about = try database.rows(
            "SELECT id FROM notices WHERE about = ?1 AND (site = ?2 OR ?3)", person, site, isLast
        ) { $0[0] as NoticeID }
        for notice in about { try remove(notice, in: database) }
        let received = try database.rows(
            """
            SELECT r.notice FROM notice_recipients r JOIN notices n ON n.id = r.notice
            WHERE r.person = ?1 AND (n.site = ?2 OR ?3)
            """, person, site, isLast
        ) { $0[0] as NoticeID }
        for notice in received {
            try database.execute("DELETE FROM notice_acts WHERE notice = ? AND person = ?", notice, person)
            try database.execute("DELETE FROM notice_receipts WHERE notice = ? AND person = ?", notice, person)
            try database.execute("DELETE FROM notice_recipients WHERE notice = ? AND person = ?", notice, person)
            try database.execute("DELETE FROM outbox WHERE subject = ? AND person = ?", notice, person)
            // What was for nobody else says nothing to anybody.
            let isForOthers = try database.row("SELECT 1 FROM notice_recipients WHERE notice = ? LIMIT 1", notice) {
                $0[0] as Int
            }
            if isForOthers == nil { try remove(notice, in: database) }
        }
        try database.execute(
            "UPDATE notices SET sender = NULL WHERE sender = ?1 AND (site = ?2 OR ?3)", person, site, isLast)
        try database.execute(
            "UPDATE notices SET acknowledged_by = NULL WHERE acknowledged_by = ?1 AND (site = ?2 OR ?3)", person, site,
            isLast)
    }

    private static func remove(_ notice: NoticeID, in database: Database) throws {
        try database.execute("DELETE FROM notice_acts WHERE notice = ?", notice)
        try database.execute("DELETE FROM notice_receipts WHERE notice = ?", notice)
        try database.execute("DELETE FROM notice_recipients WHERE notice = ?", notice)
        try database.execute("DELETE FROM outbox WHERE subject = ?", notice)
        try database.execute("DELETE FROM notices WHERE id = ?", notice)
    }

    /// So many notices go in one transaction: each may have thousands of people.
    private static let batch = 20

    /// Removes some of the notices about people who were erased, once they call nobody any more: acknowledged, or too old to matter.
    /// - Returns: whether there may be more.
    static func sweepOver(at now: Timestamp, in database: Database) throws -> Bool {
        let over = try database.rows(
            "SELECT id FROM notices WHERE goes_when_over = 1 AND (acknowledged IS NOT NULL OR expires <= ?) LIMIT ?",
            now, batch
        ) { $0[0] as NoticeID }
        for notice in over { try remove(notice, in: database) }
        return over.count == batch
    }

    /// Forgets some of what was sent long ago.
    /// - Returns: whether there may be more.
    static func sweep(before time: Timestamp, in database: Database) throws -> Bool {
        let old = try database.rows("SELECT id FROM notices WHERE created < ? ORDER BY created LIMIT ?", time, batch) {
            $0[0] as NoticeID
        }
        for notice in old { try remove(notice, in: database) }
        return old.count == batch
    }
}
