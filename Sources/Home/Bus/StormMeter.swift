/// Measures what one gateway sends: a bucket that leaks.
struct StormMeter: Sendable {
    /// Messages a second that leak out.
    let perSecond: Int
    private let capacity: Int64
    /// In thousandths of a message.
    private var level: Int64 = 0
    private var leakedAt: Int64

    /// - Parameters:
    ///   - burst: what leaks in so many seconds has room.
    ///   - now: milliseconds.
    init(perSecond: Int, burst: Int, at now: Int64) {
        (self.perSecond, leakedAt) = (perSecond, now)
        capacity = Int64(perSecond * burst) * 1_000
    }

    /// Takes a message.
    /// - Returns: whether it ran over.
    mutating func take(at now: Int64) -> Bool {
        level = max(0, level - max(0, now - leakedAt) * Int64(perSecond))
        leakedAt = now
        if level >= capacity { return true }
        level += 1_000
        return false
    }

    /// Empties it.
    mutating func empty() { level = 0 }
}
