import Synchronization

/// How much lanes remember.
public enum FairLaneLimit {
    /// So many of one group wait for a lane; what comes then has none.
    /// - Key: site, network or person
    public static let mostWaiting = 512
    /// Of so many owners, and groups, it is known when they had a lane last; the oldest is forgotten.
    /// - Key: hub
    public static let mostTurns = 4_096
    /// After a slow one, so many quick ones make an owner quick again.
    static let quickAgain = 64
}

/// So many at a time of what cannot wait in one long line, so that nobody's keeps another's from being done.
///
/// Owners have groups, and groups shares: whoever made houses, a house, a telephone. One group holds an eighth of the lanes at most; the
/// last quarter is for owners that hold none; owners whose work was slow hold half together. What finds no lane waits for one: owners take
/// turns, then their groups, and one that has had no lane yet comes first; in a group that share comes first which holds fewest, and of
/// these the oldest. So it does not matter how many houses somebody has made.
public final class FairLanes<Name: Hashable & Sendable>: Sendable {
    private struct Place {
        let owner: Name
        let group: Name
        let share: Name
    }

    private struct Waiting {
        let number: UInt64
        let place: Place
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var held = 0
        var slowHeld = 0
        var owners: [Name: Int] = [:]
        var groups: [Name: Int] = [:]
        var shares: [Name: Int] = [:]
        /// By owners and their groups, the oldest first.
        var waiting: [Name: [Name: [Waiting]]] = [:]
        /// When each owner, and each group, was given a lane last: rising numbers.
        var ownerTurns: [Name: UInt64] = [:]
        var groupTurns: [Name: UInt64] = [:]
        /// How many quick ones an owner still owes who was slow.
        var slow: [Name: Int] = [:]
        var last: UInt64 = 0

        mutating func next() -> UInt64 {
            last += 1
            return last
        }
    }

    private let lanes: Int
    private let patience: Duration
    private let state = Mutex(State())

    /// - Parameters:
    ///   - lanes: how many work at a time.
    ///   - patience: how long one waits for a lane.
    public init(lanes: Int, patience: Duration) { (self.lanes, self.patience) = (max(1, lanes), patience) }

    private var mostOfGroup: Int { max(1, lanes / 8) }
    private var reserved: Int { lanes / 4 }
    private var mostOfSlow: Int { max(1, lanes / 2) }

