/// What the hub said lately on topics that it hears itself, to know its own words when they come back. In bounded memory.
struct RecentWords: Sendable {
    /// So long they may take, in milliseconds.
    static let patience: UInt64 = 60_000
    /// Where subscriptions overlap the broker says it once for each: its copies come within this time, in milliseconds.
    static let copies: UInt64 = 2_000
    /// So many are remembered; the oldest is forgotten first.
    /// - Key: hub
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
    private var words: [Said] = []

    /// The hub says something.
    /// - Parameter now: milliseconds of a clock that never jumps.
    mutating func say(_ topic: String, _ payload: [UInt8], _ now: UInt64) {
        words.removeAll { Self.isOver($0, now) }
        if words.count >= Self.capacity { words.removeFirst() }
        words.append(Said(word: Word(topic: topic, payload: payload), at: now))
    }

    /// Whether something that is heard is what the hub said.
    mutating func takeBack(_ topic: String, _ payload: [UInt8], _ now: UInt64) -> Bool {
        let word = Word(topic: topic, payload: payload)
        guard let place = words.firstIndex(where: { $0.word == word && !Self.isOver($0, now) }) else { return false }
        words[place].back = words[place].back ?? now
        return true
    }

    private static func isOver(_ said: Said, _ now: UInt64) -> Bool {
        said.back.map { now - $0 > copies } ?? (now - said.at > patience)
    }
}
