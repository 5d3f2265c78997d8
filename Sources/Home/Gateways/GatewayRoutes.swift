import Accounts
import Gates
import Household
import HTTPServer
import Identity
import JSON
import Ledger
import Platform
import Wire

extension Home {
    private static let gateway = Schema.object([
        ("id", .text("the gateway's id, and the last level of its prefix")),
        ("kind", .choice(Gateway.Kind.allCases.map(\.rawValue))), ("name", .text("what people call it")),
        ("prefix", .text("what all its topics begin with")), ("username", .text("its name on the bus")),
        ("isPaired", .truth("whether it has been let in")),
        ("isThere", .truth("whether it is connected, as far as the hub knows")),
        ("heard", .optional(.text("when it spoke last, in this run of the hub"))),
    ])
    private static let credentials = Schema.object([
        ("id", .text("the gateway's id")), ("prefix", .text("what all its topics begin with")),
        ("username", .text("its name on the bus, and its client id")),
        ("password", .text("its password on the bus")), ("host", .text("where the broker is")),
        ("port", .integer("its port")), ("tls", .truth("whether it speaks TLS there")),
    ])

    /// The JSON interface of what is connected.
    func register(gatewayRoutes routes: inout Routes) {
        let (desk, household) = (GatewayDesk(household: household), household)
        let looking = PairedGateways.looking
        routes.on(
            .get, "/api/sites/{site}/gateways", for: looking,
            RouteDescription("What is connected to a house.", answer: .object([("items", .list(Self.gateway))]))
        ) { request, principal in
            let site = try household.house(request, principal).id
            var json = JSONWriter()
            json.object { json in
                json.array("items") { json in
                    for one in household.registry.catalog.gateways(of: site) { write(one, &json) }
                }
            }
            return .json(json.bytes)
        }
        routes.on(
            .get, "/api/sites/{site}/gateways/{gateway}/untaken", for: looking,
            RouteDescription(
                "What a gateway's devices say of themselves and the hub does not take, and why; \(Untaken.most) at most.",
                answer: .object([
                    (
                        "items",
                        .list(
                            .object([
                                ("topic", .text("on which topic, below the gateway's own")),
                                ("device", .optional(.text("what the device calls itself; null: nothing was taken"))),
                                ("component", .optional(.text("which part of it; null: all of it"))),
                                ("code", .choice(DiscoveryRefusal.Reason.allCases.map(\.rawValue))),
                                ("text", .text("why, for people, in their language")),
                            ]))
                    )
                ]))
        ) { request, principal in
            let (site, id) = try Self.gateway(request)
            let gateway = try await Self.translating { try desk.find(id, at: site) }
            let (untaken, language) = (try household.untaken(of: gateway.id), Language.of(principal, request))
            var json = JSONWriter()
            json.object { json in
                json.array("items") { json in
                    for one in untaken {
                        json.object { json in
                            json.field("topic", one.topic)
                            json.field("device", one.device)
                            json.field("component", one.component)
                            json.field("code", one.why.reason.rawValue)
                            json.field("text", one.why.text(language))
                        }
                    }
                }
            }
            return .json(json.bytes)
        }
        routes.on(
            .post, "/api/sites/{site}/gateways", for: looking, household.keeps,
            RouteDescription(
                "Adds a box, a device or a home's own broker to a house. A box is paired by a code, the others are given credentials.",
                body: .object([
                    ("kind", .choice(Gateway.Kind.allCases.map(\.rawValue))), ("name", .text("1 to 80 characters")),
                ]), answer: Self.gateway, status: 201)
        ) { request, principal in
            struct Body: Decodable {
                let kind: String
                let name: String
            }
            let site = try household.house(request, principal).id
            let body = try request.json(Body.self)
            let added = try await Self.translating {
                guard let kind = Gateway.Kind(rawValue: body.kind) else { throw GatewayRefusal.kind }
                return try await desk.add(kind, name: body.name, at: site, by: principal.person.id)
            }
            var json = JSONWriter()
            write(added, &json)
            return .json(json.bytes, status: 201)
        }
        routes.on(
            .post, "/api/sites/{site}/gateways/{gateway}/pairing", for: looking, household.weakensNow(.connections),
            RouteDescription(
                "A code for pairing a box: ten minutes, one use, five tries. An older code of the box ends. For a box that is paired it takes a fresh proof.",
                body: .anything("nothing yet: {}"),
                answer: .object([("code", .text("26 characters")), ("expires", .text("when it ends"))]), status: 201)
        ) { request, principal in
            guard try request.jsonFields().isEmpty else {
                throw Problem.unprocessable("nothing can be said here yet: send {}")
            }
            try household.given.accounts.admit(.pairing, of: principal)
            let (site, id) = try Self.gateway(request)
            let (code, expires) = try await Self.translating { try await desk.code(for: id, at: site, by: principal) }
            var json = JSONWriter()
            json.object { json in
                json.field("code", code.text)
                json.field("expires", expires.iso8601)
            }
            return .json(json.bytes, status: 201)
        }
        routes.on(
            .post, "/api/sites/{site}/gateways/{gateway}/credentials", for: looking, household.weakensNow(.connections),
            RouteDescription(
                "A new password on the bus for a device or a bridge, told this once; the old one ends. Where devices hang on it, it takes a fresh proof.",
                body: .anything("nothing yet: {}"), answer: Self.credentials, status: 201)
        ) { request, principal in
            guard try request.jsonFields().isEmpty else {
                throw Problem.unprocessable("nothing can be said here yet: send {}")
            }
            let (site, id) = try Self.gateway(request)
            let renewed = try await Self.translating {
                try await desk.renew(id, at: site, by: principal)
            }
            guard let connection = GatewayConnection(renewed, household.given) else { throw Problem.notFound() }
            var json = JSONWriter()
            json.object { json in
                json.field("id", renewed.id.text)
                json.field("prefix", renewed.prefix)
                json.field("username", renewed.username)
                json.field("password", connection.password)
                json.field("host", connection.host)
                json.field("port", Int(connection.port))
                json.field("tls", connection.isSecure)
            }
            return .json(json.bytes, status: 201)
        }
        routes.on(
            .delete, "/api/sites/{site}/gateways/{gateway}", for: looking, household.weakensNow(.connections),
            RouteDescription(
                "Takes a gateway out of use with its devices, and shuts it out. What it told stays.", status: 204)
        ) { request, principal in
            let (site, id) = try Self.gateway(request)
            try await Self.translating { try await desk.retire(id, at: site, by: principal.person.id) }
            return Response(status: 204)
        }
    }

