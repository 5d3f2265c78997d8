import Crypto
import HTTPServer
import Synchronization
import System

/// Answers a request that is sent again with the same `Idempotency-Key` with the answer that the first got, for ten minutes.
///
/// The key counts for one account, method, path and body, and for the sites that the session reaches: one that asks for a passkey
/// answers no session that has not shown one, not with an earlier answer either. It is in memory: after a restart of the hub a repeat is a new request.
final class Repeats: Sendable {
    /// At most so many answers are kept; beyond them the oldest go.
    static let capacity = 4096
    /// For so long, in milliseconds.
    static let lifetime: Int64 = 600_000

    private let clock: WallClock
    private let answers = Mutex<[[UInt8]: Entry]>([:])

    private struct Entry {
        let at: Timestamp
        let body: [UInt8]
        /// Nil while the first is still at work.
        var response: Response?
    }

    init(clock: WallClock) { self.clock = clock }

    func once(
        _ key: String, _ request: Request, _ principal: Principal, _ work: () async throws -> Response
    ) async throws -> Response {
        guard (1...64).contains(key.utf8.count) else {
            throw Problem.badRequest("an Idempotency-Key has 1 to 64 characters")
        }
        let locked = principal.locked.map(\.id.text).sorted().joined(separator: " ")
        let scope = "\(principal.person.id)\n\(locked)\n\(request.method.rawValue)\n\(request.path)\n\(key)"
        let place = Digest.sha256(Array(scope.utf8))
        let body = Digest.sha256(request.body)
        let now = clock.now
        let earlier = answers.withLock { answers -> Entry? in
            if let entry = answers[place], entry.at.milliseconds + Self.lifetime > now.milliseconds { return entry }
            if answers.count >= Self.capacity {
                answers = answers.filter { $0.value.at.milliseconds + Self.lifetime > now.milliseconds }
                if answers.count >= Self.capacity, let oldest = answers.min(by: { $0.value.at < $1.value.at })?.key {
                    answers[oldest] = nil
                }
            }
            answers[place] = Entry(at: now, body: body, response: nil)
            return nil
        }
        if let earlier {
            guard earlier.body == body else {
                throw Problem.unprocessable("this Idempotency-Key was used for another request")
            }
            guard let response = earlier.response else {
                throw Problem.conflict("the same request is still being worked on")
            }
            return response
        }
        do {
            let response = try await work()
            answers.withLock { $0[place]?.response = response }
            return response
        } catch {
            // Nothing was done for good: the next of that key may try anew.
            answers.withLock { $0[place] = nil }
            throw error
        }
    }
}
