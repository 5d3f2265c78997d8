import System

/// The sign-ins on their way. What a service sends back names one of them, and only the browser that began it can end it, once.
struct Pending: Sendable {
    /// Somebody has so long for it, in milliseconds: ten minutes.
    static let lifetime: UInt64 = 600_000
    /// At most so many are kept of people who come in, and so many of those who are in: strangers make nobody of these begin anew. Of each
    /// kind the oldest goes.
    /// - Key: hub
    static let capacity = 20_000
    /// Of those one person's are at most so many, of which the oldest goes.
    /// - Key: person
    static let ofOne = 16

    struct Entry: Sendable {
        let service: String
        /// The hash of what the browser keeps.
        let browser: [UInt8]
        let attempt: Attempt
        let errand: Errand
        /// Who is in; nil: a stranger.
        var holder: [UInt8]?
        let back: String
        let until: UInt64
    }

    private var strangers = Line()
    private var signedIn = Line()

    /// How many there are.
    var count: Int { strangers.count + signedIn.count }

    mutating func add(_ entry: Entry, state: [UInt8], now: UInt64) {
        if entry.holder == nil {
            strangers.add(entry, state: state, now: now)
        } else {
            signedIn.add(entry, state: state, now: now)
        }
    }

    /// Takes out what was begun under a state, if it is still good. Whoever asks for it, it is gone then.
    mutating func take(state: [UInt8], now: UInt64) -> Entry? {
        strangers.take(state: state, now: now) ?? signedIn.take(state: state, now: now)
    }

    /// Those of one kind.
    private struct Line: Sendable {
        private var entries: [[UInt8]: Entry] = [:]
        /// The hashes of all states, the oldest first, also of those that have ended.
        private var order: [[UInt8]] = []
        private var oldest = 0
        /// The hashes of the states that each person has, the oldest first.
        private var own: [[UInt8]: [[UInt8]]] = [:]

        var count: Int { entries.count }

        mutating func add(_ entry: Entry, state: [UInt8], now: UInt64) {
            while oldest < order.count {
                let isGone = entries[order[oldest]].map { $0.until <= now } ?? true
                guard isGone || entries.count >= Pending.capacity else { break }
                remove(order[oldest])
                oldest += 1
            }
            if oldest > order.count / 2 {
                order.removeFirst(oldest)
                oldest = 0
            }
            if let holder = entry.holder {
                if let mine = own[holder], mine.count >= Pending.ofOne { remove(mine[0]) }
                own[holder, default: []].append(state)
            }
            entries[state] = entry
            order.append(state)
        }

        mutating func take(state: [UInt8], now: UInt64) -> Entry? {
            guard let entry = remove(state), now < entry.until else { return nil }
            return entry
        }

        @discardableResult
        private mutating func remove(_ state: [UInt8]) -> Entry? {
            guard let entry = entries.removeValue(forKey: state) else { return nil }
            if let holder = entry.holder {
                own[holder]?.removeAll { $0 == state }
                if own[holder]?.isEmpty == true { own[holder] = nil }
            }
            return entry
        }
    }
}
