import Accounts
import HTTPServer
import Identity
import Ledger
import Pages
import Store
import System

/// What of this room is kept on the device for when the hub cannot be reached: the list of gates, and the badge.
extension Gates {
    /// At most so many badges are kept along with a list.
    static let keptBadges = 12

    /// What a list keeps along with itself, itself first.
    static func kept(of site: SiteID, gates: [String]) -> [LocalPath] {
        [path(of: site), Shell.offlinePath, Shell.badgePath] + gates.prefix(keptBadges).map { "/gates/\($0)" }
    }

    /// What a badge keeps along with itself, itself first.
    static func kept(of gate: GateID, at site: SiteID) -> [LocalPath] {
        ["/gates/\(gate.text)", Shell.offlinePath, path(of: site)]
    }

    /// The list as it is kept: nobody knows how a gate is by the time it is read.
    func saved(_ model: GatesView.Model, _ zone: Zone) -> GatesView.Model {
        var model = model
        for index in model.gates.indices { model.gates[index].state = .offline }
        model.saved = SavedPage(at: clock.now, in: zone, model.language)
        return model
    }

    /// The badge as it is kept.
    func saved(_ model: BadgeView.Model, _ zone: Zone) -> BadgeView.Model {
        var model = model
        model.gate.state = .offline
        model.saved = SavedPage(at: clock.now, in: zone, model.language)
        return model
    }

    /// Where the badge is: at the gate that somebody opened last, else at the first one of their places.
    func registerBadge(_ pages: inout PageRoutes, navigation: Navigation) {
        pages.on(.get, Shell.badgePath.description) { request, principal, language in
            let sites = principal.sites(at: self.clock.now)
            let gate = try self.store.read { database in
                let last = try GateRecords.lastTransits(of: principal.person.id, in: database)
                let never = Timestamp(milliseconds: .min)
                return try sites.flatMap { try GateRecords.gates(of: $0.id, in: database) }
                    .max { last[$0.id, default: never] < last[$1.id, default: never] }
            }
            guard let gate, let site = sites.first(where: { $0.id == gate.site }) else { return .redirect(to: "/") }
            // Kept under this address, too: offline there is nobody to ask where it leads.
            guard request.asksForSavedForm else { return .redirect(to: "/gates/\(gate.id.text)") }
            let model = try self.badge(gate, site, principal, language, navigation)
            return Response.html(BadgeView.page(self.saved(model, site.zone)).bytes)
                .saved(for: principal.person, language)
        }
    }
}
