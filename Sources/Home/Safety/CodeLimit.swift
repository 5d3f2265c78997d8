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
    private struct Tries {
        /// Wrong ones in a row.
        var wrong = 0
        /// When the last of them was.
        var last: UInt64 = 0
        /// Those that are being looked at: many at once are no more than one by one.
        var open = 0
        /// When the last of these came.
        var came: UInt64 = 0
    }
    private var tries: [Key: Tries] = [:]

    /// How many milliseconds somebody has to wait; 0: they may try now.
    func wait(_ person: PersonID, at site: SiteID, _ now: UInt64) -> UInt64 {
        guard let found = known(Key(person: person, site: site), now), found.wrong + found.open >= Self.free else {
            return 0
        }
        // None of those that are looked at may be wrong.
        if found.wrong < Self.free { return 1_000 }
        let doublings = min(found.wrong + found.open - Self.free, 10)
        let last = found.open > 0 ? max(found.last, found.came) : found.last
        let end = last + min(Self.pause << UInt64(doublings), Self.longest)
        return end > now ? end - now : 0
    }

    /// An attempt begins: `failed`, `giveBack` or `succeeded` ends it.
    /// - Returns: the how manieth wrong one in a row it would be.
    mutating func take(_ person: PersonID, at site: SiteID, _ now: UInt64) -> Int {
        let key = Key(person: person, site: site)
        var found = known(key, now) ?? Tries()
        if tries[key] == nil, tries.count >= Self.capacity,
            let oldest = tries.filter({ $0.value.open == 0 }).min(by: { $0.value.last < $1.value.last })
        {
            tries[oldest.key] = nil
        }
        (found.open, found.came) = (found.open + 1, now)
        tries[key] = found
        return found.wrong + found.open
    }

    /// It was wrong.
    mutating func failed(_ person: PersonID, at site: SiteID, _ now: UInt64) {
        let key = Key(person: person, site: site)
        guard var found = tries[key] else { return }
        found.open = max(found.open - 1, 0)
        (found.wrong, found.last) = (found.wrong + 1, now)
        tries[key] = found
    }

    /// It was not looked at, and is none: nobody waits longer for it.
    mutating func giveBack(_ person: PersonID, at site: SiteID) {
        let key = Key(person: person, site: site)
        guard var found = tries[key] else { return }
        found.open = max(found.open - 1, 0)
        tries[key] = found.wrong + found.open > 0 ? found : nil
    }

    private func known(_ key: Key, _ now: UInt64) -> Tries? {
        tries[key].flatMap { $0.open > 0 || now - $0.last < Self.memory ? $0 : nil }
    }

    /// It was right: nothing is held against them any more.
    mutating func succeeded(_ person: PersonID, at site: SiteID) { tries[Key(person: person, site: site)] = nil }
}
