import Accounts
import Identity
import Safeguard

/// The words of the page of the air.
struct CareWords: Sendable {
    let language: Language
    let title: String

    // MARK: how it is

    let noSensor: String
    let noSensorDetail: String
    /// The threshold, in words, beside the level.
    let below: @Sendable (String) -> String
    let over: @Sendable (String) -> String
    let unwatched: String
    /// That a sensor of dangerous air raises no alarm at all.
    let nothingWatches: String
    /// How carbon monoxide in numbers is watched; that it is an alarm by that; and that a level was chosen beside it.
    let exposure: String
    let exposed: String
    let exposing: @Sendable (_ minutes: Int) -> String
    let levelToo: String
    /// Of a threshold that nobody has chosen.
    let usual: String
    let unknown: String
    let warmingDetail: String
    let detectorQuiet: String
    let detectorAlarm: String
    let chart: String

    // MARK: the threshold

    let threshold: String
    let thresholdHint: @Sendable (String, String) -> String
    let hysteresis: String
    let hysteresisHint: String
    let rise: String
    let riseHint: String
    let more: String
    let save: String
    let none: String
    /// How many alarms, in how many days.
    let evidence: @Sendable (Int, Int) -> String
    let noEvidence: String
    let changed: @Sendable (_ sensor: String, _ now: String) -> String
    let before: @Sendable (String) -> String
    let nothing: String
    let undo: String

    // MARK: the sensor

    let inUse: @Sendable (_ day: String, _ age: String?) -> String
    let months: @Sendable (Int) -> String
    let years: @Sendable (Int) -> String
    let old: String
    let installed: String
    let noDetector: String

    // MARK: fans and valves

    let fans: String
    let fanOff: String
    let fanRuns: @Sendable (Int) -> String
    let fanFollows: @Sendable (_ sensor: String) -> String
    let fanFree: String
    let byHandUntil: @Sendable (String) -> String
    /// The same, on the next day.
    let byHandUntilTomorrow: @Sendable (String) -> String
    let byHand: String
    let speed: String
    let off: String
    let duration: String
    let minutes: @Sendable (Int) -> String
    let hours: @Sendable (Int) -> String
    let run: String
    let byRule: String
    let rule: String
    let follows: String
    let followsNothing: String
    let most: String
    let mostHint: String
    let shortestRun: String
    let valves: String
    let valveDetail: String

    // MARK: whether thresholds count

    let isOn: String
    let isOff: String
    let isOffDetail: String
    let boxGoesOn: String
    let turnOff: String
    let turnOn: String
    let askOff: String
    let askOffDetail: String
    let keepOn: String

    // MARK: refusals

    let notMeasured: String
    let notLevel: String
    let outside: @Sendable (String, String) -> String
    let hysteresisRefused: String
    let riseRefused: String
    let mostRefused: String
    let runRefused: String
    let noSuchSensor: String
    let dayRefused: String

    static func `in`(_ language: Language) -> CareWords {
        switch language {
        case .en: en
        case .it: it
        case .es: es
        }
    }

    /// Why a threshold is none.
    func refusal(_ refusal: ThresholdRefusal, _ unit: String) -> String {
        switch refusal {
        case .notMeasured: notMeasured
        case .level: notLevel
        case .outside(let range):
            outside(
                Figure.chosen(range.lowerBound, unit, language), Figure.chosen(range.upperBound, unit, language))
        case .hysteresis: hysteresisRefused
        case .rise: riseRefused
        }
    }
}
