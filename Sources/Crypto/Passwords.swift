import CSodium
import Synchronization
import System

/// Password hashes: argon2id at OWASP's minimum (19 MiB, two passes), by libsodium.
///
/// A hash costs about 16 ms and 19 MiB on purpose, so only two run at a time, on threads of their own. Of strangers only a few may wait: a
/// flood of sign-ins is refused rather than served late to everybody. Who is known waits in a line, in which those are
/// first who have had least, and in a full one those give way who have most: see `PasswordTurns`.
public final class Passwords: Sendable {
    /// Too many wait already.
    public struct Busy: Error, Sendable {}

    /// Of strangers, at most so many wait or run at a time; the new passwords of imports are among them.
    /// - Key: hub
    public static let strangersLimit = 24
    /// Passwords and codes that known browsers and sessions show, so many beside those.
    /// - Key: hub
    public static let knownLimit = 1_024
    /// New passwords and codes of people who are signed in, or have a link or an invitation: so many beside those.
    /// - Key: hub
    public static let newLimit = 256
    /// Of known and of new ones, one person has at most so many each at a time.
    /// - Key: person
    public static let mostOfOne = 4

    /// For whom a password is hashed.
    public enum Asker: Sendable {
        /// Somebody who shows nothing that others do not have, or many at once.
        case stranger
        /// Somebody with a known browser, a session, a link or an invitation, by a name of theirs.
        /// - Parameter place: the place where they are one of many: many accounts of one take its part of the time alone.
        case known([UInt8], of: [UInt8])
    }

    private let threads: [ThreadExecutor]
    private typealias Share = PasswordTurns.Share

    private struct Own: Hashable {
        let share: Share
        let name: [UInt8]
    }

    private struct Load {
        /// How many wait or run.
        var waiting: [Share: Int] = [:]
        /// How many are whose.
        var own: [Own: Int] = [:]
        var turns = PasswordTurns(at: Uptime.milliseconds)
        /// The threads that do nothing.
        var free: [Int]
        /// Of those who wait: nil is for who gives way.
        var continuations: [UInt64: CheckedContinuation<Int?, Never>] = [:]

        /// Those whose turn it is, each with its thread.
        mutating func begin() -> [(continuation: CheckedContinuation<Int?, Never>, thread: Int)] {
            var begun: [(CheckedContinuation<Int?, Never>, Int)] = []
            while let thread = free.last, let number = turns.next(at: Uptime.milliseconds) {
                free.removeLast()
                if let continuation = continuations.removeValue(forKey: number) { begun.append((continuation, thread)) }
            }
            return begun
        }
    }
    private let load: Mutex<Load>
    private static let passes: UInt64 = 2
    let unknown: String
    private let memory: Int

    /// - Parameter memory: bytes that one hash takes, 19 MiB unless a test needs to be quick.
    public convenience init(memory: Int = 19 << 20) {
        self.init(memory: memory, threads: [ThreadExecutor(name: "argon2 a"), ThreadExecutor(name: "argon2 b")])
    }

    /// On threads that a test may keep busy.
    init(memory: Int, threads: [ThreadExecutor]) {
        precondition(sodium_init() >= 0, "libsodium does not start")
        self.threads = threads
        self.memory = memory
        load = Mutex(Load(free: Array(threads.indices)))
        unknown = Self.compute("nobody", memory)
    }

    /// The hash to store for a password, with its salt and parameters, in the usual text form `$argon2id$…`.
    public func hash(_ password: String, for asker: Asker = .stranger) async throws(Busy) -> String {
        let memory = memory
        return try await run(for: asker, in: .new) { Self.compute(password, memory) }
    }

    /// Whether a password belongs to a stored hash. For an account that does not exist pass nil: the same work is done, so that the
    /// time does not tell which accounts exist.
    public func verify(
        _ password: String, against stored: String?, for asker: Asker = .stranger
    ) async throws(Busy) -> Bool {
        let hash = stored ?? unknown
        let same = try await run(for: asker, in: .known) { Self.matches(password, hash) }
        return same && stored != nil
    }

    /// The hash to store for one of several secrets that are tried together: made as those that are there, with their salt, so that a try
    /// costs one hash and not one for each.
    /// - Parameter others: the hashes of the others; none that is made as today: with a salt of its own.
    public func hash(_ secret: String, beside others: [String], for asker: Asker) async throws(Busy) -> String {
        let recipe = others.lazy.compactMap { PasswordRecipe(of: $0) }.first {
            $0.isOf(memory: memory, passes: Self.passes)
        }
        let made = if let recipe { try await run(for: asker, in: .new) { recipe.hash(secret) } } else { nil as String? }
        if let made { return made }
        return try await hash(secret, for: asker)
    }

