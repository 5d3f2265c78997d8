import Accounts
import Household
import HTTPServer
import Identity
import JSON
import Ledger
import Pages
import Platform
import Store
import System

/// Houses for programs: the list, adding one, changing one.
struct HouseRoutes: HouseFeature {
    let access: HouseAccess
    let desk: HousesDesk
    let sight: HouseSight

    private static let street = JSONKey<String?>("street", "at most 200 characters")
    private static let newHouse = JSONBody(
        JSONKey<String>("name", "1 to 80 characters"),
        JSONKey<String>("zone", "a name of the IANA database, Europe/Rome"), street,
        JSONKey<Double?>("latitude", "degrees north, -90 to 90"),
        JSONKey<Double?>("longitude", "degrees east, -180 to 180"))
    private static let changedHouse = JSONBody(
        JSONKey<String?>("name", "1 to 80 characters"),
        JSONKey<String?>("zone", "a name of the IANA database, Europe/Rome"), street,
        JSONKey<JSONPresence<Double>>("latitude", "degrees north, -90 to 90"),
        JSONKey<JSONPresence<Double>>("longitude", "degrees east, -180 to 180"))

    func register(_ routes: inout Routes) {
        routes.on(
            .get, "/api/houses",
            RouteDescription(
                "One's houses, with where they stand and how they are at this moment.",
                answer: JSONItems<HouseRow>.schema)
        ) { request, principal in
            let sites = principal.sites(at: access.clock.now).filter { $0.kind == .home }
            let language = Language.of(principal, request)
            return .json(JSONItems(sites.map { row($0, language) }), capacity: 4096)
        }
        routes.on(
            .post, "/api/houses",
            access.keeps,
            RouteDescription(
                "Adds a house, for whoever owns a site already; they own the new one too.",
                body: Self.newHouse.schema, answer: HouseRow.schema, status: 201)
        ) { request, principal in
            let (name, zone, street, latitude, longitude) = try request.json(Self.newHouse)
            let entry = HouseEntry(
                name: name, zone: zone, street: street ?? "", latitude: Self.text(latitude),
                longitude: Self.text(longitude))
            let site = try await desk.add(entry, by: principal)
            return .json(row(site, Language.of(principal, request)), status: 201)
        }
        routes.on(
            .patch, "/api/sites/{site}/house", for: Permission.managing, access.keeps,
            RouteDescription(
                "Changes what a house is called, its clock, and where it stands; what is left out stays. A place that is null twice is forgotten.",
                body: Self.changedHouse.schema, answer: HouseRow.schema)
        ) { request, principal in
            let site = try access.house(request, principal)
            let (name, zone, street, latitude, longitude) = try request.json(Self.changedHouse)
            // Both left out and both null are not the same: the first leaves the place as it is.
            let isPlaced =
                latitude.isThere && longitude.isThere || latitude.value != nil || longitude.value != nil
            let parts: [(HouseEntry.Part, Bool)] = [
                (.name, name != nil), (.zone, zone != nil), (.street, street != nil), (.place, isPlaced),
            ]
            let entry = HouseEntry(
                name: name ?? "", zone: zone ?? "", street: street ?? "", latitude: Self.text(latitude.value),
                longitude: Self.text(longitude.value))
            let said = Set(parts.filter(\.1).map(\.0))
            try await desk.change(site.id, entry, only: said, by: principal)
            let after = try desk.given.store.read { try AccountRecords.site(site.id, in: $0) } ?? site
            return .json(row(after, Language.of(principal, request)))
        }
    }

    private func row(_ site: Site, _ language: Language) -> HouseRow {
        HouseRow(
            site: site, house: sight.registry.catalog.houses[site.id] ?? House(site: site.id),
            now: sight.now(site.id, nil, language))
    }

    /// As a form would say it, so that there is one place that reads it.
    private static func text(_ degrees: Double?) -> String {
        guard let degrees else { return "" }
        // A number that plain digits cannot say is no place on the earth.
        return degrees.magnitude >= 0.000_1 || degrees == 0 ? degrees.magnitude < 1_000 ? "\(degrees)" : "1000" : "0"
    }
}

extension HouseFault: ProblemConvertible {
    /// In words.
    var problem: Problem? {
        self == .site(.notOwner) ? .forbidden(words) : .refused(words, type: "house-refused", field: field)
    }
}
