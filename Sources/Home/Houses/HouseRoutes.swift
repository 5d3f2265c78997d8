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

extension Household {
    private static let placeSchema: [(String, Schema)] = [
        ("street", .text("street and town; empty: not told")),
        ("latitude", .optional(.number("degrees north, -90 to 90"))),
        ("longitude", .optional(.number("degrees east, -180 to 180"))),
    ]
    private static let houseSchema = Schema.object(
        [
            ("site", .text("the site's id")), ("name", .text("what people call it")),
            ("zone", .text("its time zone, a name of the IANA database")),
        ] + placeSchema + [("live", HouseSight.schema)])

    private struct Body: Decodable {
        let name: String?
        let zone: String?
        let street: String?
        let latitude: Double?
        let longitude: Double?
        /// Both absent and both null are not the same: the first leaves the place as it is.
        private let clears: Bool

        var said: Set<HouseEntry.Part> {
            let isPlaced = clears || latitude != nil || longitude != nil
            let parts: [(HouseEntry.Part, Bool)] = [
                (.name, name != nil), (.zone, zone != nil), (.street, street != nil), (.place, isPlaced),
            ]
            return Set(parts.filter(\.1).map(\.0))
        }

        enum CodingKeys: CodingKey { case name, zone, street, latitude, longitude }
        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            name = try fields.decodeIfPresent(String.self, forKey: .name)
            zone = try fields.decodeIfPresent(String.self, forKey: .zone)
            street = try fields.decodeIfPresent(String.self, forKey: .street)
            latitude = try fields.decodeIfPresent(Double.self, forKey: .latitude)
            longitude = try fields.decodeIfPresent(Double.self, forKey: .longitude)
            clears = fields.contains(.latitude) && fields.contains(.longitude) && latitude == nil && longitude == nil
        }
    }

    /// Houses for programs: the list, adding one, changing one.
    func registerHouses(_ routes: inout Routes) {
        let desk = HousesDesk(household: self)
        routes.on(
            .get, "/api/houses",
            RouteDescription(
                "One's houses, with where they stand and how they are at this moment.",
                answer: .object([("items", .list(Self.houseSchema))]))
        ) { request, principal in
            let sites = principal.sites(at: self.clock.now).filter { $0.kind == .home }
            var json = JSONWriter(capacity: 4096)
            json.object { json in
                json.array("items") { json in
                    for site in sites { self.write(site, Language.of(principal, request), to: &json) }
                }
            }
            return .json(json.bytes)
        }
        routes.on(
            .post, "/api/houses",
            keeps,
            RouteDescription(
                "Adds a house, for whoever owns a site already; they own the new one too.",
                body: .object([
                    ("name", .text("1 to 80 characters")), ("zone", .text("a name of the IANA database, Europe/Rome")),
                    ("street", .optional(.text("at most 200 characters"))),
                    ("latitude", .optional(.number("degrees north, -90 to 90"))),
                    ("longitude", .optional(.number("degrees east, -180 to 180"))),
                ]), answer: Self.houseSchema, status: 201)
        ) { request, principal in
            let body = try request.json(Body.self)
            let entry = HouseEntry(
                name: body.name ?? "", zone: body.zone ?? "", street: body.street ?? "",
                latitude: Self.text(body.latitude), longitude: Self.text(body.longitude))
            let site = try await Self.translating { try await desk.add(entry, by: principal) }
            var json = JSONWriter()
            self.write(site, Language.of(principal, request), to: &json)
            return .json(json.bytes, status: 201)
        }
        routes.on(
            .patch, "/api/sites/{site}/house", for: Permission.managing, keeps,
            RouteDescription(
                "Changes what a house is called, its clock, and where it stands; what is left out stays. A place that is null twice is forgotten.",
                body: .object([
                    ("name", .optional(.text("1 to 80 characters"))),
                    ("zone", .optional(.text("a name of the IANA database, Europe/Rome"))),
                    ("street", .optional(.text("at most 200 characters"))),
                    ("latitude", .optional(.number("degrees north, -90 to 90"))),
                    ("longitude", .optional(.number("degrees east, -180 to 180"))),
                ]), answer: Self.houseSchema)
        ) { request, principal in
            let site = try self.house(request, principal)
            let body = try request.json(Body.self)
            let entry = HouseEntry(
                name: body.name ?? "", zone: body.zone ?? "", street: body.street ?? "",
                latitude: Self.text(body.latitude), longitude: Self.text(body.longitude))
            try await Self.translating { try await desk.change(site.id, entry, only: body.said, by: principal) }
            let after = try self.store.read { try AccountRecords.site(site.id, in: $0) } ?? site
            var json = JSONWriter()
            self.write(after, Language.of(principal, request), to: &json)
            return .json(json.bytes)
        }
    }

    private func write(_ site: Site, _ language: Language, to json: inout JSONWriter) {
        let house = registry.catalog.houses[site.id] ?? House(site: site.id)
        json.object { json in
            json.field("site", site.id.text)
            json.field("name", site.name)
            json.field("zone", site.zone.name)
            json.field("street", house.street)
            json.field("latitude", house.place?.latitude)
            json.field("longitude", house.place?.longitude)
            json.key("live")
            sight.write(site.id, nil, language, to: &json)
        }
    }

    /// As a form would say it, so that there is one place that reads it.
    private static func text(_ degrees: Double?) -> String {
        guard let degrees else { return "" }
        // A number that plain digits cannot say is no place on the earth.
        return degrees.magnitude >= 0.000_1 || degrees == 0 ? degrees.magnitude < 1_000 ? "\(degrees)" : "1000" : "0"
    }

    private static func translating<T>(_ body: () async throws -> T) async throws -> T {
        do { return try await body() } catch let fault as HouseFault {
            if fault == .site(.notOwner) { throw Problem.forbidden(fault.words) }
            throw Problem(
                status: 422, type: "house-refused", title: "The content does not fit", detail: fault.words,
                extra: [("field", fault.field)])
        }
    }
}
