import CMicrohttpd
import Glibc
import Synchronization
import System

/// One thread that waits on one epoll and runs Swift jobs between the waits.
///
/// Actors may live on it (`SerialExecutor`) and tasks may prefer it (`TaskExecutor`). What such an actor asks of
/// another actor on the same loop costs no change of thread. A loop lives as long as the process.
///
/// `@unchecked Sendable`: the variables below are touched by the loop thread only; all that other threads touch is
/// atomic or behind the lock.
public final class EventLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {
    /// What other threads hand over.
    private struct Inbox {
        var jobs: [UnownedJob] = []
        var actions: [@Sendable () -> Void] = []

        var isEmpty: Bool { jobs.isEmpty && actions.isEmpty }
    }

    private let epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
    private let alarm = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    private let thread = Atomic<UInt>(0)
    private let asleep = Atomic<Bool>(false)
    private let inbox = Mutex(Inbox())

    private var jobs: [UnownedJob] = []
    private var runningJobs: [UnownedJob] = []
    private var actions: [@Sendable () -> Void] = []
    private var clients: [(number: UInt64, client: any EventLoopClient)] = []
    private var lastClient: UInt64 = 0

    /// Starts the thread.
    public init() {
        precondition(epoll >= 0 && alarm >= 0, "no file descriptor left for an event loop")
        watch(alarm, id: 0, of: 0, events: EPOLLIN.rawValue)
        Thread.start(name: "http") { self.run() }
        while thread.load(ordering: .acquiring) == 0 { sched_yield() }
    }

    /// Whether the caller runs on the loop thread.
    public var isCurrent: Bool { thread.load(ordering: .relaxed) == pthread_self() }

    /// Traps when the caller is not on the loop thread: the runtime's check behind `assumeIsolated`.
    public func checkIsolated() { precondition(isCurrent, "not on the event loop") }

    /// The runtime's question behind `assumeIsolated`, for callbacks that C makes on the loop thread.
    public func isIsolatingCurrentContext() -> Bool? { isCurrent }

    /// Runs a job on the loop thread, after the jobs that were enqueued before it by the same thread.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if isCurrent { return jobs.append(job) }
        inbox.withLock { $0.jobs.append(job) }
        wake()
    }

    /// Runs a closure on the loop thread, soon, without a task.
    func perform(_ action: @escaping @Sendable () -> Void) {
        if isCurrent { return actions.append(action) }
        inbox.withLock { $0.actions.append(action) }
        wake()
    }

    // MARK: Clients; on the loop only

    /// Gives a client its turn after every wait; answers the number by which it watches.
    func attach(_ client: any EventLoopClient) -> UInt64 {
        lastClient += 1
        clients.append((lastClient, client))
        return lastClient
    }

    func detach(_ number: UInt64) { clients.removeAll { $0.number == number } }

    /// Reports the events of a descriptor to a client under an id (less than 2^48), until the descriptor closes.
    func watch(_ descriptor: Int32, id: UInt64, of client: UInt64, events: UInt32) {
        var event = epoll_event(events: events, data: epoll_data_t(u64: client << 48 | id))
        epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event)
    }

    func unwatch(_ descriptor: Int32) { epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, nil) }

    // MARK: The thread

    private func wake() {
        // One write for each sleep, however many jobs arrive.
        if asleep.exchange(false, ordering: .sequentiallyConsistent) { eventfd_write(alarm, 1) }
    }

    private func run() {
        thread.store(pthread_self(), ordering: .releasing)
        let events = UnsafeMutableBufferPointer<epoll_event>.allocate(capacity: 64)
        while true {
            runJobs()
            let sleep = giveTurns()
            let count = wait(events, atMost: sleep)
            for event in events.prefix(count) { deliver(event) }
            takeInbox()
        }
    }

    private func wait(_ events: UnsafeMutableBufferPointer<epoll_event>, atMost milliseconds: Int32) -> Int {
        // From here another thread's job writes the alarm; what came before is found by looking once more.
        asleep.store(true, ordering: .sequentiallyConsistent)
        takeInbox()
        let hasWork = !jobs.isEmpty || !actions.isEmpty
        let count = epoll_wait(epoll, events.baseAddress!, Int32(events.count), hasWork ? 0 : milliseconds)
        asleep.store(false, ordering: .sequentiallyConsistent)
        return Int(max(count, 0))
    }

    private func deliver(_ event: epoll_event) {
        let (number, id) = (event.data.u64 >> 48, event.data.u64 & 0xffff_ffff_ffff)
        if number == 0 {
            var value: eventfd_t = 0
            eventfd_read(alarm, &value)
        } else if let entry = clients.first(where: { $0.number == number }) {
            entry.client.ready(id)
        }
    }

    private func giveTurns() -> Int32 {
        var sleep = Int32.max
        for entry in clients { sleep = min(sleep, entry.client.takeTurn()) }
        return sleep == .max ? -1 : sleep
    }

    private func takeInbox() {
        inbox.withLock { inbox in
            if inbox.isEmpty { return }
            jobs += inbox.jobs
            inbox.jobs.removeAll(keepingCapacity: true)
            actions += inbox.actions
            inbox.actions.removeAll(keepingCapacity: true)
        }
    }

    private func runJobs() {
        while !actions.isEmpty {
            let current = actions
            actions = []
            for action in current { action() }
        }
        // A few rounds only, so that tasks that feed one another do not starve the sockets.
        for _ in 0..<8 where !jobs.isEmpty {
            swap(&runningJobs, &jobs)
            for job in runningJobs {
                job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
            }
            runningJobs.removeAll(keepingCapacity: true)
        }
    }
}

/// Somebody who does I/O on an event loop. Called on the loop thread only.
protocol EventLoopClient: AnyObject {
    /// Does what is ready; answers for how many milliseconds the loop may sleep (`Int32.max`: until an event).
    func takeTurn() -> Int32

    /// A watched descriptor has an event.
    func ready(_ id: UInt64)
}
