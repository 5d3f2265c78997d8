/// Whose password is hashed next: fair queueing by start time (Goyal, Vin and Cheng: *Start-time Fair Queuing*, 1996), first between the
/// shares, then between the owners of one. Who has had little hashed comes before those who have had much, whenever they come and however
/// many of theirs wait; a house with ten codes pays for ten.
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

    /// How much each has had, in hashes.
    private struct Account<Name: Hashable & Sendable>: Sendable {
        /// Where who was served last began: who comes anew begins there.
        private var time: UInt64 = 0
        private var ends: [Name: UInt64] = [:]

        private func start(of name: Name) -> UInt64 { max(time, ends[name] ?? 0) }

        /// Who begins earlier is served first; of those who begin together who has been away longer. Nil: they are alike.
        func isBefore(_ a: Name, _ b: Name) -> Bool? {
            let (first, second) = ((start(of: a), ends[a] ?? 0), (start(of: b), ends[b] ?? 0))
            return first == second ? nil : first < second
        }

        mutating func serve(_ name: Name, _ cost: UInt64) {
            time = start(of: name)
            ends[name] = time + cost
            // Who is as good as new needs no entry.
            if ends.count > 1_024 { ends = ends.filter { $0.value > time } }
        }
    }

    private var shares = Account<Share>()
    private var owners: [Share: Account<[UInt8]>] = [:]
    private var waiting: [Share: [[UInt8]: [Job]]] = [:]
    private var last: UInt64 = 0

    /// Puts somebody's in line.
    /// - Parameter owner: a name of theirs; of strangers all have the same.
    /// - Returns: its number.
    mutating func add(_ share: Share, _ owner: [UInt8], cost: Int) -> UInt64 {
        last += 1
        waiting[share, default: [:]][owner, default: []].append(Job(number: last, cost: UInt64(max(1, cost))))
        return last
    }

    /// Takes the next one out of the line; nil: nothing waits.
    mutating func next() -> UInt64? {
        let open = waiting.compactMap { share, lines in
            lines.values.compactMap { $0.first?.number }.min().map { (share: share, first: $0) }
        }
        guard let share = open.min(by: { shares.isBefore($0.share, $1.share) ?? ($0.first < $1.first) })?.share,
            let lines = waiting[share]
        else { return nil }
        var account = owners[share] ?? Account()
        let owner = lines.min {
            account.isBefore($0.key, $1.key) ?? ($0.value[0].number < $1.value[0].number)
        }
        guard let (owner, line) = owner, let job = line.first else { return nil }
        account.serve(owner, job.cost)
        owners[share] = account
        shares.serve(share, job.cost)
        waiting[share]?[owner] = line.count == 1 ? nil : Array(line.dropFirst())
        if waiting[share]?.isEmpty == true { waiting[share] = nil }
        return job.number
    }
}
