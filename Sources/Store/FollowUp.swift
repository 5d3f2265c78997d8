/// What is done once a change is on disk.
struct FollowUp: Sendable {
    let run: @Sendable () -> Void
}

extension Database {
    /// Runs something once the change that is at work is on disk, on the task of its caller and before the caller is answered. A change that
    /// is undone runs nothing. A hub that dies in between has not run it either: it must be possible to make up for it.
    /// - Parameter id: of several with one id only the last runs.
    public func afterCommit(_ id: some Hashable, _ run: @escaping @Sendable () -> Void) {
        followUps[AnyHashable(id)] = FollowUp(run: run)
    }

    /// Runs a change, and answers with what it wants done afterwards.
    func collectingFollowUps<T>(_ body: () throws -> T) rethrows -> (T, [FollowUp]) {
        // A change that failed, or runs a second time, has left nothing.
        followUps = [:]
        defer { followUps = [:] }
        let result = try body()
        return (result, Array(followUps.values))
    }
}
