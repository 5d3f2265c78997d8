import Accounts
import Gates
import Household
import HTTPServer
import Identity
import JSON
import Ledger
import Platform
import Wire

/// The JSON interface of what is connected.
struct GatewayRoutes: HouseFeature {
    let access: HouseAccess
    let desk: GatewayDesk
    let live: LiveReadings
    let refused: RefusedMessages

    private static let newGateway = JSONBody(
        JSONKey<Gateway.Kind>("kind"), JSONKey<String>("name", "1 to 80 characters"))

    func register(_ routes: inout Routes) {
        let looking = PairedGateways.looking
        routes.on(
            .get, "/api/sites/{site}/gateways", for: looking,
            RouteDescription("What is connected to a house.", answer: JSONItems<GatewayRow>.schema)
        ) { request, principal in
            let site = try access.house(request, principal).id
            return .json(JSONItems(desk.registry.catalog.gateways(of: site).map(row)))
        }
        routes.on(
            .get, "/api/sites/{site}/gateways/{gateway}/untaken", for: looking,
            RouteDescription(
                "What a gateway's devices say of themselves and the hub does not take, and why; \(Untaken.most) at most.",
                answer: JSONItems<UntakenRow>.schema)
        ) { request, principal in
            let (site, id) = try Self.gateway(request)
            let gateway = try desk.find(id, at: site)
            let (untaken, language) = (try refused.untaken(of: gateway.id), Language.of(principal, request))
            return .json(JSONItems(untaken.map { UntakenRow(untaken: $0, text: $0.why.text(language)) }))
        }
        routes.on(
            .post, "/api/sites/{site}/gateways", for: looking, access.keeps,
            RouteDescription(
                "Adds a box, a device or a home's own broker to a house. A box is paired by a code, the others are given credentials.",
                body: Self.newGateway.schema, answer: GatewayRow.schema, status: 201)
        ) { request, principal in
            let site = try access.house(request, principal).id
            let (kind, name) = try request.json(Self.newGateway)
            let added = try await desk.add(kind, name: name, at: site, by: principal.person.id)
            return .json(row(added), status: 201)
        }
        routes.on(
            .post, "/api/sites/{site}/gateways/{gateway}/pairing", for: looking, access.weakensNow(.connections),
            RouteDescription(
                "A code for pairing a box: ten minutes, one use, five tries. An older code of the box ends. For a box that is paired it takes a fresh proof.",
                body: .anything("nothing yet: {}"),
                answer: PairingAnswer.schema, status: 201)
        ) { request, principal in
            guard try request.jsonFields().isEmpty else {
                throw Problem.unprocessable("nothing can be said here yet: send {}")
            }
            try desk.given.accounts.admit(.pairing, of: principal)
            let (site, id) = try Self.gateway(request)
            let (code, expires) = try await desk.code(for: id, at: site, by: principal)
            return .json(PairingAnswer(code: code.text, expires: expires), status: 201)
        }
        routes.on(
            .post, "/api/sites/{site}/gateways/{gateway}/credentials", for: looking, access.weakensNow(.connections),
            RouteDescription(
                "A new password on the bus for a device or a bridge, told this once; the old one ends. Where devices hang on it, it takes a fresh proof.",
                body: .anything("nothing yet: {}"), answer: GatewayCredentials.schema, status: 201)
        ) { request, principal in
            guard try request.jsonFields().isEmpty else {
                throw Problem.unprocessable("nothing can be said here yet: send {}")
            }
            let (site, id) = try Self.gateway(request)
            let renewed = try await desk.renew(id, at: site, by: principal)
            guard let connection = GatewayConnection(renewed, desk.given) else { throw Problem.notFound() }
            return .json(GatewayCredentials(gateway: renewed, connection: connection), status: 201)
        }
        routes.on(
            .delete, "/api/sites/{site}/gateways/{gateway}", for: looking, access.weakensNow(.connections),
            RouteDescription(
                "Takes a gateway out of use with its devices, and shuts it out. What it told stays.", status: 204)
        ) { request, principal in
            let (site, id) = try Self.gateway(request)
            try await desk.retire(id, at: site, by: principal.person.id)
            return Response(status: 204)
        }
    }

    private func row(_ gateway: Gateway) -> GatewayRow {
        GatewayRow(gateway: gateway, state: live.gateway(gateway.id))
    }

    static func gateway(_ request: Request) throws -> (SiteID, GatewayID) {
        (try request.parameter("site", as: SiteID.self), try request.parameter("gateway", as: GatewayID.self))
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

extension GatewayRefusal: ProblemConvertible {
    /// In words.
    var problem: Problem? {
        switch self {
        case .unknown: .notFound()
        case .noBroker: .unavailable(rawValue)
        case .name, .kind, .tooMany, .tooManyEver, .notABox: .refused(rawValue, type: "gateway-refused", field: field)
        }
    }
}
