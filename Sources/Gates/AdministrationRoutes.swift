import Accounts
import HTTPServer
import Identity
import JSON
import Ledger
import Store
import System

extension Gates {
    private static let newGate = JSONBody(
        JSONKey<String>("name", "what people call it; 1 to 80 characters"),
        JSONKey<String?>("policy", "who decides: doors; null where only one can"),
        JSONKey<Int?>("pulseMilliseconds", "500 to 30000; 3000"))
    private static let changedGate = JSONBody(
        JSONKey<String?>("name", "1 to 80 characters"), JSONKey<Int?>("pulseMilliseconds", "500 to 30000"))

    /// The JSON interface of a site's gates, for its managers.
    func registerAdministration(_ routes: inout Routes) {
        routes.on(
            .get, "/api/sites/{site}/gates", for: Permission.managing,
            RouteDescription(
                "The gates of a site, those in use first, by name.",
                answer: JSONItems<AdministeredGateRow>.schema)
        ) { request, _ in
            let site = try request.parameter("site", as: SiteID.self)
            let now = self.clock.now
            let (gates, waiting) = try self.store.read { database in
                (
                    try GateRecords.allGates(of: site, in: database),
                    try PairingRecords.waiting(PairedGates.kind, now: now, in: database)
                )
            }
            let rows = try gates.map { try self.row(of: $0, isWaiting: waiting.contains($0.id.raw)) }
            return .json(JSONItems(rows), capacity: 256 * rows.count)
        }
        routes.on(
            .post, "/api/sites/{site}/gates", for: Permission.managing,
            RouteDescription(
                "Adds a gate.",
                body: Self.newGate.schema,
                answer: AdministeredGateRow.schema, status: 201)
        ) { request, principal in
            let (name, policy, pulse) = try request.json(Self.newGate)
            let site = try request.parameter("site", as: SiteID.self)
            let gate = try await self.addGate(
                name: name, policy: policy, pulse: pulse ?? 3000, at: site,
                by: principal.person.id)
            return try self.answer(gate, status: 201)
        }
        routes.on(
            .patch, "/api/sites/{site}/gates/{gate}", for: Permission.managing,
            RouteDescription(
                "Changes what people call a gate, or how long it opens; what is left out stays.",
                body: Self.changedGate.schema, answer: AdministeredGateRow.schema)
        ) { request, principal in
            let (name, pulse) = try request.json(Self.changedGate)
            let (site, id) = try Self.names(request)
            let gate = try await self.changeGate(
                id, at: site, by: principal.person.id, name: name, pulse: pulse)
            return try self.answer(gate)
        }
        routes.on(
            .post, "/api/sites/{site}/gates/{gate}/retire", for: Permission.managing,
            RouteDescription(
                "Takes a gate out of use: nobody opens it any more, and the passes that are out for it are denied.",
                body: .anything("nothing yet: {}"), answer: AdministeredGateRow.schema)
        ) { request, principal in
            try Self.requireEmptyObject(request)
            let (site, id) = try Self.names(request)
            let gate = try await self.retire(id, at: site, by: principal.person.id)
            return try self.answer(gate)
        }
        routes.on(
            .post, "/api/sites/{site}/gates/{gate}/reinstate", for: Permission.managing,
            RouteDescription(
                "Puts a gate back into use, with the roles that it had.", body: .anything("nothing yet: {}"),
                answer: AdministeredGateRow.schema)
        ) { request, principal in
            try Self.requireEmptyObject(request)
            let (site, id) = try Self.names(request)
            let gate = try await self.reinstate(id, at: site, by: principal.person.id)
            return try self.answer(gate)
        }
    }

    static func names(_ request: Request) throws -> (SiteID, GateID) {
        (try request.parameter("site", as: SiteID.self), try request.parameter("gate", as: GateID.self))
    }

    private func answer(_ gate: Gate, status: Int = 200) throws -> Response {
        let now = clock.now
        let pending = try store.read { try PairingRecords.pending(PairedGates.kind, gate.id.raw, now: now, in: $0) }
        return .json(try row(of: gate, isWaiting: pending != nil), status: status)
    }

    private func row(of gate: Gate, isWaiting: Bool) throws -> AdministeredGateRow {
        let health = try health(of: gate.id).map {
            GateHealthRow(report: $0, rightsAreCurrent: $0.rightsVersion >= gate.rightsVersion)
        }
        return AdministeredGateRow(gate: gate, state: state(of: gate), isWaiting: isWaiting, health: health)
    }
}

extension GateRefusal: ProblemConvertible {
    /// In words.
    public var problem: Problem? {
        switch self {
        case .unknown: .notFound()
        case .taken, .retired: .conflict(rawValue)
        case .name, .pulse, .policy, .tooMany: .refused(rawValue, type: "gate-refused", field: field)
        }
    }
}
