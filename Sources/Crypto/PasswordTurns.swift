/// Whose password is hashed next. Between the shares: fair queueing by start time (Goyal, Vin and Cheng: *Start-time Fair Queuing*, 1996).
/// Between the owners of one: who has had fewest hashes in the last minutes, whenever they come and however many of theirs wait; what
/// takes ten counts as ten. So who asks now and then comes before those who ask on and on, also where those are many.
struct PasswordTurns: Sendable {
    /// Each has its part of the time: no flood of one takes that of another.
    enum Share: CaseIterable, Sendable {
        /// Of who shows nothing that others do not have: in the order in which they come.
        case strangers
        /// What known browsers and sessions show.
        case known
        /// What people who are known choose anew.
        case new
    }

    /// What waits.
    struct Job: Sendable, Equatable {
        /// In the order in which they come.
        let number: UInt64
        /// How many hashes it takes.
        let cost: UInt64
    }

    /// After so long half of what somebody has had is forgotten, in milliseconds: a minute.
    static let halfLife: UInt64 = 60_000
    /// What one hash counts: halved a few times it still counts.
    private static let hash: UInt64 = 256

    /// Of one share.
    private struct Line: Sendable {
        /// Where it begins, in hashes, on a scale that the shares have in common.
        var end: UInt64 = 0
        /// By owner, the oldest first.
        var waiting: [[UInt8]: [Job]] = [:]
        /// What each owner has had.
        var had: [[UInt8]: UInt64] = [:]
        /// None of those who wait weighs more than this: spares a full line the look at each of them for whoever it refuses.
        private var bound: UInt64 = 0

        var oldest: UInt64? { waiting.values.compactMap { $0.first?.number }.min() }

        mutating func forget(_ halvings: UInt64) {
            had = had.compactMapValues { halvings < 64 && $0 >> halvings > 0 ? $0 >> halvings : nil }
        }

        mutating func add(_ job: Job, of owner: [UInt8]) {
            waiting[owner, default: []].append(job)
            bound = max(bound, weight(of: owner))
        }

        /// What somebody has had and waits for.
        private func weight(of owner: [UInt8]) -> UInt64 {
            (had[owner] ?? 0) + (waiting[owner] ?? []).reduce(0) { $0 + $1.cost } * PasswordTurns.hash
        }

        /// Takes out the newest of whoever weighs most.
        /// - Parameter cost: of what there is to be room for.
        /// - Returns: nil: none weighs more than its owner would.
        mutating func giveWay(to owner: [UInt8], cost: UInt64) -> Job? {
            let weight = weight(of: owner) + cost * PasswordTurns.hash
            guard bound > weight else { return nil }
            let most = waiting.max {
                (self.weight(of: $0.key), $0.value[0].number) < (self.weight(of: $1.key), $1.value[0].number)
            }
            guard let (owner, jobs) = most else { return nil }
            bound = self.weight(of: owner)
            guard bound > weight else { return nil }
            waiting[owner] = jobs.count == 1 ? nil : Array(jobs.dropLast())
            return jobs[jobs.count - 1]
        }

        mutating func next() -> Job? {
            let least = waiting.min {
                (had[$0.key] ?? 0, $0.value[0].number) < (had[$1.key] ?? 0, $1.value[0].number)
            }
            guard let (owner, jobs) = least else { return nil }
            waiting[owner] = jobs.count == 1 ? nil : Array(jobs.dropFirst())
            had[owner, default: 0] += jobs[0].cost * PasswordTurns.hash
            return jobs[0]
        }
    }

    private var lines: [Share: Line] = [:]
    /// Where the share that was served last began.
    private var time: UInt64 = 0
    private var last: UInt64 = 0
    private var halved: UInt64

    /// - Parameter now: milliseconds since anything.
    init(at now: UInt64) { halved = now }

    /// Puts somebody's in line.
    /// - Parameter owner: a name of theirs; of strangers all have the same.
    /// - Returns: its number.
    mutating func add(_ share: Share, _ owner: [UInt8], cost: Int) -> UInt64 {
        last += 1
        lines[share, default: Line()].add(Job(number: last, cost: UInt64(max(1, cost))), of: owner)
        return last
    }

    /// Makes room in a line that is full: the newest of whoever has had and waits for most gives way to somebody who would have less.
    /// - Returns: whose turn does not come; nil: nobody's gives way.
    mutating func makeRoom(in share: Share, for owner: [UInt8], cost: Int) -> UInt64? {
        lines[share]?.giveWay(to: owner, cost: UInt64(max(1, cost)))?.number
    }

    /// Takes the next one out of the line; nil: nothing waits.
    mutating func next(at now: UInt64) -> UInt64? {
        let halvings = now < halved ? 0 : (now - halved) / Self.halfLife
        if halvings > 0 {
            halved += halvings * Self.halfLife
            for share in lines.keys { lines[share]?.forget(halvings) }
        }
        let open = lines.compactMap { share, line in
            line.oldest.map { (share: share, start: max(time, line.end), end: line.end, oldest: $0) }
        }
        // Of those that begin together the one that was away longer.
        let first = open.min { ($0.start, $0.end, $0.oldest) < ($1.start, $1.end, $1.oldest) }
        guard let first, let job = lines[first.share]?.next() else { return nil }
        time = first.start
        lines[first.share]?.end = time + job.cost
        return job.number
    }
}
