import FoundationEssentials
import Household
import Identity
import JSON
import Ledger
import Store
import System

/// What devices have said of themselves, message by message, and which message tells of which sensor and actuator. Every function runs
/// inside the caller's transaction.
enum AnnouncementRecords {
    static let migration = Migration(
        "home.discovery.1",
        """
        CREATE TABLE home_announcements (
            gateway BLOB NOT NULL REFERENCES home_gateways (id), topic TEXT NOT NULL, content TEXT NOT NULL,
            gone INTEGER, PRIMARY KEY (gateway, topic)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE home_claims (
            gateway BLOB NOT NULL REFERENCES home_gateways (id), part TEXT NOT NULL, key TEXT NOT NULL,
            topic TEXT NOT NULL, PRIMARY KEY (gateway, part, key)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX home_claims_topic ON home_claims (gateway, topic);
        """)

    /// What is not kept by the broker: that a message was emptied while its house was armed or in an alarm, and which fault tells of that.
    static let migrationOfWithheld = Migration(
        "home.discovery.2",
        """
        ALTER TABLE home_announcements ADD COLUMN withheld INTEGER;
        ALTER TABLE home_announcements ADD COLUMN fault BLOB;
        """)

    /// Whether a key is a sensor's or an actuator's.
    enum Part: String { case sensor, actuator }

    /// What a message said last.
    struct Announcement: Equatable {
        let device: DiscoveredDevice
        /// When it was taken back; nil: it counts.
        let gone: Timestamp?
        /// When it was taken back, while that does not count yet; nil: it was not.
        var withheld: Timestamp?
    }

    /// What a message said last; nil: it never came.
    static func announcement(
        _ topic: String, of gateway: GatewayID, in database: Database
    ) throws -> Announcement? {
        try database.row(
            "SELECT content, gone, withheld FROM home_announcements WHERE gateway = ? AND topic = ?", gateway, topic
        ) { row in
            Announcement(device: try device(row[0]), gone: row[1], withheld: row[2])
        }
    }

    /// Keeps that a message was taken back, and that this does not count yet; nil: it was said again.
    static func withhold(
        _ topic: String, of gateway: GatewayID, at now: Timestamp?, in database: Database
    ) throws {
        try database.execute(
            "UPDATE home_announcements SET withheld = ?, fault = NULL WHERE gateway = ? AND topic = ?", now, gateway,
            topic)
    }

    /// Keeps which fault tells of a message that was taken back.
    static func tell(
        _ fault: HouseAlarmID, ofWithheld topic: String, of gateway: GatewayID, in database: Database
    ) throws {
        try database.execute(
            "UPDATE home_announcements SET fault = ? WHERE gateway = ? AND topic = ? AND withheld IS NOT NULL", fault,
            gateway, topic)
    }

    /// The messages that were taken back, where that does not count yet.
    static func withheld(
        in database: Database
    ) throws -> [(gateway: GatewayID, topic: String, fault: HouseAlarmID?)] {
        try database.rows(
            "SELECT gateway, topic, fault FROM home_announcements WHERE withheld IS NOT NULL AND gone IS NULL"
        ) { ($0[0], $0[1], $0[2]) }
    }

    /// The components that are not taken of what a gateway's devices say.
    /// - Parameter limit: of so many messages at most.
    static func refused(of gateway: GatewayID, limit: Int, in database: Database) throws -> [Untaken] {
        try database.rows(
            // Within a text of JSON a quotation mark has a stroke before it: only the list itself reads so.
            """
            SELECT topic, content FROM home_announcements
            WHERE gateway = ? AND gone IS NULL AND instr(content, '"refused":[{') > 0 ORDER BY topic LIMIT ?
            """, gateway, limit
        ) { row -> [Untaken] in
            let device = try device(row[1])
            return device.refused.map {
                Untaken(topic: row[0], device: device.name, component: $0.component, why: $0.why)
            }
        }.flatMap(\.self)
    }

