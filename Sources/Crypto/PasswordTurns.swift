/// Whose password is hashed next. Between the shares, and in each between the places that people are of: fair queueing by start time (Goyal,
/// Vin and Cheng: *Start-time Fair Queuing*, 1996), so that a place with a thousand accounts takes no more than its part. Among those of one
/// place: who has had fewest hashes in the last minutes, whenever they come and however many of theirs wait; what takes ten counts as ten.
/// So who asks now and then comes before those who ask on and on, also where those are many.
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

    /// Whose it is.
    struct Owner: Sendable, Hashable {
        /// A name of theirs.
        let name: [UInt8]
        /// Where they are one of many.
        let place: [UInt8]
        /// All who show nothing.
        static let stranger = Owner(name: [], place: [])
    }

    /// What waits.
    private struct Job: Sendable {
        /// In the order in which they come.
        let number: UInt64
        /// How many hashes it takes.
        let cost: UInt64
    }

    /// After so long half of what somebody has had is forgotten, in milliseconds: a minute.
    static let halfLife: UInt64 = 60_000
    /// What one hash counts: halved a few times it still counts.
    private static let hash: UInt64 = 256

    /// Parts of the time, by start time.
    private struct Parts<Name: Hashable & Sendable>: Sendable {
        /// Where the one that was served last began, in hashes.
        private var time: UInt64 = 0
        /// Where each begins, unless that is before.
        private var ends: [Name: UInt64] = [:]

        /// Of those that begin together the one that was away longer.
        func first(of open: [(name: Name, oldest: UInt64)]) -> Name? {
            open.map { (name: $0.name, end: ends[$0.name] ?? 0, oldest: $0.oldest) }
                .min { (max(time, $0.end), $0.end, $0.oldest) < (max(time, $1.end), $1.end, $1.oldest) }?.name
        }

        mutating func serve(_ name: Name, cost: UInt64) {
            time = max(time, ends[name] ?? 0)
            ends[name] = time + cost
        }

        mutating func forget() { ends = ends.filter { $0.value > time } }
    }

    /// Those of one place.
    private struct Place: Sendable {
        /// By name, the oldest first.
        var waiting: [[UInt8]: [Job]] = [:]
        /// How many hashes that is.
        var cost: UInt64 = 0
        /// What each has had.
        var had: [[UInt8]: UInt64] = [:]
        /// None of those who wait weighs more than this: spares a full line the look at each of them for whoever it refuses.
        private var bound: UInt64 = 0

        var oldest: UInt64? { waiting.values.compactMap { $0.first?.number }.min() }

        /// What somebody has had and waits for.
        private func weight(of name: [UInt8]) -> UInt64 {
            (had[name] ?? 0) + (waiting[name] ?? []).reduce(0) { $0 + $1.cost } * PasswordTurns.hash
        }

        mutating func add(_ job: Job, of name: [UInt8]) {
            waiting[name, default: []].append(job)
            cost += job.cost
            bound = max(bound, weight(of: name))
        }

        mutating func next() -> Job? {
            let least = waiting.min {
                (had[$0.key] ?? 0, $0.value[0].number) < (had[$1.key] ?? 0, $1.value[0].number)
            }
            guard let (name, jobs) = least else { return nil }
            waiting[name] = jobs.count == 1 ? nil : Array(jobs.dropFirst())
            cost -= jobs[0].cost
            had[name, default: 0] += jobs[0].cost * PasswordTurns.hash
            return jobs[0]
        }

        /// Takes out the newest of whoever weighs most.
        /// - Parameter name: somebody for whose so many hashes there is to be room; nil: of another place.
        /// - Returns: nil: none weighs more than they would.
        mutating func giveWay(to name: [UInt8]?, cost: UInt64) -> Job? {
            let weight = name.map { self.weight(of: $0) + cost * PasswordTurns.hash } ?? 0
            guard bound > weight else { return nil }
            let most = waiting.max {
                (self.weight(of: $0.key), $0.value[0].number) < (self.weight(of: $1.key), $1.value[0].number)
            }
            guard let (name, jobs) = most else { return nil }
            bound = self.weight(of: name)
            guard bound > weight, let last = jobs.last else { return nil }
            waiting[name] = jobs.count == 1 ? nil : Array(jobs.dropLast())
            self.cost -= last.cost
            return last
        }

        mutating func forget(_ halvings: UInt64) {
            had = had.compactMapValues { halvings < 64 && $0 >> halvings > 0 ? $0 >> halvings : nil }
        }
    }

    /// Of one share.
    private struct Line: Sendable {
        private var places: [[UInt8]: Place] = [:]
        private var parts = Parts<[UInt8]>()
        /// In no place more hashes wait than this.
        private var bound: UInt64 = 0

        var oldest: UInt64? { places.values.compactMap(\.oldest).min() }

        mutating func add(_ job: Job, of owner: Owner) {
            places[owner.place, default: Place()].add(job, of: owner.name)
            bound = max(bound, places[owner.place]?.cost ?? 0)
        }

        mutating func next() -> Job? {
            let open = places.compactMap { place, one in one.oldest.map { (name: place, oldest: $0) } }
            guard let place = parts.first(of: open), let job = places[place]?.next() else { return nil }
            parts.serve(place, cost: job.cost)
            return job
        }

        /// Takes out what waits in the place of which most does, or of somebody of the same place who has had more.
        mutating func giveWay(to owner: Owner, cost: UInt64) -> Job? {
            let cost = (own: (places[owner.place]?.cost ?? 0) + cost, job: cost)
            if bound > cost.own, let (place, most) = places.max(by: { $0.value.cost < $1.value.cost }) {
                bound = most.cost
                if most.cost > cost.own { return places[place]?.giveWay(to: nil, cost: 0) }
            }
            return places[owner.place]?.giveWay(to: owner.name, cost: cost.job)
        }

        mutating func forget(_ halvings: UInt64) {
            for place in places.keys { places[place]?.forget(halvings) }
            places = places.filter { !$0.value.waiting.isEmpty || !$0.value.had.isEmpty }
            parts.forget()
        }
    }

    private var lines: [Share: Line] = [:]
    private var parts = Parts<Share>()
    private var last: UInt64 = 0
    private var halved: UInt64

    /// - Parameter now: milliseconds since anything.
    init(at now: UInt64) { halved = now }

    /// Puts somebody's in line.
    /// - Returns: its number.
    mutating func add(_ share: Share, _ owner: Owner, cost: Int) -> UInt64 {
        last += 1
        lines[share, default: Line()].add(Job(number: last, cost: UInt64(max(1, cost))), of: owner)
        return last
    }

    /// Makes room in a line that is full. Of the place of which most waits, or else of the owner's own, the newest gives way of whoever has
    /// had and waits for most, to somebody whose place, or who themselves, would have less.
    /// - Returns: whose turn does not come; nil: nobody's gives way.
    mutating func makeRoom(in share: Share, for owner: Owner, cost: Int) -> UInt64? {
        lines[share]?.giveWay(to: owner, cost: UInt64(max(1, cost)))?.number
    }

    /// Takes the next one out of the line; nil: nothing waits.
    mutating func next(at now: UInt64) -> UInt64? {
        let halvings = now < halved ? 0 : (now - halved) / Self.halfLife
        if halvings > 0 {
            halved += halvings * Self.halfLife
            for share in lines.keys { lines[share]?.forget(halvings) }
        }
        let open = lines.compactMap { share, line in line.oldest.map { (name: share, oldest: $0) } }
        guard let share = parts.first(of: open), let job = lines[share]?.next() else { return nil }
        parts.serve(share, cost: job.cost)
        return job.number
    }
}
