import Synchronization
import System

/// The lanes of one channel for what cannot wait: an alarm's calls and messages, so that no house keeps another's from being carried.
///
/// One group, a house, holds an eighth of the lanes at most, and the last quarter is for groups that hold none. What finds no lane waits
/// for one: that of the group that holds fewest comes first, in it that of the share that holds fewest, and of these the oldest. Whether
/// a device or server was quick before does not count: it may hang now.
final class AtOnceLanes: Sendable {
    /// So many parcels of one group wait for a lane of a channel; what comes then is the outbox's at once.
    /// - Key: site
    static let mostWaiting = 512
    /// So long a parcel waits for a lane; then it is the outbox's.
    static let patience = Duration.seconds(10)

    private struct Waiting {
        let group: ShareID
        let share: ShareID
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var groups: [ShareID: Int] = [:]
        var shares: [ShareID: Int] = [:]
        var held = 0
        var waiting: [UInt64: Waiting] = [:]
        /// How many of those are each group's.
        var waitingOf: [ShareID: Int] = [:]
        var last: UInt64 = 0
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
    var waiting: Int { state.withLock(\.waiting.count) }

    /// Does something in a lane.
    /// - Returns: nil when there was none in time.
    func run<Result>(_ group: ShareID, _ share: ShareID, _ body: () async -> Result) async -> Result? {
        guard await enter(group, share) else { return nil }
        defer { leave(group, share) }
        return await body()
    }

    private func enter(_ group: ShareID, _ share: ShareID) async -> Bool {
        let place = state.withLock { state -> UInt64? in
            // Those that wait already had the lane, if it were theirs.
            if take(group, share, &state) { return nil }
            state.last += 1
            return state.last
        }
        guard let place else { return true }
        return await withCheckedContinuation { continuation in
            let chosen = state.withLock { state -> [Waiting]? in
                guard state.waitingOf[group] ?? 0 < Self.mostWaiting else { return nil }
                state.waiting[place] = Waiting(group: group, share: share, continuation: continuation)
                state.waitingOf[group, default: 0] += 1
                return choose(&state)
            }
            guard let chosen else { return continuation.resume(returning: false) }
            for next in chosen { next.continuation.resume(returning: true) }
            Task { [patience] in
                try? await Task.sleep(for: patience)
                state.withLock { Self.remove(place, &$0) }?.continuation.resume(returning: false)
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
            let next = state.waiting.filter { mayEnter($0.value.group, state) }.min { a, b in
                let (first, second) = (order(a.value, state), order(b.value, state))
                return (first.group, first.share, a.key) < (second.group, second.share, b.key)
            }
            guard let next, take(next.value.group, next.value.share, &state) else { break }
            Self.remove(next.key, &state)
            chosen.append(next.value)
        }
        return chosen
    }

    private func order(_ waiting: Waiting, _ state: State) -> (group: Int, share: Int) {
        (state.groups[waiting.group] ?? 0, state.shares[waiting.share] ?? 0)
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
        return true
    }

    @discardableResult
    private static func remove(_ place: UInt64, _ state: inout State) -> Waiting? {
        guard let waiting = state.waiting.removeValue(forKey: place) else { return nil }
        lower(&state.waitingOf, waiting.group)
        return waiting
    }

    private static func lower(_ counts: inout [ShareID: Int], _ share: ShareID) {
        let left = (counts[share] ?? 0) - 1
        counts[share] = left > 0 ? left : nil
    }
}
