import Accounts
import Gates
import Household
import HTTPServer
import Identity
import Ledger
import Pages
import Store

/// The screens on which somebody connects something to a house.
struct GatewayPages: HouseFeature {
    let access: HouseAccess
    let desk: GatewayDesk
    let readings: HouseReadings
    let refused: RefusedMessages

    func register(_ pages: inout PageRoutes) {
        let looking = PairedGateways.looking
        pages.on(.get, "/houses/{site}/devices/new", for: looking) { request, principal, language in
            let around = try around(request, principal, language)
            return .html(GatewayView.new(around, .init()).bytes)
        }
        pages.on(.post, "/houses/{site}/devices/new", for: looking, access.keeps) { request, principal, language in
            let around = try around(request, principal, language)
            let site = try request.parameter("site", as: SiteID.self)
            let form = try request.form()
            let kind = Gateway.Kind(rawValue: try form.get("kind") ?? "")
            var entry = GatewayView.Entry(kind: kind ?? .box, name: try form.get("name") ?? "")
            do {
                guard let kind else { throw GatewayRefusal.kind }
                let added = try await desk.add(kind, name: entry.name, at: site, by: principal.person.id)
                if kind == .box { _ = try await desk.code(for: added.id, at: site, by: principal) }
                return .redirect(to: Self.path(added).description)
            } catch let refusal as GatewayRefusal {
                guard let text = GatewayWords.in(language).refusal(refusal) else { throw Problem.notFound() }
                entry.refused = [refusal.field: text]
                return .html(GatewayView.new(around, entry).bytes, status: 422)
            }
        }
        pages.on(.get, "/houses/{site}/gateways/{gateway}", for: looking) { request, principal, language in
            let around = try around(request, principal, language)
            let (site, id) = try GatewayRoutes.gateway(request)
            let gateway = try Self.finding { try desk.find(id, at: site) }
            let place = principal.memberships.first { $0.site.id == site }?.site
            let now = access.clock.now
            let pending = try desk.given.store.read {
                try PairingRecords.pending(Gateway.pairingKind, id.raw, now: now, in: $0)
            }
            var model = GatewayView.Model(gateway: gateway, isThere: readings.live.gateway(id).isThere)
            model.isIsolated = readings.isIsolated(id, at: site)
            model.untaken = try refused.untaken(of: id)
            model.hub = desk.given.bus?.address
            model.code = place.flatMap { place in
                pending.flatMap { PairingCodeView.Code($0, at: place, now: now) }
            }
            return .html(GatewayView.page(around, model).bytes)
        }
        pages.on(.post, "/houses/{site}/gateways/{gateway}/pairing", for: looking, access.weakensNow(.connections)) {
            request, principal, _ in
            let (site, id) = try GatewayRoutes.gateway(request)
            try desk.given.accounts.admit(.pairing, of: principal)
            let gateway = try Self.finding { try desk.find(id, at: site) }
            do { _ = try await desk.code(for: id, at: site, by: principal) } catch is GatewayRefusal {
                throw Problem.notFound()
            }
            return .redirect(to: Self.path(gateway).description)
        }
        pages.on(
            .post, "/houses/{site}/gateways/{gateway}/credentials", for: looking, access.weakensNow(.connections)
        ) { request, principal, language in
            let around = try around(request, principal, language)
            let (site, id) = try GatewayRoutes.gateway(request)
            let renewed: Gateway
            do { renewed = try await desk.renew(id, at: site, by: principal) } catch is GatewayRefusal {
                throw Problem.notFound()
            }
            var model = GatewayView.Model(gateway: renewed, isThere: false)
            model.connection = GatewayConnection(renewed, desk.given)
            return .html(GatewayView.page(around, model).bytes)
        }
        pages.on(.post, "/houses/{site}/gateways/{gateway}/retire", for: looking, access.weakensNow(.connections)) {
            request, principal, _ in
            let (site, id) = try GatewayRoutes.gateway(request)
            do { try await desk.retire(id, at: site, by: principal.person.id) } catch is GatewayRefusal {
                throw Problem.notFound()
            }
            return .redirect(to: "/houses/\(site.text)/devices")
        }
    }

    private static func path(_ gateway: Gateway) -> LocalPath {
        "/houses/\(gateway.site.text)/gateways/\(gateway.id.text)"
    }

    private static func finding<T>(_ body: () throws -> T) throws -> T {
        do { return try body() } catch is GatewayRefusal { throw Problem.notFound() }
    }

    private func around(_ request: Request, _ principal: Principal, _ language: Language) throws -> Surroundings {
        let site = try access.house(request, principal)
        return Surroundings(
            language: language, person: principal.person.name, siteID: site.id.text, siteName: site.name,
            navigation: access.navigation.items(
                for: principal, at: site.id, now: access.clock.now, language,
                current: "/houses/\(site.id.text)/devices"))
    }
}
