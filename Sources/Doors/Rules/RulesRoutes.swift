import Accounts
import Gates
import HTTPServer
import Identity
import JSON
import Ledger
import Pages
import Store
import System

// The JSON interface of a company's rules: roles and groups of gates.

extension Doors {
    /// A list of a thousand gates is longer than other bodies.
    static let longBody = 128 << 10

    private static let roleFields: [(String, Schema)] = [
        ("name", .text("1 to 80 characters")), ("level", .integer("how high, in the site's own scale, -1000 to 1000")),
        ("gates", .list(.text("a gate's id"))), ("groups", .list(.text("the id of a group of gates"))),
        ("hours", .optional(.text("the id of hours; null: at any time"))),
    ]
    private static let roleSchema = Schema.object([("id", .text("the role's id"))] + roleFields)

    func registerRoles(_ routes: inout Routes) {
        let given = given
        routes.on(
            .get, "/api/sites/{site}/roles", for: Permission.managing,
            RouteDescription(
                "The site's roles, by level.", answer: .object([("items", .list(Self.roleSchema))]))
        ) { request, _ in
            let site = try request.parameter("site", as: SiteID.self)
            let roles = try given.store.read { try DoorsRecords.roleRules(of: site, in: $0) }
            return Self.list(roles) { Self.write($0, &$1) }
        }
        routes.on(
            .post, "/api/sites/{site}/roles", for: Permission.managing,
            RouteDescription(
                "Adds a role with what it gives.", body: .object(Self.roleFields), answer: Self.roleSchema, status: 201
            ),
            bodyLimit: Self.longBody
        ) { request, principal in
            let site = try request.parameter("site", as: SiteID.self)
            let entry = try Self.roleEntry(request)
            return Self.answer(
                try await putRole(nil, entry, at: site, by: principal.person.id), 201
            ) { Self.write($0, &$1) }
        }
        routes.on(
            .put, "/api/sites/{site}/roles/{role}", for: Permission.managing,
            RouteDescription(
                "Changes a role. What it takes away is gone at once, also from passes that phones keep.",
                body: .object(Self.roleFields), answer: Self.roleSchema), bodyLimit: Self.longBody
        ) { request, principal in
            let site = try request.parameter("site", as: SiteID.self)
            let id = try request.parameter("role", as: RoleID.self)
            let entry = try Self.roleEntry(request)
            return Self.answer(
                try await putRole(id, entry, at: site, by: principal.person.id)
            ) { Self.write($0, &$1) }
        }
        routes.on(
            .delete, "/api/sites/{site}/roles/{role}", for: Permission.managing,
            RouteDescription("Removes a role that nobody has today or will have.", status: 204)
        ) { request, principal in
            let site = try Self.site(request, principal)
            let id = try request.parameter("role", as: RoleID.self)
            try await removeRole(id, at: site, by: principal.person.id)
            return .empty()
        }
    }

    private static func roleEntry(_ request: Request) throws -> RoleEntry {
        struct Body: Decodable {
            let name: String
            let level: Int
            let gates: [String]
            let groups: [String]?
            let hours: String?
        }
        let body = try request.json(Body.self)
        return RoleEntry(
            name: body.name, level: body.level, gates: try ids(body.gates, "gates"),
            groups: try ids(body.groups ?? [], "groups"), hours: try body.hours.map { try Self.id($0, "hours") })
    }

    static func id<Kind>(_ text: String, _ field: String) throws -> ID<Kind> {
        guard let id = ID<Kind>(text) else { throw RuleFault(field: field, why: .unknown) }
        return id
    }

    static func ids<Kind>(_ texts: [String], _ field: String) throws -> [ID<Kind>] {
        try texts.map { try id($0, field) }
    }

    private static func write(_ rule: RoleRule, _ json: inout JSONWriter) {
        json.object { json in
            json.field("id", rule.role.id.text)
            json.field("name", rule.role.name)
            json.field("level", rule.role.level)
            json.array("gates") { json in for gate in rule.gates { json.value(gate.text) } }
            json.array("groups") { json in for group in rule.groups { json.value(group.text) } }
            json.field("hours", rule.hours?.text)
        }
    }

