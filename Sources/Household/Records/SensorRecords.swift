import FoundationEssentials
import Identity
import JSON
import Ledger
import Safeguard
import Store
import System

package extension HomeRecords {
    /// All of them, those out of use too.
    static func sensors(in database: Database) throws -> [Sensor] {
        try database.rows(
            """
            SELECT sensors.id, sensors.number, sensors.device, devices.site, sensors.key, sensors.name, sensors.kind,
                sensors.unit, sensors.low, sensors.high, sensors.period, sensors.class, sensors.binding, sensors.retired
            FROM home_sensors AS sensors JOIN home_devices AS devices ON devices.id = sensors.device
            """, make: sensor)
    }

    /// Those of a house, those out of use too.
    /// - Parameter isConnected: whether only those of connections in use are asked for.
    static func sensors(at site: SiteID, isConnected: Bool = false, in database: Database) throws -> [Sensor] {
        try database.rows(
            """
            SELECT sensors.id, sensors.number, sensors.device, devices.site, sensors.key, sensors.name, sensors.kind,
                sensors.unit, sensors.low, sensors.high, sensors.period, sensors.class, sensors.binding, sensors.retired
            FROM home_gateways AS gateways JOIN home_devices AS devices ON devices.gateway = gateways.id
                JOIN home_sensors AS sensors ON sensors.device = devices.id
            WHERE gateways.site = ?1 AND NOT (?2 AND gateways.retired IS NOT NULL)
            """, site, isConnected, make: sensor)
    }

    /// One of them.
    static func sensor(_ id: SensorID, in database: Database) throws -> Sensor? {
        try database.row(
            """
            SELECT sensors.id, sensors.number, sensors.device, devices.site, sensors.key, sensors.name, sensors.kind,
                sensors.unit, sensors.low, sensors.high, sensors.period, sensors.class, sensors.binding, sensors.retired
            FROM home_sensors AS sensors JOIN home_devices AS devices ON devices.id = sensors.device
            WHERE sensors.id = ?
            """, id, make: sensor)
    }

    private static func sensor(_ row: Row) throws -> Sensor {
        let (low, high) = (row[8] as Double?, row[9] as Double?)
        return Sensor(
            id: row[0], number: row[1], device: row[2], site: row[3], key: row[4], name: row[5],
            kind: SensorKind(rawValue: row[6]) ?? .text, unit: row[7],
            range: low.flatMap { low in high.flatMap { low <= $0 ? low...$0 : nil } }, period: row[10],
            alarmClass: (row[11] as Int?).flatMap { UInt8(exactly: $0) }.flatMap { SensorClass(rawValue: $0) },
            binding: try decoded(row[12]), retired: row[13])
    }

    /// Adds a sensor under a number of its own; what it says of its number does not count.
    static func add(_ sensor: Sensor, in database: Database) throws {
        try database.execute(
            """
            INSERT INTO home_sensors (id, device, key, name, kind, unit, low, high, period, class, binding, retired)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, sensor.id, sensor.device, sensor.key, sensor.name, sensor.kind.rawValue, sensor.unit,
            sensor.range?.lowerBound, sensor.range?.upperBound, sensor.period,
            (sensor.alarmClass?.rawValue).map(Int.init),
            try encoded(sensor.binding), sensor.retired)
    }

    /// Keeps what changed.
    static func change(_ sensor: Sensor, in database: Database) throws {
        try database.execute(
            """
            UPDATE home_sensors SET name = ?, kind = ?, unit = ?, low = ?, high = ?, period = ?, class = ?,
                binding = ?, retired = ?
            WHERE id = ?
            """, sensor.name, sensor.kind.rawValue, sensor.unit, sensor.range?.lowerBound, sensor.range?.upperBound,
            sensor.period, (sensor.alarmClass?.rawValue).map(Int.init), try encoded(sensor.binding), sensor.retired,
            sensor.id)
    }

    /// All actuators, those out of use too.
    static func actuators(in database: Database) throws -> [Actuator] {
        try database.rows(
            """
            SELECT actuators.id, actuators.device, devices.site, devices.gateway, actuators.key, actuators.name,
                actuators.kind, actuators.binding, actuators.retired, actuators.proven
            FROM home_actuators AS actuators JOIN home_devices AS devices ON devices.id = actuators.device
            """, make: actuator)
    }

    /// Those of a house, those out of use too.
    /// - Parameter isConnected: whether only those of connections in use are asked for.
    static func actuators(at site: SiteID, isConnected: Bool = false, in database: Database) throws -> [Actuator] {
        try database.rows(
            """
            SELECT actuators.id, actuators.device, devices.site, devices.gateway, actuators.key, actuators.name,
                actuators.kind, actuators.binding, actuators.retired, actuators.proven
            FROM home_gateways AS gateways JOIN home_devices AS devices ON devices.gateway = gateways.id
                JOIN home_actuators AS actuators ON actuators.device = devices.id
            WHERE gateways.site = ?1 AND NOT (?2 AND gateways.retired IS NOT NULL)
            """, site, isConnected, make: actuator)
    }

    private static func actuator(_ row: Row) throws -> Actuator {
        Actuator(
            id: row[0], device: row[1], site: row[2], gateway: row[3], key: row[4], name: row[5],
            kind: ActuatorKind(rawValue: row[6]) ?? .other, binding: try decoded(row[7]), retired: row[8],
            proven: row[9])
    }

    /// Since when no message tells any more of actuators out of use that a device described once.
    /// - Parameter site: the house; nil: of all houses.
    static func goneActuators(at site: SiteID?, in database: Database) throws -> [ActuatorID: Timestamp] {
        let gone: [(ActuatorID, Timestamp)] = try database.rows(
            """
            SELECT actuators.id, max(ifnull(actuators.retired, 0), ifnull(devices.retired, 0))
            FROM home_gateways AS gateways JOIN home_devices AS devices ON devices.gateway = gateways.id
                JOIN home_actuators AS actuators ON actuators.device = devices.id
            WHERE (?1 IS NULL OR gateways.site = ?1) AND gateways.retired IS NULL AND devices.origin = 'discovered'
                AND (actuators.retired IS NOT NULL OR devices.retired IS NOT NULL)
                AND NOT EXISTS (
                    SELECT 1 FROM home_claims AS claims
                    WHERE claims.gateway = gateways.id AND claims.part = 'actuator' AND claims.key = actuators.key)
            """, site
        ) { ($0[0], $0[1]) }
        return Dictionary(uniqueKeysWithValues: gone)
    }

    /// Adds one, or keeps what changed.
    static func put(_ actuator: Actuator, in database: Database) throws {
        try database.execute(
            """
            INSERT INTO home_actuators (id, device, key, name, kind, binding, retired, proven)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, kind = excluded.kind, binding = excluded.binding,
                retired = excluded.retired, proven = excluded.proven
            """, actuator.id, actuator.device, actuator.key, actuator.name, actuator.kind.rawValue,
            try encoded(actuator.binding), actuator.retired, actuator.proven)
    }

    private static func decoded<Value: Decodable>(_ text: String) throws -> Value {
        try JSONReader.decode(Value.self, from: Array(text.utf8))
    }

    private static func encoded(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
