/// The clock of what stands in the field, a gate's controller or a home's box: the hub's time, as long as it can be trusted, on top
/// of an uptime that never jumps.
///
/// Each answer of the hub belongs to one question, by its nonce, so that none can be said twice. One that does not fit what is known here,
/// in either direction, is believed when the hub says the same in answer to a second question, `confirming` later: a hub
/// whose clock was wrong for a moment leads nothing astray, and one that led something astray brings it back by itself.
public struct FieldClock: Sendable {
    /// A signed time is trusted so long, in milliseconds: seven days.
    public static let lifetime: UInt64 = 7 * 86_400_000
    /// So far an answer may lie from what is known here, in seconds.
    public static let tolerance: UInt64 = 60
    /// So much later, in milliseconds of uptime, the second of two like answers has to have been asked for.
    public static let confirming: UInt64 = 20_000

    /// No clock of ours shows a later time: the end of the year 9999, in seconds.
    private static let latest: UInt64 = 253_402_300_799

    /// What became of an answer.
    public enum Verdict: Sendable, Equatable {
        /// It is the time now.
        case believed
        /// It is the time now, and another one than before.
        case corrected
        /// It does not fit: the hub is to be asked again.
        case doubted
        /// It is no time: the hub is there, and not sure what time it is.
        case refused
    }

    /// The latest time that was ever trusted here, in seconds, as far as it was not corrected since.
    public private(set) var floor: UInt64
    private var answer: Answer?
    /// What did not fit.
    private var other: Answer?

    /// A time that the hub said at some moment after `asked` and before `heard`, both milliseconds of uptime.
    private struct Answer: Sendable {
        let utc: UInt64
        let asked: UInt64
        let heard: UInt64

        /// Whether both may be of one clock.
        func fits(_ later: Answer) -> Bool {
            guard later.asked >= asked else { return false }
            let least = utc + (later.asked - min(heard, later.asked)) / 1000
            let most = utc + (later.heard - asked) / 1000
            return later.utc + FieldClock.tolerance >= least && later.utc <= most + FieldClock.tolerance
        }
    }

    /// - Parameter floor: the latest time that was trusted here, in seconds.
    public init(floor: UInt64) { self.floor = min(floor, Self.latest) }

    /// Takes a signed time for the nonce that was asked with.
    /// - Parameters:
    ///   - utc: Unix seconds.
    ///   - askedAt: our uptime when the nonce was sent, in milliseconds: the time was that at the earliest.
    ///   - uptime: now.
    public mutating func set(_ utc: UInt64, askedAt: UInt64, uptime: UInt64) -> Verdict {
        guard utc > 0, utc <= Self.latest else { return .refused }
        let new = Answer(utc: utc, asked: askedAt, heard: max(uptime, askedAt))
        let isTrusted = milliseconds(uptime: uptime) != nil
        let fits = isTrusted ? answer?.fits(new) == true : utc + Self.tolerance >= floor
        if fits {
            (self.answer, other) = (new, nil)
            floor = max(floor, utc)
            return .believed
        }
        guard let first = other, first.fits(new) else {
            other = new
            return .doubted
        }
        guard new.asked - first.asked >= Self.confirming else { return .doubted }
        (answer, other, floor) = (new, nil, utc)
        return .corrected
    }

    /// Unix seconds; nil when there is no time to trust.
    public func utc(uptime: UInt64) -> UInt64? { milliseconds(uptime: uptime).map { $0 / 1000 } }

    /// Milliseconds since 1970, UTC; nil when there is no time to trust.
    public func milliseconds(uptime: UInt64) -> UInt64? {
        guard let answer, uptime >= answer.asked, uptime - answer.asked <= Self.lifetime else { return nil }
        return max(floor * 1000, answer.utc * 1000 + (uptime - answer.asked))
    }
}
