import Synchronization
import System

/// The lanes of one channel for what cannot wait: an alarm's calls and messages, so that no house keeps another's from being carried.
///
/// One group, a house, holds an eighth of the lanes at most, and the last quarter is for groups that hold none. What finds no lane waits
/// for one: groups take turns, and one that has had no lane yet comes first; in a group that share comes first which holds fewest, and of
/// these the oldest parcel. Whether a device or server was quick before does not count: it may hang now.
final class AtOnceLanes: Sendable {
    /// So many parcels of one group wait for a lane of a channel; what comes then is the outbox's at once.
    /// - Key: site
    static let mostWaiting = 512
    /// So long a parcel waits for a lane; then it is the outbox's.
    static let patience = Duration.seconds(30)
    /// Of so many groups it is known when they had a lane last; the oldest is forgotten.
    /// - Key: hub
    static let mostTurns = 4_096

    private struct Waiting {
        let number: UInt64
        let share: ShareID
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var groups: [ShareID: Int] = [:]
        var shares: [ShareID: Int] = [:]
        var held = 0
        /// By their groups, the oldest first.
        var waiting: [ShareID: [Waiting]] = [:]
        /// When each group was given a lane last: rising numbers.
        var turns: [ShareID: UInt64] = [:]
        var last: UInt64 = 0

        mutating func next() -> UInt64 {
            last += 1
            return last
        }
    }

    let lanes: Int
    private let patience: Duration
    private let state = Mutex(State())

    init(lanes: Int, patience: Duration = AtOnceLanes.patience) {
        (self.lanes, self.patience) = (max(1, lanes), patience)
    }

    /// Lanes that one group holds at most.
    var mostOfGroup: Int { max(1, lanes / 8) }
    /// Lanes that only groups may take that hold none.
    var reserved: Int { lanes / 4 }

    /// How many parcels wait for a lane.
    var waiting: Int { state.withLock { $0.waiting.values.reduce(0) { $0 + $1.count } } }

    /// Does something in a lane.
    /// - Returns: nil when there was none in time.
    func run<Result>(_ group: ShareID, _ share: ShareID, _ body: () async -> Result) async -> Result? {
        guard await enter(group, share) else { return nil }
        defer { leave(group, share) }
        return await body()
    }

    private func enter(_ group: ShareID, _ share: ShareID) async -> Bool {
        // Those that wait already had the lane, if it were theirs.
        if state.withLock({ take(group, share, &$0) }) { return true }
        return await withCheckedContinuation { continuation in
            let (number, chosen) = state.withLock { state -> (UInt64?, [Waiting]) in
                guard state.waiting[group]?.count ?? 0 < Self.mostWaiting else { return (nil, []) }
                let number = state.next()
                state.waiting[group, default: []].append(
                    Waiting(number: number, share: share, continuation: continuation))
                return (number, choose(&state))
            }
            guard let number else { return continuation.resume(returning: false) }
            for next in chosen { next.continuation.resume(returning: true) }
            Task { [patience] in
                try? await Task.sleep(for: patience)
                state.withLock { Self.remove(number, of: group, &$0) }?.continuation.resume(returning: false)
            }
        }
    }

    private func leave(_ group: ShareID, _ share: ShareID) {
        let chosen = state.withLock { state -> [Waiting] in
            state.held -= 1
            Self.lower(&state.groups, group)
            Self.lower(&state.shares, share)
            return choose(&state)
        }
        for next in chosen { next.continuation.resume(returning: true) }
    }

    /// Those that wait and have a lane now.
    private func choose(_ state: inout State) -> [Waiting] {
        var chosen: [Waiting] = []
        while state.held < lanes {
            let group = state.waiting.keys.filter { mayEnter($0, state) }.min {
                (state.turns[$0] ?? 0, state.waiting[$0]?.first?.number ?? 0)
                    < (state.turns[$1] ?? 0, state.waiting[$1]?.first?.number ?? 0)
            }
            let held = state.shares
            guard let group,
                let next = state.waiting[group]?.min(by: {
                    (held[$0.share] ?? 0, $0.number) < (held[$1.share] ?? 0, $1.number)
                }),
                take(group, next.share, &state)
            else { break }
            Self.remove(next.number, of: group, &state)
            chosen.append(next)
        }
        return chosen
    }

    private func mayEnter(_ group: ShareID, _ state: State) -> Bool {
        let held = state.groups[group] ?? 0
        return held < mostOfGroup && state.held < (held == 0 ? lanes : lanes - reserved)
    }

    private func take(_ group: ShareID, _ share: ShareID, _ state: inout State) -> Bool {
        guard mayEnter(group, state) else { return false }
        state.held += 1
        state.groups[group, default: 0] += 1
        state.shares[share, default: 0] += 1
        state.turns[group] = state.next()
        if state.turns.count > Self.mostTurns, let oldest = state.turns.min(by: { $0.value < $1.value }) {
            state.turns[oldest.key] = nil
        }
        return true
    }

    @discardableResult
    private static func remove(_ number: UInt64, of group: ShareID, _ state: inout State) -> Waiting? {
        guard let place = state.waiting[group]?.firstIndex(where: { $0.number == number }) else { return nil }
        defer { if state.waiting[group]?.isEmpty == true { state.waiting[group] = nil } }
        return state.waiting[group]?.remove(at: place)
    }

    private static func lower(_ counts: inout [ShareID: Int], _ share: ShareID) {
        let left = (counts[share] ?? 0) - 1
        counts[share] = left > 0 ? left : nil
    }
}
