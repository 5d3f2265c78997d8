import Accounts
import Household
import Identity
import Ledger
import Store
import System

/// Where somebody's chart of a sensor begins: a mark of their own, which takes nothing away and can be taken back.
enum StartMark {
    /// Since when; nil: from the beginning.
    static func of(_ person: PersonID, _ sensor: SensorID, in database: Database) throws -> Timestamp? {
        try database.row("SELECT since FROM home_chart_starts WHERE person = ? AND sensor = ?", person, sensor) {
            $0[0] as Timestamp
        }
    }

    /// From now on; nil: from the beginning again.
    static func set(
        _ since: Timestamp?, of person: PersonID, _ sensor: SensorID, in database: Database
    ) throws {
        guard let since else {
            try database.execute("DELETE FROM home_chart_starts WHERE person = ? AND sensor = ?", person, sensor)
            return
        }
        try database.execute(
            """
            INSERT INTO home_chart_starts (person, sensor, since) VALUES (?, ?, ?)
            ON CONFLICT (person, sensor) DO UPDATE SET since = excluded.since
            """, person, sensor, since)
    }

    /// It goes with the person.
    static let eraser = Eraser(erase: { erasure, database in
        try database.execute(
            """
            DELETE FROM home_chart_starts WHERE person = ? AND EXISTS (
                SELECT 1 FROM home_sensors s JOIN home_devices d ON d.id = s.device
                WHERE s.id = home_chart_starts.sensor AND d.site = ?)
            """, erasure.person, erasure.site)
    })

    static let teller = Teller(
        "charts", of: "home_chart_starts",
        sql: """
            SELECT d.site, c.sensor, c.since FROM home_chart_starts c LEFT JOIN home_sensors s ON s.id = c.sensor
                LEFT JOIN home_devices d ON d.id = s.device
            WHERE c.person = ? ORDER BY c.sensor
            """,
        columns: ["site": .site, "sensor": .id, "since": .moment])
}
