import Crypto
import HTTPServer
import Identity
import Ledger
import Synchronization
import System

/// Answers a request that is sent again with the same `Idempotency-Key` with the answer that the first got, for ten minutes.
///
/// The key counts for one account, method, path and body, and for the sites that the session reaches: one that asks for a passkey
/// answers no session that has not shown one, not with an earlier answer either. Whose rights have shrunk since gets no earlier answer:
/// it may tell, or hand over, what is theirs no longer. Nor does another session of theirs that has proven less: it may hold a secret.
///
/// An answer with a cookie is given once: it is for the browser that asked.
///
/// It is in memory: after a restart of the hub a repeat is a new request. What is remembered is limited for each person, so that one
/// person can neither push out another's answers nor fill the memory.
final class Repeats: Sendable {
    /// Keys that are remembered of one person; beyond them that person's oldest answers go.
    /// - Key: person
    static let keysPerPerson = 256
    /// Bytes of answers that are kept of one person; beyond them that person's oldest answers go.
    /// - Key: person
    static let bytesPerPerson = 1 << 20
    /// Keys that are remembered of all people together; beyond them answers of the person with the most keys go.
    /// - Key: hub
    static let capacity = 16_384
    /// How long an answer is remembered, in milliseconds.
    static let lifetime: Int64 = 600_000

    private let clock: WallClock
    private let remembered = Mutex(Remembered())

    init(clock: WallClock) { self.clock = clock }

    /// - Parameter after: who asks, as they are when the work is done: it may change their own rights.
    func once(
        _ key: String, _ request: Request, _ principal: Principal, after: () throws -> Principal?,
        _ work: () async throws -> Response
    ) async throws -> Response {
        guard (1...64).contains(key.utf8.count) else {
            throw Problem.badRequest("an Idempotency-Key has 1 to 64 characters")
        }
        let person = principal.person.id
        let locked = principal.locked.map(\.id.text).sorted().joined(separator: " ")
        let place = Digest.sha256(Array("\(locked)\n\(request.method.rawValue)\n\(request.path)\n\(key)".utf8))
        let body = Digest.sha256(request.body)
        let now = clock.now
        if let earlier = try remembered.withLock({ try $0.begin(place, of: person, body, at: now) }) {
            guard earlier.body == body else {
                throw Problem.unprocessable("this Idempotency-Key was used for another request")
            }
            guard let response = earlier.response else {
                throw Problem.conflict("the same request is still being worked on")
            }
            guard !response.hasHeader("Set-Cookie") else {
                throw Problem.conflict(
                    "This was done before, and its answer was for the browser that asked. Nothing was done again.",
                    type: "answered-once")
            }
            guard earlier.rights.isSubset(of: Self.rights(of: principal, at: now)),
                principal.proof.at >= earlier.proven || principal.proof.isFresh(at: now)
            else {
                throw Problem.conflict(
                    "This was done before, and what you may do has changed since. Nothing was done again.",
                    type: "rights-changed")
            }
            return response
        }
        do {
            let response = try await work()
            let asker = (try? after()) ?? principal
            let (rights, proven) = (Self.rights(of: asker, at: now), min(asker.proof.at, principal.proof.at))
            remembered.withLock { $0.end(place, of: person, with: response, rights, proven) }
            return response
        } catch {
            // Nothing was done for good: the next of that key may try anew.
            remembered.withLock { $0.end(place, of: person, with: nil, [], now) }
            throw error
        }
    }

    /// What somebody may: their memberships that hold, each with its permission and role.
    private static func rights(of principal: Principal, at now: Timestamp) -> Set<String> {
        Set(
            principal.memberships.filter { $0.membership.holds(on: $0.site.zone.day(at: now)) }.map {
                let membership = $0.membership
                return "\(membership.id.text) \(membership.permission.rawValue) \(membership.role?.text ?? "")"
            })
    }
}

/// The requests of all people that had a key.
private struct Remembered {
    private var people: [PersonID: [[UInt8]: Entry]] = [:]
    private var count = 0
    private var newest: UInt64 = 0

    struct Entry {
        let number: UInt64
        let at: Timestamp
        let body: [UInt8]
        /// Nil while the first is still at work.
        var response: Response?
        /// What the person might do when the answer was given.
        var rights: Set<String> = []
        /// When who asked had proven who they are.
        var proven = Timestamp(milliseconds: 0)

        var size: Int { if case .bytes(let bytes) = response?.body { bytes.count } else { 0 } }
        func counts(at now: Timestamp) -> Bool { at.milliseconds + Repeats.lifetime > now.milliseconds }
    }

    /// - Returns: the earlier request of that key; nil when this is the first, which is remembered from now on.
    /// - Throws: 429 when there is no room because everything that is remembered is still at work.
    mutating func begin(_ place: [UInt8], of person: PersonID, _ body: [UInt8], at now: Timestamp) throws -> Entry? {
        if let earlier = people[person]?[place] {
            if earlier.counts(at: now) { return earlier }
            remove(place, of: person)
        }
        if people[person]?.count ?? 0 >= Repeats.keysPerPerson, !removeOldest(of: person) {
            throw Problem.tooManyRequests(retryAfter: 1)
        }
        if count >= Repeats.capacity {
            for (other, own) in people {
                for (place, entry) in own where !entry.counts(at: now) { remove(place, of: other) }
            }
            let first = people.max { $0.value.count < $1.value.count }?.key
            if count >= Repeats.capacity, first.map({ removeOldest(of: $0) }) != true {
                throw Problem.tooManyRequests(retryAfter: 1)
            }
        }
        newest += 1
        people[person, default: [:]][place] = Entry(number: newest, at: now, body: body, response: nil)
        count += 1
        return nil
    }

    /// - Parameter response: nil: the request is forgotten.
    mutating func end(
        _ place: [UInt8], of person: PersonID, with response: Response?, _ rights: Set<String>, _ proven: Timestamp
    ) {
        guard let response else { return remove(place, of: person) }
        people[person]?[place]?.response = response
        people[person]?[place]?.rights = rights
        people[person]?[place]?.proven = proven
        while let own = people[person], own.values.reduce(0, { $0 + $1.size }) > Repeats.bytesPerPerson,
            removeOldest(of: person)
        {}
    }

    private mutating func remove(_ place: [UInt8], of person: PersonID) {
        guard people[person]?.removeValue(forKey: place) != nil else { return }
        count -= 1
        if people[person]?.isEmpty == true { people[person] = nil }
    }

    /// Forgets a person's oldest answer. What is still at work stays: forgotten, it could be done twice.
    private mutating func removeOldest(of person: PersonID) -> Bool {
        let answered = people[person]?.filter { $0.value.response != nil }
        guard let oldest = answered?.min(by: { $0.value.number < $1.value.number })?.key else { return false }
        remove(oldest, of: person)
        return true
    }
}
