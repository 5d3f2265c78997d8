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

    private let lanes: [Lane]
    /// How many requests each lane has.
    private let load: Mutex<[Int]>

    /// Once per process, before the first handle.
    private static let start: Void = ccurl_start()
    private static let executors = (1...4).map { ThreadExecutor(name: "courier \($0)") }

    private init(_ executors: [ThreadExecutor]) {
        Self.start
        lanes = executors.map { Lane($0) }
        load = Mutex(lanes.map { _ in 0 })
    }

    /// Threads of its own.
    convenience init(name: String, count: Int) {
        precondition(count > 0)
        self.init((1...count).map { ThreadExecutor(name: "\(name) \($0)") })
    }

    /// One lane, on one of four threads that all such lanes share.
    static func shared() -> Lanes { Lanes([executors.randomElement()!]) }

    /// Runs something that waits, on the lane that has least to do.
    func run<T: Sendable>(_ body: @escaping @Sendable (UnsafeMutableRawPointer) -> T) async -> T {
        let chosen = load.withLock { load in
            let chosen = load.indices.min { load[$0] < load[$1] }!
            load[chosen] += 1
            return chosen
        }
        defer { load.withLock { $0[chosen] -= 1 } }
        let lane = lanes[chosen]
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
