import CCurl
import Glibc
import Synchronization
import System

/// Threads that wait for other servers, each with a handle of libcurl: never the cooperative pool.
final class Lanes: Sendable {
    /// A thread and what only this thread uses.
    private final class Lane: @unchecked Sendable {
        // Unchecked: `handle` is used on `executor`'s thread alone, and freed by `deinit`, when no request holds the lane.
        let handle: UnsafeMutableRawPointer
        let executor: ThreadExecutor

        init(_ executor: ThreadExecutor) {
            guard let handle = ccurl_make() else { preconditionFailure("no memory for a client") }
            (self.handle, self.executor) = (handle, executor)
        }

        deinit { ccurl_end(handle) }
    }

    /// Lanes, and how many requests each has.
    private let lanes: Mutex<[(lane: Lane, load: Int)]>
    private let most: Int
    private let make: @Sendable (Int) -> ThreadExecutor

    /// Once per process, before the first handle.
    private static let start: Void = ccurl_start()
    private static let executors = (1...4).map { ThreadExecutor(name: "courier \($0)") }

    private init(most: Int, _ make: @escaping @Sendable (Int) -> ThreadExecutor) {
        precondition(most > 0)
        Self.start
        lanes = Mutex([])
        (self.most, self.make) = (most, make)
    }

    /// Threads of its own, each begun when all that there are have something to do.
    convenience init(name: String, count: Int) {
        self.init(most: count) { ThreadExecutor(name: "\(name) \($0)") }
    }

    /// One lane, on one of four threads that all such lanes share.
    static func shared() -> Lanes {
        let executor = executors.randomElement()!
        return Lanes(most: 1) { _ in executor }
    }

    /// Runs something that waits, on the lane that has least to do.
    func run<T: Sendable>(_ body: @escaping @Sendable (UnsafeMutableRawPointer) -> T) async -> T {
        let (chosen, lane) = lanes.withLock { lanes in
            if lanes.count < most, !lanes.contains(where: { $0.load == 0 }) {
                lanes.append((Lane(make(lanes.count + 1)), 0))
            }
            let chosen = lanes.indices.min { lanes[$0].load < lanes[$1].load }!
            lanes[chosen].load += 1
            return (chosen, lanes[chosen].lane)
        }
        defer { lanes.withLock { $0[chosen].load -= 1 } }
        return await Task(executorPreference: lane.executor) { body(lane.handle) }.value
    }
}

/// Gives a C function its texts.
func withCStrings<Result>(
    _ texts: [String], _ body: (UnsafeBufferPointer<UnsafePointer<CChar>?>) -> Result
) -> Result {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return copies.map { UnsafePointer($0) }.withUnsafeBufferPointer(body)
}

extension Duration {
    /// At least one.
    var milliseconds: Int {
        let (seconds, attoseconds) = components
        return Int(clamping: max(1, seconds * 1000 + attoseconds / 1_000_000_000_000_000))
    }
}
