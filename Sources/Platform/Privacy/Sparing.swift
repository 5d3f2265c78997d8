/// Runs a work for which everybody waits: one at a time, one for all who asked before it began, and so rarely that the others have most
/// of the time. Who asks waits for it.
actor Sparing {
    /// Before the next, so many times as long as the last took go by.
    private static let share = 10
    /// But no more than that.
    private let longest: Duration

    private var next: Task<Void, Never>?
    private var last: Task<Void, Never>?
    private var free = ContinuousClock.now
    /// How many wait for one that has not begun, or has not ended.
    private(set) var waiting = 0

    /// - Parameter longest: the pause before the next run, at most.
    init(longest: Duration = .seconds(20)) { self.longest = longest }

    /// Runs it, or waits for a run that has not begun.
    func run(_ work: @escaping @Sendable () async -> Void) async {
        waiting += 1
        defer { waiting -= 1 }
        let task = next ?? begin(work)
        await task.value
    }

    private func begin(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        let task = Task { [last] in
            await last?.value
            try? await Task.sleep(until: free, clock: .continuous)
            next = nil
            let begun = ContinuousClock.now
            await work()
            let end = ContinuousClock.now
            free = end + min((end - begun) * Self.share, longest)
        }
        (next, last) = (task, task)
        return task
    }
}
