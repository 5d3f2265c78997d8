import Identity
import Ledger
import Store
import System
import Wire

/// The tables of houses, gateways, devices, sensors and actuators. Every function runs inside the caller's transaction.
package enum HomeRecords {}

package extension HomeRecords {
    static let migration = Migration(
        "home.1",
        """
        CREATE TABLE home_houses (
            site BLOB NOT NULL PRIMARY KEY REFERENCES sites (id), street TEXT NOT NULL, latitude REAL, longitude REAL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE home_gateways (
            id BLOB NOT NULL PRIMARY KEY, site BLOB NOT NULL REFERENCES sites (id), kind TEXT NOT NULL,
            name TEXT NOT NULL, key BLOB, retired INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX home_gateways_site ON home_gateways (site);
        CREATE TABLE home_devices (
            id BLOB NOT NULL PRIMARY KEY, site BLOB NOT NULL, gateway BLOB NOT NULL REFERENCES home_gateways (id),
            key TEXT NOT NULL, name TEXT NOT NULL, maker TEXT NOT NULL, model TEXT NOT NULL, area TEXT NOT NULL,
            origin TEXT NOT NULL, retired INTEGER, UNIQUE (gateway, key)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE home_sensors (
            number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, device BLOB NOT NULL REFERENCES home_devices (id),
            key TEXT NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, unit TEXT NOT NULL, low REAL, high REAL,
            period REAL, class INTEGER, binding TEXT NOT NULL, retired INTEGER, UNIQUE (device, key)
        ) STRICT;
        CREATE TABLE home_actuators (
            id BLOB NOT NULL PRIMARY KEY, device BLOB NOT NULL REFERENCES home_devices (id), key TEXT NOT NULL,
            name TEXT NOT NULL, kind TEXT NOT NULL, binding TEXT NOT NULL, retired INTEGER, UNIQUE (device, key)
        ) STRICT, WITHOUT ROWID;
        """)

    /// When somebody with a fresh proof said that an actuator is what hears its topic.
    static let migrationOfProven = Migration("home.2", "ALTER TABLE home_actuators ADD COLUMN proven INTEGER")

    // MARK: houses

    /// Where a house stands.
    static func house(_ site: SiteID, in database: Database) throws -> House? {
        try database.row("SELECT site, street, latitude, longitude FROM home_houses WHERE site = ?", site) { house($0) }
    }

    /// All that have told where they stand.
    static func houses(in database: Database) throws -> [House] {
        try database.rows("SELECT site, street, latitude, longitude FROM home_houses") { house($0) }
    }

    private static func house(_ row: Row) -> House {
        let (latitude, longitude) = (row[2] as Double?, row[3] as Double?)
        let place = latitude.flatMap { latitude in
            longitude.flatMap { MapPlace(latitude: latitude, longitude: $0) }
        }
        return House(site: row[0], street: row[1], place: place)
    }

    /// Keeps where a house stands.
    static func put(_ house: House, in database: Database) throws {
        try database.execute(
            """
            INSERT INTO home_houses (site, street, latitude, longitude) VALUES (?, ?, ?, ?)
            ON CONFLICT (site) DO UPDATE SET
                street = excluded.street, latitude = excluded.latitude, longitude = excluded.longitude
            """, house.site, house.street, house.place?.latitude, house.place?.longitude)
    }

    // MARK: gateways

    /// All of them, those out of use too.
    static func gateways(in database: Database) throws -> [Gateway] {
        try database.rows("SELECT id, site, kind, name, key, retired FROM home_gateways", make: gateway)
    }

    /// Those of a house, those out of use too.
    static func gateways(at site: SiteID, in database: Database) throws -> [Gateway] {
        try database.rows(
            "SELECT id, site, kind, name, key, retired FROM home_gateways WHERE site = ?", site, make: gateway)
    }

    private static func gateway(_ row: Row) -> Gateway {
        Gateway(
            id: row[0], site: row[1], kind: Gateway.Kind(rawValue: row[2]) ?? .device, name: row[3],
            key: (row[4] as [UInt8]?).flatMap { Key($0) }, retired: row[5])
    }

    /// Adds one, or keeps what changed.
    static func put(_ gateway: Gateway, in database: Database) throws {
        try database.execute(
            """
            INSERT INTO home_gateways (id, site, kind, name, key, retired) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, key = excluded.key, retired = excluded.retired
            """, gateway.id, gateway.site, gateway.kind.rawValue, gateway.name, gateway.key?.bytes, gateway.retired)
    }

    /// Changes one that is in use, as it is by now.
    /// - Returns: nil when it is not in use any more.
    static func change(
        _ id: GatewayID, in database: Database, _ body: (inout Gateway) throws -> Void
    ) throws -> Gateway? {
        guard var gateway = try gateways(in: database).first(where: { $0.id == id && $0.retired == nil }) else {
            return nil
        }
        try body(&gateway)
        try put(gateway, in: database)
        return gateway
    }

    // MARK: devices

    /// All of them, those out of use too.
    static func devices(in database: Database) throws -> [Device] {
        try database.rows(
            "SELECT id, site, gateway, key, name, maker, model, area, origin, retired FROM home_devices", make: device)
    }

    /// Those of a house, those out of use too.
    /// - Parameter isConnected: whether only those of connections in use are asked for.
    static func devices(at site: SiteID, isConnected: Bool = false, in database: Database) throws -> [Device] {
        try database.rows(
            """
            SELECT d.id, d.site, d.gateway, d.key, d.name, d.maker, d.model, d.area, d.origin, d.retired
            FROM home_gateways AS g JOIN home_devices AS d ON d.gateway = g.id
            WHERE g.site = ?1 AND NOT (?2 AND g.retired IS NOT NULL)
            """, site, isConnected, make: device)
    }

    private static func device(_ row: Row) -> Device {
        Device(
            id: row[0], site: row[1], gateway: row[2], key: row[3], name: row[4], maker: row[5], model: row[6],
            area: row[7], origin: Device.Origin(rawValue: row[8]) ?? .added, retired: row[9])
    }

    /// Adds one, or keeps what changed.
    static func put(_ device: Device, in database: Database) throws {
        try database.execute(
            """
            INSERT INTO home_devices (id, site, gateway, key, name, maker, model, area, origin, retired)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, maker = excluded.maker, model = excluded.model,
                area = excluded.area, retired = excluded.retired
            """, device.id, device.site, device.gateway, device.key, device.name, device.maker, device.model,
            device.area, device.origin.rawValue, device.retired)
    }
}
