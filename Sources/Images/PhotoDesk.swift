import CImages
import Synchronization
import System

/// Makes photos on a thread of its own, one at a time, so that many at once cost no more memory than one. The owner who has had least of
/// the thread is next, and at a full desk the one who has had most gives way: see `PhotoTurns`.
///
/// People's photos have a desk of their own, and cameras' pictures another: neither waits for the other.
public final class PhotoDesk: Sendable {
    /// At most so many wait or are made at a time.
    /// - Key: hub
    public static let queueLimit = 64
    /// Bytes of their files, as eight of the longest have (`Photo.bytesLimit`). A form is held beside its file: 128 MiB at worst.
    /// - Key: hub
    public static let byteLimit = 64 << 20
    /// Photos of one owner that wait or are made at a time.
    /// - Key: person
    public static let mostOfOne = 1

    private typealias Waiter = CheckedContinuation<Bool, Never>

    private struct Load {
        var turns = PhotoTurns(at: Uptime.milliseconds)
        /// By number: true begins a photo, false refuses one that gave way.
        var waiters: [UInt64: Waiter] = [:]

        mutating func next() -> Waiter? {
            turns.next(at: Uptime.milliseconds).flatMap { waiters.removeValue(forKey: $0) }
        }
    }

    private let thread: ThreadExecutor
    private let load = Mutex(Load())

    /// A desk; its thread lives as long as the process.
    public convenience init() { self.init(thread: ThreadExecutor(name: "photos")) }

    /// On a thread that a test may keep busy.
    init(thread: ThreadExecutor) { self.thread = thread }

    /// Makes a photo of a file's bytes.
    /// - Parameter owner: whose it is, as an id.
    /// - Throws: `PhotoError.busy` too.
    public func make(from bytes: [UInt8], of owner: String) async throws(PhotoError) -> Photo {
        try await work(owner, bytes.count) { () throws(PhotoError) in try Photo.make(from: bytes) }
    }

    /// Makes a camera's picture anew: see `Photo.still`.
    /// - Parameter owner: the camera, as an id.
    /// - Throws: `PhotoError.busy` too.
    public func still(from bytes: [UInt8], of owner: String) async throws(PhotoError) -> [UInt8] {
        try await work(owner, bytes.count) { () throws(PhotoError) in try Photo.still(from: bytes) }
    }

    /// How many wait or are made.
    var count: Int { load.withLock { $0.turns.count } }

    private func work<Made: Sendable>(
        _ owner: String, _ bytes: Int, _ make: @escaping @Sendable () throws(PhotoError) -> Made
    ) async throws(PhotoError) -> Made {
        guard await turn(of: owner, bytes) else { throw .busy }
        let (result, time) = await Task(executorPreference: thread) { () -> (Result<Made, PhotoError>, UInt64) in
            let start = Uptime.milliseconds
            defer { cimages_give_back() }
            let result: Result<Made, PhotoError>
            do throws(PhotoError) { result = .success(try make()) } catch { result = .failure(error) }
            return (result, Uptime.milliseconds - start)
        }.value
        let next = load.withLock { load in
            load.turns.end(after: time)
            return load.next()
        }
        next?.resume(returning: true)
        return try result.get()
    }

    /// Waits for the thread. False: there is no place, or the photo gave way to another.
    private func turn(of owner: String, _ bytes: Int) async -> Bool {
        await withCheckedContinuation { waiter in
            let (givingWay, next) = load.withLock { load -> ([Waiter], Waiter?) in
                guard let admission = load.turns.admit(owner, bytes: bytes) else { return ([waiter], nil) }
                load.waiters[admission.number] = waiter
                return (admission.givingWay.compactMap { load.waiters.removeValue(forKey: $0) }, load.next())
            }
            for waiter in givingWay { waiter.resume(returning: false) }
            next?.resume(returning: true)
        }
    }
}
