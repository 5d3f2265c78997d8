/// A level that a reading is not to reach, and when it counts as left again.
public struct Threshold: Sendable, Equatable {
    /// Reached at this value or above, in the sensor's unit.
    public var level: Double
    /// Left at `level - hysteresis` or below: at least 0.
    public var hysteresis: Double
    /// Also reached when the value grows by so much in a minute; nil: however fast it grows.
    public var risePerMinute: Double?

    /// - Parameter hysteresis: a tenth of the level unless told.
    public init(level: Double, hysteresis: Double? = nil, risePerMinute: Double? = nil) {
        self.level = level
        self.hysteresis = max(hysteresis ?? abs(level) / 10, 0)
        self.risePerMinute = risePerMinute
    }
}

/// What a reading did to a threshold.
public enum Crossing: Sendable, Equatable {
    /// The level was reached.
    case reached
    /// The level was not, but the value grows too fast.
    case rising
    /// The value has fallen below what counts as left, and does not grow too fast any more.
    case left
}

/// Holds readings of one sensor against its threshold. Every reading counts, also those that are not stored.
public struct ThresholdWatch: Sendable, Equatable {
    /// Whether the threshold is reached now.
    public private(set) var isOver: Bool
    /// Whether the alarm that it raised has ended while it was over: see ``end()``.
    private var isEnded = false
    /// The lowest value of each of the last minute's quarters, for the rise.
    private var quarters: [(start: Int64, lowest: Double)] = []

    /// - Parameter isOver: as it was before a restart.
    public init(isOver: Bool = false) { self.isOver = isOver }

    /// The alarm that it raised has ended, by people or by itself: what falls below the level now is over, however near, and what
    /// reaches it again is another danger.
    public mutating func end() { isEnded = isOver }

    /// Takes a reading.
    /// - Parameters:
    ///   - value: finite.
    ///   - now: milliseconds; a reading from up to a minute before the last one counts as one of now.
    public mutating func apply(_ value: Double, at now: Int64, _ threshold: Threshold) -> Crossing? {
        let rises = threshold.risePerMinute.map { rise(to: value, at: now) >= $0 } ?? false
        if !isOver {
            guard value >= threshold.level || rises else { return nil }
            isOver = true
            return value >= threshold.level ? .reached : .rising
        }
        let hysteresis = isEnded ? 0 : threshold.hysteresis
        guard value <= threshold.level - hysteresis, value < threshold.level, !rises else { return nil }
        (isOver, isEnded) = (false, false)
        return .left
    }

    /// How much more the value is than the lowest of the last minute.
    private mutating func rise(to value: Double, at time: Int64) -> Double {
        var now = time
        if let last = quarters.last, now < last.start {
            // A reading that comes late counts as one of now; after a clock was set back, the minute begins anew.
            if last.start - now > 60_000 { quarters = [] } else { now = last.start }
        }
        quarters.removeAll { now - $0.start > 60_000 }
        if let last = quarters.last, now - last.start < 15_000 {
            quarters[quarters.count - 1].lowest = min(last.lowest, value)
        } else {
            quarters.append((now, value))
        }
        return value - (quarters.lazy.map(\.lowest).min() ?? value)
    }

    /// Whether both know the same.
    public static func == (one: Self, other: Self) -> Bool {
        (one.isOver, one.isEnded) == (other.isOver, other.isEnded)
            && one.quarters.elementsEqual(other.quarters) { $0 == $1 }
    }
}
