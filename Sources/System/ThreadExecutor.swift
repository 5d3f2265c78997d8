import Glibc

/// One thread of its own that runs Swift jobs in order: where calls that block (SQLite, argon2, curl) may wait without holding
/// one of the few threads of the cooperative pool.
///
/// An actor lives on it by answering `unownedExecutor` with it; a task prefers it with `Task(executorPreference:)`.
///
/// The thread lives as long as the process: executors are made once, at start.
public final class ThreadExecutor: SerialExecutor, TaskExecutor, @unchecked Sendable {
    // Unchecked: `jobs` is touched only under `lock`. A pthread mutex rather than `Mutex`, which Thread Sanitizer does not understand.
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let filled = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var jobs: [UnownedJob] = []
    private var thread = pthread_t()

    /// - Parameter name: what debuggers and `top -H` show; at most 15 bytes.
    public init(name: String) {
        pthread_mutex_init(lock, nil)
        pthread_cond_init(filled, nil)
        thread = Thread.start(name: name) { [self] in run() }
    }

    /// Runs a job after those that wait already.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        pthread_mutex_lock(lock)
        jobs.append(job)
        pthread_cond_signal(filled)
        pthread_mutex_unlock(lock)
    }

    /// Whether the caller runs on this executor's thread.
    public var isCurrent: Bool { pthread_equal(pthread_self(), thread) != 0 }

    /// Stops the program unless the caller runs on this executor's thread.
    public func checkIsolated() { precondition(isCurrent, "not on this thread") }

    /// Whether the caller runs on this executor's thread.
    public func isIsolatingCurrentContext() -> Bool? { isCurrent }

    private func run() {
        var batch: [UnownedJob] = []
        while true {
            pthread_mutex_lock(lock)
            while jobs.isEmpty { pthread_cond_wait(filled, lock) }
            swap(&batch, &jobs)
            pthread_mutex_unlock(lock)
            for job in batch {
                job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
            }
            batch.removeAll(keepingCapacity: true)
        }
    }
}
