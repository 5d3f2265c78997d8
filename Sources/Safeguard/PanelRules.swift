/// Seconds, one figure for each mode.
public struct Delays: Sendable, Equatable {
    /// The longest, in seconds.
    public static let longest: UInt16 = 600

    private var seconds: [UInt16]

    /// The same for all, cut at `longest`.
    public init(_ all: UInt16) { seconds = Array(repeating: min(all, Self.longest), count: 4) }

    /// One each, cut at `longest`.
    public init(home: UInt16, away: UInt16, night: UInt16, vacation: UInt16) {
        seconds = [home, away, night, vacation].map { min($0, Self.longest) }
    }

    /// The seconds of a mode.
    public subscript(mode: ArmMode) -> UInt16 {
        get { seconds[Int(mode.rawValue - ArmMode.home.rawValue)] }
        set { seconds[Int(mode.rawValue - ArmMode.home.rawValue)] = min(newValue, Self.longest) }
    }
}

/// What a house has chosen for its panel.
public struct PanelRules: Sendable, Equatable {
    /// How long an alarm sounds, in seconds, at least.
    public static let shortestAlarm: UInt16 = 30
    /// The same at most.
    public static let longestAlarm: UInt16 = 900

    /// The time to leave.
    public var exitDelay: Delays
    /// The time to disarm after coming in.
    public var entryDelay: Delays
    /// How long an alarm sounds, in seconds.
    public var alarmTime: UInt16
    /// Whether the panel is disarmed when an alarm has sounded its time; else it stands as it did before.
    public var disarmsAfterAlarm: Bool

    /// Home: out at once, in within 30 s; else a minute and 30 s; two minutes of alarm, after which it is armed again.
    public init(
        exitDelay: Delays = Delays(home: 0, away: 60, night: 0, vacation: 60), entryDelay: Delays = Delays(30),
        alarmTime: UInt16 = 120, disarmsAfterAlarm: Bool = false
    ) {
        (self.exitDelay, self.entryDelay, self.disarmsAfterAlarm) = (exitDelay, entryDelay, disarmsAfterAlarm)
        self.alarmTime = min(max(alarmTime, Self.shortestAlarm), Self.longestAlarm)
    }
}
