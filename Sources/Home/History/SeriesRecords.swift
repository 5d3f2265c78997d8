import Ledger
import Store
import System

/// The tables of what sensors told. Every function runs inside the caller's transaction.
enum SeriesRecords {
    static let migration = Migration(
        "home.history.1",
        """
        CREATE TABLE home_samples (
            sensor INTEGER NOT NULL, at INTEGER NOT NULL, value REAL NOT NULL, PRIMARY KEY (sensor, at)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE home_r5m (
            sensor INTEGER NOT NULL, start INTEGER NOT NULL, n INTEGER NOT NULL, low REAL NOT NULL, high REAL NOT NULL,
            sum REAL NOT NULL, last REAL NOT NULL, last_at INTEGER NOT NULL, PRIMARY KEY (sensor, start)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE home_r1h (
            sensor INTEGER NOT NULL, start INTEGER NOT NULL, n INTEGER NOT NULL, low REAL NOT NULL, high REAL NOT NULL,
            sum REAL NOT NULL, last REAL NOT NULL, last_at INTEGER NOT NULL, PRIMARY KEY (sensor, start)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE home_r1d (
            sensor INTEGER NOT NULL, start INTEGER NOT NULL, n INTEGER NOT NULL, low REAL NOT NULL, high REAL NOT NULL,
            sum REAL NOT NULL, last REAL NOT NULL, last_at INTEGER NOT NULL, PRIMARY KEY (sensor, start)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE home_retention (
            site BLOB NOT NULL PRIMARY KEY REFERENCES sites (id), raw INTEGER NOT NULL, five INTEGER NOT NULL,
            hours INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE home_chart_starts (
            person BLOB NOT NULL REFERENCES people (id) ON DELETE CASCADE,
            sensor BLOB NOT NULL REFERENCES home_sensors (id),
            since INTEGER NOT NULL, PRIMARY KEY (person, sensor)
        ) STRICT, WITHOUT ROWID;
        """)

    // MARK: writing

    /// Adds readings and folds to what is there. Of two readings of a sensor in one millisecond the later is kept; both are counted.
    static func add(_ batch: SeriesBatch, in database: Database) throws {
        for one in batch.raw {
            try database.execute(
                """
                INSERT INTO home_samples (sensor, at, value) VALUES (?, ?, ?)
                ON CONFLICT (sensor, at) DO UPDATE SET value = excluded.value
                """, one.sensor, one.at, one.value)
        }
        for (stretch, rollup) in batch.folds { try add(rollup, to: stretch, in: database) }
    }

    private static func add(
        _ rollup: Rollup, to stretch: SeriesBatch.Stretch, in database: Database
    ) throws {
        let values = (stretch.sensor, stretch.start, rollup)
        switch stretch.tier {
        case .raw: preconditionFailure("a fold is of a stretch")
        case .fiveMinutes:
            try put(
                """
                INSERT INTO home_r5m (sensor, start, n, low, high, sum, last, last_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (sensor, start) DO UPDATE SET n = n + excluded.n, low = min(low, excluded.low),
                    high = max(high, excluded.high), sum = sum + excluded.sum,
                    last = CASE WHEN excluded.last_at >= last_at THEN excluded.last ELSE last END,
                    last_at = max(last_at, excluded.last_at)
                """, values, in: database)
        case .hour:
            try put(
                """
                INSERT INTO home_r1h (sensor, start, n, low, high, sum, last, last_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (sensor, start) DO UPDATE SET n = n + excluded.n, low = min(low, excluded.low),
                    high = max(high, excluded.high), sum = sum + excluded.sum,
                    last = CASE WHEN excluded.last_at >= last_at THEN excluded.last ELSE last END,
                    last_at = max(last_at, excluded.last_at)
                """, values, in: database)
        case .day:
            try put(
                """
                INSERT INTO home_r1d (sensor, start, n, low, high, sum, last, last_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (sensor, start) DO UPDATE SET n = n + excluded.n, low = min(low, excluded.low),
                    high = max(high, excluded.high), sum = sum + excluded.sum,
                    last = CASE WHEN excluded.last_at >= last_at THEN excluded.last ELSE last END,
                    last_at = max(last_at, excluded.last_at)
                """, values, in: database)
        }
    }

    private static func put(
        _ sql: StaticString, _ values: (sensor: Int64, start: Timestamp, rollup: Rollup), in database: Database
    ) throws {
        let rollup = values.rollup
        try database.execute(
            sql, values.sensor, values.start, rollup.count, rollup.low, rollup.high, rollup.sum, rollup.last,
            rollup.lastAt)
    }

