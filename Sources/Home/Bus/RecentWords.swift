/// What the hub said lately on topics that it hears itself, to know its own words when they come back. In bounded memory.
struct RecentWords: Sendable {
    /// So long they may take, in milliseconds.
    static let patience: UInt64 = 60_000
    /// So many are remembered; the oldest is forgotten first.
    /// - Key: hub
    static let capacity = 1_000

    private struct Word: Equatable {
        let topic: String
        let payload: [UInt8]
    }
    private var words: [(word: Word, at: UInt64)] = []

    /// The hub says something.
    /// - Parameter now: milliseconds of a clock that never jumps.
    mutating func say(_ topic: String, _ payload: [UInt8], _ now: UInt64) {
        words.removeAll { now - $0.at > Self.patience }
        if words.count >= Self.capacity { words.removeFirst() }
        words.append((Word(topic: topic, payload: payload), now))
    }

    /// Whether something that is heard is what the hub said. Each comes back once.
    mutating func takeBack(_ topic: String, _ payload: [UInt8], _ now: UInt64) -> Bool {
        let word = Word(topic: topic, payload: payload)
        guard let place = words.firstIndex(where: { $0.word == word && now - $0.at <= Self.patience }) else {
            return false
        }
        words.remove(at: place)
        return true
    }
}
