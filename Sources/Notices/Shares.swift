import Ledger
import System

/// Who holds the lanes of one channel, and who may have one more, so that no share keeps another's parcels from being carried.
///
/// Each kind of lane is counted by itself. One share holds at most a quarter of the lanes. A share whose last attempt failed is *slow*; all
/// slow shares together hold at most half. With the shares that were not tried yet they hold at most three quarters, so that a share whose
/// last attempt was answered never waits for them. Whether a share is slow holds for all kinds.
struct Shares: Sendable {
    /// Of so many shares it is known whether they are slow, and when they were served; what is oldest is forgotten.
    /// - Key: hub
    static let most = 4_096

    let lanes: Int
    private var held: [LaneKind: [ShareID: Int]] = [:]
    private var known: [ShareID: Known] = [:]
    private var turns: [ShareID: UInt64] = [:]
    private var count: UInt64 = 0

    private struct Known {
        var isSlow: Bool
        var tried: UInt64
    }

    /// - Parameter lanes: how many there are of each kind.
    init(lanes: Int) { self.lanes = max(1, lanes) }

    /// Lanes of one kind that one share holds at most.
    var mostOfOne: Int { max(1, lanes / 4) }
    /// Those of all slow shares.
    var mostSlow: Int { max(1, lanes / 2) }
    /// Those of all slow shares and of those of which nothing is known.
    var mostUnproven: Int { (3 * lanes + 3) / 4 }

    /// How many lanes a share holds.
    func held(by share: ShareID, in kind: LaneKind) -> Int { held[kind]?[share] ?? 0 }

    /// Whether no lane of a kind is free.
    func isFull(_ kind: LaneKind) -> Bool { sum(kind) { _ in true } >= lanes }

    /// Whether a share may have one more lane.
    func hasPlace(for share: ShareID, in kind: LaneKind) -> Bool {
        guard !isFull(kind), held(by: share, in: kind) < mostOfOne else { return false }
        let isSlow = known[share]?.isSlow
        if isSlow == true, sum(kind, where: { known[$0]?.isSlow == true }) >= mostSlow { return false }
        return isSlow == false || sum(kind, where: { known[$0]?.isSlow != false }) < mostUnproven
    }

    /// Gives a share a lane, and the turn to the others.
    /// - Parameter hasFailed: whether what it is for was tried in vain before: a restarted hub knows by this who is slow.
    /// - Returns: false where it has no place.
    mutating func take(_ share: ShareID, in kind: LaneKind, hasFailed: Bool = false) -> Bool {
        if hasFailed, known[share] == nil { learn(share, isSlow: true) }
        guard hasPlace(for: share, in: kind) else { return false }
        held[kind, default: [:]][share, default: 0] += 1
        if kind == .ordinary {
            count += 1
            turns[share] = count
            if turns.count > Self.most, let oldest = turns.min(by: { $0.value < $1.value }) { turns[oldest.key] = nil }
        }
        return true
    }

    /// Takes a lane back.
    /// - Parameter isSlow: whether the attempt failed; nil: there was none.
    mutating func giveBack(_ share: ShareID, in kind: LaneKind, isSlow: Bool?) {
        let left = held(by: share, in: kind) - 1
        held[kind]?[share] = left > 0 ? left : nil
        if let isSlow { learn(share, isSlow: isSlow) }
    }

    /// Shares in the order of their turns: who was served longest ago, or never, comes first; of those, whose parcels are soonest too late.
    func inTurn(_ shares: [WaitingShare]) -> [ShareID] {
        shares.sorted { a, b in
            let (first, second) = (turns[a.share] ?? 0, turns[b.share] ?? 0)
            return first == second ? (a.expires, a.due, a.share) < (b.expires, b.due, b.share) : first < second
        }.map(\.share)
    }

    /// Forgets the turns of all but those for which something waits.
    mutating func keepTurns(of waiting: Set<ShareID>) {
        if !turns.isEmpty { turns = turns.filter { waiting.contains($0.key) } }
    }

    private mutating func learn(_ share: ShareID, isSlow: Bool) {
        count += 1
        known[share] = Known(isSlow: isSlow, tried: count)
        if known.count > Self.most, let oldest = known.min(by: { $0.value.tried < $1.value.tried }) {
            known[oldest.key] = nil
        }
    }

    private func sum(_ kind: LaneKind, where counts: (ShareID) -> Bool) -> Int {
        (held[kind] ?? [:]).reduce(0) { counts($1.key) ? $0 + $1.value : $0 }
    }
}

/// A share for which something waits.
struct WaitingShare: Sendable, Equatable {
    let share: ShareID
    /// When the first of its parcels is due.
    let due: Timestamp
    /// When the first of its parcels is too late.
    let expires: Timestamp
}
