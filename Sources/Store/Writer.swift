import Glibc
import Synchronization
import System

/// The one writer: a thread, a queue, and the group commit.
///
/// Unchecked: `queue` and `stopping` are touched under `lock` alone, `database` on the writer's thread alone once it has started.
final class Writer: @unchecked Sendable {
    private let database: Database
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let filled = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var queue: [Job] = []
    private var stopping: (@Sendable () -> Void)?
    private var stopped = false
    let commits = Mutex(Commits())

    struct Commits {
        var count: UInt64 = 0
        var figures = StoreFigures()
        var nextWaiter = 0
        var waiters: [Int: CheckedContinuation<UInt64, Never>] = [:]
    }

    /// A group takes no more callers than this, so that the first does not wait for ever while others keep coming.
    static let groupLimit = 512
    /// Nor does it take more, or go on with those that it has, after so many milliseconds: a door waits for one long change, not for all
    /// that came with it.
    static let groupTime: UInt64 = 50

    init(_ database: Database) {
        self.database = database
        pthread_mutex_init(lock, nil)
        pthread_cond_init(filled, nil)
    }

    deinit {
        pthread_mutex_destroy(lock)
        pthread_cond_destroy(filled)
        lock.deallocate()
        filled.deallocate()
    }

    func start() { Thread.start(name: "store writer") { [self] in run() } }

    func enqueue(_ job: Job) {
        pthread_mutex_lock(lock)
        let refused = stopped
        if !refused { queue.append(job) }
        pthread_cond_signal(filled)
        pthread_mutex_unlock(lock)
        if refused { job.finish(StoreError(0, "the database is closed")) }
    }

    func stop() async {
        await withCheckedContinuation { continuation in
            pthread_mutex_lock(lock)
            let already = stopped
            stopped = true
            if !already { stopping = { continuation.resume() } }
            pthread_cond_signal(filled)
            pthread_mutex_unlock(lock)
            if already { continuation.resume() }
        }
    }

    /// The jobs that wait, or one that goes alone; none, once, when the writer is to stop.
    private func take(limit: Int, wait: Bool) -> [Job] {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        while wait, queue.isEmpty, stopping == nil { pthread_cond_wait(filled, lock) }
        let together = queue.firstIndex(where: \.isAlone) ?? queue.count
        // Into a group that has begun nobody comes who goes alone.
        let count = together == 0 && wait ? min(1, queue.count) : min(together, limit)
        if count == queue.count {
            defer { queue = [] }
            return queue
        }
        defer { queue.removeFirst(count) }
        return Array(queue[..<count])
    }

    private func run() {
        while true {
            let first = take(limit: Self.groupLimit, wait: true)
            if first.isEmpty { break }
            if first[0].isAlone {
                _ = first[0].run(database)
                first[0].finish(nil)
                continue
            }
            let group = commit(first)
            announce(group.count)
            for job in group { job.finish(nil) }
        }
        stopping?()
    }

    /// Commits the jobs, and those that arrive while they run. Answers those whose result stands; the others have been told.
    private func commit(_ first: [Job]) -> [Job] {
        var (group, next) = ([Job](), first[...])
        do {
            try database.execute("BEGIN IMMEDIATE")
            let end = Uptime.milliseconds + Self.groupTime
            while let job = next.first {
                try apply(job)
                group.append(job)
                next.removeFirst()
                if Uptime.milliseconds >= end { break }
                if next.isEmpty { next = take(limit: max(0, Self.groupLimit - group.count), wait: false)[...] }
            }
            try database.execute("COMMIT")
            putBack(next)
            return group
        } catch {
            if !database.isIdle { _ = try? database.execute("ROLLBACK") }
            // Somebody's change broke the group (or the disk is full): each for itself, so that the guilty one alone is refused.
            return (group + next).filter { alone($0) }
        }
    }

    private func putBack(_ jobs: ArraySlice<Job>) {
        pthread_mutex_lock(lock)
        queue.insert(contentsOf: jobs, at: 0)
        pthread_mutex_unlock(lock)
    }

    /// Runs one change in its savepoint. Throws only when the group as a whole is lost.
    private func apply(_ job: Job) throws {
        try database.execute("SAVEPOINT caller")
        if job.run(database) {
            if database.isIdle { throw StoreError(0, "the group was rolled back") }
            try database.execute("RELEASE caller")
        } else {
            if database.isIdle { throw OwnFailure() }
            try database.execute("ROLLBACK TO caller")
            try database.execute("RELEASE caller")
        }
    }

    /// The change failed and took the transaction with it: its own error says why.
    private struct OwnFailure: Error {}

    private func alone(_ job: Job) -> Bool {
        do {
            try database.execute("BEGIN IMMEDIATE")
            try apply(job)
            try database.execute("COMMIT")
            return true
        } catch {
            if !database.isIdle { _ = try? database.execute("ROLLBACK") }
            job.finish(error is OwnFailure ? nil : error)
            return false
        }
    }

    private func announce(_ changes: Int) {
        let (count, waiters) = commits.withLock { commits in
            commits.count += 1
            commits.figures.count(changes)
            defer { commits.waiters = [:] }
            return (commits.count, commits.waiters)
        }
        for waiter in waiters.values { waiter.resume(returning: count) }
    }

    func committed(after count: UInt64) async -> UInt64 {
        let place = commits.withLock { commits in
            commits.nextWaiter += 1
            return commits.nextWaiter
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let now = commits.withLock { commits -> UInt64? in
                    if commits.count > count || Task.isCancelled { return commits.count }
                    commits.waiters[place] = continuation
                    return nil
                }
                if let now { continuation.resume(returning: now) }
            }
        } onCancel: {
            let (count, waiter) = commits.withLock { ($0.count, $0.waiters.removeValue(forKey: place)) }
            waiter?.resume(returning: count)
        }
    }
}
