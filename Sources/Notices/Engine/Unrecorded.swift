import Ledger
import Synchronization

/// How many notices that were told at once wait to be written down, by site: each is kept in memory until then.
final class Unrecorded: Sendable {
    /// Of one site at once. What comes then is told to everybody, and not written down.
    /// - Key: site
    static let mostOfSite = 1_024

    private let counts = Mutex<[SiteID?: Int]>([:])

    /// - Returns: whether one more is kept; then `end` follows.
    func begin(_ site: SiteID?) -> Bool {
        counts.withLock { counts in
            guard counts[site, default: 0] < Self.mostOfSite else { return false }
            counts[site, default: 0] += 1
            return true
        }
    }

    func end(_ site: SiteID?) {
        counts.withLock { counts in
            let left = (counts[site] ?? 1) - 1
            counts[site] = left > 0 ? left : nil
        }
    }
}