    private func write(_ gateway: Gateway, _ json: inout JSONWriter) {
        let state = household.live.gateway(gateway.id)
        json.object { json in
            json.field("id", gateway.id.text)
            json.field("kind", gateway.kind.rawValue)
            json.field("name", gateway.name)
            json.field("prefix", gateway.prefix)
            json.field("username", gateway.username)
            json.field("isPaired", gateway.key != nil)
            json.field("isThere", state.isThere)
            json.field("heard", state.heard?.iso8601)
        }
    }

    static func gateway(_ request: Request) throws -> (SiteID, GatewayID) {
        (try request.parameter("site", as: SiteID.self), try request.parameter("gateway", as: GatewayID.self))
    }

    private static func translating<T>(_ body: () async throws -> T) async throws -> T {
        do { return try await body() } catch let refusal as GatewayRefusal {
            switch refusal {
            case .unknown: throw Problem.notFound()
            case .noBroker: throw Problem.unavailable(refusal.rawValue)
            case .name, .kind, .tooMany, .tooManyEver, .notABox:
                throw Problem(
                    status: 422, type: "gateway-refused", title: "The content does not fit", detail: refusal.rawValue,
                    extra: [("field", refusal.field)])
            }
        }
    }
}

/// How a device or a bridge gets onto the bus.
struct GatewayConnection: Sendable {
    /// Where the broker is, as others reach it.
    let host: String
    let port: UInt16
    /// Whether it speaks TLS there.
    let isSecure: Bool
    /// From its key; shown to whoever connects it, and kept nowhere else.
    let password: String

    /// Nil without a broker or a key.
    init?(_ gateway: Gateway, _ given: Given) {
        guard let bus = given.bus, let key = gateway.key else { return nil }
        let address = bus.address
        (host, port, isSecure) = (address.host, address.port, address.isSecure)
        password = BusNames.password(key: key)
    }
}
