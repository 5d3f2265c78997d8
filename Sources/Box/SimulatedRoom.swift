/// The room that a simulated box stands in, and what its sensors read there: with warm-up, drift and noise as cheap sensors have them.
///
/// The same seed gives the same readings.
public struct SimulatedRoom: Sendable {
    /// What somebody does, or what befalls the room. The raw value is how a script calls it.
    public enum Act: String, Sendable, CaseIterable {
        /// Gas leaks until the room is aired or the valve closes.
        case leak
        /// A window is opened until the air is good.
        case air
        /// Something burns.
        case smoke
        /// The smoke is gone.
        case clear
        /// The door opens.
        case open
        /// The door closes.
        case close
        /// Somebody walks in front of the ultrasonic sensor.
        case walk
        /// Somebody shakes the box.
        case shake
        /// Somebody holds the tag of this house to the reader.
        case tag
        /// Somebody holds a tag to it that nobody ever saw.
        case stranger
        /// Somebody presses the button for help.
        case help
        /// The battery runs down within a minute.
        case drain
        /// A new battery.
        case charge
        /// The wire of the gas sensor breaks.
        case unplug
        /// It is mended.
        case mend
        /// The network is away.
        case cut
        /// It is back.
        case restore
        /// Power off and on.
        case restart
    }

    /// How fast everything goes.
    public struct Pace: Sendable {
        /// How long an MQ-2 warms up, in milliseconds. A real one takes minutes.
        public var warmUp: Int64
        /// How much a leak adds to the level in a second.
        public var leak: Double
        /// What a battery loses in an hour, in per cent.
        public var wear: Double

        /// A minute of demonstration.
        public static let usual = Pace(warmUp: 20_000, leak: 12, wear: 1)
        /// For tests.
        public static let fast = Pace(warmUp: 1_000, leak: 300, wear: 1)
    }

    private let pace: Pace
    private var random: Generator
    private var last: Int64?
    private var poweredAt: Int64
    private var leakage = 0.0
    private var drift = 0.0
    private var shakesUntil: Int64 = 0
    private var walksUntil: Int64 = 0
    private var drains = false

    /// Whether gas comes out.
    public private(set) var isLeaking = false
    /// Whether a window is open.
    public private(set) var isAired = false
    /// Whether there is smoke.
    public private(set) var hasSmoke = false
    /// Whether the door is open.
    public private(set) var isDoorOpen = false
    /// Whether the gas sensor's wire is broken.
    public private(set) var isUnplugged = false
    /// Per cent.
    public private(set) var battery = 100.0

    /// - Parameters:
    ///   - now: milliseconds that only go forward; the sensors begin to warm up.
    public init(pace: Pace = .usual, seed: UInt64, now: Int64) {
        (self.pace, random, poweredAt) = (pace, Generator(state: seed), now)
    }

    /// The power comes back.
    public mutating func powerOn(at now: Int64) { poweredAt = now }

    /// Whether there is power at all.
    public var hasPower: Bool { battery > 0 }
    /// Whether the gas sensor is too cold to be believed.
    public func isWarming(at now: Int64) -> Bool { now - poweredAt < pace.warmUp }
    /// Whether somebody stands before the ultrasonic sensor.
    public func hasSomebody(at now: Int64) -> Bool { now < walksUntil }

    /// Does what concerns the room; tags, the button, the network and the power are the box's.
    public mutating func take(_ act: Act, at now: Int64) {
        switch act {
        case .leak: (isLeaking, isAired) = (true, false)
        case .air: (isLeaking, isAired) = (false, true)
        case .smoke: hasSmoke = true
        case .clear: hasSmoke = false
        case .open: isDoorOpen = true
        case .close: isDoorOpen = false
        case .walk: walksUntil = now + 5_000
        case .shake: shakesUntil = now + 1_500
        case .drain: drains = true
        case .charge: (battery, drains) = (100, false)
        case .unplug: isUnplugged = true
        case .mend: isUnplugged = false
        case .tag, .stranger, .help, .cut, .restore, .restart: return
        }
    }

    /// Time goes on.
    /// - Parameters:
    ///   - fan: of the box, in per cent: it takes gas out.
    ///   - isValveOpen: whether more of it can come.
    public mutating func step(to now: Int64, fan: UInt8, isValveOpen: Bool) {
        let seconds = Double(max(now - (last ?? now), 0)) / 1000
        last = now
        if isLeaking, isValveOpen { leakage += pace.leak * seconds }
        // Air changes by itself, faster by the fan, fastest by the window.
        let change = 0.004 + 0.04 * Double(fan) / 100 + (isAired ? 0.25 : 0)
        leakage *= max(1 - change * (pace.leak / Pace.usual.leak) * seconds, 0)
        if leakage < 1 { isAired = false }
        drift = min(max(drift + random.spread(1.5) * seconds, -25), 25)
        battery = max(battery - (drains ? 100.0 / 60 : pace.wear / 3600) * seconds, 0)
    }

    /// What the sensors read; nil: nothing comes from there.
    public mutating func read(at now: Int64) -> [BoxSensor: Double?] {
        let cold = isWarming(at: now) ? 500 * (1 - Double(now - poweredAt) / Double(pace.warmUp)) : 0
        let gas = 180 + drift + leakage + cold + random.spread(4)
        let empty = 312 + random.spread(3)
        return [
            .gas: isUnplugged ? nil : min(max(gas, 0), 1023).rounded(),
            .smoke: hasSmoke ? 1 : 0,
            .distance: (hasSomebody(at: now) ? 62 + random.spread(4) : empty).rounded(),
            .vibration: now < shakesUntil ? 1 : 0,
            .door: isDoorOpen ? 1 : 0,
            .battery: battery.rounded(.up),
        ]
    }

    /// SplitMix64.
    private struct Generator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var z = state
            z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
            z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
            return z ^ (z >> 31)
        }

        /// Between minus and plus so much.
        mutating func spread(_ most: Double) -> Double { (Double(next() >> 11) / Double(1 << 53) * 2 - 1) * most }
    }
}
