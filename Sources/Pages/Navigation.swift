import Accounts
import Identity
import Ledger
import Synchronization
import System

/// The main links of a place: each room adds its own, in the order in which they register.
public final class Navigation: Sendable {
    /// The links of one room, for somebody at a site.
    public typealias Links = @Sendable (Principal, SiteID, Timestamp, Language) -> [(href: LocalPath, label: String)]

    /// A room to which the places of one kind belong: a home opens on its house, not on its gates.
    public struct Landlord: Sendable {
        /// Whose links stand alone on its own pages, and are at most five.
        let links: Links
        /// Everything below it is a page of its own.
        let root: @Sendable (SiteID) -> LocalPath
        /// All places of the kind, for whoever has several and none of another kind.
        let all: LocalPath
        /// What somebody can look at first at a place.
        let first: @Sendable (Principal, SiteID, Timestamp, Language) -> PlacesView.First?

        /// See the properties.
        public init(
            all: LocalPath, root: @escaping @Sendable (SiteID) -> LocalPath, links: @escaping Links,
            first: @escaping @Sendable (Principal, SiteID, Timestamp, Language) -> PlacesView.First?
        ) {
            (self.all, self.root, self.links, self.first) = (all, root, links, first)
        }
    }

    private struct State {
        var rooms: [Links] = []
        var landlords: [SiteKind: Landlord] = [:]
    }
    private let state = Mutex(State())

    /// No links yet.
    public init() {}

    /// Adds a room's links.
    public func add(_ links: @escaping Links) { state.withLock { $0.rooms.append(links) } }

    /// Says to which room the places of a kind belong.
    public func give(_ kind: SiteKind, to landlord: Landlord) { state.withLock { $0.landlords[kind] = landlord } }

    /// Where a place begins; nil: at its gates.
    public func start(of site: Site) -> LocalPath? { landlord(of: site.kind)?.root(site.id) }

    /// All places of a kind on one page; nil: there is no such page.
    public func all(of kind: SiteKind) -> LocalPath? { landlord(of: kind)?.all }

    /// What somebody can look at first at a place; nil: nothing, or its gates.
    public func first(for principal: Principal, at site: Site, now: Timestamp, _ language: Language)
        -> PlacesView.First?
    {
        landlord(of: site.kind)?.first(principal, site.id, now, language)
    }

    private func landlord(of kind: SiteKind) -> Landlord? { state.withLock { $0.landlords[kind] } }

    /// The links for somebody at a site; the one whose page this is, is marked.
    public func items(
        for principal: Principal, at site: SiteID, now: Timestamp, _ language: Language, current: LocalPath
    ) -> [NavItem] {
        let kind = principal.memberships.first { $0.site.id == site }?.site.kind
        func items(_ links: [(href: LocalPath, label: String)]) -> [NavItem] {
            links.map { NavItem(href: $0.href, label: $0.label, isCurrent: $0.href == current, kind: kind) }
        }
        let rooms = state.withLock { $0.rooms }.flatMap { $0(principal, site, now, language) }
        guard let landlord = kind.flatMap({ self.landlord(of: $0) }) else { return items(rooms) }
        let own = landlord.links(principal, site, now, language)
        let root = landlord.root(site).description
        if current.description == root || current.description.hasPrefix(root + "/") { return items(own) }
        // A page of another room, such as the gates of a home that has some: with the way back.
        return items(own.prefix(1) + rooms)
    }
}
