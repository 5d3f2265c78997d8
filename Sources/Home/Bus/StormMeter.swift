/// Measures what one gateway sends: a bucket that leaks.
struct StormMeter: Sendable {
    /// Light messages a second that leak out.
    private(set) var perSecond: Int
    /// In milliseconds; a clock that goes back further was set. So short, a clock that was set back stops the leak for no longer than what a
    /// gateway may send has room for.
    private static let longestTurn: Int64 = 5_000
    private var capacity: Int64
    /// In thousandths of a light message.
    private var level: Int64 = 0
    private var leakedAt: Int64

    /// - Parameters:
    ///   - atOnce: so many have room.
    ///   - now: milliseconds.
    init(perSecond: Int, atOnce: Int, at now: Int64) {
        (self.perSecond, leakedAt) = (perSecond, now)
        capacity = Int64(atOnce) * 1_000
    }

    /// Takes a message.
    /// - Parameter weight: how many light ones it is worth.
    /// - Returns: whether it ran over.
    mutating func take(_ weight: Int = 1, at now: Int64) -> Bool {
        leak(until: now)
        let added = Int64(weight) * 1_000
        if level + added > capacity { return true }
        level += added
        return false
    }

    /// Counts what was done already, up to where it is full.
    mutating func add(_ weight: Int, at now: Int64) {
        leak(until: now)
        level = max(level, min(level + Int64(weight) * 1_000, capacity))
    }

    /// Lets as much leak out as another does, from now on; what is in it stays, else who adds a sensor again and again empties it.
    mutating func allow(as other: StormMeter, at now: Int64) {
        leak(until: now)
        (perSecond, capacity) = (other.perSecond, other.capacity)
    }

    /// Empties it.
    mutating func empty() { level = 0 }

    /// The messages of a turn are all of the moment in which it began: what is a little older than what was counted last leaks nothing twice.
    private mutating func leak(until now: Int64) {
        if (0..<Self.longestTurn).contains(leakedAt - now) { return }
        level = max(0, level - max(0, now - leakedAt) * Int64(perSecond))
        leakedAt = now
    }
}
