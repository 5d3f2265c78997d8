import Accounts
import Household
import Identity

/// What a kind of sensor or actuator is called, what its value means, and how to read it.
struct KindWords: Sendable {
    let name: String
    let meaning: String
    let reading: String

    init(_ name: String, _ meaning: String, _ reading: String) {
        (self.name, self.meaning, self.reading) = (name, meaning, reading)
    }
}

/// The words for all kinds of sensors and actuators.
struct HomeKindWords: Sendable {
    let sensors: [SensorKind: KindWords]
    let actuators: [ActuatorKind: KindWords]

    static func `in`(_ language: Language) -> HomeKindWords {
        switch language {
        case .en: en
        case .it: it
        case .es: es
        }
    }

    func kind(_ kind: SensorKind) -> KindWords { sensors[kind] ?? KindWords(kind.rawValue, "", "") }
    func kind(_ kind: ActuatorKind) -> KindWords { actuators[kind] ?? KindWords(kind.rawValue, "", "") }
}
