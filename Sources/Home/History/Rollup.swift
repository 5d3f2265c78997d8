import System

/// What a stretch of time holds of a series: a fold over its readings, so that two of them next to each other make one, exactly.
struct Rollup: Sendable, Equatable {
    /// How many readings there were.
    var count: Int
    /// The lowest.
    var low: Double
    /// The highest: a peak stays, however old it is.
    var high: Double
    /// All of them together; with the count it makes the mean of any number of stretches.
    var sum: Double
    /// The one that was heard last.
    var last: Double
    /// When that was: one that comes late is counted, and is not the last.
    var lastAt: Timestamp

    /// See the properties.
    init(count: Int, low: Double, high: Double, sum: Double, last: Double, lastAt: Timestamp) {
        (self.count, self.low, self.high, self.sum, self.last, self.lastAt) = (count, low, high, sum, last, lastAt)
    }

    /// Of one reading.
    init(_ value: Double, at time: Timestamp) {
        self.init(count: 1, low: value, high: value, sum: value, last: value, lastAt: time)
    }

    /// The middle of all readings.
    var mean: Double { sum / Double(count) }

    /// Takes another stretch in, in whatever order they come.
    mutating func add(_ other: Rollup) {
        count += other.count
        low = min(low, other.low)
        high = max(high, other.high)
        sum += other.sum
        if other.lastAt >= lastAt { (last, lastAt) = (other.last, other.lastAt) }
    }
}

/// How finely a series is kept.
enum Tier: Int, Sendable, CaseIterable, Comparable {
    /// Each reading that was kept, as it came.
    case raw
    case fiveMinutes
    case hour
    /// Days of UTC: for spans of years, where hours would be many. What is exact to a house's own day is made of hours.
    case day

    /// Milliseconds; 0 for single readings. Stretches begin at multiples of it since the epoch.
    var width: Int64 {
        switch self {
        case .raw: 0
        case .fiveMinutes: 300_000
        case .hour: 3_600_000
        case .day: 86_400_000
        }
    }

    /// Those that are folds.
    static let folds: [Tier] = [.fiveMinutes, .hour, .day]

    /// Where the stretch begins that holds a time; the time itself for single readings.
    func start(of time: Timestamp) -> Timestamp {
        if self == .raw { return time }
        let rest = time.milliseconds % width
        return time.adding(milliseconds: rest < 0 ? -rest - width : -rest)
    }

    /// Finer ones first.
    static func < (a: Tier, b: Tier) -> Bool { a.rawValue < b.rawValue }
}
