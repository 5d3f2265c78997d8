import Ledger
import System

/// How many changes of one author at one house its owners are told one by one: what a device describes anew without end, or a person
/// switches to and fro, buries nothing of others and fills no list of notices.
struct ProtectionBudget: Sendable {
    /// So many an hour; then the owners are told that there were many.
    /// - Key: person and house
    static let most = 60
    /// In milliseconds.
    static let hour: Int64 = 3_600_000
    /// So many are counted; who began longest ago is forgotten first.
    /// - Key: hub
    static let capacity = 1_000

    private struct Author: Hashable {
        let name: String
        let site: SiteID
    }
    private var counts: [Author: (since: Timestamp, count: Int)] = [:]

    /// Counts a change.
    /// - Parameter author: the id of a person or of connections.
    /// - Returns: whether it is told by itself.
    mutating func admit(_ author: String, at site: SiteID, _ now: Timestamp) -> Bool {
        let key = Author(name: author, site: site)
        if let found = counts[key], (0..<Self.hour).contains(now.milliseconds - found.since.milliseconds) {
            counts[key] = (found.since, found.count + 1)
            return found.count < Self.most
        }
        if counts[key] == nil, counts.count >= Self.capacity,
            let oldest = counts.min(by: { $0.value.since < $1.value.since })
        {
            counts[oldest.key] = nil
        }
        counts[key] = (now, 1)
        return true
    }
}
