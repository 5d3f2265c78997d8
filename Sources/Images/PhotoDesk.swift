import CImages
import Synchronization
import System

/// Makes photos on a thread of its own, one at a time, so that many at once cost no more memory than one; and a few may wait.
public final class PhotoDesk: Sendable {
    /// At most so many wait or are made at a time.
    /// - Key: hub
    public static let queueLimit = 8

    private let thread = ThreadExecutor(name: "photos")
    private let waiting = Mutex(0)

    /// A desk; its thread lives as long as the process.
    public init() {}

    /// Makes a photo of a file's bytes.
    /// - Throws: `PhotoError.busy` too.
    public func make(from bytes: [UInt8]) async throws(PhotoError) -> Photo {
        try await work { () throws(PhotoError) in try Photo.make(from: bytes) }
    }

    /// Makes a camera's picture anew: see `Photo.still`.
    /// - Throws: `PhotoError.busy` too.
    public func still(from bytes: [UInt8]) async throws(PhotoError) -> [UInt8] {
        try await work { () throws(PhotoError) in try Photo.still(from: bytes) }
    }

    private func work<Made: Sendable>(
        _ make: @escaping @Sendable () throws(PhotoError) -> Made
    ) async throws(PhotoError) -> Made {
        let isTaken = waiting.withLock { waiting in
            if waiting >= Self.queueLimit { return false }
            waiting += 1
            return true
        }
        guard isTaken else { throw .busy }
        defer { waiting.withLock { $0 -= 1 } }
        let result = await Task(executorPreference: thread) { () -> Result<Made, PhotoError> in
            defer { cimages_give_back() }
            do throws(PhotoError) { return .success(try make()) } catch { return .failure(error) }
        }.value
        return try result.get()
    }
}
