import Household

/// What the hub said lately on topics that it hears itself, to know its own words when they come back. In bounded memory.
struct RecentWords: Sendable {
    /// So long they may take, in milliseconds.
    static let patience: UInt64 = 60_000
    /// Where subscriptions overlap the broker says it once for each: its copies come within this time, in milliseconds.
    static let copies: UInt64 = 2_000
    /// So many are remembered of what is said to one gateway; the oldest is forgotten first. What is said to another makes none forgotten.
    /// - Key: gateway
    static let capacity = 1_000

    private struct Word: Equatable {
        let topic: String
        let payload: [UInt8]
    }
    private struct Said {
        let word: Word
        let at: UInt64
        /// When it came back first.
        var back: UInt64?
    }
    /// By the prefix of their gateway.
    private var words: [Substring: [Said]] = [:]

    /// The hub says something.
    /// - Parameter now: milliseconds of a clock that never jumps.
    mutating func say(_ topic: String, _ payload: [UInt8], _ now: UInt64) {
        let gateway = Self.gateway(topic)
        var said = words.removeValue(forKey: gateway) ?? []
        said.removeAll { Self.isOver($0, now) }
        if said.count >= Self.capacity { said.removeFirst() }
        said.append(Said(word: Word(topic: topic, payload: payload), at: now))
        // Gateways that are gone, and those to which nothing was said lately.
        if words.count >= Self.capacity { words = words.filter { !$0.value.allSatisfy { Self.isOver($0, now) } } }
        words[gateway] = said
    }

    private static func gateway(_ topic: String) -> Substring { Gateway.split(topic)?.prefix ?? Substring(topic) }

    /// Whether something that is heard is what the hub said.
    mutating func takeBack(_ topic: String, _ payload: [UInt8], _ now: UInt64) -> Bool {
        let (word, gateway) = (Word(topic: topic, payload: payload), Self.gateway(topic))
        guard let place = words[gateway]?.firstIndex(where: { $0.word == word && !Self.isOver($0, now) }),
            let said = words[gateway]?[place]
        else { return false }
        words[gateway]?[place].back = said.back ?? now
        return true
    }

    private static func isOver(_ said: Said, _ now: UInt64) -> Bool {
        said.back.map { now - $0 > copies } ?? (now - said.at > patience)
    }
}
