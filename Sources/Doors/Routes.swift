import Accounts
import Gates
import HTTPServer
import Identity
import JSON
import Ledger
import Pages
import Store
import System

extension Doors {
    static let membershipSchema = Schema.object([
        ("membership", .text("the membership's id")), ("person", .text("the person's id")),
        ("name", .text("what people call them")),
        ("email", .text("their address")), ("permission", .choice(Permission.allCases.map(\.rawValue))),
        ("role", .optional(.text("the role's id"))),
        ("firstDay", .optional(.text("YYYY-MM-DD, in the site's time zone"))),
        ("lastDay", .optional(.text("YYYY-MM-DD, inclusive"))),
        ("revoked", .optional(.text("when it was taken away"))),
        ("hasJoined", .truth("whether they ever signed in here, or can by a way of their own")),
        ("invitation", .optional(.choice(Invitation.State.allCases.map(\.rawValue)))),
    ])

    /// The JSON interface of people and rules.
    public func register(routes: inout Routes) {
        let given = given
        registerBulk(&routes)
        register(legacy: &routes)
        register(legacyManagement: &routes)
        registerImport(routes: &routes)
        register(checkIn: &routes)
        routes.on(
            .get, "/api/sites/{site}/people", for: Permission.managing,
            RouteDescription(
                "Who has a part in the site, by name.",
                answer: .object([
                    ("items", .list(Self.membershipSchema)), ("next", .optional(.text("pass it as offset to go on"))),
                ]),
                query: [
                    ("search", false, "a part of a name or an address"), ("role", false, "a role's id"),
                    ("status", false, "current, future, ended, revoked or waiting: who has never signed in"),
                    ("offset", false, "how many to skip"),
                ])
        ) { request, principal in
            let site = try Self.site(request, principal)
            let offset = min(max(try request.query.get("offset", as: Int.self) ?? 0, 0), 10_000_000)
            let filter = PeopleFilter(
                search: String((try request.query.get("search", as: String.self) ?? "").prefix(100)),
                role: try Self.optional(request, "role") { RoleID($0) },
                status: try Self.optional(request, "status") { PeopleFilter.Status(rawValue: $0) },
                today: site.zone.day(at: given.clock.now))
            let rows = try given.store.read {
                try AccountRecords.people(of: site.id, filter, offset: offset, limit: 101, now: given.clock.now, in: $0)
            }
            var json = JSONWriter(capacity: 4096)
            json.object { json in
                json.array("items") { json in
                    for row in rows.prefix(100) {
                        Self.write(
                            row.membership, row.person, hasJoined: row.hasJoined, invitation: row.invitation, &json)
                    }
                }
                json.field("next", rows.count > 100 ? String(offset + 100) : nil)
            }
            return .json(json.bytes)
        }
        routes.on(
            .post, "/api/sites/{site}/people", for: Permission.managing,
            RouteDescription(
                "Adds a person with a membership. The person is new to the site, whether an account has the address or not; its holder joins by an invitation. In a house, and for an owner, manager or installer, this and every change of a membership takes a fresh proof, and so does a first password.",
                body: .object([
                    ("name", .text("1 to 120 characters")), ("email", .text("their address")),
                    (
                        "password",
                        .optional(
                            .text(
                                "a first password, at least 10 characters, for an address that no account has; null: they join by an invitation, which goes out where this hub sends letters"
                            ))
                    ),
                    ("permission", .choice(Permission.allCases.map(\.rawValue))),
                    ("role", .optional(.text("the role's id"))),
                    ("firstDay", .optional(.text("YYYY-MM-DD"))),
                    ("lastDay", .optional(.text("YYYY-MM-DD, inclusive"))),
                ]), answer: Self.membershipSchema, status: 201)
        ) { request, principal in
            struct Body: Decodable {
                let name: String
                let email: String
                let password: String?
                let permission: String
                let role: String?
                let firstDay: String?
                let lastDay: String?
            }
            let body = try request.json(Body.self)
            let entry = MembershipEntry(
                name: body.name, email: body.email, password: body.password ?? "", permission: body.permission,
                role: body.role ?? "",
                firstDay: body.firstDay ?? "", lastDay: body.lastDay ?? "")
            let site = try Self.site(request, principal)
            let (membership, person) = try await addPerson(entry, at: site, by: principal)
            var json = JSONWriter()
            try write(membership, person, &json)
            return .json(json.bytes, status: 201)
        }
        routes.on(
            .put, "/api/sites/{site}/people/{membership}", for: Permission.managing,
            RouteDescription(
                "Changes a membership. What is taken away holds at once, also for passes that phones keep.",
                body: .object([
                    ("permission", .choice(Permission.allCases.map(\.rawValue))),
                    ("role", .optional(.text("the role's id"))),
                    ("firstDay", .optional(.text("YYYY-MM-DD"))),
                    ("lastDay", .optional(.text("YYYY-MM-DD, inclusive"))),
                ]), answer: Self.membershipSchema)
        ) { request, principal in
            struct Body: Decodable {
                let permission: String
                let role: String?
                let firstDay: String?
                let lastDay: String?
            }
            let body = try request.json(Body.self)
            let site = try Self.site(request, principal)
            let id = try request.parameter("membership", as: MembershipID.self)
            let (membership, person) = try await changeMembership(
                id, at: site, by: principal, name: nil,
                MembershipEntry(
                    permission: body.permission, role: body.role ?? "", firstDay: body.firstDay ?? "",
                    lastDay: body.lastDay ?? ""))
            var json = JSONWriter()
            try write(membership, person, &json)
            return .json(json.bytes)
        }
        registerRoles(&routes)
        registerHours(&routes)
        registerSpecialDays(&routes)
        registerGroups(&routes)
    }

    /// The site that a checked route names.
    static func site(_ request: Request, _ principal: Principal) throws -> Site {
        let id = try request.parameter("site", as: SiteID.self)
        guard let site = principal.memberships.first(where: { $0.site.id == id })?.site else {
            throw Problem.notFound()
        }
        return site
    }

    private func write(_ membership: Membership, _ person: Person, _ json: inout JSONWriter) throws {
        let invitation = try given.store.read {
            try InvitationRecords.state(of: person.id, at: given.clock.now, in: $0)
        }
        Self.write(
            membership, person, hasJoined: try given.accounts.hasJoined(person.id), invitation: invitation, &json)
    }

    private static func write(
        _ membership: Membership, _ person: Person, hasJoined: Bool, invitation: Invitation.State?,
        _ json: inout JSONWriter
    ) {
        json.object { json in
            json.field("membership", membership.id.text)
            json.field("person", person.id.text)
            json.field("name", person.name)
            json.field("email", person.shownAddress)
            json.field("permission", membership.permission.rawValue)
            json.field("role", membership.role?.text)
            json.field("firstDay", membership.firstDay?.iso8601)
            json.field("lastDay", membership.lastDay?.iso8601)
            json.field("revoked", membership.revoked?.iso8601)
            json.field("hasJoined", hasJoined)
            json.field("invitation", invitation?.rawValue)
        }
    }

    /// A query item that has to be one of a kind where it is there.
    static func optional<T>(_ request: Request, _ name: String, _ parse: (String) -> T?) throws -> T? {
        guard let text = try request.query.get(name, as: String.self), !text.isEmpty else { return nil }
        guard let value = parse(text) else { throw Problem.unprocessable("\(name) is not one") }
        return value
    }
}

extension MembershipEntry.Refusal: ProblemConvertible {
    /// In words.
    public var problem: Problem? { .refused(words, type: "membership-refused", field: field) }
}
