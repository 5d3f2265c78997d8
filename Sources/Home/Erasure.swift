import Accounts
import Ledger
import Platform
import Store

extension Home {
    /// The order in which a house calls its people goes on under the account that joins: once, at its earliest place.
    public static let handovers = [
        Handover { standIn, person, site, database in
            try database.execute(
                "UPDATE home_alarm_order SET person = ? WHERE person = ? AND site = ?", person, standIn, site)
            try database.execute(
                """
                DELETE FROM home_alarm_order WHERE person = ?1 AND site = ?2
                    AND place > (SELECT min(place) FROM home_alarm_order WHERE person = ?1 AND site = ?2)
                """, person, site)
        }
    ]

    /// What the tables of houses keep of people. A house itself, its devices and what they told belong to nobody alone.
    public static let erasers = [AlarmRecords.eraser, StartMark.eraser, SafetyRecords.eraser]

    /// What people typed at a house: names of codes, tags and emergency contacts.
    public static let freeTexts = SafetyRecords.freeTexts + [AlarmCallRecords.freeText]
}

extension AlarmRecords {
    /// Who took care, who ended, who is called. An alarm stays, and so do the emergency contacts; an owner is shown their names
    /// (`freeTexts`).
    static let eraser = Eraser(
        erase: { erasure, database in
            let (person, site) = (erasure.person, erasure.site)
            try database.execute(
                "UPDATE home_alarms SET ended_by = NULL WHERE ended_by = ? AND site = ?", person, site)
            try database.execute(
                "UPDATE home_alarms SET silenced_by = NULL WHERE silenced_by = ? AND site = ?", person, site)
            try database.execute(
                "UPDATE home_alarms SET raised_by = NULL WHERE raised_by = ? AND site = ?", person, site)
            try database.execute("DELETE FROM home_alarm_order WHERE person = ? AND site = ?", person, site)
            try database.execute("UPDATE home_tests SET person = NULL WHERE person = ? AND site = ?", person, site)
            try database.execute(
                """
                DELETE FROM home_test_phones WHERE person = ? AND test IN (SELECT id FROM home_tests WHERE site = ?)
                """, person, site)
            try database.execute("UPDATE home_drills SET person = NULL WHERE person = ? AND site = ?", person, site)
        },
        expire: { expiry, database in
            guard expiry.group == .changes else { return false }
            try database.execute(
                """
                UPDATE home_alarms SET ended_by = NULL, silenced_by = NULL, raised_by = NULL
                WHERE site = ? AND at < ? AND ended IS NOT NULL
                    AND (ended_by IS NOT NULL OR silenced_by IS NOT NULL OR raised_by IS NOT NULL)
                """, expiry.site, expiry.before)
            return false
        })
}

extension AlarmCallRecords {
    /// The emergency contacts of a house.
    static let freeText = FreeText(
        "alarmContacts", title: { AlarmPageWords.in($0).contacts }, page: { "/houses/\($0.text)/alarms/call" },
        texts: { site, database in try settings(of: site, in: database).contacts.map(\.name) })
}
