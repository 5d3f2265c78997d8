/// The clock of what stands in the field, a gate's controller or a home's box: the hub's time, as long as it can be trusted, on top
/// of an uptime that never jumps.
public struct FieldClock: Sendable {
    /// A signed time is trusted so long, in milliseconds: seven days.
    public static let lifetime: UInt64 = 7 * 86_400_000

    /// No clock of ours shows a later time: the end of the year 9999, in seconds.
    private static let latest: UInt64 = 253_402_300_799

    /// The latest time that was ever trusted here, in seconds.
    public private(set) var floor: UInt64
    private var answer: (utc: UInt64, at: UInt64)?

    /// - Parameter floor: the latest time that was ever trusted here, in seconds.
    public init(floor: UInt64) { self.floor = min(floor, Self.latest) }

    /// Takes a signed time for the nonce that was asked with.
    /// - Parameters:
    ///   - utc: Unix seconds.
    ///   - askedAt: our uptime when the nonce was sent, in milliseconds: the time was that at the earliest.
    /// - Returns: whether it is believed.
    public mutating func set(_ utc: UInt64, askedAt: UInt64) -> Bool {
        guard utc >= floor, utc <= Self.latest else { return false }
        answer = (utc, askedAt)
        floor = utc
        return true
    }

    /// Unix seconds; nil when there is no time to trust.
    public func utc(uptime: UInt64) -> UInt64? { milliseconds(uptime: uptime).map { $0 / 1000 } }

    /// Milliseconds since 1970, UTC; nil when there is no time to trust.
    public func milliseconds(uptime: UInt64) -> UInt64? {
        guard let answer, uptime >= answer.at, uptime - answer.at <= Self.lifetime else { return nil }
        return max(floor * 1000, answer.utc * 1000 + (uptime - answer.at))
    }
}
