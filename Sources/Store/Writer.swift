import Glibc
import Synchronization
import System

/// The one writer: a thread, a queue, and the group commit.
///
/// Unchecked: `queue` and `stopping` are touched under `lock` alone, `database` on the writer's thread alone once it has started.
final class Writer: @unchecked Sendable {
    private let database: Database
    private let reserve: Reserve?
    private let path: String
    let hooks = Mutex<[FullHook]>([])
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

    init(_ database: Database, at path: String, _ reserve: Reserve?) {
        (self.database, self.path, self.reserve) = (database, path, reserve)
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
            reserve?.look()
            if first[0].isAlone {
                if isScarce(for: first[0]) {
                    first[0].finish(StoreError.scarce)
                    continue
                }
                if !first[0].run(database), first[0].isOfFullDisk() { noteFull() }
                first[0].finish(nil)
                continue
            }
            let group = commit(first)
            if !group.isEmpty { announce(group.count) }
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
                if try apply(job) { group.append(job) } else { job.finish(StoreError.scarce) }
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

    // MARK: a full disk

    /// Whether the disk is too full for a change.
    private func isScarce(for job: Job) -> Bool { job.weight == .ordinary && reserve?.isScarce == true }

    private func noteFull() {
        reserve?.noteFull()
        for hook in hooks.withLock({ $0 }) { hook.call() }
    }

    /// Makes room for what cannot wait. What is in the log goes into the database, so that the log begins anew in the room that it has: that
    /// takes only what the database has grown by, and at first nothing is given back for it.
    /// - Parameter tries: how often that was done for the same change.
    /// - Returns: whether it is worth another attempt.
    private func makeRoom(for job: Job, _ tries: Int) -> Bool {
        guard let reserve, job.weight == .vital else { return false }
        let given = tries == 0 ? 0 : reserve.give()
        if tries > 0, given == 0 { return false }
        _ = try? database.run("PRAGMA wal_checkpoint(PASSIVE)")
        // What fills the disk would take the rest.
        if given > 0 { try? Files.extend(path + "-wal", by: given / 2) }
        return true
    }

    /// Runs one change in its savepoint. Throws only when the group as a whole is lost.
    /// - Returns: false when the disk is too full for it; what changes nothing takes no room.
    private func apply(_ job: Job) throws -> Bool {
        try database.execute("SAVEPOINT caller")
        let before = database.changes
        if job.run(database) {
            if database.isIdle { throw StoreError(0, "the group was rolled back") }
            if database.changes != before, isScarce(for: job) {
                try database.execute("ROLLBACK TO caller")
                try database.execute("RELEASE caller")
                return false
            }
            try database.execute("RELEASE caller")
        } else {
            // What cannot wait is tried again, by itself, once there is room.
            if database.isIdle || reserve != nil && job.isOfFullDisk() { throw OwnFailure() }
            try database.execute("ROLLBACK TO caller")
            try database.execute("RELEASE caller")
        }
        return true
    }

    /// The change failed and took the transaction with it: its own error says why.
    private struct OwnFailure: Error {}
    /// The disk is too full for a change that can wait.
    private struct Scarcity: Error {}

    private func alone(_ job: Job) -> Bool {
        var tries = 0
        while true {
            guard let error = attempt(job) else { return true }
            if error is Scarcity {
                job.finish(StoreError.scarce)
                return false
            }
            if (error as? StoreError)?.isFull ?? job.isOfFullDisk() {
                noteFull()
                tries += 1
                if makeRoom(for: job, tries - 1) { continue }
            }
            job.finish(error is OwnFailure ? nil : error)
            return false
        }
    }

    /// Runs one change in a transaction of its own. Answers why it was not written.
    private func attempt(_ job: Job) -> (any Error)? {
        do {
            try database.execute("BEGIN IMMEDIATE")
            guard try apply(job) else { throw Scarcity() }
            try database.execute("COMMIT")
            return nil
        } catch {
            if !database.isIdle { _ = try? database.execute("ROLLBACK") }
            return error
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
