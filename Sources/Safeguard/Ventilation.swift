/// How fast a fan runs for a level. Below 50 % such a fan does not turn (Home Assistant's `speed_range_min` 50): it is off, or runs at
/// 50 to 100 %.
public struct Ventilation: Sendable, Equatable {
    /// The fan's speed now, in per cent: 0, or 50 to 100.
    public private(set) var percent: UInt8
    /// When it began to run, in milliseconds; nil: it is off.
    public private(set) var since: Int64?

    /// - Parameters:
    ///   - percent: as it was before a restart.
    ///   - since: the same.
    public init(percent: UInt8 = 0, since: Int64? = nil) { (self.percent, self.since) = (percent, since) }

    /// What a speed means to the fan: under 50 is off, above 100 is 100.
    public static func meaning(of percent: Int) -> UInt8 { percent < 50 ? 0 : UInt8(min(percent, 100)) }

    /// Takes a level.
    /// - Parameters:
    ///   - isOver: whether the threshold is reached, as `ThresholdWatch` says.
    ///   - most: the level at which the fan runs at 100 %: above the threshold's.
    ///   - shortestRun: once it runs, it runs for so long, in milliseconds.
    /// - Returns: whether the speed changed.
    @discardableResult
    public mutating func apply(
        _ level: Double, isOver: Bool, _ threshold: Threshold, most: Double, at now: Int64, shortestRun: Int64
    ) -> Bool {
        let before = percent
        // A clock that was set back does not make the run longer than it is to be.
        if let begun = since, begun > now { since = now }
        if isOver {
            let span = max(most - threshold.level, .leastNonzeroMagnitude)
            let share = min(max((level - threshold.level) / span, 0), 1)
            percent = UInt8(50 + (50 * share).rounded())
            since = since ?? now
        } else if let since, now - since >= shortestRun {
            (percent, self.since) = (0, nil)
        } else if since != nil {
            percent = 50
        }
        return percent != before
    }
}
