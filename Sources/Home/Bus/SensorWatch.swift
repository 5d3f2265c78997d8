import Household
import System

/// What is known of one sensor between its readings.
struct SensorWatch: Sendable {
    /// What became of a value.
    enum Acceptance: Sendable, Equatable {
        /// - isBehind: it comes now, and says that it is from a while ago.
        /// - isAnew: a yes that it said before would have become a no by itself meanwhile.
        case taken(at: Timestamp, isBehind: Bool, isAnew: Bool)
        /// It is what we have already.
        case known
    }

    var sensor: Sensor
    var reader: PayloadReader
    /// Its place in the table.
    var gateway: Int
    /// Their places in the table.
    var availability: [Int]
    /// When somebody began to listen to it.
    private var begun: Timestamp
    /// When it told something last.
    private var heard: Timestamp?
    /// Whether it has told anything.
    private(set) var hasValue = false
    /// How it is.
    var status = SensorStatus.waiting
    private(set) var isLate = false
    private(set) var isExpired = false
    private(set) var isWarming = false
    /// It speaks although it, or the broker for it, has said that it is not there.
    var speaksAllTheSame = false
    private var warmingSince: Timestamp?
    private var lastTold: Timestamp?
    /// Whether it was heard since the connection was there: what the broker kept of it is no newer then.
    private var isHeard = false
    private var offAt: Timestamp?
    /// Since when it says nothing that can be, one message after the other; nil: what it said last can.
    private var invalidSince: Timestamp?
    /// After so many milliseconds of that what it said before is not how it is now.
    static let patience: Int64 = 60_000

    init(_ sensor: Sensor, gateway: Int, availability: [Int], at now: Timestamp) {
        (self.sensor, self.gateway, self.availability, begun) = (sensor, gateway, availability, now)
        reader = PayloadReader(sensor)
    }

    /// Takes a value of which the reader thinks well.
    /// - Parameter told: when it was measured, as the sensor says; nil: it does not.
    mutating func accept(
        _ value: ReadingValue, told: Timestamp?, isWarming: Bool, isRetained: Bool, now: Timestamp,
        _ limits: IntakeLimits
    ) -> Acceptance {
        if isRetained, isHeard || told.flatMap({ told in lastTold.map { told <= $0 } }) ?? false { return .known }
        // What comes now counts as of now: whether a clock is wrong or a message was late nobody can tell, and smoke does not wait.
        let isBehind = !isRetained && now.milliseconds - (told ?? now).milliseconds > limits.behind
        let at = isBehind ? now : min(told ?? now, now)
        lastTold = told ?? lastTold
        (heard, hasValue, isLate) = (now, true, false)
        if !isRetained { invalidSince = nil }
        // What comes now is heard now.
        isExpired = isRetained && expires(at, now)
        warmingSince = isWarming ? warmingSince ?? now : nil
        self.isWarming = warmingSince.map { now.milliseconds - $0.milliseconds < limits.warming } ?? false
        if !isRetained { (speaksAllTheSame, isHeard) = (true, true) }
        let isDue = offAt.map { $0 <= now } ?? false
        // What the broker had kept says nothing new of what is due.
        if isRetained, isDue, value == .truth(true) { return .taken(at: at, isBehind: isBehind, isAnew: false) }
        offAt =
            value == .truth(true)
            ? sensor.binding.offDelay.map { at.adding(milliseconds: Self.milliseconds($0)) } : nil
        return .taken(at: at, isBehind: isBehind, isAnew: isDue && value == .truth(true))
    }

    /// For a while nobody hears what is said: what the broker has kept of that is news.
    mutating func missSomething() { isHeard = false }

    /// It says something that cannot be: NaN, −5 ppm. Of what watches over people that is a fault once it goes on.
    mutating func refuse(at now: Timestamp) {
        if sensor.kind.savesLives { invalidSince = invalidSince ?? now }
    }

    /// It says something that is no value, and so it is there.
    mutating func speak(at now: Timestamp) {
        (heard, isLate, isExpired, speaksAllTheSame) = (now, false, false, true)
        (warmingSince, isWarming, invalidSince) = (nil, false, nil)
    }

