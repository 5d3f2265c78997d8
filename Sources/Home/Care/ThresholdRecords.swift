import Household
import Ledger
import Safeguard
import Store
import System

/// The thresholds of sensors as they are and as they were: a chart draws each time with the threshold that counted then. Every function
/// runs inside the caller's transaction.
enum ThresholdRecords {
    static let migration = Migration(
        "home.care.1",
        """
        CREATE TABLE home_thresholds (
            sensor BLOB NOT NULL REFERENCES home_sensors (id), since INTEGER NOT NULL, level REAL,
            hysteresis REAL NOT NULL, rise REAL, PRIMARY KEY (sensor, since)
        ) STRICT, WITHOUT ROWID;
        """)

    /// One threshold, from its moment on.
    struct Step: Sendable, Equatable {
        let since: Timestamp
        /// Nil: none counts from then on.
        let threshold: Threshold?
    }

    /// What counts now for each sensor that has one.
    static func current(in database: Database) throws -> [(sensor: SensorID, threshold: Threshold)] {
        try database.rows(
            """
            SELECT sensor, since, level, hysteresis, rise FROM home_thresholds AS steps
            WHERE level IS NOT NULL
                AND since = (SELECT max(since) FROM home_thresholds WHERE sensor = steps.sensor)
            """
        ) { (sensor: $0[0] as SensorID, threshold: step($0, from: 1).threshold) }
        .compactMap { one in one.threshold.map { (one.sensor, $0) } }
    }

    /// What counted at a time and what came after it, oldest first.
    static func steps(
        of sensor: SensorID, from: Timestamp, to: Timestamp, in database: Database
    ) throws -> [Step] {
        try database.rows(
            """
            SELECT since, level, hysteresis, rise FROM home_thresholds
            WHERE sensor = ?1 AND since < ?3 AND since >= coalesce(
                (SELECT max(since) FROM home_thresholds WHERE sensor = ?1 AND since <= ?2), ?2)
            ORDER BY since
            """, sensor, from, to
        ) { step($0, from: 0) }
    }

    /// What counts now for a sensor, and what counted before it was chosen; nil: nobody has chosen anything, or none counts.
    static func latest(
        of sensor: SensorID, in database: Database
    ) throws -> (now: Step?, before: Step?) {
        let steps = try database.rows(
            "SELECT since, level, hysteresis, rise FROM home_thresholds WHERE sensor = ? ORDER BY since DESC LIMIT 2",
            sensor
        ) { step($0, from: 0) }
        return (steps.first, steps.count > 1 ? steps[1] : nil)
    }

    /// Thresholds that are kept of one sensor, with those that counted before: for more, the oldest go.
    /// - Key: sensor
    static let mostSteps = 1_000

    /// From now on this counts; nil: none. A step after the latest one, also when the clock was set back.
    /// - Returns: its moment.
    @discardableResult
    static func set(
        _ threshold: Threshold?, of sensor: SensorID, at time: Timestamp, in database: Database
    ) throws -> Timestamp {
        let latest = try latest(of: sensor, in: database).now?.since
        let now = max(time, latest?.adding(milliseconds: 1) ?? time)
        try database.execute(
            "INSERT INTO home_thresholds (sensor, since, level, hysteresis, rise) VALUES (?, ?, ?, ?, ?)",
            sensor, now, threshold?.level, threshold?.hysteresis ?? 0, threshold?.risePerMinute)
        try database.execute(
            """
            DELETE FROM home_thresholds WHERE sensor = ?1 AND since <=
                (SELECT since FROM home_thresholds WHERE sensor = ?1 ORDER BY since DESC LIMIT 1 OFFSET ?2)
            """, sensor, mostSteps)
        return now
    }

    private static func step(_ row: Row, from first: Int32) -> Step {
        let level = row[first + 1] as Double?
        return Step(
            since: row[first],
            threshold: level.map {
                Threshold(level: $0, hysteresis: row[first + 2], risePerMinute: row[first + 3] as Double?)
            })
    }
}
