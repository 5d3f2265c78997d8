import Accounts
import Identity

/// The words of the pages about alarms.
struct AlarmPageWords: Sendable {
    let language: Language
    let title: String
    let none: String
    let noneDetail: String
    let noneOfKind: String
    /// The filter.
    let all: String
    let kinds: [HouseAlarm.Kind: String]
    /// The columns.
    let what: String
    let when: String
    let reading: String
    let care: String
    let state: String
    let older: String
    let newest: String
    /// How it is.
    let stands: String
    let silenced: String
    let isOver: String
    let exercise: String
    /// How long it lasted; since when it lasts.
    let lasted: @Sendable (String) -> String
    let since: @Sendable (String) -> String
    let seconds: @Sendable (Int) -> String
    let minutes: @Sendable (Int) -> String
    let hours: @Sendable (Int, Int) -> String
    let days: @Sendable (Int) -> String
    /// Who did what.
    let takenBy: @Sendable (String) -> String
    let silencedBy: @Sendable (String) -> String
    let endedBy: @Sendable (String) -> String
    let raisedBy: @Sendable (String) -> String
    let nobodyYet: String
    let somebody: String
    /// On an alarm's page.
    let drillNoCall: String
    let nothingToDo: String
    let todo: String
    let place: String
    let street: String
    let act: String
    let silence: String
    let silenceHint: String
    let take: String
    let end: String
    let callEmergency: @Sendable (String) -> String
    let callContact: @Sendable (String) -> String
    let callHint: String
    let told: String
    let toldNobody: String
    let beingTold: String
    let toldAgain: @Sendable (Int) -> String
    let notYet: String
    let notReached: String
    let onScreen: @Sendable (String) -> String
    let reads: @Sendable (String) -> String
    let takesCare: @Sendable (String) -> String
    let way: [String: String]
    let sentAs: [String: String]
    let openSensor: String
    let done: String
    /// How people are called.
    let call: String
    let callIntro: String
    let how: String
    let atOnce: String
    let inTurn: String
    let minutesBetween: String
    let minutesHint: String
    let first: String
    let firstHint: String
    let anybody: String
    let emergency: String
    let emergencyHint: String
    let contacts: String
    let contactsHint: String
    let name: String
    let number: String
    let optional: String
    let weekly: String
    let weeklyHint: String
    let never: String
    let weekdays: [String]
    let hour: String
    let save: String
    let saved: String
    let refused: [String: String]
    let test: String
    let testIntro: String
    let testBegin: String
    let testRuns: String
    let testOver: String
    let testNone: String
    let testHistory: String
    let fromBox: String
    let fromHub: String
    let step: [String]
    let answered: @Sendable (String) -> String
    let silentPhone: String
    let silentPhones: @Sendable (Int) -> String
    let allAnswered: @Sendable (String) -> String
    let noPhones: String
    let noPhonesLink: String
    let tooSoon: @Sendable (Int) -> String
    let byItself: String
    let byPerson: @Sendable (String) -> String
    let unknownPhone: String
    let on: String
    /// The exercise.
    let drill: String
    let drillIntro: String
    let drillMinutes: String
    let drillSounds: String
    let drillBegin: String
    let drillRuns: @Sendable (String) -> String
    let drillRaise: @Sendable (String) -> String
    let drillEnd: String
    let drillReal: String

    static func `in`(_ language: Language) -> AlarmPageWords {
        switch language {
        case .en: en
        case .it: it
        case .es: es
        }
    }

    /// How long something lasted, in one or two units.
    func duration(_ milliseconds: Int64) -> String {
        let seconds = Int(max(milliseconds, 0) / 1000)
        return switch seconds {
        case 0..<90: self.seconds(max(seconds, 1))
        case 90..<5_400: minutes((seconds + 30) / 60)
        case 5_400..<172_800: hours(seconds / 3_600, seconds % 3_600 / 60)
        default: days(seconds / 86_400)
        }
    }

    /// Of a test: milliseconds as seconds with one figure behind the point.
    func figure(_ milliseconds: Int64) -> String {
        let tenths = max(milliseconds + 50, 0) / 100
        let point = language == .en ? "." : ","
        return milliseconds < 1_000 ? "\(milliseconds) ms" : "\(tenths / 10)\(point)\(tenths % 10) s"
    }
}
