/// How often something may be done: at once, and for ever. Times are milliseconds of a clock that never jumps.
struct Allowance: Sendable {
    /// So many may come in one burst.
    let burst: Int
    /// After it, one more each so many milliseconds.
    let refill: UInt64

    /// What a burst takes to come back.
    var window: UInt64 { UInt64(burst) * refill }
}

/// An allowance for each of many keys, in bounded memory.
///
/// Each key has one number: when it will have all of its burst again (the generic cell rate algorithm, ITU-T I.371). Beyond the capacity
/// those who spent least are forgotten first, so that a flood of new keys does not wash away the one that it hides.
struct Allowances<Key: Hashable & Sendable>: Sendable {
    let allowance: Allowance
    let capacity: Int
    private var full: [Key: UInt64] = [:]

    init(_ allowance: Allowance, capacity: Int) { (self.allowance, self.capacity) = (allowance, capacity) }

    /// How many keys are remembered.
    var count: Int { full.count }

    /// How many milliseconds a key has to wait for so many more, at most the burst; 0 when it may now.
    func wait(_ key: Key, _ now: UInt64, count: Int = 1) -> UInt64 {
        let next = max(full[key] ?? 0, now) + allowance.refill * UInt64(count)
        return next > now + allowance.window ? next - now - allowance.window : 0
    }

    /// Spends so many.
    mutating func take(_ key: Key, _ now: UInt64, count: Int = 1) {
        if full[key] == nil, full.count >= capacity { makeRoom(now) }
        full[key] = max(full[key] ?? 0, now) + allowance.refill * UInt64(count)
    }

    /// Gives so many back.
    mutating func giveBack(_ key: Key, count: Int = 1) {
        guard let time = full[key] else { return }
        let given = allowance.refill * UInt64(count)
        full[key] = time >= given ? time - given : 0
    }

    /// Forgets whoever has all of it again; when that is not enough, the quarter that spent least.
    private mutating func makeRoom(_ now: UInt64) {
        full = full.filter { $0.value > now }
        guard full.count > capacity * 3 / 4 else { return }
        let line = full.values.sorted()[max(capacity / 4, 1) - 1]
        full = full.filter { $0.value > line }
    }
}

/// Closes a key after so many failures in a row, for a while; in bounded memory. Times are milliseconds of a clock that never jumps.
struct Lockouts<Key: Hashable & Sendable>: Sendable {
    /// So many failures are free.
    let free: Int
    /// After them the key is closed for so long, counted from the last; a failure that old is forgotten.
    let pause: UInt64
    let capacity: Int
    private var failures: [Key: (count: Int, last: UInt64)] = [:]

    init(free: Int, pause: UInt64, capacity: Int) { (self.free, self.pause, self.capacity) = (free, pause, capacity) }

    /// How many keys are remembered.
    var count: Int { failures.count }

    /// How many milliseconds a key stays closed; 0 when it is open.
    func wait(_ key: Key, _ now: UInt64) -> UInt64 {
        guard let found = failures[key], found.count >= free, found.last + pause > now else { return 0 }
        return found.last + pause - now
    }

    /// Counts a failure.
    mutating func take(_ key: Key, _ now: UInt64) {
        if failures[key] == nil, failures.count >= capacity { makeRoom(now) }
        let found = failures[key].flatMap { $0.last + pause > now ? $0.count : nil } ?? 0
        failures[key] = (found + 1, now)
    }

    /// Takes a failure back.
    mutating func giveBack(_ key: Key) {
        guard let found = failures[key] else { return }
        failures[key] = found.count > 1 ? (found.count - 1, found.last) : nil
    }

    /// Forgets a key's failures.
    mutating func reset(_ key: Key) { failures[key] = nil }

    /// Forgets what is too old to count; when that is not enough, the quarter with the fewest failures, the older first.
    private mutating func makeRoom(_ now: UInt64) {
        failures = failures.filter { $0.value.last + pause > now }
        guard failures.count > capacity * 3 / 4 else { return }
        let weakest = failures.sorted { ($0.value.count, $0.value.last) < ($1.value.count, $1.value.last) }
        for (key, _) in weakest.prefix(max(capacity / 4, 1)) { failures[key] = nil }
    }
}