    /// Looks at the clock.
    /// - Returns: whether a yes has become a no by itself.
    mutating func look(at now: Timestamp, _ limits: IntakeLimits) -> Bool {
        let isInvalid = invalidSince.map { now.milliseconds - $0.milliseconds > Self.patience } ?? false
        if let period = sensor.period {
            isLate =
                now.milliseconds - (heard ?? begun).milliseconds > Self.milliseconds(period * limits.periods)
                || isInvalid
        } else {
            isLate = isInvalid
        }
        // What has not spoken since the hub started is held to have spoken then.
        if !isExpired { isExpired = expires(heard ?? begun, now) }
        // What comes due while it is away ends when it is back.
        guard let offAt, offAt <= now, status == .live else { return false }
        self.offAt = nil
        return true
    }

    /// The clock was set: what was so long ago then is as long ago now.
    mutating func shift(by delta: Int64) {
        begun = begun.adding(milliseconds: delta)
        heard = heard?.adding(milliseconds: delta)
        warmingSince = warmingSince?.adding(milliseconds: delta)
        offAt = offAt?.adding(milliseconds: delta)
        invalidSince = invalidSince?.adding(milliseconds: delta)
    }

    private func expires(_ told: Timestamp, _ now: Timestamp) -> Bool {
        sensor.binding.expireAfter.map {
            $0 > 0 && now.milliseconds - told.milliseconds > Self.milliseconds($0)
        } ?? false
    }

    private static func milliseconds(_ seconds: Double) -> Int64 {
        Int64(clamping: Int(exactly: (min(max(seconds, 0), 1e12) * 1000).rounded()) ?? 0)
    }
}

/// The same of what an actuator says that it does.
struct ActuatorWatch: Sendable {
    var actuator: Actuator
    /// Nil: it does not say.
    var reader: PayloadReader?
    /// The same of how much; nil: it does not say that elsewhere.
    var levelReader: PayloadReader?
    /// What it said last of whether it is on, and of how much, in its own steps.
    var isOn: Bool?
    var level: Double?
    /// Its place in the table.
    var gateway: Int
    /// Their places in the table.
    var availability: [Int]

    init(_ actuator: Actuator, gateway: Int, availability: [Int]) {
        (self.actuator, self.gateway, self.availability) = (actuator, gateway, availability)
        (reader, levelReader) = (PayloadReader(actuator), PayloadReader(levelOf: actuator))
    }

    /// Applies what it says of itself.
    /// - Returns: what it does, in per cent where it says how much; nil: nothing is known of it by that.
    mutating func apply(_ value: ReadingValue, isLevel: Bool) -> ReadingValue? {
        guard actuator.binding.level != nil else { return actuator.shown(value) }
        if isLevel {
            guard case .number(let steps) = value else { return nil }
            level = steps
        } else {
            guard case .truth(let truth) = value else { return value }
            isOn = truth
        }
        // One that is off keeps its speed for the next time.
        if isOn == false { return .truth(false) }
        return level.map { .number(actuator.percent(of: $0)) } ?? isOn.map { .truth($0) }
    }
}

extension Actuator {
    /// A speed, a position or a brightness that it says in its own steps, in per cent.
    func percent(of steps: Double) -> Double {
        let span = binding.high - binding.low
        guard span != 0 else { return steps }
        return min(max((steps - binding.low) / span * 100, 0), 100).rounded()
    }

    /// What it says as people read it: a number of a fan or a valve is in per cent.
    func shown(_ value: ReadingValue) -> ReadingValue {
        guard case .number(let steps) = value, kind == .fan || kind == .valve, binding.valueTopic != nil else {
            return value
        }
        return .number(percent(of: steps))
    }
}

/// What was said last on one way of saying that something is there.
struct AvailabilityWatch: Sendable {
    let reader: PayloadReader
    /// Nil: nothing yet.
    var isOnline: Bool?
    /// The later the higher.
    var order: UInt64 = 0
    /// Whether it was heard since the connection was there: what the broker kept of it is no newer then.
    var isHeard = false

    init(_ availability: Availability) { reader = PayloadReader(availability) }
}
