import Accounts
import Household
import Identity
import Safeguard

/// The words of the pages of devices.
struct HomeDevicesWords: Sendable {
    let language: Language

    // MARK: the list

    let devices: String
    let none: String
    let noneDetail: String
    let connect: String
    let connectDetail: String
    let gatewayKinds: [Gateway.Kind: String]
    let lastContact: String
    let nothingOnIt: String
    let untaken: @Sendable (Int) -> String
    let outOfUse: String
    let outOfUseDetail: String
    let isolatedTitle: String
    let isolatedDetail: String
    let release: String
    let area: @Sendable (String) -> String

    // MARK: one device

    let details: String
    let what: String
    let howToRead: String
    let chart: String
    let currentValue: String
    let activeIn: String
    let activeNowhere: String
    let madeBy: String
    let cameBy: String
    let discovered: String
    let added: String
    let change: String
    let changeOf: @Sendable (String) -> String
    let name: String
    let areaField: String
    let save: String
    let saved: String
    let retire: String
    let retireDetail: String
    let reuse: String
    let reused: String

    // MARK: a sensor

    let unit: String
    let low: String
    let high: String
    let rangeHint: String
    let period: String
    let periodHint: String
    let alarmClass: String
    let classes: [SensorClass: String]
    let noClass: String
    let usualClass: String
    let kind: String
    let topic: String
    let topicHint: String
    let member: String
    let memberHint: String
    let onText: String
    let offText: String

    // MARK: an actuator

    let set: String
    let told: String
    let turnOn: String
    let turnOff: String
    let openIt: String
    let closeIt: String
    let openNeedsProof: String
    let percent: String
    let colour: String
    let text: String
    let number: String
    let send: String
    let notReachable: String
    let outOfRange: String
    let opens: String
    let onlyByOrder: String
    let tooOften: String
    let anothers: String
    let notOfItsKind: String
    let unknown: String
    /// How many messages were not taken, and why the last one.
    let refused: @Sendable (Int, String) -> String

    // MARK: something added in the app

    let addSensor: String
    let addActuator: String
    let addDetail: String
    let gateway: String
    let addOwn: String
    let faults: @Sendable (DeviceFault) -> String

    static func `in`(_ language: Language) -> HomeDevicesWords {
        switch language {
        case .en: en
        case .it: it
        case .es: es
        }
    }

    /// What kinds of sensors and actuators are called.
    var kinds: HomeKindWords { .in(language) }
}
