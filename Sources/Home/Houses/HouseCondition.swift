import Identity
import JSON
import Ledger
import Pages
import Safeguard
import System

/// How a house is, in one word: the first of these that fits.
enum HouseCondition: String, Sendable, JSONChoice {
    /// An alarm that is no fault has not ended.
    case alarm
    /// The time to disarm runs.
    case entering
    /// It has something that should speak, and none of it does.
    case noConnection
    /// Something in it does not work.
    case faulty
    /// It is armed, and does not count what somebody bypassed.
    case bypassed
    /// Its thresholds are turned off, and it measures something.
    case thresholdsOff
    /// Its sensors are not to be believed yet.
    case warming
    /// It has devices, and no sensor in use.
    case unwatched
    /// All is well.
    case fine
    /// Nothing is connected yet.
    case empty

    /// As colour and shape.
    var tone: Tone {
        switch self {
        case .alarm, .entering: .no
        case .noConnection, .faulty, .bypassed, .thresholdsOff, .warming, .unwatched: .wait
        case .fine: .go
        case .empty: .idle
        }
    }
}

/// How long ago a house spoke last.
enum Contact: String, Sendable, JSONChoice {
    /// Something of it is connected.
    case fresh
    /// Nothing is, and something was today.
    case old
    /// Nothing was for a day, or in this run of the hub.
    case lost
}

/// A house as a whole, at one moment.
struct HouseSummary: Sendable, Equatable {
    let site: SiteID
    let condition: HouseCondition
    let panel: Panel
    /// Those that have not ended.
    let alarms: [HouseAlarm]
    /// The same as people read them: what is behind a connection that is gone is one line.
    let lines: [HouseAlarm]
    /// When anything of it spoke last; nil: never in this run of the hub.
    let heard: Timestamp?
    /// How many gateways it has, and how many of them are there.
    let gateways: Int
    let connected: Int
    /// How many sensors it has, and of how many one does not know how it is.
    let sensors: Int
    let troubled: Int
    let actuators: Int

    /// How long ago it spoke, as its pin shows it.
    func contact(at now: Timestamp) -> Contact {
        if connected > 0 { return .fresh }
        return heard.map { now.milliseconds - $0.milliseconds < 86_400_000 } ?? false ? .old : .lost
    }

    /// Another one when the panel or the alarms are others: a page that was made before then is asked for anew.
    var stamp: String {
        "\(panel.state.name) \(panel.number) \(panel.isSounding) \(alarms.count) \(alarms.map(\.id).max()?.text ?? "")"
    }
}

extension PanelState {
    /// As colour and shape.
    var tone: Tone {
        switch self {
        case .disarmed: .idle
        case .arming: .wait
        case .armedHome, .armedAway, .armedNight, .armedVacation: .go
        case .pending, .triggered: .no
        }
    }
}

extension HomeLiveWords {
    /// How a house is.
    func condition(_ condition: HouseCondition) -> String {
        switch condition {
        case .alarm: alarm
        case .entering: entering
        case .noConnection: noConnection
        case .faulty: faulty
        case .bypassed: bypassed
        case .thresholdsOff: thresholdsOff
        case .warming: warmingUp
        case .unwatched: unwatched
        case .fine: fine
        case .empty: empty
        }
    }
}
