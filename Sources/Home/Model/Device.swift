import Identity
import Ledger
import Store
import System
import Template

/// Something on MQTT, with sensors and actuators.
public struct Device: Sendable, Equatable {
    /// The kind of id that names devices.
    public enum Name {}
    /// Who says what it is.
    public enum Origin: String, Sendable {
        /// It said so itself, by discovery.
        case discovered
        /// Somebody added it in the app.
        case added
    }
    /// Its name in tables.
    public let id: DeviceID
    /// Whose.
    public let site: SiteID
    /// How it came in.
    public let gateway: GatewayID
    /// What its gateway calls it; unique there. Letters, digits, `_` and `-`.
    public let key: String
    /// What people call it.
    public var name: String
    /// Who made it, and what it is; empty: not told.
    public var maker: String
    /// See `maker`.
    public var model: String
    /// In which room; empty: not told.
    public var area: String
    /// Who says what it is.
    public let origin: Origin
    /// When it was taken out of use.
    public var retired: Timestamp?

    /// See the properties.
    public init(
        id: DeviceID, site: SiteID, gateway: GatewayID, key: String, name: String, maker: String = "",
        model: String = "", area: String = "", origin: Origin, retired: Timestamp? = nil
    ) {
        (self.id, self.site, self.gateway, self.key, self.name) = (id, site, gateway, key, name)
        (self.maker, self.model, self.area, self.origin, self.retired) = (maker, model, area, origin, retired)
    }
}

/// The name of a device in tables.
public typealias DeviceID = ID<Device.Name>

/// What a device's sensor or actuator hears and says, and when it is there.
public struct Availability: Sendable, Equatable, Codable {
    /// Where it says so, below its gateway's topics.
    public var topic: String
    /// Where in the payload's JSON; empty: the payload itself.
    public var path: [String]
    /// What computes the text in which that is looked for; nil: it is the payload.
    public var template: Template?
    /// What it says when it is there.
    public var online: String
    /// What it says, or the broker for it, when it is not.
    public var offline: String

    /// See the properties.
    public init(
        topic: String, path: [String] = [], template: Template? = nil, online: String = "online",
        offline: String = "offline"
    ) {
        (self.topic, self.path, self.template, self.online, self.offline) = (topic, path, template, online, offline)
    }

    /// How several are read together. Home Assistant's `availability_mode`.
    public enum Mode: String, Sendable, Codable { case all, any, latest }
}
