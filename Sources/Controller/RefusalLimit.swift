import Store
import Wire

/// Which refusals a gate writes down, so that a pass that is over fills no journal, however often it is shown.
///
/// As at the hub: the first of a pass and a reason is written, those that follow are counted, until it has rested for `pause`. Openings are
/// no matter of this.
struct RefusalLimit: Sendable {
    /// So long after the last try the next is written again, in milliseconds of the gate's uptime.
    static let pause: UInt64 = 60_000
    /// While the tries go on, one is written in so many milliseconds: an hour.
    static let period: UInt64 = 3_600_000
    /// Written in `period`, of all passes and badges: at most some 200 MB in the 30 days that the journal stays.
    static let mostInPeriod = 600
    /// Of one reason: passes that are over can be hoarded, and leave room for what was revoked.
    static let mostOfReason = mostInPeriod / 2
    /// Of one pass or badge.
    static let mostOfPass = 12
    /// Pairs of pass and reason that are remembered. Beyond it the one that was tried longest ago is forgotten.
    static let capacity = 1_024

    private struct Pair: Hashable {
        let pass: ID16
        let reason: GateReason
    }

    private struct Tries {
        var written: UInt64
        var last: UInt64
    }

    private var tries: [Pair: Tries] = [:]
    private var began: UInt64 = 0
    private var count = 0
    private var ofReason: [GateReason: Int] = [:]
    private var ofPass: [ID16: Int] = [:]

    /// Counts a refusal.
    /// - Parameter now: milliseconds of the gate's uptime.
    /// - Returns: whether it is to be written.
    mutating func isNews(_ pass: ID16, _ reason: GateReason, at now: UInt64) -> Bool {
        let pair = Pair(pass: pass, reason: reason)
        if let known = tries[pair], now - known.last < Self.pause, now - known.written < Self.period {
            tries[pair]?.last = now
            return false
        }
        if now - began >= Self.period { (began, count, ofReason, ofPass) = (now, 0, [:], [:]) }
        guard count < Self.mostInPeriod, ofReason[reason, default: 0] < Self.mostOfReason,
            ofPass[pass, default: 0] < Self.mostOfPass
        else { return false }
        count += 1
        ofReason[reason, default: 0] += 1
        ofPass[pass, default: 0] += 1
        if tries.count >= Self.capacity, tries[pair] == nil,
            let oldest = tries.min(by: { $0.value.last < $1.value.last })
        {
            tries[oldest.key] = nil
        }
        tries[pair] = Tries(written: now, last: now)
        return true
    }

    /// It could not be written: the next try is news again.
    mutating func forget(_ pass: ID16, _ reason: GateReason) { tries[Pair(pass: pass, reason: reason)] = nil }
}

extension GateReason {
    /// Of the record of a decision: an opening must not wait for room on the disk, and a refusal takes none of what is kept for it.
    var weight: WriteWeight { self == .none ? .vital : .ordinary }
}
