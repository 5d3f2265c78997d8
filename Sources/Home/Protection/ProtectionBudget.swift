import Identity
import Ledger
import System

/// How much of what one author changes of a house's protection is told to its owners one by one: what a device describes anew without end,
/// or a person switches to and fro, fills no list of notices. What was not named within the hour is named, up to `mostThings`.
struct ProtectionBudget: Sendable {
    /// So often in an hour what was named already is named again, or something without a name is told; then the owners are told that there
    /// are many changes.
    /// - Key: person, house and kind
    static let most = 60
    /// So many things are named in an hour.
    /// - Key: person, house and kind
    static let mostThings = 250
    /// In milliseconds.
    static let hour: Int64 = 3_600_000
    /// So many of these are counted; what began longest ago is forgotten first.
    /// - Key: hub
    static let capacity = 1_000

    private struct Author: Hashable {
        let name: String
        let site: SiteID
    }
    private struct Count {
        let since: Timestamp
        var again = 0
        var named: Set<String> = []
    }
    private var counts: [Author: Count] = [:]

    /// Counts a change.
    /// - Parameters:
    ///   - things: the ids of those that the notice names; none: it names nothing.
    ///   - author: a person or a connection, and the kind of what they changed.
    /// - Returns: whether it is told by itself.
    mutating func admit(_ things: some Collection<String>, of author: String, at site: SiteID, _ now: Timestamp) -> Bool
    {
        let key = Author(name: author, site: site)
        var count = Count(since: now)
        if let found = counts[key], (0..<Self.hour).contains(now.milliseconds - found.since.milliseconds) {
            count = found
        } else if counts[key] == nil, counts.count >= Self.capacity,
            let oldest = counts.min(by: { $0.value.since < $1.value.since })
        {
            counts[oldest.key] = nil
        }
        defer { counts[key] = count }
        let all = count.named.union(things)
        if all.count > count.named.count, all.count <= Self.mostThings {
            count.named = all
            return true
        }
        count.again += 1
        return count.again <= Self.most
    }
}
