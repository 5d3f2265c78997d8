import Accounts
import Identity
import Ledger
import Pages
import Store
import System

/// How each house wants its people to be called. Every function runs inside the caller's transaction.
enum AlarmCallRecords {
    static let migration = Migration(
        "home.alarms.call.1",
        """
        CREATE TABLE home_alarm_settings (
            site BLOB NOT NULL PRIMARY KEY REFERENCES sites (id), minutes INTEGER, emergency TEXT NOT NULL,
            test_day INTEGER, test_minute INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE home_alarm_order (
            site BLOB NOT NULL REFERENCES sites (id), place INTEGER NOT NULL, person BLOB NOT NULL,
            PRIMARY KEY (site, place)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE home_alarm_contacts (
            site BLOB NOT NULL REFERENCES sites (id), place INTEGER NOT NULL, name TEXT NOT NULL, number TEXT NOT NULL,
            PRIMARY KEY (site, place)
        ) STRICT, WITHOUT ROWID;
        """)

    /// What a house has chosen; what is usual when it has not.
    static func settings(of site: SiteID, in database: Database) throws -> AlarmSettings {
        var settings =
            try database.row(
                "SELECT minutes, emergency, test_day, test_minute FROM home_alarm_settings WHERE site = ?", site
            ) { row in
                var settings = AlarmSettings(minutesBetween: row[0])
                settings.emergency = PhoneNumber(row[1]) ?? AlarmSettings.usualEmergency
                if let day = row[2] as Int?, let minute = row[3] as Int? {
                    settings.weeklyTest = .init(weekday: day, minute: minute)
                }
                return settings
            } ?? AlarmSettings()
        settings.first = try database.rows(
            "SELECT person FROM home_alarm_order WHERE site = ? ORDER BY place", site
        ) { $0[0] as PersonID }
        settings.contacts = try database.rows(
            "SELECT name, number FROM home_alarm_contacts WHERE site = ? ORDER BY place", site
        ) { row in PhoneNumber(row[1]).map { AlarmSettings.Contact(name: row[0], number: $0) } }.compactMap { $0 }
        return settings
    }

    /// Keeps what a house has chosen.
    static func put(_ settings: AlarmSettings, of site: SiteID, in database: Database) throws {
        try database.execute(
            """
            INSERT INTO home_alarm_settings (site, minutes, emergency, test_day, test_minute) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (site) DO UPDATE SET minutes = excluded.minutes, emergency = excluded.emergency,
                test_day = excluded.test_day, test_minute = excluded.test_minute
            """, site, settings.minutesBetween, settings.emergency.text, settings.weeklyTest?.weekday,
            settings.weeklyTest?.minute)
        try database.execute("DELETE FROM home_alarm_order WHERE site = ?", site)
        for (place, person) in settings.first.enumerated() {
            try database.execute(
                "INSERT INTO home_alarm_order (site, place, person) VALUES (?, ?, ?)", site, place, person)
        }
        try database.execute("DELETE FROM home_alarm_contacts WHERE site = ?", site)
        for (place, contact) in settings.contacts.enumerated() {
            try database.execute(
                "INSERT INTO home_alarm_contacts (site, place, name, number) VALUES (?, ?, ?, ?)", site, place,
                contact.name, contact.number.text)
        }
    }

    /// Whom to tell of an alarm; nil when there is no such house.
    static func call(of site: SiteID, at now: Timestamp, in database: Database) throws -> AlarmCall? {
        guard let found = try AccountRecords.site(site, in: database) else { return nil }
        let today = found.zone.day(at: now)
        return AlarmCall(
            house: found.name,
            memberships: try AccountRecords.memberships(at: site, in: database).filter { $0.holds(on: today) },
            settings: try settings(of: site, in: database))
    }

    /// When each house's way is tried by itself.
    static func weeklyTests(in database: Database) throws -> [(site: Site, test: AlarmSettings.WeeklyTest)] {
        try database.rows(
            "SELECT site, test_day, test_minute FROM home_alarm_settings WHERE test_day IS NOT NULL"
        ) { row in
            try AccountRecords.site(row[0], in: database).map {
                (site: $0, test: AlarmSettings.WeeklyTest(weekday: row[1], minute: row[2]))
            }
        }.compactMap { $0 }
    }
}
