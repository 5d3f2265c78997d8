import Ledger
import Store
import System

/// What devices described once and what is out of use: how much of it there is, and forgetting it. Every function runs inside the caller's
/// transaction.
enum ForgottenRecords {
    /// A sensor or an actuator that is out of use, or whose device or connection is.
    struct Unused: Equatable {
        let part: AnnouncementRecords.Part
        let id: ID<Unused>
        /// How it came in.
        let gateway: GatewayID
        /// Since when.
        let since: Timestamp
        /// Whether there is something that it told.
        let hasTold: Bool
    }

    /// Those of a house that devices described. Left out is what somebody has chosen something for, and the sensor with the highest number,
    /// so that no number is given twice.
    static func unused(at site: SiteID, in database: Database) throws -> [Unused] {
        try database.rows(
            """
            SELECT 'sensor', s.id, g.id, coalesce(g.retired, d.retired, s.retired),
                EXISTS (SELECT 1 FROM home_r1d WHERE sensor = s.number)
            FROM home_gateways AS g JOIN home_devices AS d ON d.gateway = g.id JOIN home_sensors AS s ON s.device = d.id
            WHERE g.site = ?1 AND d.origin = ?2 AND coalesce(g.retired, d.retired, s.retired) IS NOT NULL
                AND s.number < (SELECT max(number) FROM home_sensors)
                AND NOT EXISTS (SELECT 1 FROM home_fan_rules WHERE sensor = s.id)
                AND NOT EXISTS (SELECT 1 FROM home_guards WHERE sensor = s.id)
            UNION ALL
            SELECT 'actuator', a.id, g.id, coalesce(g.retired, d.retired, a.retired), 0
            FROM home_gateways AS g JOIN home_devices AS d ON d.gateway = g.id JOIN home_actuators AS a ON a.device = d.id
            WHERE g.site = ?1 AND d.origin = ?2 AND coalesce(g.retired, d.retired, a.retired) IS NOT NULL
                AND NOT EXISTS (SELECT 1 FROM home_fan_rules WHERE fan = a.id)
            """, site, Device.Origin.discovered.rawValue
        ) { row in
            Unused(
                part: AnnouncementRecords.Part(rawValue: row[0]) ?? .sensor, id: row[1], gateway: row[2], since: row[3],
                hasTold: row[4])
        }
    }

    /// Which of them are forgotten so that no more than so many are left: of the connection that has most, so that one that describes
    /// without end forgets its own; there what never told anything first, and then what has been out of use longest.
    static func choose(_ unused: [Unused], leaving most: Int) -> [Unused] {
        let crowds = Dictionary(grouping: unused, by: \.gateway).mapValues(\.count)
        let order = unused.sorted { one, other in
            let (mine, its) = (crowds[one.gateway]!, crowds[other.gateway]!)
            if one.gateway != other.gateway { return (its, other.gateway) < (mine, one.gateway) }
            if one.hasTold != other.hasTold { return other.hasTold }
            return (one.since, one.id) < (other.since, other.id)
        }
        return Array(order.prefix(max(unused.count - most, 0)))
    }

    /// Forgets some, with all that hangs on them but what sensors told: no number is given twice, and `Series.purge` takes that away.
    static func forget(_ some: some Sequence<Unused>, in database: Database) throws {
        for one in some {
            switch one.part {
            case .sensor:
                try database.execute("DELETE FROM home_thresholds WHERE sensor = ?", one.id)
                try database.execute("DELETE FROM home_sensor_installed WHERE sensor = ?", one.id)
                try database.execute("DELETE FROM home_chart_starts WHERE sensor = ?", one.id)
                try database.execute("DELETE FROM home_sensors WHERE id = ?", one.id)
            case .actuator:
                try database.execute("DELETE FROM home_fan_runs WHERE fan = ?", one.id)
                try database.execute("DELETE FROM home_actuators WHERE id = ?", one.id)
            }
        }
    }

    /// Forgets the devices of a house that described themselves, are out of use and have nothing left.
    static func forgetEmptyDevices(at site: SiteID, in database: Database) throws {
        try database.execute(
            """
            DELETE FROM home_devices WHERE origin = ?2 AND retired IS NOT NULL
                AND gateway IN (SELECT id FROM home_gateways WHERE site = ?1)
                AND NOT EXISTS (SELECT 1 FROM home_sensors WHERE device = home_devices.id)
                AND NOT EXISTS (SELECT 1 FROM home_actuators WHERE device = home_devices.id)
            """, site, Device.Origin.discovered.rawValue)
    }
}
