import Safeguard

/// What the box shows to whoever stands before it: one light and two lines of sixteen characters, which know no umlauts.
struct BoxDisplay: Sendable, Equatable {
    /// Characters of a line.
    static let width = 16

    /// Red, green, blue.
    var colour: (red: UInt8, green: UInt8, blue: UInt8)
    /// The two lines.
    var lines: [String]

    /// - Parameter isConnected: whether the hub is there.
    init(_ core: BoxCore, isConnected: Bool, at now: Int64) {
        colour = Self.colour(core)
        lines = [Self.cut(Self.state(core)), Self.cut(Self.detail(core, isConnected, at: now))]
    }

    /// Seconds until the state ends, rounded up; nil: until something happens.
    static func countdown(_ panel: Panel, at now: Int64) -> Int64? { panel.left(at: now).map { ($0 + 999) / 1000 } }

    static func == (one: Self, other: Self) -> Bool { one.colour == other.colour && one.lines == other.lines }

    private static func colour(_ core: BoxCore) -> (red: UInt8, green: UInt8, blue: UInt8) {
        switch core.panel.state {
        case .triggered: (255, 0, 0)
        case _ where core.isGasOver: (255, 0, 0)
        case .pending, .arming: (255, 160, 0)
        case .armedHome, .armedAway, .armedNight, .armedVacation: (0, 0, 255)
        case .disarmed: core.colour ?? (0, 255, 0)
        }
    }

    private static func state(_ core: BoxCore) -> String {
        switch core.panel.state {
        case .disarmed: core.isGasOver ? "Gas" : "Disarmed"
        case .arming: "Leave now"
        case .armedHome: "Armed: home"
        case .armedAway: "Armed: away"
        case .armedNight: "Armed: night"
        case .armedVacation: "Armed: vacation"
        case .pending: "Disarm now"
        case .triggered: core.isGasOver ? "ALARM: gas" : "ALARM"
        }
    }

    private static func detail(_ core: BoxCore, _ isConnected: Bool, at now: Int64) -> String {
        if core.isLearning(at: now) { return "Hold a new tag" }
        if core.faulty.contains(.gas) { return "No gas sensor" }
        if core.faulty.contains(.battery) { return "Battery is low" }
        if core.isWarming { return "Warming up" }
        if !core.kept.isValveOpen { return "Valve is closed" }
        if !isConnected { return "No hub" }
        return core.message
    }

    /// Printable ASCII; what the display has no sign for is a question mark.
    private static func cut(_ text: String) -> String {
        String(text.unicodeScalars.prefix(width).map { (0x20..<0x7f).contains($0.value) ? Character($0) : "?" })
    }
}
