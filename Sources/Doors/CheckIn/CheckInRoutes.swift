import Accounts
import Gates
import HTTPServer
import Identity
import JSON
import Ledger
import Notices

extension Doors {
    private static let proof = Schema.choice(ActionProof.allCases.map(\.rawValue))

    /// The JSON interface of opening gates from notifications.
    func register(checkIn routes: inout Routes) {
        let given = given
        routes.on(
            .get, "/api/sites/{site}/gates/{gate}/check-in", for: Permission.managing,
            RouteDescription(
                "What a gate asks for before it opens from a notification.", answer: .object([("proof", Self.proof)]))
        ) { request, _ in
            let gate = try self.checkInGate(request)
            return Self.answer(try given.store.read { try CheckInRecords.proof(of: gate.id, in: $0) })
        }
        routes.on(
            .put, "/api/sites/{site}/gates/{gate}/check-in", for: Permission.managing,
            RouteDescription(
                "Says what a gate asks for before it opens from a notification: nothing, an unlocked phone, or a passkey. Less than before takes a fresh proof.",
                body: .object([("proof", Self.proof)]), answer: .object([("proof", Self.proof)]))
        ) { request, principal in
            struct Body: Decodable { let proof: ActionProof }
            let proof = try request.json(Body.self).proof
            let gate = try self.checkInGate(request)
            try await self.setCheckIn(proof, of: gate.id, at: gate.site, by: principal)
            return Self.answer(proof)
        }
        routes.on(
            .post, "/api/gates/{gate}/check-in-notice",
            RouteDescription(
                "Sends a notice to oneself by which one opens a gate: good for two minutes, and once.",
                body: .anything("nothing yet: {}"), answer: .object([("notice", .text("the notice's id"))]),
                status: 201), bodyLimit: 4_096
        ) { request, principal in
            guard try request.jsonFields().isEmpty else {
                throw Problem.unprocessable("nothing can be said here yet: send {}")
            }
            try self.given.accounts.admit(.checkIn, of: principal)
            let (gate, site) = try self.ownCheckInGate(request, principal)
            let notice = try await self.sendCheckIn(for: gate, at: site, to: principal.person.id)
            var json = JSONWriter()
            json.object { $0.field("notice", notice.text) }
            return .json(json.bytes, status: 201)
        }
    }

    private static func answer(_ proof: ActionProof) -> Response {
        var json = JSONWriter()
        json.object { $0.field("proof", proof.rawValue) }
        return .json(json.bytes)
    }

    /// The gate that a manager's path names: in use, and Doors decides for it.
    func checkInGate(_ request: Request) throws -> Gate {
        let site = try request.parameter("site", as: SiteID.self)
        let id = try request.parameter("gate", as: GateID.self)
        guard let gate = try given.store.read({ try GateRecords.gate(id, in: $0) }), gate.site == site,
            gate.retired == nil, gate.policy == "doors"
        else { throw Problem.notFound() }
        return gate
    }

    /// The gate that a person's path names, with its site: in use, Doors decides for it, and they have a part in the site.
    func ownCheckInGate(_ request: Request, _ principal: Principal) throws -> (Gate, Site) {
        let id = try request.parameter("gate", as: GateID.self)
        guard let gate = try given.store.read({ try GateRecords.gate(id, in: $0) }), gate.retired == nil,
            gate.policy == "doors", let site = principal.sites(at: given.clock.now).first(where: { $0.id == gate.site })
        else { throw Problem.notFound() }
        return (gate, site)
    }
}
