import Accounts
import Household
import Identity
import JSON
import Ledger
import Notices
import Pages
import Store
import System

/// Something that people of a house have to know at once, or that does not work.
struct HouseAlarm: Sendable, Equatable {
    /// The kind of id that names alarms.
    enum Name {}
    /// What it is.
    enum Kind: String, Sendable, JSONChoice {
        /// Gas, smoke, water.
        case environmental
        /// Somebody is in the house.
        case intrusion
        /// Somebody handles the house itself.
        case tamper
        /// Somebody calls for help, or another system raised it.
        case help
        /// A sensor that should speak does not, or speaks nonsense.
        case fault
    }
    /// Its name in tables.
    let id: HouseAlarmID
    /// Where.
    let site: SiteID
    /// What it is.
    let kind: Kind
    /// What told of it; nil: a person, or another system.
    let sensor: SensorID?
    /// What it says, without the name of the house.
    let message: AlarmMessage
    /// The reading, where there was one, in the sensor's unit.
    let value: Double?
    /// Whether it is an exercise or a self-test, of which people are told as such.
    let isDrill: Bool
    /// When it happened.
    let at: Timestamp
    /// When the hub raised it: later, where a box was alone.
    var raised: Timestamp
    /// Who raised it; nil: no person did.
    var raisedBy: PersonID?
    /// Whether it was over before anybody here could hear of it. What comes now is another one, never the same again.
    var isPast = false
    /// What cannot be reached, where it is no sensor.
    var actuator: ActuatorID?
    /// What is wrong with its sensor, where several things can be: one that is open is another fault than the same one silent.
    var aspect = ""

    /// The same in words, in every language.
    var text: LocalizedText { message.text }

    /// Its page.
    var path: LocalPath { "/houses/\(site.text)/alarms/\(id.text)" }

    /// Its title as people read it: of an exercise, that it is one.
    func title(_ language: Language) -> String {
        let title = text[language].title
        return isDrill ? AlarmWords.in(language).exercise(title) : title
    }

    /// The same, in other words.
    func saying(_ message: AlarmMessage) -> HouseAlarm {
        HouseAlarm(
            id: id, site: site, kind: kind, sensor: sensor, message: message, value: value, isDrill: isDrill, at: at,
            raised: raised, raisedBy: raisedBy, isPast: isPast, actuator: actuator, aspect: aspect)
    }

    /// What makes two alarms the same one while the first stands: a sensor that goes on ringing, a person who calls twice.
    struct Identity: Hashable {
        let site: SiteID
        let kind: Kind
        let sensor: SensorID?
        let isDrill: Bool
        let isPast: Bool
        let actuator: ActuatorID?
        /// Of an alarm without a thing: what it says.
        let message: AlarmMessage?
        let aspect: String
    }

    /// See `Identity`.
    var identity: Identity {
        Identity(
            site: site, kind: kind, sensor: sensor, isDrill: isDrill, isPast: isPast, actuator: actuator,
            message: sensor == nil && actuator == nil ? message.lasting : nil, aspect: aspect)
    }
}

/// The name of an alarm in tables.
typealias HouseAlarmID = ID<HouseAlarm.Name>
