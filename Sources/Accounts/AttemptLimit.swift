import System

/// Counts wrong passwords per account *and* address: whoever guesses locks out nobody but themselves.
///
/// An attempt counts as wrong from its beginning until it turns out right, so that many at once are no more than one by one.
struct AttemptLimit {
    struct Key: Hashable {
        let account: String
        let address: String
    }

    /// So many wrong ones are free.
    static let free = 10
    /// After them nobody of that key gets in for so long, in milliseconds: ten minutes.
    static let pause: Int64 = 600_000
    /// At most so many keys are counted; beyond them the oldest are forgotten.
    static let capacity = 10_000

    private var failures: [Key: (count: Int, last: Timestamp)] = [:]

    /// How many seconds a key has to wait; nil when it may try, which then counts.
    mutating func begin(_ key: Key, _ now: Timestamp) -> Int? {
        if let seconds = wait(key, now) { return seconds }
        count(key, now)
        return nil
    }

    private func wait(_ key: Key, _ now: Timestamp) -> Int? {
        guard let found = failures[key], found.count >= Self.free else { return nil }
        let left = found.last.milliseconds + Self.pause - now.milliseconds
        return left > 0 ? Int((left + 999) / 1000) : nil
    }

    private mutating func count(_ key: Key, _ now: Timestamp) {
        if failures.count >= Self.capacity {
            failures = failures.filter { $0.value.last.milliseconds + Self.pause > now.milliseconds }
        }
        if failures.count >= Self.capacity, let oldest = failures.min(by: { $0.value.last < $1.value.last })?.key {
            failures[oldest] = nil
        }
        let found = failures[key]
        let expired = found.map { $0.last.milliseconds + Self.pause <= now.milliseconds } ?? true
        failures[key] = (expired ? 1 : found!.count + 1, now)
    }

    /// It turned out right.
    mutating func succeeded(_ key: Key) { failures[key] = nil }

    /// It was never looked at.
    mutating func withdraw(_ key: Key) { failures[key]?.count -= 1 }
}
