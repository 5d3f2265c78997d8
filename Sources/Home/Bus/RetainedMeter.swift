/// Bounds what the broker keeps for one gateway.
///
/// A message that was just sent does not tell whether it is retained (MQTT 3.1.1, section 3.3.1.3). So every topic counts, by its
/// largest message: never less than what is kept. Above the limit the broker is asked for what it keeps, which comes marked.
struct RetainedMeter: Sendable {
    /// What the broker may keep for a gateway.
    struct Limit: Sendable, Equatable {
        let topics: Int
        /// Bytes, with what the broker needs for each topic.
        let bytes: Int
    }

    /// What a message shows.
    enum Verdict: Equatable { case within, uncertain, over }

    /// What the broker needs for one level of a topic, in bytes.
    static let levelSize = 128
    /// So long after the broker was asked for what it keeps it is not asked again, in milliseconds. What is only said, as by hundreds of
    /// devices that are started at once, is no reason to shut a gateway out; what it has the broker keep meanwhile, the broker bounds.
    static let recountTime: UInt64 = 1_000
    /// Where it kept little each time, that doubles up to this.
    static let longestRecountTime: UInt64 = 60_000

    let limit: Limit
    /// Per topic, by its hash: a topic may be 64 kB long.
    private var sizes: [Int: (bytes: Int, isKept: Bool)] = [:]
    private var all = (topics: 0, bytes: 0)
    private var kept = (topics: 0, bytes: 0)
    private var recountedAt: UInt64?
    private var pause = RetainedMeter.recountTime

    init(_ limit: Limit) { self.limit = limit }

    /// Counts a message.
    /// - Parameters:
    ///   - bytes: of its payload.
    ///   - isRetained: whether the broker had kept it.
    ///   - now: milliseconds that only go forward.
    mutating func take(_ topic: String, _ bytes: Int, isRetained: Bool, at now: UInt64) -> Verdict {
        let levels = topic.utf8.reduce(1) { $0 + ($1 == UInt8(ascii: "/") ? 1 : 0) }
        let size = bytes + 2 * topic.utf8.count + levels * Self.levelSize
        let before = sizes[topic.hashValue]
        let (largest, isKept) = (max(before?.bytes ?? 0, size), before?.isKept == true || isRetained)
        sizes[topic.hashValue] = (largest, isKept)
        all.topics += before == nil ? 1 : 0
        all.bytes += largest - (before?.bytes ?? 0)
        if isKept {
            kept.topics += before?.isKept == true ? 0 : 1
            kept.bytes += largest - (before?.isKept == true ? before!.bytes : 0)
        }
        if exceeds(kept) { return .over }
        guard exceeds(all) else { return .within }
        let passed = recountedAt.map { now - $0 }
        if let passed, passed < pause { return .within }
        let isAgain = passed.map { $0 < 2 * pause } ?? false
        let next = isAgain ? min(2 * pause, Self.longestRecountTime) : Self.recountTime
        self = RetainedMeter(limit)
        (recountedAt, pause) = (now, next)
        return .uncertain
    }

    private func exceeds(_ count: (topics: Int, bytes: Int)) -> Bool {
        count.topics > limit.topics || count.bytes > limit.bytes
    }
}
