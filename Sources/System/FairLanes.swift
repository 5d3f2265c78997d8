import Synchronization

/// How much lanes remember.
public enum FairLaneLimit {
    /// So many of one group wait for a lane; what comes then has none.
    /// - Key: site, network or person
    public static let mostWaiting = 512
    /// Of so many owners, and groups, it is known how they were; who had a lane longest ago is forgotten.
    /// - Key: hub
    public static let mostTurns = 4_096
    /// What takes so long is slow, in milliseconds.
    static let slow: UInt64 = 1_000
    /// After a slow one, so many quick ones make an owner quick again.
    static let quickAgain = 64
    /// What is thought to take so long until it is known, in milliseconds.
    static let guess: UInt64 = 500
    /// So much of what others have taken meanwhile is given to an owner who comes again, in milliseconds.
    static let credit: UInt64 = 5_000
}

/// So many at a time of what cannot wait in one long line, so that nobody's keeps another's from being done.
///
/// Owners have groups, and groups shares: whoever made houses, a house, a telephone. One group holds an eighth of the lanes at most.
///
/// Owners whose work was slow hold half together; with those of whom nothing is known, three quarters; the last quarter is for quick
/// owners that hold none. What finds no lane waits for one: that owner comes first whose work has taken least time, then the group that
/// had a lane longest ago, then the share which holds fewest, then the oldest. So it does not matter how many houses somebody has made,
/// and whose telephones answer soon does not wait for those whose do not.
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

    /// What is known of an owner.
    private struct Standing {
        /// Milliseconds that their work has taken in lanes, on a scale that all owners share.
        var time: UInt64
        /// So many quick ones they owe who were slow.
        var owed = 0
        /// Whether anything of theirs was ever done.
        var isKnown = false
        /// When they had a lane last: a rising number.
        var turn: UInt64 = 0
        var held = 0
    }

    private struct State {
        var held = 0
        /// Of slow owners; of these and of those of whom nothing is known.
        var slowHeld = 0
        var doubtfulHeld = 0
        var owners: [Name: Standing] = [:]
        var groups: [Name: Int] = [:]
        var shares: [Name: Int] = [:]
        /// By owners and their groups, the oldest first.
        var waiting: [Name: [Name: [Waiting]]] = [:]
        /// When each group was given a lane last.
        var turns: [Name: UInt64] = [:]
        /// The most that anybody had taken who was given a lane: who comes anew begins there.
        var time: UInt64 = 0
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
    private var mostOfSlow: Int { max(1, lanes / 2) }
    private var mostOfDoubtful: Int { max(1, lanes - lanes / 4) }

    /// How many wait for a lane.
    public var waiting: Int {
        state.withLock { $0.waiting.values.reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.count } } }
    }

    /// Does something in a lane.
    /// - Parameter body: says beside its result how many milliseconds the owner's side took.
    /// - Returns: nil when there was no lane in time.
    public func run<Result>(
        for owner: Name, _ group: Name, _ share: Name, _ body: () async -> (result: Result, took: UInt64)
    ) async -> Result? {
        let place = Place(owner: owner, group: group, share: share)
        guard await enter(place) else { return nil }
        let (result, took) = await body()
        leave(place, took: took)
        return result
    }

    private func enter(_ place: Place) async -> Bool {
        // Those that wait already had the lane, if it were theirs.
        if state.withLock({ meet(place.owner, &$0) && take(place, &$0) }) { return true }
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

    /// An owner who has nothing here saves up some time at most, and one of whom nothing is known none.
    private func meet(_ owner: Name, _ state: inout State) -> Bool {
        let known = state.owners[owner]
        if known == nil { Self.forgetOldest(&state) }
        var standing = known ?? Standing(time: state.time)
        if standing.held == 0, state.waiting[owner] == nil {
            standing.time = max(standing.time, state.time - min(state.time, FairLaneLimit.credit))
        }
        state.owners[owner] = standing
        return true
    }

    private func leave(_ place: Place, took: UInt64) {
        let chosen = state.withLock { state -> [Waiting] in
            if var standing = state.owners[place.owner] {
                Self.count(standing, -standing.held, &state)
                standing.held -= 1
                standing.time = standing.time - min(standing.time, FairLaneLimit.guess) + took
                standing.isKnown = true
                standing.owed = took >= FairLaneLimit.slow ? FairLaneLimit.quickAgain : max(0, standing.owed - 1)
                Self.count(standing, standing.held, &state)
                state.owners[place.owner] = standing
            }
            state.held -= 1
            Self.lower(&state.groups, place.group)
            Self.lower(&state.shares, place.share)
            return choose(&state)
        }
        for next in chosen { next.continuation.resume(returning: true) }
    }

    /// Counts lanes of an owner where they count.
    private static func count(_ standing: Standing, _ lanes: Int, _ state: inout State) {
        if standing.owed > 0 { state.slowHeld += lanes }
        if standing.owed > 0 || !standing.isKnown { state.doubtfulHeld += lanes }
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
        var best: (time: UInt64, number: UInt64, groups: [Name: [Waiting]])?
        for (owner, groups) in state.waiting where mayEnter(owner, state) {
            let time = state.owners[owner]?.time ?? state.time
            if let best, best.time < time { continue }
            let open = groups.filter { mayEnter(group: $0.key, state) }
            guard let number = open.values.compactMap({ $0.first?.number }).min() else { continue }
            if let best, (best.time, best.number) < (time, number) { continue }
            best = (time, number, open)
        }
        let group = best?.groups.min {
            (state.turns[$0.key] ?? 0, $0.value[0].number) < (state.turns[$1.key] ?? 0, $1.value[0].number)
        }
        return group?.value.min {
            (state.shares[$0.place.share] ?? 0, $0.number) < (state.shares[$1.place.share] ?? 0, $1.number)
        }
    }

    private func mayEnter(_ owner: Name, _ state: State) -> Bool {
        guard let standing = state.owners[owner] else { return false }
        if standing.owed > 0, state.slowHeld >= mostOfSlow { return false }
        if standing.owed > 0 || !standing.isKnown { return state.doubtfulHeld < mostOfDoubtful && state.held < lanes }
        return state.held < (standing.held == 0 ? lanes : mostOfDoubtful)
    }

    private func mayEnter(group: Name, _ state: State) -> Bool { state.groups[group] ?? 0 < mostOfGroup }

    private func take(_ place: Place, _ state: inout State) -> Bool {
        guard mayEnter(place.owner, state), mayEnter(group: place.group, state),
            var standing = state.owners[place.owner]
        else { return false }
        state.held += 1
        state.time = max(state.time, standing.time)
        standing.time += FairLaneLimit.guess
        standing.turn = state.next()
        standing.held += 1
        Self.count(standing, 1, &state)
        state.owners[place.owner] = standing
        state.groups[place.group, default: 0] += 1
        state.shares[place.share, default: 0] += 1
        state.turns[place.group] = state.last
        if state.turns.count > FairLaneLimit.mostTurns, let oldest = state.turns.min(by: { $0.value < $1.value }) {
            state.turns[oldest.key] = nil
        }
        return true
    }

    private static func forgetOldest(_ state: inout State) {
        guard state.owners.count >= FairLaneLimit.mostTurns else { return }
        let idle = state.owners.filter { $0.value.held == 0 && state.waiting[$0.key] == nil }
        if let oldest = idle.min(by: { $0.value.turn < $1.value.turn }) { state.owners[oldest.key] = nil }
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
