import Accounts
import Household
import HTTPServer
import Identity
import Ledger
import Pages
import Platform
import Store
import System

/// The list and map of all houses of somebody, and the form of a new one.
struct HousesPages: HouseFeature {
    let access: HouseAccess
    let desk: HousesDesk
    let sight: HouseSight

    func register(_ pages: inout PageRoutes) {
        pages.on(.get, HousesView.path.description) { request, principal, language in
            let chosen = try request.query.get("at", as: String.self).flatMap { SiteID($0) }
            let model = try houses(of: principal, language, chosen)
            let words = HomeHousesWords.in(language)
            let add = a(.css("button quiet"), .href("/houses/new")) { words.add }
            let html = Frame.page(
                title: words.title, language: language, person: principal.person.name, style: .desk,
                path: HousesView.path, live: true, modules: ["live-house", "house-map"],
                actions: model.mayAdd && !model.entries.isEmpty ? add : .empty, content: HousesView.content(model))
            return Response.html(html.bytes).showingMap(model.tiles)
        }
        pages.on(.get, "/houses/new") { _, principal, language in
            guard desk.mayAdd(principal) else { throw Problem.forbidden(Sites.Fault.notOwner.rawValue) }
            let zone = principal.zone(at: access.clock.now)
            return try newHouse(HouseEntry(zone: zone.name), [:], principal, language)
        }
        pages.on(.post, "/houses/new", access.keeps) { request, principal, language in
            guard desk.mayAdd(principal) else { throw Problem.forbidden(Sites.Fault.notOwner.rawValue) }
            let entry = try HouseEntry(request.form())
            do {
                let site = try await desk.add(entry, by: principal)
                return .redirect(to: HouseTab.house.path(site.id).description)
            } catch let fault as HouseFault {
                let refused = [fault.field: fault.words(.in(language))]
                return try newHouse(entry, refused, principal, language, status: 422)
            }
        }
    }

    private func newHouse(
        _ entry: HouseEntry, _ refused: [String: String], _ principal: Principal, _ language: Language,
        status: Int = 200
    ) throws -> Response {
        let (words, tiles) = (HomeHousesWords.in(language), try desk.tiles())
        let html = Frame.page(
            title: words.newHouse, language: language, person: principal.person.name, style: .phone,
            path: "/houses/new", back: (HousesView.path, words.title), modules: ["house-map"],
            content: HouseSettingsView.form(entry, refused, to: "/houses/new", isNew: true, tiles, language))
        return Response.html(html.bytes, status: status).showingMap(tiles)
    }

    /// All houses of somebody, as they are now.
    func houses(of principal: Principal, _ language: Language, _ chosen: SiteID? = nil) throws -> HousesView.Model {
        let now = access.clock.now
        let catalog = sight.registry.catalog
        let entries = principal.sites(at: now).filter { $0.kind == .home }.map { site in
            HousesView.Entry(
                site: site, house: catalog.houses[site.id] ?? House(site: site.id), summary: sight.summary(of: site.id))
        }
        return HousesView.Model(
            language: language, now: now, entries: entries, locked: principal.locked.filter { $0.kind == .home },
            kinds: kinds(in: entries.map(\.site), catalog, language),
            mayAdd: desk.mayAdd(principal), tiles: try desk.tiles(),
            chosen: entries.firstIndex { $0.site.id == chosen })
    }

    /// What there is in these houses, kind by kind.
    private func kinds(
        in sites: [Site], _ catalog: Catalog, _ language: Language
    ) -> [HousesView.KindSummary] {
        let words = HomeDevicesWords.in(language)
        func summary(_ word: String, _ found: [(site: Site, isWorking: Bool)]) -> HousesView.KindSummary? {
            if found.isEmpty { return nil }
            let houses = sites.filter { site in found.contains { $0.site.id == site.id } }.map(\.name)
            return HousesView.KindSummary(
                word: word, count: found.count, working: found.count(where: \.isWorking), houses: houses)
        }
        let sensors = sites.flatMap { site in catalog.sensors(at: site.id).map { (site, $0) } }
        let actuators = sites.flatMap { site in catalog.actuators(at: site.id).map { (site, $0) } }
        let works: Set<SensorStatus> = [.live, .warming]
        return SensorKind.allCases.compactMap { kind in
            summary(
                words.kinds.kind(kind).name,
                sensors.filter { $0.1.kind == kind }.map {
                    // A reader of tags, or a camera, has nothing to say until somebody is there.
                    (
                        site: $0.0,
                        isWorking: works.contains(sight.live.sensor($0.1.id).status)
                            || !$0.1.kind.isSeries && sight.live.sensor($0.1.id).status == .waiting
                    )
                })
        }
            + ActuatorKind.allCases.compactMap { kind in
                summary(
                    words.kinds.kind(kind).name,
                    actuators.filter { $0.1.kind == kind }.map {
                        (site: $0.0, isWorking: sight.live.gateway($0.1.gateway).isThere)
                    })
            }
    }
}

extension HouseEntry {
    /// What was typed.
    init(_ form: Form) throws {
        func text(_ name: String) throws -> String { try form.get(name) ?? "" }
        self.init(
            name: try text("name"), zone: try text("zone"), street: try text("street"),
            latitude: try text("latitude"), longitude: try text("longitude"))
    }
}

extension Response {
    /// A page on which people look for a place: it may ask the browser where it is, and draw pictures of the map's server.
    func showingMap(_ tiles: Tiles?) -> Response {
        let pictures = tiles.map { " \($0.origin)" } ?? ""
        return with(
            "Content-Security-Policy",
            "default-src 'self'; style-src 'self'; script-src 'self'; img-src 'self' data:\(pictures); "
                + "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
        ).with(
            "Permissions-Policy",
            "camera=(self), microphone=(self), geolocation=(self), payment=(), usb=(), serial=(), hid=()")
    }
}
