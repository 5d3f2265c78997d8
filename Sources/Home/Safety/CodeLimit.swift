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

    /// Counts an attempt, before it is known whether it is right: many at once are no more than one by one.
    /// - Returns: the how manieth in a row it is.
    mutating func take(_ person: PersonID, at site: SiteID, _ now: UInt64) -> Int {
        let key = Key(person: person, site: site)
        let known = failures[key].flatMap { now - $0.last < Self.memory ? $0.count : nil } ?? 0
        if known == 0, failures.count >= Self.capacity, let oldest = failures.min(by: { $0.value.last < $1.value.last })
        {
            failures[oldest.key] = nil
        }
        failures[key] = (known + 1, now)
        return known + 1
    }

    /// It was not looked at, and is none.
    mutating func giveBack(_ person: PersonID, at site: SiteID) {
        let key = Key(person: person, site: site)
        guard let found = failures[key] else { return }
        failures[key] = found.count > 1 ? (found.count - 1, found.last) : nil
    }

    /// It was right: nothing is held against them any more.
    mutating func succeeded(_ person: PersonID, at site: SiteID) { failures[Key(person: person, site: site)] = nil }
}
