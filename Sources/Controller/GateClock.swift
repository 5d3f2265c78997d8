import System
import Wire

/// The clock of a gate: the hub's time, as long as it can be trusted, on top of an uptime that never jumps.
struct GateClock: Sendable {
    /// A signed time is trusted so long, in milliseconds: seven days.
    static let lifetime: UInt64 = 7 * 86_400_000

    /// The latest time that was ever trusted here, in seconds.
    private(set) var floor: UInt64
    private var answer: (utc: UInt64, at: UInt64)?

    init(floor: UInt64) { self.floor = floor }

    /// Takes a signed time for the nonce that was asked with.
    /// - Parameters:
    ///   - utc: Unix seconds.
    ///   - askedAt: our uptime when the nonce was sent, in milliseconds: the time was that at the earliest.
    /// - Returns: whether it is believed.
    mutating func set(_ utc: UInt64, askedAt: UInt64) -> Bool {
        guard utc >= floor else { return false }
        answer = (utc, askedAt)
        floor = utc
        return true
    }

    /// Unix seconds; nil when there is no time to trust.
    func utc(uptime: UInt64) -> UInt64? {
        guard let answer, uptime >= answer.at, uptime - answer.at <= Self.lifetime else { return nil }
        return max(floor, answer.utc + (uptime - answer.at) / 1000)
    }
}
