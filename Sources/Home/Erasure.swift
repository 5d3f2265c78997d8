import Accounts
import Ledger
import Store

extension Home {
    /// What the tables of houses keep of people. A house itself, its devices and what they told belong to nobody alone.
    public static let erasers = [AlarmRecords.eraser, StartMark.eraser, SafetyRecords.eraser]
}

extension AlarmRecords {
    /// Who took care, who ended, who is called: an alarm stays, and names nobody who is gone. Contacts that bear the name of whoever is
    /// erased go too.
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
            guard let name = try AccountRecords.person(person, in: database)?.name else { return }
            try database.execute(
                "DELETE FROM home_alarm_contacts WHERE site = ?1 AND instr(lower(name), lower(?2)) > 0", site, name)
        },
        expire: { expiry, database in
            guard expiry.group == .changes else { return }
            try database.execute(
                """
                UPDATE home_alarms SET ended_by = NULL, silenced_by = NULL, raised_by = NULL
                WHERE site = ? AND at < ? AND ended IS NOT NULL
                """, expiry.site, expiry.before)
        })
}