    /// Which of these hashes a secret belongs to: all are looked at, in one place of the queue, those that have a salt in common at once.
    public func verify(_ secret: String, againstEach stored: [String], for asker: Asker) async throws(Busy) -> [Bool] {
        let recipes = stored.map { PasswordRecipe(of: $0) }
        let each = Set(recipes.compactMap(\.self))
        return try await run(for: asker, in: .known, cost: each.count + recipes.count { $0 == nil }) {
            let made = Dictionary(uniqueKeysWithValues: each.map { ($0, $0.hash(secret)) })
            return zip(stored, recipes).map { stored, recipe in
                guard let recipe else { return Self.matches(secret, stored) }
                guard let made = made[recipe] ?? nil else { return false }
                let (one, other) = (Array(made.utf8), Array(stored.utf8))
                return one.count == other.count && sodium_memcmp(one, other, one.count) == 0
            }
        }
    }

    private func run<T: Sendable>(
        for asker: Asker, in place: Share, cost: Int = 1, _ body: @escaping @Sendable () -> T
    ) async throws(Busy) -> T {
        let (owner, own): (PasswordTurns.Owner, Own?) =
            switch asker {
            case .stranger: (.stranger, nil)
            case .known(let name, let site): (.init(name: name, place: site), Own(share: place, name: name))
            }
        let share = own == nil ? .strangers : place
        let limit =
            switch share {
            case .strangers: Self.strangersLimit
            case .known: Self.knownLimit
            case .new: Self.newLimit
            }
        let (isAdmitted, givesWay) = load.withLock { load -> (Bool, CheckedContinuation<Int?, Never>?) in
            if let own, load.own[own, default: 0] >= Self.mostOfOne { return (false, nil) }
            var givesWay: CheckedContinuation<Int?, Never>?
            if load.waiting[share, default: 0] >= limit {
                let number = own == nil ? nil : load.turns.makeRoom(in: share, for: owner, cost: cost)
                givesWay = number.flatMap { load.continuations.removeValue(forKey: $0) }
                if givesWay == nil { return (false, nil) }
            }
            if let own { load.own[own, default: 0] += 1 }
            load.waiting[share, default: 0] += 1
            return (true, givesWay)
        }
        if !isAdmitted { throw Busy() }
        givesWay?.resume(returning: nil)
        defer {
            load.withLock { load in
                load.waiting[share, default: 1] -= 1
                guard let own else { return }
                let left = load.own[own, default: 1] - 1
                load.own[own] = left > 0 ? left : nil
            }
        }
        guard let thread = await turn(share, owner, cost) else { throw Busy() }
        defer { begin { $0.free.append(thread) } }
        return await Task(executorPreference: threads[thread]) { body() }.value
    }

    /// Waits for a thread; nil: the line is full, and it gives way.
    private func turn(_ share: Share, _ owner: PasswordTurns.Owner, _ cost: Int) async -> Int? {
        await withCheckedContinuation { continuation in
            begin { $0.continuations[$0.turns.add(share, owner, cost: cost)] = continuation }
        }
    }

    private func begin(after change: (inout Load) -> Void) {
        let begun = load.withLock { load in
            change(&load)
            return load.begin()
        }
        for (continuation, thread) in begun { continuation.resume(returning: thread) }
    }

    private static func compute(_ password: String, _ memory: Int) -> String {
        var text = password
        var out = [CChar](repeating: 0, count: Int(crypto_pwhash_STRBYTES))
        let status = text.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) {
                crypto_pwhash_str_alg(
                    &out, $0.baseAddress ?? UnsafePointer(bitPattern: 1)!, UInt64($0.count), passes, memory,
                    crypto_pwhash_ALG_ARGON2ID13)
            }
        }
        precondition(status == 0, "no memory for a password hash")
        return String(decoding: out.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func matches(_ password: String, _ hash: String) -> Bool {
        var text = password
        return text.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) {
                crypto_pwhash_str_verify(hash, $0.baseAddress ?? UnsafePointer(bitPattern: 1)!, UInt64($0.count)) == 0
            }
        }
    }
}
