import Accounts
import Gates
import HTTPServer
import Identity
import JSON
import Ledger
import Pages
import Store
import System

/// The sites themselves: what they are called, which clock counts there, adding another one.
public struct Sites: Sendable {
    /// The most sites of a hub.
    /// - Key: hub
    public static let limit = 1000
    /// The most sites that one person adds to those of a hub, counted by the sites that they own.
    /// - Key: person
    public static let mostOfOne = 100

    let given: Given

    /// The sites of a hub.
    public init(given: Given) { self.given = given }

    /// Why a site as it was written will not do.
    public enum Fault: String, Error {
        /// See its words.
        case name = "a site's name has 1 to 80 characters"
        case zone = "there is no such time zone"
        case zoneMovesAccess =
            "in that time zone it is another day now, on which the access of people would begin or end"
        case kind = "there is no such kind of site"
        case tooMany = "a hub has at most 1000 sites"
        case tooManyOfOne = "one person owns at most 100 sites"
        case notOwner = "only who owns a site adds another one"
        case notItsOwner = "only an owner of the site says whether it asks for a passkey"

        /// As forms call it.
        public var field: String {
            switch self {
            case .name: "name"
            case .zone, .zoneMovesAccess: "zone"
            case .kind: "kind"
            case .tooMany, .tooManyOfOne, .notOwner, .notItsOwner: "site"
            }
        }
    }

    /// Changes what people call a site, or its time zone; nil leaves it as it is. Hours, special days and the days of memberships follow
    /// the zone: passes that allow more than they do then are denied in the same transaction.
    ///
    /// Another zone takes a fresh proof, since memberships begin and end by it. One in which somebody's would begin or end by the change itself is
    /// refused: that is done to their days, by who may. Of a house the name takes a fresh proof too: by it people know whose alarm it is.
    /// - Throws: `Fault`.
    @discardableResult
    public func change(_ id: SiteID, name: String?, zone: String?, by principal: Principal) async throws -> Site {
        let parsedName = name.flatMap { GivenName.parse($0) }
        if name != nil && parsedName == nil { throw Fault.name }
        let parsedZone = zone.flatMap { Zone(name: $0) }
        if zone != nil && parsedZone == nil { throw Fault.zone }
        let now = given.clock.now
        let (site, isMoved) = try await given.gates.changeRights(at: id) { database, touched -> (Site, Bool) in
            guard let before = try AccountRecords.site(id, in: database) else { throw Problem.notFound() }
            var after = before
            if let parsedName { after.name = parsedName }
            if let parsedZone { after.zone = parsedZone }
            if after.kind == .home ? after != before : after.zone != before.zone {
                try Routes.requireFreshProof(principal, at: now)
            }
            let (today, newToday) = (before.zone.day(at: now), after.zone.day(at: now))
            if today != newToday {
                let all = try AccountRecords.memberships(at: id, in: database)
                func held(on day: Day) -> Set<[String]> {
                    Set(
                        all.filter { $0.holds(on: day) }.map {
                            [$0.person.text, $0.permission.rawValue, $0.role?.text ?? ""]
                        })
                }
                guard held(on: today) == held(on: newToday) else { throw Fault.zoneMovesAccess }
            }
            try AccountRecords.change(after, from: before, at: now, by: principal.person.id, in: database)
            let isMoved = before.zone != after.zone
            touched = isMoved ? .everybody : .nobody
            return (after, isMoved)
        }
        if isMoved { try given.gates.tellLive(given.live, people: nil, at: id) }
        return site
    }

    /// Has a site open itself only to whoever has shown a passkey, or to everybody again.
    /// - Throws: `Fault.notItsOwner`; a problem unless who asks has shown a passkey of their own, so that nobody locks themselves out.
    func askSecondFactor(_ isAsked: Bool, at site: SiteID, by principal: Principal) async throws {
        try checkSecondFactor(isAsked, at: site, by: principal)
        try await given.accounts.askSecondFactor(isAsked, at: site, by: principal)
    }

    private func checkSecondFactor(_ isAsked: Bool, at site: SiteID, by principal: Principal) throws {
        let now = given.clock.now
        guard principal.may([.owner], at: site, now) else { throw Fault.notItsOwner }
        try Routes.requireFreshProof(principal, at: now)
        if isAsked, !principal.proof.isStrong { throw Problem.secondFactorNeeded }
    }

    /// Whether somebody owns a site today, and so may add another one.
    public func ownsOne(_ principal: Principal) -> Bool {
        let now = given.clock.now
        return principal.sites(at: now).contains { principal.may([.owner], at: $0.id, now) }
    }

