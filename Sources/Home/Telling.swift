import Ledger

extension Home {
    /// What Home tells somebody of themselves: the alarms that they did something about. What a house has, and what its devices told, is
    /// the house's, and is on its pages.
    public static let tellers =
        [
            Teller(
                "alarms", of: "home_alarms",
                sql: """
                    SELECT id, site, kind, at, ended, silenced, raised_by = ?1, ended_by = ?1, silenced_by = ?1
                    FROM home_alarms WHERE ?1 IN (raised_by, ended_by, silenced_by) ORDER BY at
                    """,
                columns: [
                    "id": .id, "site": .site, "kind": .text, "at": .moment, "ended": .moment, "silenced": .moment,
                    "raisedByYou": .truth, "endedByYou": .truth, "silencedByYou": .truth,
                ]),
            Teller(
                "calledFirst", of: "home_alarm_order",
                sql: "SELECT site, place FROM home_alarm_order WHERE person = ?",
                columns: ["site": .site, "place": .number]),
            Teller(
                "alarmTests", of: "home_tests", "home_test_phones",
                sql: """
                    SELECT t.site, t.at, p.sent, p.shown FROM home_test_phones p JOIN home_tests t ON t.id = p.test
                    WHERE p.person = ? ORDER BY t.at
                    """,
                columns: ["site": .site, "at": .moment, "sent": .moment, "shown": .moment]),
            Teller(silentAbout: "home_drills", why: "an exercise that runs now: its alarms are told"),
            Teller(
                silentAbout: "home_alarm_contacts",
                why: "the telephone numbers that a house calls: whoever manages it sees them there"),
            StartMark.teller,
        ] + SafetyRecords.tellers
}
