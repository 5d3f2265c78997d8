import Household
import Identity
import Ledger
import Safeguard
import Store
import System

/// What houses have chosen for their air, and how their fans run. Every function runs inside the caller's transaction.
enum CareRecords {
    static let migration = Migration(
        "home.care.2",
        """
        CREATE TABLE home_care (
            site BLOB NOT NULL PRIMARY KEY REFERENCES sites (id), enabled INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE home_fan_rules (
            fan BLOB NOT NULL PRIMARY KEY REFERENCES home_actuators (id), site BLOB NOT NULL,
            sensor BLOB NOT NULL REFERENCES home_sensors (id), most REAL NOT NULL, shortest_run INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE home_fan_runs (
            fan BLOB NOT NULL PRIMARY KEY REFERENCES home_actuators (id), percent INTEGER NOT NULL, since INTEGER,
            by_hand INTEGER, until INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE home_sensor_installed (
            sensor BLOB NOT NULL PRIMARY KEY REFERENCES home_sensors (id), day INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """)

    /// How much carbon monoxide was breathed where a sensor measures it.
    static let migrationOfExposures = Migration(
        "home.care.3",
        """
        CREATE TABLE home_exposures (
            sensor BLOB NOT NULL PRIMARY KEY REFERENCES home_sensors (id), share REAL NOT NULL, level REAL NOT NULL,
            at INTEGER NOT NULL, over INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """)

    /// How much carbon monoxide was breathed at each sensor when the hub wrote it down last.
    static func exposures(
        in database: Database
    ) throws -> [(sensor: SensorID, exposure: CarbonMonoxideExposure)] {
        try database.rows("SELECT sensor, share, level, at, over FROM home_exposures") { row in
            let time: Timestamp = row[3]
            return (
                row[0] as SensorID,
                CarbonMonoxideExposure(share: row[1], level: row[2] as Double, at: time.milliseconds, isOver: row[4])
            )
        }
    }

    /// Keeps how much that is.
    static func put(_ exposure: CarbonMonoxideExposure, of sensor: SensorID, in database: Database) throws {
        guard let level = exposure.level, let moment = exposure.moment else { return }
        try database.execute(
            """
            INSERT INTO home_exposures (sensor, share, level, at, over)
            SELECT ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM home_sensors WHERE id = ?1)
            ON CONFLICT (sensor) DO UPDATE SET
                share = excluded.share, level = excluded.level, at = excluded.at, over = excluded.over
            """, sensor, exposure.share, level, Timestamp(milliseconds: moment), exposure.isOver)
    }

    /// The houses where thresholds do not count.
    static func disabled(in database: Database) throws -> Set<SiteID> {
        Set(try database.rows("SELECT site FROM home_care WHERE enabled = 0") { $0[0] as SiteID })
    }

    /// Says whether thresholds count at a house.
    static func set(isEnabled: Bool, at site: SiteID, in database: Database) throws {
        try database.execute(
            "INSERT INTO home_care (site, enabled) VALUES (?, ?) ON CONFLICT (site) DO UPDATE SET enabled = excluded.enabled",
            site, isEnabled)
    }

    /// What each fan follows.
    static func rules(in database: Database) throws -> [FanRule] {
        try database.rows("SELECT fan, site, sensor, most, shortest_run FROM home_fan_rules") {
            FanRule(fan: $0[0], site: $0[1], sensor: $0[2], most: $0[3], shortestRun: $0[4])
        }
    }

    /// What one fan follows; nil: nothing.
    static func rule(of fan: ActuatorID, in database: Database) throws -> FanRule? {
        try rules(in: database).first { $0.fan == fan }
    }

    /// Says what a fan follows; nil: nothing.
    static func set(_ rule: FanRule?, of fan: ActuatorID, in database: Database) throws {
        guard let rule else {
            try database.execute("DELETE FROM home_fan_rules WHERE fan = ?", fan)
            return
        }
        try database.execute(
            """
            INSERT INTO home_fan_rules (fan, site, sensor, most, shortest_run) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (fan) DO UPDATE SET
                sensor = excluded.sensor, most = excluded.most, shortest_run = excluded.shortest_run
            """, fan, rule.site, rule.sensor, rule.most, rule.shortestRun)
    }

    /// How fans ran when the hub wrote it down last.
    static func runs(in database: Database) throws -> [(fan: ActuatorID, run: FanRun)] {
        try database.rows("SELECT fan, percent, since, by_hand, until FROM home_fan_runs") { row in
            let (chosen, until) = (row[3] as Int?, row[4] as Timestamp?)
            return (
                row[0],
                FanRun(
                    ventilation: Ventilation(percent: Ventilation.meaning(of: row[1]), since: row[2]),
                    byHand: chosen.flatMap { percent in
                        until.map { .init(percent: Ventilation.meaning(of: percent), until: $0) }
                    })
            )
        }
    }

    /// Keeps how a fan runs.
    static func put(_ run: FanRun, of fan: ActuatorID, in database: Database) throws {
        try database.execute(
            """
            INSERT INTO home_fan_runs (fan, percent, since, by_hand, until) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (fan) DO UPDATE SET percent = excluded.percent, since = excluded.since,
                by_hand = excluded.by_hand, until = excluded.until
            """, fan, Int(run.ventilation.percent), run.ventilation.since, (run.byHand?.percent).map(Int.init),
            run.byHand?.until)
    }

    /// Since when a sensor is in use, where somebody has said so.
    static func installed(_ sensor: SensorID, in database: Database) throws -> Day? {
        try database.row("SELECT day FROM home_sensor_installed WHERE sensor = ?", sensor) { $0[0] }
    }

    /// Says since when a sensor is in use.
    static func set(installed day: Day, of sensor: SensorID, in database: Database) throws {
        try database.execute(
            "INSERT INTO home_sensor_installed (sensor, day) VALUES (?, ?) ON CONFLICT (sensor) DO UPDATE SET day = excluded.day",
            sensor, day)
    }
}