    /// How many wait for a lane.
    public var waiting: Int {
        state.withLock { $0.waiting.values.reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.count } } }
    }

    /// Does something in a lane.
    /// - Parameter body: says beside its result whether it was slow, as where somebody did not answer.
    /// - Returns: nil when there was no lane in time.
    public func run<Result>(
        for owner: Name, _ group: Name, _ share: Name, _ body: () async -> (result: Result, isSlow: Bool)
    ) async -> Result? {
        let place = Place(owner: owner, group: group, share: share)
        guard await enter(place) else { return nil }
        let (result, isSlow) = await body()
        leave(place, isSlow: isSlow)
        return result
    }

    private func enter(_ place: Place) async -> Bool {
        // Those that wait already had the lane, if it were theirs.
        if state.withLock({ take(place, &$0) }) { return true }
        return await withCheckedContinuation { continuation in
            let (number, chosen) = state.withLock { state -> (UInt64?, [Waiting]) in
                let known = state.waiting[place.owner]?[place.group]?.count ?? 0
                guard known < FairLaneLimit.mostWaiting else { return (nil, []) }
                let number = state.next()
                state.waiting[place.owner, default: [:]][place.group, default: []].append(
                    Waiting(number: number, place: place, continuation: continuation))
                return (number, choose(&state))
            }
            guard let number else { return continuation.resume(returning: false) }
            for next in chosen { next.continuation.resume(returning: true) }
            Task { [patience] in
                try? await Task.sleep(for: patience)
                state.withLock { Self.remove(number, place, &$0) }?.continuation.resume(returning: false)
            }
        }
    }

    private func leave(_ place: Place, isSlow: Bool) {
        let chosen = state.withLock { state -> [Waiting] in
            Self.note(place.owner, isSlow: isSlow, &state)
            if state.slow[place.owner] != nil { state.slowHeld -= 1 }
            state.held -= 1
            Self.lower(&state.owners, place.owner)
            Self.lower(&state.groups, place.group)
            Self.lower(&state.shares, place.share)
            return choose(&state)
        }
        for next in chosen { next.continuation.resume(returning: true) }
    }

    /// Those that wait and have a lane now.
    private func choose(_ state: inout State) -> [Waiting] {
        var chosen: [Waiting] = []
        while state.held < lanes, let next = next(state), take(next.place, &state) {
            Self.remove(next.number, next.place, &state)
            chosen.append(next)
        }
        return chosen
    }

    private func next(_ state: State) -> Waiting? {
        var best: (turn: UInt64, number: UInt64, groups: [Name: [Waiting]])?
        for (owner, groups) in state.waiting where mayEnter(owner, state) {
            let open = groups.filter { mayEnter(group: $0.key, state) }
            guard let number = open.values.compactMap({ $0.first?.number }).min() else { continue }
            let turn = state.ownerTurns[owner] ?? 0
            if let best, (best.turn, best.number) < (turn, number) { continue }
            best = (turn, number, open)
        }
        let group = best?.groups.min {
            (state.groupTurns[$0.key] ?? 0, $0.value[0].number) < (state.groupTurns[$1.key] ?? 0, $1.value[0].number)
        }
        return group?.value.min {
            (state.shares[$0.place.share] ?? 0, $0.number) < (state.shares[$1.place.share] ?? 0, $1.number)
        }
    }

    private func mayEnter(_ owner: Name, _ state: State) -> Bool {
        state.held < (state.owners[owner] == nil ? lanes : lanes - reserved)
            && (state.slow[owner] == nil || state.slowHeld < mostOfSlow)
    }

    private func mayEnter(group: Name, _ state: State) -> Bool { state.groups[group] ?? 0 < mostOfGroup }

    private func take(_ place: Place, _ state: inout State) -> Bool {
        guard mayEnter(place.owner, state), mayEnter(group: place.group, state) else { return false }
        state.held += 1
        if state.slow[place.owner] != nil { state.slowHeld += 1 }
        state.owners[place.owner, default: 0] += 1
        state.groups[place.group, default: 0] += 1
        state.shares[place.share, default: 0] += 1
        state.ownerTurns[place.owner] = state.next()
        state.groupTurns[place.group] = state.last
        Self.trim(&state.ownerTurns)
        Self.trim(&state.groupTurns)
        return true
    }

    /// Whoever was slow stays so until many of theirs in a row were quick: else one quick answer would give the next ones all lanes.
    private static func note(_ owner: Name, isSlow: Bool, _ state: inout State) {
        let held = state.owners[owner] ?? 0
        if isSlow {
            if state.slow.updateValue(FairLaneLimit.quickAgain, forKey: owner) == nil { state.slowHeld += held }
            // Of so many it is enough to know most: who is forgotten is slow once more.
            if state.slow.count > FairLaneLimit.mostTurns,
                let other = state.slow.keys.first(where: { $0 != owner })
            {
                state.slow[other] = nil
                state.slowHeld -= state.owners[other] ?? 0
            }
        } else if let left = state.slow[owner] {
            state.slow[owner] = left > 1 ? left - 1 : nil
            if left == 1 { state.slowHeld -= held }
        }
    }

    private static func trim(_ turns: inout [Name: UInt64]) {
        guard turns.count > FairLaneLimit.mostTurns, let oldest = turns.min(by: { $0.value < $1.value }) else { return }
        turns[oldest.key] = nil
    }

    @discardableResult
    private static func remove(_ number: UInt64, _ place: Place, _ state: inout State) -> Waiting? {
        guard let index = state.waiting[place.owner]?[place.group]?.firstIndex(where: { $0.number == number }) else {
            return nil
        }
        defer {
            if state.waiting[place.owner]?[place.group]?.isEmpty == true {
                state.waiting[place.owner]?[place.group] = nil
            }
            if state.waiting[place.owner]?.isEmpty == true { state.waiting[place.owner] = nil }
        }
        return state.waiting[place.owner]?[place.group]?.remove(at: index)
    }

    private static func lower(_ counts: inout [Name: Int], _ name: Name) {
        let left = (counts[name] ?? 0) - 1
        counts[name] = left > 0 ? left : nil
    }
}
