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
    /// The last level, in ppm, and up to when it is accounted for, in milliseconds; nil: not yet.
    private var last: Moment?
    /// Whether the last level goes on: the sensor is heard.
    private var isHeard = false
    /// The time in which nothing was heard, up to the reading after it; nil: there was a reading since.
    private var gap: Gap?
    /// For how long readings have said that the air is harmless, without a gap, in milliseconds: an alarm is over after `airing`.
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

    private struct Moment: Sendable, Equatable {
        var level: Double
        var at: Int64
    }

    /// What it was meanwhile is not known: no more than the least of what was said of it.
    private struct Gap: Sendable, Equatable {
        /// The last reading before it, in ppm.
        let before: Double
        /// The least that was kept elsewhere, in ppm; nil: nothing.
        var kept: Double?
        /// In milliseconds.
        var length: Int64 = 0

        mutating func grow(by milliseconds: Int64) {
            length = min(length + max(milliseconds, 0), CarbonMonoxideExposure.longestGap)
        }
    }

    /// Takes up what was before a restart.
    /// - Parameters:
    ///   - level: in ppm, at that time in milliseconds.
    ///   - isOver: whether it was an alarm.
    public init(share: Double = 0, level: Double? = nil, at time: Int64 = 0, isOver: Bool = false) {
        (self.share, self.isOver) = (min(max(share.isFinite ? share : 0, 0), 1), isOver)
        guard let level, level.isFinite else { return }
        (last, gap) = (Moment(level: level, at: time), Gap(before: level))
    }

    /// The last level that was read, in ppm; nil: none yet.
    public var level: Double? { gap?.before ?? last?.level }

    /// Up to when all is accounted for, in milliseconds; nil: there was no level yet.
    public var moment: Int64? { last.map { $0.at - (gap?.length ?? 0) } }

    /// After how many minutes it is an alarm if the air stays as it is; nil: not at this level, or it is one.
    public var minutesLeft: Double? {
        guard !isOver, let last, last.level >= Self.harmless else { return nil }
        return (1 - share) / Self.perMinute(at: last.level)
    }

    /// Takes a reading.
    /// - Parameters:
    ///   - level: in ppm, finite.
    ///   - now: in milliseconds.
    public mutating func apply(_ level: Double, at now: Int64) -> Crossing? {
        if isHeard { elapse(to: now) } else if let last { gap?.grow(by: now - last.at) }
        close(with: level)
        (last, isHeard) = (Moment(level: level, at: now), true)
        if level >= Self.harmless { aired = 0 }
        return judge()
    }

    /// The sensor is heard again, and has not said how it is: what it said last goes on.
    /// - Parameter level: what was kept elsewhere of it, in ppm; nil: nothing. It goes on from now, and says nothing of before.
    public mutating func resume(at now: Int64, level: Double? = nil) {
        if isHeard {
            // A reading says more than what was kept.
            guard gap != nil, level != nil else { return }
            elapse(to: now)
        } else if let last {
            gap?.grow(by: now - last.at)
        }
        guard let current = level ?? last?.level else { return }
        if let level {
            // After good air that was read, that time was good air whatever comes.
            if let gap, gap.before < Self.harmless, level >= Self.harmless { close(with: level) }
            let kept = min(gap?.kept ?? level, level)
            gap = Gap(before: gap?.before ?? level, kept: kept, length: gap?.length ?? 0)
        }
        (last, isHeard) = (Moment(level: current, at: now), true)
    }

    /// It is an alarm that was raised before.
    public mutating func restoreAlarm() { (share, isOver, aired) = (1, true, 0) }

    /// The clock goes on; the last level holds while the sensor is heard.
    public mutating func pass(to now: Int64) -> Crossing? {
        guard isHeard else { return nil }
        elapse(to: now)
        return judge()
    }

    /// Nothing is heard of the sensor from now on.
    public mutating func lose(at now: Int64) {
        guard isHeard, let last else { return }
        // Whether that is an alarm is said when it is heard again.
        elapse(to: now)
        (isHeard, aired, gap) = (false, 0, gap ?? Gap(before: last.level))
    }

    /// Nothing of before counts any more; what it says goes on.
    public mutating func beginAnew(at now: Int64) {
        (share, isOver, aired) = (0, false, 0)
        last?.at = now
        gap = gap.map { Gap(before: $0.before, kept: $0.kept) }
    }

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

    /// The last level held up to now.
    private mutating func elapse(to now: Int64) {
        guard let last else { return }
        let passed = min(max(now - last.at, 0), Self.longestStep)
        self.last = Moment(level: last.level, at: now)
        let isHarmless = last.level < Self.harmless
        // Good air that no reading has told since a gap ends and mends nothing: the next reading says what that time was.
        if isHarmless, gap != nil { gap?.grow(by: passed) } else { add(last.level, for: passed) }
        aired = isHarmless && gap == nil ? aired + passed : 0
    }

    /// Accounts for the time in which nothing was heard, by the first reading after it.
    private mutating func close(with level: Double) {
        guard let gap else { return }
        let read = min(gap.before, level)
        // Good air that was kept may be old: it keeps that time from adding up, and mends nothing.
        if let kept = gap.kept, read >= Self.harmless {
            if kept >= Self.harmless { add(min(read, kept), for: gap.length) }
        } else {
            add(read, for: gap.length)
        }
        self.gap = nil
    }

    private mutating func add(_ level: Double, for milliseconds: Int64) {
        let minutes = Double(milliseconds) / 60_000
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
}
