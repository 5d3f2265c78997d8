import Accounts
import FoundationEssentials
import HTTPServer
import Ledger
import Notices
import Store
import System

/// The log of alarms. Every function runs inside the caller's transaction.
enum AlarmRecords {
    static let migration = Migration(
        "home.alarms.1",
        """
        CREATE TABLE home_alarms (
            id BLOB NOT NULL PRIMARY KEY, site BLOB NOT NULL REFERENCES sites (id), kind TEXT NOT NULL, sensor BLOB,
            en TEXT NOT NULL, it TEXT NOT NULL, es TEXT NOT NULL, value REAL, drill INTEGER NOT NULL,
            at INTEGER NOT NULL, ended INTEGER, ended_by BLOB, silenced INTEGER, silenced_by BLOB
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX home_alarms_site ON home_alarms (site, at);
        CREATE INDEX home_alarms_sensor ON home_alarms (sensor, at) WHERE sensor IS NOT NULL;
        """)

    /// When a sensor's alarms began, and when each ended; nil: it has not. Exercises are left out.
    static func spans(
        of sensor: SensorID, from: Timestamp, to: Timestamp, in database: Database
    ) throws -> [(at: Timestamp, ended: Timestamp?)] {
        try database.rows(
            """
            SELECT at, ended FROM home_alarms
            WHERE sensor = ? AND drill = 0 AND at < ? AND (ended IS NULL OR ended >= ?) ORDER BY at
            """, sensor, to, from
        ) { (at: $0[0], ended: $0[1]) }
    }
}
