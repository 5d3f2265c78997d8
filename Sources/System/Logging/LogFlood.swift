/// Keeps one trouble from filling the disk: the same words are written so many times a minute, then only counted, and summed up.
///
/// Times are milliseconds of a clock that never jumps. Memory is bounded: beyond `capacity` different words in a minute, all further
/// ones of a level count as one.
struct LogFlood: Sendable {
    /// What makes two lines the same: everything but the time and the facts.
    struct Words: Hashable, Sendable {
        let level: Log.Level
        let room: String
        let message: String
    }

    /// Lines that were not written.
    struct Summary: Equatable, Sendable {
        let words: Words
        let count: Int
    }

    /// So many of the same words are written in a window.
    /// - Key: hub
    static let free = 20
    /// A window, in milliseconds: a minute.
    static let window: UInt64 = 60_000
    /// So many different words are counted in a window.
    /// - Key: hub
    static let capacity = 256

    private var seen: [Words: (since: UInt64, count: Int)] = [:]
    private var nextSweep: UInt64 = 0

    /// Counts a line. Answers whether to write it, and what is to be summed up by now.
    mutating func admit(_ words: Words, _ now: UInt64) -> (isWritten: Bool, summaries: [Summary]) {
        let summaries = now >= nextSweep ? sweep(now) : []
        let isNew = seen[words] == nil && seen.count >= Self.capacity
        let key = isNew ? Words(level: words.level, room: "log", message: "further lines of many kinds") : words
        let (since, count) = seen[key] ?? (now, 0)
        seen[key] = (since, count + 1)
        return (count < Self.free, summaries)
    }

    /// What was not written so far; everything is counted anew.
    mutating func drain() -> [Summary] {
        defer { seen = [:] }
        return Self.summaries(of: seen)
    }

    private mutating func sweep(_ now: UInt64) -> [Summary] {
        nextSweep = now + Self.window / 60
        let over = seen.filter { $0.value.since + Self.window <= now }
        for words in over.keys { seen[words] = nil }
        return Self.summaries(of: over)
    }

    private static func summaries(of seen: [Words: (since: UInt64, count: Int)]) -> [Summary] {
        seen.filter { $0.value.count > free }.map { Summary(words: $0.key, count: $0.value.count - free) }
            .sorted { ($0.words.room, $0.words.message) < ($1.words.room, $1.words.message) }
    }
}
