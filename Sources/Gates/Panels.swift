import Accounts
import Identity
import Pages

/// What features add to this room's pages: who opens a gate, what is still to do at a place.
struct Panels: Sendable {
    /// Something about one gate, for whoever administers it or stands in front of it.
    typealias GatePanel = @Sendable (Gate, Site, Principal, Language) throws -> HTML
    /// Something about a place, above the list of its gates.
    typealias PlacePanel = @Sendable (Site, Principal, Language) throws -> HTML

    var gate: [GatePanel] = []
    var place: [PlacePanel] = []
    var badge: [GatePanel] = []
}

extension Gates {
    /// Adds a part to the page on which a manager administers a gate, and to the one that asks before it is taken out of use.
    public func addPanel(aboutGate panel: @escaping @Sendable (Gate, Site, Principal, Language) throws -> HTML) {
        panels.withLock { $0.gate.append(panel) }
    }

    /// Adds a part above the list of a place's gates; an empty one is not seen.
    public func addPanel(aboutPlace panel: @escaping @Sendable (Site, Principal, Language) throws -> HTML) {
        panels.withLock { $0.place.append(panel) }
    }

    /// Adds a part under the badge in front of a gate, for whoever stands there.
    public func addPanel(onBadge panel: @escaping @Sendable (Gate, Site, Principal, Language) throws -> HTML) {
        panels.withLock { $0.badge.append(panel) }
    }

    func panel(onBadge gate: Gate, _ site: Site, _ principal: Principal, _ language: Language) throws -> HTML {
        HTMLBuilder.buildArray(try panels.withLock { $0.badge }.map { try $0(gate, site, principal, language) })
    }

    func panel(about gate: Gate, _ site: Site, _ principal: Principal, _ language: Language) throws -> HTML {
        HTMLBuilder.buildArray(try panels.withLock { $0.gate }.map { try $0(gate, site, principal, language) })
    }

    func panel(about site: Site, _ principal: Principal, _ language: Language) throws -> HTML {
        HTMLBuilder.buildArray(try panels.withLock { $0.place }.map { try $0(site, principal, language) })
    }
}
