import Accounts
import Household
import Identity
import Ledger
import Notices
import Pages
import Platform
import Store
import System

/// What somebody says of a house, before any of it is believed.
struct HouseEntry: Sendable, Equatable {
    var name = ""
    var zone = ""
    var street = ""
    var latitude = ""
    var longitude = ""

    /// What may be said alone.
    enum Part: CaseIterable {
        case name, zone, street, place
    }
}

/// Why a house as it was written will not do.
enum HouseFault: Error, Equatable {
    case site(Sites.Fault)
    case street
    case place(CoordinateFault)

    /// As forms call it.
    var field: String {
        switch self {
        case .site(let fault): fault.field
        case .street: "street"
        case .place(let fault): fault.field
        }
    }

    /// For programs.
    var words: String {
        switch self {
        case .site(let fault): fault.rawValue
        case .street: "a street has at most 200 characters on one line"
        case .place(let fault): fault.rawValue
        }
    }

    func words(_ words: HomeHousesWords) -> String {
        switch self {
        case .site(.zone), .site(.kind): words.faultZone
        case .site(.zoneMovesAccess): words.faultZoneMovesAccess
        case .site(.tooMany): words.faultTooMany
        case .site(.tooManyOfOne): words.faultTooManyOfOne
        case .site: words.faultName
        case .street: words.faultStreet
        case .place(let fault): words.coordinate(fault)
        }
    }
}

/// Adds houses, and changes where they stand and what they are called.
struct HousesDesk: Sendable {
    /// The most characters of a street.
    static let longestStreet = 200

    let given: Given
    let registry: Registry

    private var sites: Sites { Sites(given: given) }

    /// Where the map comes from; nil: there is none.
    func tiles() throws -> Tiles? { try given.store.read { try Tiles.load(in: $0) } }

    /// Whether somebody may add a house.
    func mayAdd(_ principal: Principal) -> Bool { sites.ownsOne(principal) }

    /// Street and place of an entry, if they will do.
    static func parse(_ entry: HouseEntry) throws(HouseFault) -> (street: String, place: MapPlace?) {
        let isBlank = entry.street.allSatisfy(\.isWhitespace)
        guard isBlank || GivenName.parse(entry.street, longest: longestStreet) != nil else { throw .street }
        do {
            let place = try MapPlace.parse(latitude: entry.latitude, longitude: entry.longitude)
            return (GivenName.parse(entry.street, longest: longestStreet) ?? "", place)
        } catch { throw .place(error) }
    }

    /// Adds a house; who adds it owns it.
    /// - Throws: `HouseFault`.
    func add(_ entry: HouseEntry, by principal: Principal) async throws -> Site {
        let (street, place) = try Self.parse(entry)
        let site: Site
        do {
            site = try await sites.add(
                name: entry.name, kind: SiteKind.home.rawValue, zone: entry.zone, by: principal)
        } catch let fault as Sites.Fault { throw HouseFault.site(fault) }
        if !street.isEmpty || place != nil { try await put(site.id, street, place, by: principal, isNew: true) }
        return site
    }

    /// Changes what a house is called, its clock, and where it stands: where help is sent, so it takes a fresh proof.
    /// - Parameter said: what of the entry counts; the rest stays as others have it by then.
    /// - Throws: `HouseFault`, `Problem`.
    func change(
        _ site: SiteID, _ entry: HouseEntry, only said: Set<HouseEntry.Part> = Set(HouseEntry.Part.allCases),
        by principal: Principal
    ) async throws {
        let (street, place) = try Self.parse(entry)
        do {
            try await sites.change(
                site, name: said.contains(.name) ? entry.name : nil, zone: said.contains(.zone) ? entry.zone : nil,
                by: principal)
        } catch let fault as Sites.Fault { throw HouseFault.site(fault) }
        try await put(
            site, said.contains(.street) ? street : nil, said.contains(.place) ? .some(place) : nil, by: principal)
    }

    /// - Parameters:
    ///   - street: nil: as it is.
    ///   - place: nil: as it is; of none inside: there is none any more.
    private func put(
        _ site: SiteID, _ street: String?, _ place: MapPlace??, by principal: Principal, isNew: Bool = false
    ) async throws {
        let now = given.clock.now
        try await registry.change(at: site) { database in
            let before = try HomeRecords.house(site, in: database) ?? House(site: site)
            let house = House(site: site, street: street ?? before.street, place: place ?? before.place)
            if before == house { return }
            if !isNew { try Routes.requireFreshProof(principal, at: now) }
            try HomeRecords.put(house, in: database)
            func told(_ house: House) -> [(name: StaticString, value: String)] {
                [
                    ("street", house.street), ("latitude", house.place.map { "\($0.latitude)" } ?? ""),
                    ("longitude", house.place.map { "\($0.longitude)" } ?? ""),
                ]
            }
            try Audit("house.changed", ("site", house.site.text), before: told(before), after: told(house)).append(
                at: now, site: house.site, by: principal.person.id, in: database)
        }
    }
}
