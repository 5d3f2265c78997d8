import Glibc
import Synchronization
import System
import Testing

@Suite("Threads of our own")
struct ThreadTests {
    private actor Diary {
        let executor: ThreadExecutor
        private(set) var lines: [Int] = []
        private(set) var threads: Set<pthread_t> = []
        init(_ executor: ThreadExecutor) { self.executor = executor }
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
        func write(_ line: Int) {
            lines.append(line)
            threads.insert(pthread_self())
            #expect(executor.isCurrent)
        }
    }

    @Test("An executor runs its jobs in the order of their coming, all on its one thread")
    func order() async {
        let executor = ThreadExecutor(name: "test order")
        #expect(!executor.isCurrent)
        let seen = Mutex<(lines: [Int], threads: Set<pthread_t>)>(([], []))
        let log = Log(seen)
        var tasks: [Task<Void, Never>] = []
        for n in 0..<500 {
            tasks.append(
                Task(executorPreference: executor) {
                    log.seen.withLock {
                        $0.lines.append(n)
                        $0.threads.insert(pthread_self())
                    }
                })
        }
        for task in tasks { await task.value }
        #expect(log.seen.withLock { $0.lines } == Array(0..<500))
        #expect(log.seen.withLock { $0.threads.count } == 1)
    }

    private final class Log: Sendable {
        let seen: Mutex<(lines: [Int], threads: Set<pthread_t>)>
        init(_ seen: consuming Mutex<(lines: [Int], threads: Set<pthread_t>)>) { self.seen = seen }
    }

    @Test("An actor lives on it, whoever calls")
    func actorOnIt() async {
        let diary = Diary(ThreadExecutor(name: "test actor"))
        await withTaskGroup(of: Void.self) { group in
            for n in 0..<200 { group.addTask { await diary.write(n) } }
        }
        #expect(await Set(diary.lines) == Set(0..<200))
        #expect(await diary.threads.count == 1)
    }

    @Test("A thread has the name that it was given, cut to what the kernel keeps")
    func name() async {
        let name = await withCheckedContinuation { (continuation: CheckedContinuation<String, Never>) in
            Thread.start(name: "a name longer than fifteen") {
                let bytes = (try? Files.read("/proc/thread-self/comm", limit: 64)) ?? []
                continuation.resume(returning: String(decoding: bytes.dropLast(), as: UTF8.self))
            }
        }
        #expect(name == "a name longer t")
    }

    @Test("Random bytes come in the count that was asked for, and never twice")
    func random() {
        for count in [0, 1, 16, 256, 257, 100_000] { #expect(Random.bytes(count).count == count) }
        var seen: Set<[UInt8]> = []
        for _ in 0..<2000 { #expect(seen.insert(Random.bytes(16)).inserted) }
        // Every value comes up in so many bytes; were it not so, it would be by a chance of 2^-500.
        #expect(Set(Random.bytes(100_000)).count == 256)
    }
}
