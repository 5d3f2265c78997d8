import Identity
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
    /// So many people of a house are counted, beside those of other houses; who has the fewest wrong ones is forgotten first.
    /// - Key: house
    static let capacity = 64

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
    /// Each house forgets by itself: what people do at theirs makes the hub forget nothing of another.
    private var houses: [SiteID: [PersonID: Tries]] = [:]

    /// How many people it counts at a house.
    func count(at site: SiteID) -> Int { houses[site]?.count ?? 0 }

    /// How many milliseconds somebody has to wait; 0: they may try now.
    func wait(_ person: PersonID, at site: SiteID, _ now: UInt64) -> UInt64 {
        guard let found = known(person, at: site, now), found.wrong + found.open >= Self.free else { return 0 }
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
        var found = known(person, at: site, now) ?? Tries()
        if houses[site]?[person] == nil, count(at: site) >= Self.capacity,
            let least = houses[site]?.filter({ $0.value.open == 0 })
                .min(by: { ($0.value.wrong, $0.value.last) < ($1.value.wrong, $1.value.last) })
        {
            houses[site]?[least.key] = nil
        }
        (found.open, found.came) = (found.open + 1, now)
        houses[site, default: [:]][person] = found
        return found.wrong + found.open
    }

    /// It was wrong.
    mutating func failed(_ person: PersonID, at site: SiteID, _ now: UInt64) {
        end(person, at: site) { ($0.wrong, $0.last) = ($0.wrong + 1, now) }
    }

    /// It was not looked at, and is none: nobody waits longer for it.
    mutating func giveBack(_ person: PersonID, at site: SiteID) { end(person, at: site) { _ in } }

    /// It was right: nothing is held against them any more.
    mutating func succeeded(_ person: PersonID, at site: SiteID) { end(person, at: site) { $0.wrong = 0 } }

    private mutating func end(_ person: PersonID, at site: SiteID, _ change: (inout Tries) -> Void) {
        guard var found = houses[site]?[person] else { return }
        found.open = max(found.open - 1, 0)
        change(&found)
        houses[site]?[person] = found.wrong + found.open > 0 ? found : nil
        if houses[site]?.isEmpty == true { houses[site] = nil }
    }

    private func known(_ person: PersonID, at site: SiteID, _ now: UInt64) -> Tries? {
        houses[site]?[person].flatMap { $0.open > 0 || now - $0.last < Self.memory ? $0 : nil }
    }
}