    /// Removes the oldest of a tier.
    /// - Returns: how many rows went.
    static func remove(
        _ tier: Tier, of sensor: Int64, before: Timestamp, limit: Int, in database: Database
    ) throws -> Int {
        switch tier {
        case .raw:
            try database.execute(
                """
                DELETE FROM home_samples WHERE sensor = ?1 AND at < ?2 AND at IN
                    (SELECT at FROM home_samples WHERE sensor = ?1 AND at < ?2 ORDER BY at LIMIT ?3)
                """, sensor, before, limit)
        case .fiveMinutes:
            try database.execute(
                """
                DELETE FROM home_r5m WHERE sensor = ?1 AND start < ?2 AND start IN
                    (SELECT start FROM home_r5m WHERE sensor = ?1 AND start < ?2 ORDER BY start LIMIT ?3)
                """, sensor, before, limit)
        case .hour:
            try database.execute(
                """
                DELETE FROM home_r1h WHERE sensor = ?1 AND start < ?2 AND start IN
                    (SELECT start FROM home_r1h WHERE sensor = ?1 AND start < ?2 ORDER BY start LIMIT ?3)
                """, sensor, before, limit)
        case .day:
            try database.execute(
                """
                DELETE FROM home_r1d WHERE sensor = ?1 AND start < ?2 AND start IN
                    (SELECT start FROM home_r1d WHERE sensor = ?1 AND start < ?2 ORDER BY start LIMIT ?3)
                """, sensor, before, limit)
        }
    }

    // MARK: reading

    /// Gives each stretch of a span, oldest first.
    /// - Parameters:
    ///   - limit: no more than so many.
    ///   - body: when it begins, and what it holds; for single readings, each of them.
    /// - Returns: how many there were.
    @discardableResult
    static func each(
        _ tier: Tier, of sensor: Int64, from: Timestamp, to: Timestamp, limit: Int = .max, in database: Database,
        _ body: (Timestamp, Rollup) -> Void
    ) throws -> Int {
        func fold(_ sql: StaticString) throws -> Int {
            try database.rows(sql, sensor, from, to, limit) { row in
                body(
                    row[0],
                    Rollup(
                        count: row[1], low: row[2], high: row[3], sum: row[4], last: row[5], lastAt: row[6]))
            }.count
        }
        switch tier {
        case .raw:
            return try database.rows(
                "SELECT at, value FROM home_samples WHERE sensor = ? AND at >= ? AND at < ? ORDER BY at LIMIT ?",
                sensor, from, to, limit
            ) { row in
                let at = row[0] as Timestamp
                body(at, Rollup(row[1], at: at))
            }.count
        case .fiveMinutes:
            return try fold(
                """
                SELECT start, n, low, high, sum, last, last_at FROM home_r5m
                WHERE sensor = ? AND start >= ? AND start < ? ORDER BY start LIMIT ?
                """)
        case .hour:
            return try fold(
                """
                SELECT start, n, low, high, sum, last, last_at FROM home_r1h
                WHERE sensor = ? AND start >= ? AND start < ? ORDER BY start LIMIT ?
                """)
        case .day:
            return try fold(
                """
                SELECT start, n, low, high, sum, last, last_at FROM home_r1d
                WHERE sensor = ? AND start >= ? AND start < ? ORDER BY start LIMIT ?
                """)
        }
    }

    /// The last reading before a time, as far as single ones are kept.
    static func last(
        of sensor: Int64, before: Timestamp, in database: Database
    ) throws -> (at: Timestamp, value: Double)? {
        try database.row(
            "SELECT at, value FROM home_samples WHERE sensor = ? AND at < ? ORDER BY at DESC LIMIT 1", sensor, before
        ) { (at: $0[0], value: $0[1]) }
    }

    /// When a sensor's series begins, and its end; nil: it has none.
    static func bounds(of sensor: Int64, in database: Database) throws -> (first: Timestamp, last: Timestamp)? {
        let first = try database.row(
            "SELECT start FROM home_r1d WHERE sensor = ? ORDER BY start LIMIT 1", sensor
        ) { $0[0] as Timestamp }
        let last = try database.row(
            "SELECT last_at FROM home_r1d WHERE sensor = ? ORDER BY start DESC LIMIT 1", sensor
        ) { $0[0] as Timestamp }
        guard let first, let last else { return nil }
        // The day tells when it begins, the finest tier that goes back so far when in it the first reading came.
        for tier in [Tier.raw, .fiveMinutes, .hour] {
            var found: Timestamp?
            try each(
                tier, of: sensor, from: first, to: first.adding(milliseconds: Tier.day.width), limit: 1, in: database
            ) { start, _ in found = start }
            if let found { return (found, last) }
        }
        return (first, last)
    }
}
