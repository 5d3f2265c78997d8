import Ledger

/// How many wrong codes are heard of one person at one house: a few, then after a pause that grows. Somebody else, and whoever proves
/// who they are in another way, is never kept out by it. Times are milliseconds of a clock that never jumps.
struct CodeLimit: Sendable {
    /// So many wrong ones are free.
    /// - Key: person and house
    static let free = 3
    /// The first pause: half a minute; each wrong one after it doubles the next.
    static let pause: UInt64 = 30_000
    /// The longest pause: a quarter of an hour.
    static let longest: UInt64 = 900_000
    /// After so long without a wrong one all is forgotten: an hour.
    static let memory: UInt64 = 3_600_000
    /// At most so many are counted; who failed longest ago is forgotten first.
    /// - Key: hub
    static let capacity = 1_000

    private struct Key: Hashable {
        let person: PersonID
        let site: SiteID
    }
    private var failures: [Key: (count: Int, last: UInt64)] = [:]

    /// How many milliseconds somebody has to wait; 0: they may try now.
    func wait(_ person: PersonID, at site: SiteID, _ now: UInt64) -> UInt64 {
        guard let found = failures[Key(person: person, site: site)], found.count >= Self.free,
            now - found.last < Self.memory
        else { return 0 }
        let doublings = min(found.count - Self.free, 10)
        let end = found.last + min(Self.pause << UInt64(doublings), Self.longest)
        return end > now ? end - now : 0
    }

    /// An attempt that was counted.
    struct Attempt: Sendable {
        /// The how manieth in a row it is.
        let count: Int
        /// When the one before it was; nil: it is the first.
        fileprivate let before: UInt64?
        fileprivate let at: UInt64
    }

    /// Counts an attempt, before it is known whether it is right: many at once are no more than one by one.
    mutating func take(_ person: PersonID, at site: SiteID, _ now: UInt64) -> Attempt {
        let key = Key(person: person, site: site)
        let before = failures[key].flatMap { now - $0.last < Self.memory ? $0 : nil }
        let known = before?.count ?? 0
        if known == 0, failures.count >= Self.capacity, let oldest = failures.min(by: { $0.value.last < $1.value.last })
        {
            failures[oldest.key] = nil
        }
        failures[key] = (known + 1, now)
        return Attempt(count: known + 1, before: before?.last, at: now)
    }

    /// It was not looked at, and is none: nobody waits longer for it.
    mutating func giveBack(_ attempt: Attempt, of person: PersonID, at site: SiteID) {
        let key = Key(person: person, site: site)
        guard let found = failures[key] else { return }
        // Where others were counted since, theirs is the time.
        let last = found.last == attempt.at ? attempt.before ?? found.last : found.last
        failures[key] = found.count > 1 ? (found.count - 1, last) : nil
    }

    /// It was right: nothing is held against them any more.
    mutating func succeeded(_ person: PersonID, at site: SiteID) { failures[Key(person: person, site: site)] = nil }
}
