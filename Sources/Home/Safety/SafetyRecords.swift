import FoundationEssentials
import Household
import Identity
import JSON
import Ledger
import Safeguard
import Store
import System
import Wire

/// The tables of panels, of what houses have chosen for them, of codes, tags and boxes. Every function runs inside the caller's transaction.
enum SafetyRecords {
    static let migration = Migration(
        "home.safety.1",
        """
        CREATE TABLE home_panels (
            site BLOB NOT NULL PRIMARY KEY REFERENCES sites (id), revision INTEGER NOT NULL, state TEXT NOT NULL,
            mode TEXT, deadline INTEGER, sounding INTEGER NOT NULL, number INTEGER NOT NULL, drill INTEGER NOT NULL,
            details TEXT NOT NULL, act TEXT, act_by TEXT, act_person BLOB, act_means BLOB, act_at INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE home_panel_rules (
            site BLOB NOT NULL PRIMARY KEY REFERENCES sites (id), exit_home INTEGER NOT NULL,
            exit_away INTEGER NOT NULL, exit_night INTEGER NOT NULL, exit_vacation INTEGER NOT NULL,
            entry_home INTEGER NOT NULL, entry_away INTEGER NOT NULL, entry_night INTEGER NOT NULL,
            entry_vacation INTEGER NOT NULL, alarm INTEGER NOT NULL, disarms INTEGER NOT NULL, code INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE home_guards (
            sensor BLOB NOT NULL PRIMARY KEY REFERENCES home_sensors (id), distance REAL NOT NULL,
            when_silent INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE home_codes (
            id BLOB NOT NULL PRIMARY KEY, site BLOB NOT NULL REFERENCES sites (id), name TEXT NOT NULL,
            hash TEXT NOT NULL, added INTEGER NOT NULL, added_by BLOB
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX home_codes_site ON home_codes (site);
        CREATE TABLE home_tags (
            id BLOB NOT NULL PRIMARY KEY, site BLOB NOT NULL REFERENCES sites (id), gateway BLOB NOT NULL,
            name TEXT NOT NULL, digest BLOB NOT NULL, added INTEGER NOT NULL, added_by BLOB, UNIQUE (gateway, digest)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX home_tags_site ON home_tags (site);
        CREATE TABLE home_boxes (
            gateway BLOB NOT NULL PRIMARY KEY REFERENCES home_gateways (id), version INTEGER NOT NULL,
            digest BLOB NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE home_box_records (
            gateway BLOB NOT NULL, journal BLOB NOT NULL, sequence INTEGER NOT NULL, digest BLOB NOT NULL,
            at INTEGER NOT NULL, ledger_sequence INTEGER NOT NULL, ledger_head BLOB NOT NULL,
            PRIMARY KEY (gateway, journal, sequence)
        ) STRICT, WITHOUT ROWID;
        """)

    // MARK: panels

    /// What of a panel has no column of its own.
    private struct Details: Codable {
        struct Trip: Codable {
            let sensor: String
            let kind: String
            let at: Int64
        }
        struct Entry: Codable {
            let sensor: String?
            let kind: String
            let at: Int64
            let isAlarm: Bool
            let isOver: Bool
        }
        let bypassed: [String]
        let trips: [Trip]
        let weak: [String: String]
        let alarms: [String]
        /// Absent in rows of older hubs.
        let watched: [String: String]?
        /// By box. The same.
        let entries: [String: [Entry]]?
    }

    /// All of them, with their houses.
    static func panels(in database: Database) throws -> [(site: SiteID, panel: HousePanel)] {
        try database.rows(
            """
            SELECT site, revision, state, mode, deadline, sounding, number, drill, details, act, act_by, act_person,
                act_means, act_at
            FROM home_panels
            """
        ) { row in
            let details = try JSONReader.decode(Details.self, from: Array((row[8] as String).utf8))
            var house = HousePanel()
            house.revision = row[1]
            house.panel = Panel(
                state: PanelState(name: row[2]) ?? .disarmed, mode: (row[3] as String?).flatMap(ArmMode.init(name:)),
                deadline: row[4], isSounding: row[5], number: row[6])
            house.isDrill = row[7]
            house.bypassed = Set(details.bypassed.compactMap { SensorID($0) })
            house.trips = details.trips.compactMap { trip in
                SensorID(trip.sensor).flatMap { sensor in
                    SensorClass(name: trip.kind).map {
                        HousePanel.Trip(sensor: sensor, kind: $0, at: Timestamp(milliseconds: trip.at))
                    }
                }
            }
            for (sensor, why) in details.weak {
                if let sensor = SensorID(sensor) { house.weak[sensor] = AlarmMessage.Weakness(rawValue: why) }
            }
            for (sensor, name) in details.watched ?? [:] {
                if let sensor = SensorID(sensor) { house.watched[sensor] = name }
            }
            house.alarms = details.alarms.compactMap { HouseAlarmID($0) }
            for (box, entries) in details.entries ?? [:] {
                if let box = GatewayID(box) { house.entries[box] = UnheardEntries(entries.compactMap(Self.entry)) }
            }
            let kind = (row[9] as String?).flatMap(HousePanel.Act.Kind.init(rawValue:))
            if let kind, let at = row[13] as Timestamp? {
                let actor = PanelActor(
                    name: row[10], person: row[11], means: (row[12] as [UInt8]?).flatMap { ID16($0) })
                house.last = HousePanel.Act(kind: kind, by: actor, at: at)
            }
            return (row[0], house)
        }
    }

