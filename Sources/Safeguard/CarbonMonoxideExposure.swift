/// How much carbon monoxide people have breathed where a sensor measures it: little is an alarm after hours, much within minutes.
///
/// EN 50291-1 wants no alarm at 30 ppm before 120 minutes, at 50 ppm one between 60 and 90 minutes, at 100 ppm between 10 and 40, and at
/// 300 ppm within 3. What was breathed leaves the blood slowly, so a dip of a minute begins nothing anew.
public struct CarbonMonoxideExposure: Sendable, Equatable {
    /// Below this level, in ppm, nothing adds up and an alarm is over.
    public static let harmless = 30.0
    /// The one level of a detector that knows no times, in ppm.
    public static let plainLevel = 100.0

    /// The share of what raises the alarm, from 0 to 1.
    public private(set) var share: Double
    /// Whether it is an alarm now.
    public private(set) var isOver: Bool
    /// The last level, in ppm, and when it was accounted for, in milliseconds; nil: not yet.
    private var last: (level: Double, at: Int64)?
    /// Whether the sensor was heard since then without a gap.
    private var isHeard = false
    /// For how long nothing was heard before it was heard again without a reading, in milliseconds.
    private var unheard: Int64 = 0
    /// Whether the last level is one that was kept elsewhere: good air of that kind ends and mends nothing.
    private var isKept = false
    /// For how long the air has been harmless, in milliseconds: an alarm is over after `airing`.
    private var aired: Int64 = 0

    /// The minutes after which a level alone is an alarm, by level in ppm.
    private static let minutes: [(level: Double, minutes: Double)] = [(30, 150), (50, 75), (100, 25), (300, 2)]
    /// However much there is, it is an alarm no sooner: a single spike is none.
    private static let fewestMinutes = 0.5
    /// In clean air as much leaves again in so many minutes.
    private static let recovery = 120.0
    /// An alarm is over once the air has been harmless for so long, in milliseconds: a dip of a minute ends none.
    public static let airing: Int64 = 120_000
    /// Between two beats of the clock no more counts, in milliseconds: a clock that was set proves nothing.
    private static let longestStep: Int64 = 60_000
    /// Unheard, with carbon monoxide before and after, no more counts, in milliseconds.
    private static let longestGap: Int64 = 3_600_000

    /// Takes up what was before a restart.
    /// - Parameters:
    ///   - level: in ppm, at that time in milliseconds.
    ///   - isOver: whether it was an alarm.
    public init(share: Double = 0, level: Double? = nil, at time: Int64 = 0, isOver: Bool = false) {
        (self.share, self.isOver) = (min(max(share.isFinite ? share : 0, 0), 1), isOver)
        last = level.flatMap { $0.isFinite ? ($0, time) : nil }
    }

    /// The last level in ppm; nil: none yet.
    public var level: Double? { last?.level }

    /// Up to when that was accounted for, in milliseconds; nil: there was none yet.
    public var moment: Int64? { last?.at }

    /// After how many minutes it is an alarm if the air stays as it is; nil: not at this level, or it is one.
    public var minutesLeft: Double? {
        guard !isOver, let last, last.level >= Self.harmless else { return nil }
        return (1 - share) / Self.perMinute(at: last.level)
    }

    /// Takes a reading.
    /// - Parameters:
    ///   - level: in ppm, finite.
    ///   - now: in milliseconds.
    public mutating func take(_ level: Double, at now: Int64) -> Crossing? {
        if let last {
            let passed = max(now - last.at, 0)
            if unheard > 0 { add(min(last.level, level), for: min(unheard, Self.longestGap)) }
            // What it was while nothing was heard of it is not known: no more than before and after.
            if isHeard {
                add(last.level, for: min(passed, Self.longestStep))
            } else {
                add(min(last.level, level), for: min(passed, Self.longestGap))
            }
        }
        (last, isHeard, isKept, unheard) = ((level, now), true, false, 0)
        if level >= Self.harmless { aired = 0 }
        return judge()
    }

    /// The sensor is heard again, and has not said how it is: what it said last goes on.
    /// - Parameter level: what was kept elsewhere of it, in ppm; nil: nothing. Good air of that kind ends nothing.
    public mutating func resume(at now: Int64, level: Double? = nil) {
        guard !isHeard else { return }
        if let last { unheard = min(unheard + max(now - last.at, 0), Self.longestGap) }
        (last, isHeard, isKept) = ((level ?? last?.level ?? 0, now), true, level != nil)
    }

    /// It is an alarm that was raised before.
    public mutating func restoreAlarm() { (share, isOver, aired) = (1, true, 0) }

    /// The clock goes on; the last level holds while the sensor is heard.
    public mutating func pass(to now: Int64) -> Crossing? {
        guard isHeard, let last else { return nil }
        add(last.level, for: min(max(now - last.at, 0), Self.longestStep))
        self.last = (last.level, now)
        return judge()
    }

    /// Nothing is heard of the sensor from now on.
    public mutating func lose(at now: Int64) {
        guard isHeard, let last else { return }
        // Whether that is an alarm is said when it is heard again.
        add(last.level, for: min(max(now - last.at, 0), Self.longestStep))
        (self.last, isHeard) = ((last.level, now), false)
    }

    /// The alarm was ended by people: it comes back once as much adds up again.
    public mutating func end() { (share, isOver, aired) = (0, false, 0) }

    private mutating func judge() -> Crossing? {
        guard let last else { return nil }
        if !isOver, share >= 1, last.level >= Self.harmless {
            isOver = true
            return .reached
        }
        guard isOver, last.level < Self.harmless, aired >= Self.airing else { return nil }
        // Who was in it has not recovered: it takes half as long to be an alarm again.
        (isOver, share, aired) = (false, min(share, 0.5), 0)
        return .left
    }

    private mutating func add(_ level: Double, for milliseconds: Int64) {
        if isKept, level < Self.harmless { return }
        let minutes = Double(milliseconds) / 60_000
        aired = level < Self.harmless ? aired + milliseconds : 0
        share = min(max(share + Self.perMinute(at: level) * minutes, 0), 1)
    }

    /// The share that a minute adds, or takes away: between the levels of the standard along straight lines.
    static func perMinute(at level: Double) -> Double {
        guard level >= harmless else { return -1 / recovery }
        var lower = minutes[0]
        var upper = minutes[1]
        for point in minutes.dropFirst() {
            upper = point
            if level < point.level { break }
            if point.level < minutes[minutes.count - 1].level { lower = point }
        }
        let (low, high) = (1 / lower.minutes, 1 / upper.minutes)
        let rate = low + (high - low) * (level - lower.level) / (upper.level - lower.level)
        return min(rate, 1 / fewestMinutes)
    }

    /// Whether both know the same.
    public static func == (one: Self, other: Self) -> Bool {
        (one.share, one.isOver, one.isHeard, one.isKept) == (other.share, other.isOver, other.isHeard, other.isKept)
            && (one.aired, one.unheard) == (other.aired, other.unheard)
            && one.last?.level == other.last?.level && one.last?.at == other.last?.at
    }
}
