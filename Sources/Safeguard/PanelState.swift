/// How the alarm panel of a house stands. The names are Home Assistant's (`alarm_control_panel`, 2025.4).
public enum PanelState: UInt8, Sendable, CaseIterable {
    /// Nobody is looked for; gas and smoke are.
    case disarmed = 0
    /// Armed in a moment: the time to leave.
    case arming = 1
    /// Armed with people inside.
    case armedHome = 2
    /// Armed with nobody inside.
    case armedAway = 3
    /// Armed while people sleep.
    case armedNight = 4
    /// Armed for long with nobody inside.
    case armedVacation = 5
    /// Something was tripped: the time to disarm.
    case pending = 6
    /// The alarm.
    case triggered = 7

    /// `armed_away`.
    public var name: String {
        switch self {
        case .disarmed: "disarmed"
        case .arming: "arming"
        case .armedHome: "armed_home"
        case .armedAway: "armed_away"
        case .armedNight: "armed_night"
        case .armedVacation: "armed_vacation"
        case .pending: "pending"
        case .triggered: "triggered"
        }
    }

    /// The state of that name; nil when there is none.
    public init?(name: String) {
        guard let state = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = state
    }

    /// Whether an intruder is looked for, and nothing has happened yet.
    public var isArmed: Bool { (Self.armedHome.rawValue...Self.armedVacation.rawValue).contains(rawValue) }
}

/// For what one arms.
public enum ArmMode: UInt8, Sendable, CaseIterable {
    /// People are inside: doors count, motion does not.
    case home = 2
    /// Nobody is inside.
    case away = 3
    /// People sleep: doors count, motion does not.
    case night = 4
    /// Nobody is inside for long.
    case vacation = 5

    /// `away`.
    public var name: String {
        switch self {
        case .home: "home"
        case .away: "away"
        case .night: "night"
        case .vacation: "vacation"
        }
    }

    /// The mode of that name; nil when there is none.
    public init?(name: String) {
        guard let mode = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = mode
    }

    /// The state that it leads to.
    public var state: PanelState {
        switch self {
        case .home: .armedHome
        case .away: .armedAway
        case .night: .armedNight
        case .vacation: .armedVacation
        }
    }

    /// Whether somebody who moves inside does not belong there.
    public var isEmptyHouse: Bool { self == .away || self == .vacation }
}

/// What tripping a sensor means.
public enum SensorClass: UInt8, Sendable, CaseIterable {
    /// Gas, smoke, water: an alarm in every state, at once.
    case environmental = 1
    /// Somebody moves: counts when nobody is inside, after the entry delay.
    case motion = 2
    /// A door or window: counts in every armed state, after the entry delay.
    case door = 3
    /// Somebody handles the house itself: in every armed state, at once.
    case tamper = 4

    /// `motion`.
    public var name: String {
        switch self {
        case .environmental: "environmental"
        case .motion: "motion"
        case .door: "door"
        case .tamper: "tamper"
        }
    }

    /// The class of that name; nil when there is none.
    public init?(name: String) {
        guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = found
    }
}