    private static func entry(_ entry: Details.Entry) -> UnheardEntries.Entry? {
        SensorClass(name: entry.kind).map { kind in
            UnheardEntries.Entry(
                sensor: entry.sensor.flatMap { SensorID($0) }, kind: kind, at: Timestamp(milliseconds: entry.at),
                isAlarm: entry.isAlarm, isOver: entry.isOver)
        }
    }

    /// Keeps a panel, unless a newer one was kept.
    static func put(_ house: HousePanel, of site: SiteID, in database: Database) throws {
        let details = Details(
            bypassed: house.bypassed.map(\.text).sorted(),
            trips: house.trips.map {
                Details.Trip(sensor: $0.sensor.text, kind: $0.kind.name, at: $0.at.milliseconds)
            },
            weak: Dictionary(uniqueKeysWithValues: house.weak.map { ($0.key.text, $0.value.rawValue) }),
            alarms: house.alarms.map(\.text),
            watched: Dictionary(uniqueKeysWithValues: house.watched.map { ($0.key.text, $0.value) }),
            entries: house.entries.isEmpty
                ? nil
                : Dictionary(
                    uniqueKeysWithValues: house.entries.map { box, entries in
                        (
                            box.text,
                            entries.entries.map {
                                Details.Entry(
                                    sensor: $0.sensor?.text, kind: $0.kind.name, at: $0.at.milliseconds,
                                    isAlarm: $0.isAlarm, isOver: $0.isOver)
                            }
                        )
                    }))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let panel = house.panel
        try database.execute(
            """
            INSERT INTO home_panels (
                site, revision, state, mode, deadline, sounding, number, drill, details, act, act_by, act_person,
                act_means, act_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
                (SELECT person FROM memberships WHERE person = ? AND site = ?1 LIMIT 1), ?, ?)
            ON CONFLICT (site) DO UPDATE SET
                revision = excluded.revision, state = excluded.state, mode = excluded.mode,
                deadline = excluded.deadline, sounding = excluded.sounding, number = excluded.number,
                drill = excluded.drill, details = excluded.details, act = excluded.act, act_by = excluded.act_by,
                act_person = excluded.act_person, act_means = excluded.act_means, act_at = excluded.act_at
            WHERE excluded.revision > revision
            """, site, house.revision, panel.state.name, panel.mode?.name, panel.deadline, panel.isSounding,
            panel.number, house.isDrill, String(decoding: try encoder.encode(details), as: UTF8.self),
            house.last?.kind.rawValue, house.last?.by.kind.rawValue, house.last?.by.person, house.last?.by.means?.bytes,
            house.last?.at)
    }

    // MARK: what houses have chosen

    /// All rules, by house.
    static func rules(in database: Database) throws -> [SiteID: HouseRules] {
        let rows = try database.rows(
            """
            SELECT site, exit_home, exit_away, exit_night, exit_vacation, entry_home, entry_away, entry_night,
                entry_vacation, alarm, disarms, code
            FROM home_panel_rules
            """
        ) { row in
            func seconds(_ column: Int32) -> UInt16 { UInt16(clamping: row[column] as Int) }
            return (
                site: row[0] as SiteID,
                rules: HouseRules(
                    panel: PanelRules(
                        exitDelay: Delays(home: seconds(1), away: seconds(2), night: seconds(3), vacation: seconds(4)),
                        entryDelay: Delays(home: seconds(5), away: seconds(6), night: seconds(7), vacation: seconds(8)),
                        alarmTime: seconds(9), disarmsAfterAlarm: row[10]), asksCode: row[11])
            )
        }
        return Dictionary(uniqueKeysWithValues: rows.map { ($0.site, $0.rules) })
    }

    /// Keeps a house's rules.
    static func put(_ rules: HouseRules, of site: SiteID, in database: Database) throws {
        let (exit, entry) = (rules.panel.exitDelay, rules.panel.entryDelay)
        try database.execute(
            """
            INSERT INTO home_panel_rules (
                site, exit_home, exit_away, exit_night, exit_vacation, entry_home, entry_away, entry_night,
                entry_vacation, alarm, disarms, code)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (site) DO UPDATE SET
                exit_home = excluded.exit_home, exit_away = excluded.exit_away, exit_night = excluded.exit_night,
                exit_vacation = excluded.exit_vacation, entry_home = excluded.entry_home,
                entry_away = excluded.entry_away, entry_night = excluded.entry_night,
                entry_vacation = excluded.entry_vacation, alarm = excluded.alarm, disarms = excluded.disarms,
                code = excluded.code
            """, site, Int(exit[.home]), Int(exit[.away]), Int(exit[.night]), Int(exit[.vacation]), Int(entry[.home]),
            Int(entry[.away]), Int(entry[.night]), Int(entry[.vacation]), Int(rules.panel.alarmTime),
            rules.panel.disarmsAfterAlarm, rules.asksCode)
    }

    /// What was chosen for single sensors.
    static func guards(in database: Database) throws -> [SensorID: SensorGuard] {
        let rows = try database.rows("SELECT sensor, distance, when_silent FROM home_guards") {
            (sensor: $0[0] as SensorID, guarding: SensorGuard(distance: $0[1], tripsWhenSilent: $0[2]))
        }
        return Dictionary(uniqueKeysWithValues: rows.map { ($0.sensor, $0.guarding) })
    }

    /// Keeps what was chosen for a sensor.
    static func put(_ guarding: SensorGuard, of sensor: SensorID, in database: Database) throws {
        try database.execute(
            """
            INSERT INTO home_guards (sensor, distance, when_silent) VALUES (?, ?, ?)
            ON CONFLICT (sensor) DO UPDATE SET distance = excluded.distance, when_silent = excluded.when_silent
            """, sensor, guarding.distance, guarding.tripsWhenSilent)
    }
}
