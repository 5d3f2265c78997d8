import Identity
import Ledger
import Store
import System
import Template

/// What an actuator moves.
package enum ActuatorKind: String, Sendable, CaseIterable, Codable {
    case siren
    case fan
    /// The gas valve. Whoever opens one proves it; closing it needs no proof.
    case valve
    case light
    /// A text on an LCD.
    case display
    case plug
    /// Whatever else takes a number, or a yes and no.
    case number
    case other
}

package extension ActuatorKind {
    /// Whether it warns of a danger, or ends one: switching it off may take from a house what protects it.
    var protects: Bool { [.siren, .valve, .fan].contains(self) }

    /// Whether it may be what a detector is switched off by.
    var isSwitch: Bool { [.plug, .number, .other].contains(self) }
}

/// What an actuator is told.
package enum ActuatorValue: Sendable, Equatable {
    case on
    case off
    /// 0 to 100: a fan's speed, a valve's opening, a light's brightness.
    case percent(UInt8)
    /// Red, green, blue.
    case colour(UInt8, UInt8, UInt8)
    case number(Double)
    case text(String)
}

/// One thing that a device does.
package struct Actuator: Sendable, Equatable {
    /// Its name in tables and for programs; whose, where, and how it came in.
    package let (id, device, site, gateway): (ActuatorID, DeviceID, SiteID, GatewayID)
    /// What its gateway calls it; unique there.
    package let key: String
    /// What people call it.
    package var name: String
    /// What it moves.
    package var kind: ActuatorKind
    /// How it is told.
    package var binding: ActuatorBinding
    /// When it was taken out of use.
    package var retired: Timestamp?
    /// When somebody with a fresh proof added it by hand where a device once described something that protects; nil: nobody did. What was
    /// described no more by then is not asked about.
    package var proven: Timestamp?

    /// See the properties.
    package init(
        id: ActuatorID, device: DeviceID, site: SiteID, gateway: GatewayID, key: String, name: String,
        kind: ActuatorKind, binding: ActuatorBinding, retired: Timestamp? = nil, proven: Timestamp? = nil
    ) {
        (self.id, self.device, self.site, self.gateway, self.key) = (id, device, site, gateway, key)
        (self.name, self.kind, self.binding, self.retired, self.proven) = (name, kind, binding, retired, proven)
    }
}

package extension Actuator {
    /// The kind of id that names actuators.
    enum Name {}
}

/// The name of an actuator in tables and for programs.
package typealias ActuatorID = ID<Actuator.Name>

/// How an actuator is told something. Topics are below its gateway's; what is told is never retained.
package struct ActuatorBinding: Sendable, Equatable, Codable {
    /// Where it is switched; nil: it cannot be.
    package var commandTopic: String?
    /// What stands for on, and for off.
    package var (on, off): (String, String)
    /// Where it is told a speed, a position, a brightness, a number or a text; nil: nowhere.
    package var valueTopic: String?
    /// What stands for 0 % and 100 %, or is the least and the greatest number.
    package var (low, high): (Double, Double)
    /// Where it is told a colour, `r,g,b`; nil: nowhere.
    package var colourTopic: String?
    /// Whether everything goes to `commandTopic` as one JSON object, as zigbee2mqtt and ESPHome's JSON lights want it.
    package var isJSON: Bool
    /// What computes what it is told; nil: it is told the word or the number itself.
    package var templates: CommandTemplates?
    /// Where it says what it does now, and how much: a fan's speed beside whether it is on. Nil: nowhere, nowhere else.
    package var (state, level): (SensorBinding?, SensorBinding?)
    /// Where it tells that it is there, and how several of those are read together.
    package var (availability, availabilityMode): ([Availability], Availability.Mode)

    /// See the properties.
    package init(
        commandTopic: String? = nil, on: String = "ON", off: String = "OFF", valueTopic: String? = nil,
        low: Double = 0, high: Double = 100, colourTopic: String? = nil, isJSON: Bool = false,
        templates: CommandTemplates? = nil, state: SensorBinding? = nil, level: SensorBinding? = nil,
        availability: [Availability] = [], availabilityMode: Availability.Mode = .latest
    ) {
        (self.templates, self.level) = (templates, level)
        (self.commandTopic, self.on, self.off, self.valueTopic) = (commandTopic, on, off, valueTopic)
        (self.low, self.high, self.colourTopic, self.isJSON, self.state) = (low, high, colourTopic, isJSON, state)
        (self.availability, self.availabilityMode) = (availability, availabilityMode)
    }
}

package extension ActuatorBinding {
    /// Everywhere where it is told something.
    var topics: Set<String> { Set([commandTopic, valueTopic, colourTopic].compactMap(\.self)) }

    /// Everywhere where it is heard: what it does, and whether it is there.
    var reports: Set<String> { Set(availability.map(\.topic) + [state?.topic, level?.topic].compactMap(\.self)) }
}

/// What computes what an actuator is told, by what that is.
package struct CommandTemplates: Sendable, Equatable, Codable {
    /// On, and off where that has none of its own; nil: the word itself.
    package var (turned, off): (Template?, Template?)
    /// A speed, a position, a brightness, a number or a text; and a colour.
    package var (value, colour): (Template?, Template?)

    /// None.
    package init() {}
}
