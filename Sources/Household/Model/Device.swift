import Identity
import Ledger
import Store
import System
import Template

/// Something on MQTT, with sensors and actuators.
package struct Device: Sendable, Equatable {
    /// Its name in tables; whose, and how it came in.
    package let (id, site, gateway): (DeviceID, SiteID, GatewayID)
    /// What its gateway calls it; unique there. Letters, digits, `_` and `-`.
    package let key: String
    /// What people call it.
    package var name: String
    /// Who made it, and what it is; empty: not told.
    package var (maker, model): (String, String)
    /// In which room; empty: not told.
    package var area: String
    /// Who says what it is.
    package let origin: Origin
    /// When it was taken out of use.
    package var retired: Timestamp?

    /// See the properties.
    package init(
        id: DeviceID, site: SiteID, gateway: GatewayID, key: String, name: String, maker: String = "",
        model: String = "", area: String = "", origin: Origin, retired: Timestamp? = nil
    ) {
        (self.id, self.site, self.gateway, self.key, self.name) = (id, site, gateway, key, name)
        (self.maker, self.model, self.area, self.origin, self.retired) = (maker, model, area, origin, retired)
    }
}

package extension Device {
    /// The kind of id that names devices.
    enum Name {}

    /// The key of the one of a gateway on which things hang that people added.
    static var keyByHand: String { "by-hand" }

    /// Whether things that people added hang on it, and not what a device says of itself, whatever that calls itself.
    var isByHand: Bool { origin == .added && key == Self.keyByHand }

    /// Who says what it is.
    enum Origin: String, Sendable, CaseIterable {
        /// It said so itself, by discovery.
        case discovered
        /// Somebody added it in the app.
        case added
    }
}

/// The name of a device in tables.
package typealias DeviceID = ID<Device.Name>

/// What a device's sensor or actuator hears and says, and when it is there.
package struct Availability: Sendable, Equatable, Codable {
    /// Where it says so, below its gateway's topics.
    package var topic: String
    /// Where in the payload, as in `ValueSource`.
    package var (path, template): ([String], Template?)
    /// What it says when it is there; and what it says, or the broker for it, when it is not.
    package var (online, offline): (String, String)

    /// See the properties.
    package init(
        topic: String, path: [String] = [], template: Template? = nil, online: String = "online",
        offline: String = "offline"
    ) {
        (self.topic, self.path, self.template, self.online, self.offline) = (topic, path, template, online, offline)
    }
}

package extension Availability {
    /// How several are read together. Home Assistant's `availability_mode`.
    enum Mode: String, Sendable, Codable { case all, any, latest }
}
