import Safeguard

/// What the box measures. The raw value is the sensor's key on the bus and in settings.
public enum BoxSensor: String, Sendable, CaseIterable {
    /// An MQ-2's analogue value, 0 to 1023: a level, no concentration.
    case gas
    /// Whether there is smoke.
    case smoke
    /// What an ultrasonic sensor sees before it, in cm; 0: nothing.
    case distance
    /// Whether somebody shakes the box.
    case vibration
    /// Whether the door is open.
    case door
    /// What is left of the battery, in per cent.
    case battery

    /// Whether it tells yes or no, as 1 or 0.
    public var isTruth: Bool {
        switch self {
        case .smoke, .vibration, .door: true
        case .gas, .distance, .battery: false
        }
    }

    /// In which it tells; empty: a bare level.
    public var unit: String {
        switch self {
        case .distance: "cm"
        case .battery: "%"
        case .gas, .smoke, .vibration, .door: ""
        }
    }

    /// What the sensor can tell.
    public var range: ClosedRange<Double> {
        switch self {
        case .gas: 0...1023
        case .distance: 0...400
        case .battery: 0...100
        case .smoke, .vibration, .door: 0...1
        }
    }

    /// What tripping it means until the house says otherwise.
    public var usualClass: SensorClass? {
        switch self {
        case .gas, .smoke: .environmental
        case .distance: .motion
        case .vibration: .tamper
        case .door: .door
        case .battery: nil
        }
    }

    /// Whether it counts always: no setting and no bypass turns gas and smoke into something harmless.
    var isAlwaysOn: Bool { usualClass == .environmental }

    /// How often it is told when nothing changes, in milliseconds.
    var period: Int64 {
        switch self {
        case .gas, .distance: 2_000
        case .smoke, .vibration, .door: 15_000
        case .battery: 30_000
        }
    }

    /// A smaller change waits for the period.
    var deadband: Double {
        switch self {
        case .gas, .distance: 10
        case .battery: 1
        case .smoke, .vibration, .door: 0.5
        }
    }
}

/// What the box moves. The raw value is the actuator's key on the bus.
public enum BoxActuator: String, Sendable, CaseIterable {
    case siren
    /// Off, or at 50 to 100 %.
    case fan
    /// The stepper on the gas pipe.
    case valve
    /// One RGB light.
    case led
    /// Two lines of sixteen characters.
    case lcd
    /// A switched socket for an appliance.
    case plug
    /// Takes a picture when it is told anything.
    case camera
}
