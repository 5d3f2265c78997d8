import Accounts
import HTTPServer
import Identity
import Ledger
import Pages

/// How often one person may ask one gate to open, so that a script fills neither the ledger nor a gate's journal.
struct OpeningLimit: Sendable {
    /// Openings of one person at one gate within `window`: granted and refused alike. The next is answered 429 and written nowhere.
    /// - Key: person and gate
    static let most = 30
    /// A minute, in milliseconds of a clock that never jumps.
    static let window: UInt64 = 60_000
    /// Pairs of person and gate that are remembered. Beyond it those that asked least are forgotten.
    /// - Key: hub
    static let capacity = 10_000

    struct Pair: Hashable, Sendable {
        let person: PersonID
        let gate: GateID
    }

    /// When each pair asked within the last window, oldest first.
    private var asked: [Pair: [UInt64]] = [:]

    /// How many pairs are remembered.
    var count: Int { asked.count }

    /// Counts an opening, unless there were too many.
    /// - Returns: how many milliseconds to wait for the next; 0 when this one was counted.
    mutating func ask(_ pair: Pair, _ now: UInt64) -> UInt64 {
        if asked[pair] == nil, asked.count >= Self.capacity { makeRoom(now) }
        return asked[pair, default: []].ask(now)
    }

    /// Forgets who has all of it again; when that is not enough, the quarter that asked least.
    private mutating func makeRoom(_ now: UInt64) {
        asked = asked.filter { $0.value.last.map { $0 + Self.window > now } ?? false }
        guard asked.count > Self.capacity * 3 / 4 else { return }
        let least = asked.sorted { $0.value.count < $1.value.count }.prefix(Self.capacity / 4)
        for (pair, _) in least { asked[pair] = nil }
    }
}

extension [UInt64] {
    fileprivate mutating func ask(_ now: UInt64) -> UInt64 {
        if let first, first + OpeningLimit.window <= now { removeAll { $0 + OpeningLimit.window <= now } }
        if count >= OpeningLimit.most { return self[0] + OpeningLimit.window - now }
        append(now)
        return 0
    }
}

extension Gates {
    /// One person asked one gate too often. Nothing was decided, sent or written.
    public struct TooOften: Error, Sendable {
        /// When to ask again.
        public let seconds: Int

        /// The answer to a program, in the words of a language.
        public func problem(in language: Language) -> Problem {
            var problem = Problem.tooManyRequests(retryAfter: seconds)
            problem.detail = text(in: language)
            return problem
        }

        /// For a person: what happened and when to ask again.
        func text(in language: Language) -> String { GatesWords.in(language).tooOften(PagesWords.wait(seconds)) }
    }
}
