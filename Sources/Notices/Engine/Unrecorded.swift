import Identity
import Ledger
import Synchronization

/// The notices that were told at once and wait to be written down, by site: each is kept in memory until then, with all that carries it.
final class Unrecorded: Sendable {
    /// Of one site at once. Of more, the most urgent are kept; of the others everybody is told once, and they are not written down.
    /// - Key: site
    static let mostOfSite = 1_024

    private let kept = Mutex<[SiteID?: [AtOnce]]>([:])

    /// Keeps one more, in the place of a less urgent one where the site has too many: `end` follows. Else it is given up.
    /// - Returns: the one that is given up.
    func begin(_ told: AtOnce) -> AtOnce? {
        let site = told.notify.site
        let left = kept.withLock { kept -> AtOnce? in
            guard kept[site, default: []].count >= Self.mostOfSite else {
                kept[site, default: []].append(told)
                return nil
            }
            // The oldest of the least urgent.
            guard let place = kept[site]?.indices.min(by: { kept[site]![$0].urgency < kept[site]![$1].urgency }),
                let least = kept[site]?[place], least.urgency < told.urgency
            else { return told }
            kept[site]?.remove(at: place)
            kept[site]?.append(told)
            return least
        }
        left?.giveUp()
        return left
    }

    /// It is written down, or given up.
    func end(_ told: AtOnce) {
        kept.withLock { kept in
            let site = told.notify.site
            kept[site]?.removeAll { $0 === told }
            if kept[site]?.isEmpty == true { kept[site] = nil }
        }
    }
}
