/// What is done once a change is on disk.
struct FollowUp: Sendable {
    let run: @Sendable () -> Void
}

/// Those of one change, in the order in which they were asked for.
struct FollowUps {
    private(set) var all: [FollowUp] = []
    private var places: [AnyHashable: Int] = [:]

    /// Of several with one id only the last runs, in the place of the first.
    mutating func put(_ followUp: FollowUp, _ id: AnyHashable) {
        if let place = places[id] {
            all[place] = followUp
        } else {
            places[id] = all.count
            all.append(followUp)
        }
    }
}

extension Database {
    /// Runs something once the change that is at work is on disk, on the task of its caller and before the caller is answered. A change that
    /// is undone runs nothing. A hub that dies in between has not run it either: it must be possible to make up for it.
    /// - Parameter id: of several with one id only the last runs, in the place of the first; else they run in the order in which they were
    ///   asked for.
    public func afterCommit(_ id: some Hashable, _ run: @escaping @Sendable () -> Void) {
        assert(followUps != nil, "nothing is being changed that could be followed up")
        followUps?.put(FollowUp(run: run), AnyHashable(id))
    }

    /// Runs a change, and answers with what it wants done afterwards.
    func collectingFollowUps<T>(_ body: () throws -> T) rethrows -> (T, [FollowUp]) {
        // A change that failed, or runs a second time, has left nothing.
        followUps = FollowUps()
        defer { followUps = nil }
        let result = try body()
        return (result, followUps?.all ?? [])
    }
}
