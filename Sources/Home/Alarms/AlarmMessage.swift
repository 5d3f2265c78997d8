import Household
import JSON
import Notices
import Safeguard

/// What an alarm or a fault says: its code with what belongs in it. The words are found when people read them, in their language and as this
/// version of the hub writes them. Kept as JSON, `{"code": {…}}`: a case and its labels keep their names.
enum AlarmMessage: Sendable, Hashable, Codable {
    /// Gas, smoke or the like is in the air, or water on the floor.
    case air(Air)
    /// A sensor does not do its part: it is silent, not connected, or set aside.
    case silent(kind: SensorKind, name: String, status: SensorStatus)
    /// A sensor that watches for intruders was tripped.
    case tripped(by: Trip, name: String)
    /// The same of one that is out of use since; nil: under which name it was armed is not known.
    case trippedUnknown(name: String?)
    /// A box sounds and does not say why.
    case sounds(box: String)
    /// The button of a box, or a panic button, calls for help.
    case called(name: String)
    /// A tag that the house does not know was held to the reader of a box while the house was armed.
    case unknownTag(box: String)
    /// A sensor does not do its part although the house is armed.
    case weak(name: String, how: Weakness)
    /// A siren or a valve has no connection.
    case unreachable(name: String, isValve: Bool)
    /// A connection is gone, and with it all that is behind it: told once, in the place of each of those.
    case gone(connection: String)
    /// Something is wrong with what a connection sends.
    case gateway(name: String, trouble: GatewayTrouble)
    /// A box does not obey the hub; whether the two differ about what time it is.
    case orderRefused(box: String, isAboutClock: Bool)
    /// A device contradicts itself or another one.
    case device(name: String, matter: DeviceMatter)
    /// Many devices of a connection do.
    case devices(gateway: String, matter: DevicesMatter)
    /// A detector that saves lives is not taken, so that it warns of nothing.
    case refusedDetector(name: String, why: DiscoveryRefusal)
    /// So many more of a connection are not.
    case refusedDetectors(gateway: String, more: Int)
    /// Nothing but what it is about: an exercise.
    case hazard(Hazard)
    /// Words of people or of another system, or of a hub that kept words alone.
    case written(Written)
    /// What a box saw while it had no connection, so many minutes before people could be told; nil: its clock did not know.
    indirect case late(AlarmMessage, minutes: Int?)

    /// What was measured or detected.
    struct Air: Sendable, Hashable, Codable {
        let kind: SensorKind
        /// The sensor with its device or room.
        let name: String
        /// Its room, or its device; nil: nothing is known of where it is.
        var place: String?
        /// In its unit; nil: a detector that knows yes and no.
        var value: Double?
        var unit = ""
        var cause: Cause?

        /// Why a measured value is an alarm.
        enum Cause: Sendable, Hashable, Codable {
            case level(Double)
            case risePerMinute(Double)
            /// Of carbon monoxide: so much for so long.
            case exposure
        }
    }

    /// What tripping a sensor means.
    enum Trip: String, Sendable, Codable {
        case near, opened, shaken, handled, other
    }

    /// Why a sensor does not do its part.
    enum Weakness: String, Sendable, Codable, JSONChoice {
        /// It has not spoken for a while.
        case silent
        /// It stood open when the house was armed, and counts again once it has been closed.
        case open
        /// It counted when the house was armed, and does not any more: taken out of use, or it means something else now.
        case missing
    }

    /// What many devices of a connection do.
    enum DevicesMatter: String, Hashable, Sendable, CaseIterable, Codable {
        /// Devices contradict themselves, or one another.
        case contradiction
        /// A device takes back what protects a house that is armed, or sounds.
        case withheld
    }

    /// What is wrong with what a device says of itself.
    enum DeviceMatter: String, Sendable, Codable {
        case restless, withheld, withheldWhileSounding, contested
    }

    /// In three languages: the title, and the body below it.
    struct Written: Sendable, Hashable, Codable {
        let en: String
        let it: String
        let es: String
    }
}

extension AlarmMessage {
    /// What others wrote.
    init(_ text: LocalizedText) {
        func joined(_ words: NoticeWords) -> String {
            words.body.isEmpty ? words.title : words.title + "\n" + words.body
        }
        self = .written(Written(en: joined(text[.en]), it: joined(text[.it]), es: joined(text[.es])))
    }

    /// What a sensor that watches for intruders has seen.
    init(trippedBy sensor: Sensor) {
        let trip: Trip =
            switch sensor.kind {
            case .distance, .motion: .near
            case .contact: .opened
            case .vibration: .shaken
            default: sensor.alarmClass == .tamper ? .handled : .other
            }
        self = .tripped(by: trip, name: sensor.name)
    }

    /// Whether power and network are to be looked at.
    var isAboutConnection: Bool {
        switch self {
        case .silent, .unreachable, .weak(_, .silent), .gone: true
        default: false
        }
    }

    /// Whether it is told after it happened.
    var isLate: Bool { if case .late = self { true } else { false } }

    /// The same without what may change while it stands: whenever it happened, however many they are.
    var lasting: AlarmMessage {
        switch self {
        case .late(let message, _): .late(message, minutes: nil)
        case .refusedDetectors: .refusedDetectors(gateway: "", more: 0)
        default: self
        }
    }

    /// What was measured or detected, also late; nil: it is about something else.
    var air: Air? {
        switch self {
        case .air(let air): air
        case .late(let message, _): message.air
        default: nil
        }
    }

    /// In every language.
    var text: LocalizedText {
        LocalizedText(
            en: AlarmMessageWords.en.words(of: self), it: AlarmMessageWords.it.words(of: self),
            es: AlarmMessageWords.es.words(of: self))
    }
}