    /// The detectors that are not taken of what devices say.
    /// - Parameter gateway: of this one; nil: of all.
    static func refusedDetectors(
        of gateway: GatewayID?, in database: Database
    ) throws -> [(gateway: GatewayID, topic: String, detector: DiscoveredDevice.Refused, device: String)] {
        try database.rows(
            """
            SELECT gateway, topic, content FROM home_announcements
            WHERE (?1 IS NULL OR gateway = ?1) AND gone IS NULL AND instr(content, '"savesLives":true') > 0
            ORDER BY gateway, topic
            """, gateway
        ) { row in
            let (gateway, topic, device) = (row[0] as GatewayID, row[1] as String, try device(row[2]))
            return device.refused.filter { $0.savesLives == true }.map { (gateway, topic, $0, device.name) }
        }.flatMap(\.self)
    }

    private static func device(_ content: String) throws -> DiscoveredDevice {
        try JSONReader.decode(from: Array(content.utf8), limit: 4 * DiscoveryLimit.payload, depth: 16)
    }

    /// Keeps what a message says.
    static func put(
        _ device: DiscoveredDevice, _ topic: String, of gateway: GatewayID, in database: Database
    ) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try database.execute(
            """
            INSERT INTO home_announcements (gateway, topic, content, gone) VALUES (?, ?, ?, NULL)
            ON CONFLICT (gateway, topic) DO UPDATE SET content = excluded.content, gone = NULL, withheld = NULL,
                fault = NULL
            """, gateway, topic, String(decoding: try encoder.encode(device), as: UTF8.self))
    }

    /// Keeps that a message was taken back. What it said last is remembered for when it comes again, of so many messages as one
    /// gateway may have.
    static func takeBack(_ topic: String, of gateway: GatewayID, at now: Timestamp, in database: Database) throws {
        try database.execute(
            "UPDATE home_announcements SET gone = ?, withheld = NULL, fault = NULL WHERE gateway = ? AND topic = ?",
            now,
            gateway, topic)
        try database.execute(
            """
            DELETE FROM home_announcements WHERE gateway = ?1 AND gone IS NOT NULL AND topic NOT IN (
                SELECT topic FROM home_announcements WHERE gateway = ?1 ORDER BY gone IS NOT NULL, gone DESC LIMIT ?2)
            """, gateway, DiscoveryLimit.topics)
    }

    // MARK: claims

    /// The message that tells of a sensor or actuator; nil: none.
    static func claimant(_ part: Part, _ key: String, of gateway: GatewayID, in database: Database) throws -> String? {
        try database.row(
            "SELECT topic FROM home_claims WHERE gateway = ? AND part = ? AND key = ?", gateway, part.rawValue, key
        ) { $0[0] as String }
    }

    /// The keys of the sensors or actuators that a message tells of.
    static func claims(_ part: Part, _ topic: String, of gateway: GatewayID, in database: Database) throws -> [String] {
        try database.rows(
            "SELECT key FROM home_claims WHERE gateway = ? AND topic = ? AND part = ? ORDER BY key", gateway, topic,
            part.rawValue
        ) { $0[0] }
    }

    /// From now on a message tells of it.
    static func claim(
        _ part: Part, _ key: String, _ topic: String, of gateway: GatewayID, in database: Database
    ) throws {
        try database.execute(
            "INSERT INTO home_claims (gateway, part, key, topic) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING", gateway,
            part.rawValue, key, topic)
    }

    /// It tells of it no more.
    static func release(_ part: Part, _ key: String, of gateway: GatewayID, in database: Database) throws {
        try database.execute(
            "DELETE FROM home_claims WHERE gateway = ? AND part = ? AND key = ?", gateway, part.rawValue, key)
    }

    // MARK: moves

    /// A sensor belongs to another device from now on; its history stays with it.
    static func move(_ sensor: SensorID, to device: DeviceID, in database: Database) throws {
        try database.execute("UPDATE home_sensors SET device = ? WHERE id = ?", device, sensor)
    }

    /// The same for an actuator.
    static func move(_ actuator: ActuatorID, to device: DeviceID, in database: Database) throws {
        try database.execute("UPDATE home_actuators SET device = ? WHERE id = ?", device, actuator)
    }
}
