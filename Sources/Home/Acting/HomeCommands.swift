import Commands
import Household
import Ledger
import System

/// Tells an actuator of a house something: the command that pages, programs, other features and Flows send. It opens no valve, and
/// lowers nothing that protects a house that is armed or has an alarm.
package struct SetActuator: Command {
    /// Nothing: what the actuator does then, it says itself.
    package typealias Outcome = Void

    /// Which.
    package let actuator: ActuatorID
    /// What.
    package let value: ActuatorValue

    /// See the properties.
    package init(actuator: ActuatorID, value: ActuatorValue) { (self.actuator, self.value) = (actuator, value) }

    /// On twice is on.
    package static let manifest = Manifest(
        name: "home.actuator.set", effect: .idempotent, capability: "switch things in a house",
        inputs: [Pin("actuator", .actuator), Pin("value", .text)], outputs: [])
}

/// Looks at a sensor of a house.
package struct ReadSensor: Command {
    /// How it is.
    package typealias Outcome = SensorReport

    /// Which.
    package let sensor: SensorID

    /// See the property.
    package init(sensor: SensorID) { self.sensor = sensor }

    /// A look.
    package static let manifest = Manifest(
        name: "home.sensor.read", effect: .read, capability: "see a house", inputs: [Pin("sensor", .sensor)],
        outputs: [
            Pin("value", .number, optional: true), Pin("at", .time, optional: true), Pin("status", .text),
        ])
}

/// A sensor, and how it is.
package struct SensorReport: Sendable, Equatable {
    /// Which.
    package let sensor: Sensor
    /// What it told last, when, and whether that counts.
    package let state: SensorState
}

/// Why a command of a house was not followed.
package enum HomeRefusal: Error, Sendable, Equatable {
    /// There is no such thing in a house of the one who asks.
    case unknown
    /// Their membership does not allow it.
    case notAllowed
    /// It knows nothing of the kind: a siren takes no colour.
    case notOfItsKind
    /// It knows the kind, and the value is out of range.
    case outOfRange
    /// It would open a valve.
    case opens
    /// It would open a valve while there is smoke, gas or water in the house.
    case inAirAlarm
    /// It would lower what protects a house that is armed, or that has an alarm.
    case protects
    /// It was told too often in the last seconds.
    case tooOften
    /// It was added by hand for a topic that is something else's.
    case anothers
    /// There is no way to it now.
    case notReachable

    init(_ refusal: ActuationRefusal) {
        self =
            switch refusal {
            case .notOfItsKind: .notOfItsKind
            case .outOfRange: .outOfRange
            case .unknown: .unknown
            case .notReachable: .notReachable
            case .opens, .onlyByOrder: .opens
            case .inAirAlarm: .inAirAlarm
            case .tooOften: .tooOften
            case .anothers: .anothers
            }
    }
}
