import Safeguard

/// What a discovery message tells of a device: as it is kept, to see later what has changed.
public struct DiscoveredDevice: Sendable, Equatable, Codable {
    /// What its gateway calls it: letters, digits, `_` and `-`.
    public var key: String
    /// What people would call it.
    public var name: String
    /// Who made it; empty: not told.
    public var maker: String
    /// What it is; empty: not told.
    public var model: String
    /// In which room; empty: not told.
    public var area: String
    /// What it measures.
    public var sensors: [DiscoveredSensor]
    /// What it does.
    public var actuators: [DiscoveredActuator]
    /// The components that are not taken.
    public var refused: [Refused]

    /// A component that is not taken.
    public struct Refused: Sendable, Equatable, Codable {
        /// As the device calls it.
        public let component: String
        public let why: DiscoveryRefusal
        /// Whether it would watch for gas, fire or carbon monoxide; nil: a hub of before did not ask.
        public var savesLives: Bool?
        /// Which one it is of those of its message, where it would; nil: a hub of before did not ask.
        public var key: String?
    }
}

/// One thing that a discovered device measures.
public struct DiscoveredSensor: Sendable, Equatable, Codable {
    /// Its unique id, as a key.
    public var key: String
    /// What people would call it.
    public var name: String
    /// What it measures.
    public var kind: SensorKind
    /// In which unit; empty: none.
    public var unit = ""
    /// What it can tell, from…
    public var low: Double?
    /// …to; nil: any number.
    public var high: Double?
    /// How often it speaks, in seconds; nil: when it wants to.
    public var period: Double?
    /// What tripping it means, by `SensorClass.rawValue`; nil: nothing.
    public var alarmClass: UInt8?
    /// Where its values come from.
    public var binding: SensorBinding

    var range: ClosedRange<Double>? {
        guard let low, let high, low <= high else { return nil }
        return low...high
    }
}

/// One thing that a discovered device does.
public struct DiscoveredActuator: Sendable, Equatable, Codable {
    /// Its unique id, as a key.
    public var key: String
    /// What people would call it.
    public var name: String
    /// What it moves.
    public var kind: ActuatorKind
    /// How it is told.
    public var binding: ActuatorBinding
}

extension SensorKind: Codable {}
extension ActuatorKind: Codable {}
