import Household
import Safeguard

/// What a discovery message tells of a device: as it is kept, to see later what has changed.
package struct DiscoveredDevice: Sendable, Equatable, Codable {
    /// What its gateway calls it: letters, digits, `_` and `-`.
    package var key: String
    /// What people would call it.
    package var name: String
    /// Who made it; empty: not told.
    package var maker: String
    /// What it is; empty: not told.
    package var model: String
    /// In which room; empty: not told.
    package var area: String
    /// What it measures.
    package var sensors: [DiscoveredSensor]
    /// What it does.
    package var actuators: [DiscoveredActuator]
    /// The components that are not taken.
    package var refused: [Refused]

    /// A component that is not taken.
    package struct Refused: Sendable, Equatable, Codable {
        /// As the device calls it.
        package let component: String
        package let why: DiscoveryRefusal
        /// Whether it would watch for gas, fire or carbon monoxide; nil: a hub of before did not ask.
        package var savesLives: Bool?
        /// Which one it is of those of its message, where it would; nil: a hub of before did not ask.
        package var key: String?
    }
}

/// One thing that a discovered device measures.
package struct DiscoveredSensor: Sendable, Equatable, Codable {
    /// Its unique id, as a key.
    package var key: String
    /// What people would call it.
    package var name: String
    /// What it measures.
    package var kind: SensorKind
    /// In which unit; empty: none.
    package var unit = ""
    /// What it can tell, from…
    package var low: Double?
    /// …to; nil: any number.
    package var high: Double?
    /// How often it speaks, in seconds; nil: when it wants to.
    package var period: Double?
    /// What tripping it means, by `SensorClass.rawValue`; nil: nothing.
    package var alarmClass: UInt8?
    /// Where its values come from.
    package var binding: SensorBinding

    var range: ClosedRange<Double>? {
        guard let low, let high, low <= high else { return nil }
        return low...high
    }
}

/// One thing that a discovered device does.
package struct DiscoveredActuator: Sendable, Equatable, Codable {
    /// Its unique id, as a key.
    package var key: String
    /// What people would call it.
    package var name: String
    /// What it moves.
    package var kind: ActuatorKind
    /// How it is told.
    package var binding: ActuatorBinding
}