    // MARK: groups of gates

    private static let groupFields: [(String, Schema)] = [
        ("name", .text("1 to 80 characters")), ("gates", .list(.text("a gate's id"))),
    ]
    private static let groupSchema = Schema.object([("id", .text("the group's id"))] + groupFields)

    func registerGroups(_ routes: inout Routes) {
        let given = given
        struct Body: Decodable {
            let name: String
            let gates: [String]
        }
        routes.on(
            .get, "/api/sites/{site}/gate-groups", for: Permission.managing,
            RouteDescription(
                "The site's groups of gates, by name.", answer: .object([("items", .list(Self.groupSchema))]))
        ) { request, _ in
            let site = try request.parameter("site", as: SiteID.self)
            return Self.list(try given.store.read { try DoorsRecords.gateGroups(of: site, in: $0) }) {
                Self.write($0, &$1)
            }
        }
        routes.on(
            .post, "/api/sites/{site}/gate-groups", for: Permission.managing,
            RouteDescription(
                "Adds a group of gates.", body: .object(Self.groupFields), answer: Self.groupSchema, status: 201),
            bodyLimit: Self.longBody
        ) { request, principal in
            let site = try request.parameter("site", as: SiteID.self)
            let body = try request.json(Body.self)
            let gates: [GateID] = try Self.ids(body.gates, "gates")
            return Self.answer(
                try await putGroup(nil, name: body.name, gates: gates, at: site, by: principal.person.id), 201
            ) { Self.write($0, &$1) }
        }
        routes.on(
            .put, "/api/sites/{site}/gate-groups/{id}", for: Permission.managing,
            RouteDescription(
                "Changes a group of gates, and with it what every role that has it opens.",
                body: .object(Self.groupFields), answer: Self.groupSchema), bodyLimit: Self.longBody
        ) { request, principal in
            let site = try request.parameter("site", as: SiteID.self)
            let id = try request.parameter("id", as: GateGroupID.self)
            let body = try request.json(Body.self)
            let gates: [GateID] = try Self.ids(body.gates, "gates")
            return Self.answer(
                try await putGroup(id, name: body.name, gates: gates, at: site, by: principal.person.id)
            ) { Self.write($0, &$1) }
        }
        routes.on(
            .delete, "/api/sites/{site}/gate-groups/{id}", for: Permission.managing,
            RouteDescription(
                "Removes a group: the roles that had it lose its gates, not the gates themselves.", status: 204)
        ) { request, principal in
            let site = try request.parameter("site", as: SiteID.self)
            let id = try request.parameter("id", as: GateGroupID.self)
            try await removeGroup(id, at: site, by: principal.person.id)
            return .empty()
        }
    }

    private static func write(_ group: GateGroup, _ json: inout JSONWriter) {
        json.object { json in
            json.field("id", group.id.text)
            json.field("name", group.name)
            json.array("gates") { json in for gate in group.gates { json.value(gate.text) } }
        }
    }

    // MARK: what they share

    static func list<T>(_ items: [T], _ write: (T, inout JSONWriter) -> Void) -> Response {
        var json = JSONWriter(capacity: 4096)
        json.object { json in
            json.array("items") { json in for item in items { write(item, &json) } }
        }
        return .json(json.bytes)
    }

    static func answer<T>(_ item: T, _ status: Int = 200, _ write: (T, inout JSONWriter) -> Void) -> Response {
        var json = JSONWriter()
        write(item, &json)
        return .json(json.bytes, status: status)
    }
}

extension RuleFault: ProblemConvertible {
    /// In words.
    var problem: Problem? {
        let words = RulesWords.in(.en).fault(why)
        switch why {
        case .gone: return .notFound()
        case .taken, .inUse: return .conflict(words)
        default: return .refused(words, type: "rule-refused", field: field)
        }
    }
}

extension RuleFaults: ProblemConvertible {
    /// The first of them: programs send one rule at a time.
    var problem: Problem? { faults[0].problem }
}
