import CImages
import Synchronization
import System

/// Makes photos on a thread of its own, one at a time, so that many at once cost no more memory than one; and a few may wait.
public final class PhotoDesk: Sendable {
    /// At most so many wait or are made at a time.
    /// - Key: hub
    public static let queueLimit = 8
    /// Photos of one owner that wait or are made at a time: one who sends many keeps nobody else out.
    /// - Key: person
    public static let mostOfOne = 1

    private let thread = ThreadExecutor(name: "photos")
    /// By owner.
    private let waiting = Mutex<[String: Int]>([:])

    /// A desk; its thread lives as long as the process.
    public init() {}

    /// Makes a photo of a file's bytes.
    /// - Parameter owner: whose it is, as an id.
    /// - Throws: `PhotoError.busy` too.
    public func make(from bytes: [UInt8], of owner: String) async throws(PhotoError) -> Photo {
        try await work(owner) { () throws(PhotoError) in try Photo.make(from: bytes) }
    }

    /// Makes a camera's picture anew: see `Photo.still`.
    /// - Parameter owner: the camera, as an id.
    /// - Throws: `PhotoError.busy` too.
    public func still(from bytes: [UInt8], of owner: String) async throws(PhotoError) -> [UInt8] {
        try await work(owner) { () throws(PhotoError) in try Photo.still(from: bytes) }
    }

    private func work<Made: Sendable>(
        _ owner: String, _ make: @escaping @Sendable () throws(PhotoError) -> Made
    ) async throws(PhotoError) -> Made {
        let isTaken = waiting.withLock { waiting in
            let own = waiting[owner, default: 0]
            if own >= Self.mostOfOne || waiting.values.reduce(0, +) >= Self.queueLimit { return false }
            waiting[owner] = own + 1
            return true
        }
        guard isTaken else { throw .busy }
        defer {
            waiting.withLock { waiting in
                let left = waiting[owner, default: 1] - 1
                waiting[owner] = left == 0 ? nil : left
            }
        }
        let result = await Task(executorPreference: thread) { () -> Result<Made, PhotoError> in
            defer { cimages_give_back() }
            do throws(PhotoError) { return .success(try make()) } catch { return .failure(error) }
        }.value
        return try result.get()
    }
}