    /// Adds a site; who adds it owns it.
    /// - Throws: `Fault`.
    public func add(name: String, kind: String, zone: String, by principal: Principal) async throws -> Site {
        guard ownsOne(principal) else { throw Fault.notOwner }
        guard let name = GivenName.parse(name) else { throw Fault.name }
        guard let kind = SiteKind(rawValue: kind) else { throw Fault.kind }
        guard let zone = Zone(name: zone) else { throw Fault.zone }
        let now = given.clock.now
        let person = principal.person.id
        let site = Site(id: .new(at: now), name: name, kind: kind, zone: zone)
        let membership = Membership(
            id: .new(at: now), person: person, site: site.id, permission: .owner, role: nil, firstDay: nil,
            lastDay: nil)
        try await given.gates.changeRights(at: site.id) { database in
            if try AccountRecords.sites(in: database).count >= Self.limit { throw Fault.tooMany }
            if try AccountRecords.countOwned(by: person, in: database) >= Self.mostOfOne { throw Fault.tooManyOfOne }
            try AccountRecords.add(site, at: now, by: person, in: database)
            try given.accounts.add(membership, at: now, by: person, in: database)
        }
        return site
    }

    // MARK: JSON

    private static let siteSchema = Schema.object([
        ("id", .text("the site's id")), ("kind", .choice(SiteKind.allCases.map(\.rawValue))),
        ("name", .text("what people call it")), ("zone", .text("its time zone, a name of the IANA database")),
        ("secondFactor", .truth("whether it opens itself only to whoever has shown a passkey")),
    ])

    /// The JSON interface.
    func register(routes: inout Routes) {
        routes.on(
            .post, "/api/sites",
            RouteDescription(
                "Adds a site, for whoever owns one already; they own the new one too.",
                body: .object([
                    ("name", .text("1 to 80 characters")),
                    ("kind", .optional(.choice(SiteKind.allCases.map(\.rawValue)))),
                    ("zone", .text("a name of the IANA database, Europe/Rome")),
                ]), answer: Self.siteSchema, status: 201)
        ) { request, principal in
            struct Body: Decodable {
                let name: String
                let kind: String?
                let zone: String
            }
            let body = try request.json(Body.self)
            return try answer(
                try await add(
                    name: body.name, kind: body.kind ?? SiteKind.company.rawValue, zone: body.zone, by: principal),
                status: 201)
        }
        routes.on(
            .patch, "/api/sites/{site}", for: Permission.managing,
            RouteDescription(
                "Changes what people call a site, its time zone, or whether it asks for a passkey, which an owner alone does; what is left out stays. Hours and days follow the zone. Zone and passkey take a fresh proof, in a house the name too; a zone in which the access of a member would begin or end by the change itself is refused.",
                body: .object([
                    ("name", .optional(.text("1 to 80 characters"))),
                    ("zone", .optional(.text("a name of the IANA database, Europe/Rome"))),
                    (
                        "secondFactor",
                        .optional(.truth("whether it opens itself only to whoever has shown a passkey"))
                    ),
                ]), answer: Self.siteSchema)
        ) { request, principal in
            struct Body: Decodable {
                let name: String?
                let zone: String?
                let secondFactor: Bool?
            }
            let body = try request.json(Body.self)
            let site = try request.parameter("site", as: SiteID.self)
            if let isAsked = body.secondFactor { try checkSecondFactor(isAsked, at: site, by: principal) }
            let changed = try await change(site, name: body.name, zone: body.zone, by: principal)
            if let isAsked = body.secondFactor { try await askSecondFactor(isAsked, at: site, by: principal) }
            return try answer(changed)
        }
    }

    func asksSecondFactor(_ site: SiteID) throws -> Bool {
        try given.store.read { try WayRecords.asksSecondFactor(site, in: $0) }
    }

    private func answer(_ site: Site, status: Int = 200) throws -> Response {
        let isAsked = try asksSecondFactor(site.id)
        var json = JSONWriter()
        json.object { json in
            json.field("id", site.id.text)
            json.field("kind", site.kind.rawValue)
            json.field("name", site.name)
            json.field("zone", site.zone.name)
            json.field("secondFactor", isAsked)
        }
        return .json(json.bytes, status: status)
    }
}

extension Sites.Fault: ProblemConvertible {
    /// In words.
    public var problem: Problem? {
        switch self {
        case .notOwner, .notItsOwner: .forbidden(rawValue)
        case .name, .zone, .zoneMovesAccess, .kind, .tooMany, .tooManyOfOne:
            .refused(rawValue, type: "site-refused", field: field)
        }
    }
}
