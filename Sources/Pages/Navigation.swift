import Accounts
import Ledger
import Synchronization
import System

/// The main links of a place: each room adds its own, in the order in which they register.
public final class Navigation: Sendable {
    /// The links of one room, for somebody at a site.
    public typealias Links = @Sendable (Principal, SiteID, Timestamp, Language) -> [(href: LocalPath, label: String)]
    private let rooms = Mutex<[Links]>([])

    /// No links yet.
    public init() {}

    /// Adds a room's links.
    public func add(_ links: @escaping Links) { rooms.withLock { $0.append(links) } }

    /// The links for somebody at a site; the one whose page this is, is marked.
    public func items(
        for principal: Principal, at site: SiteID, now: Timestamp, _ language: Language, current: LocalPath
    ) -> [NavItem] {
        let kind = principal.memberships.first { $0.site.id == site }?.site.kind
        return rooms.withLock { $0 }.flatMap { $0(principal, site, now, language) }.map {
            NavItem(href: $0.href, label: $0.label, isCurrent: $0.href == current, kind: kind)
        }
    }
}
