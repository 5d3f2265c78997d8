import Accounts
import HTTPServer
import Identity
import JSON
import Ledger
import Store
import System

extension Gates {
    private static let administeredSchema = Schema.object([
        ("id", .text("the gate's id")), ("name", .text("what people call it")),
        ("policy", .text("who decides: doors")),
        ("pulseMilliseconds", .integer("for how long it opens, 500 to 30000")),
        ("state", .choice(["ready", "notReachable", "notPaired"])),
        ("isWaiting", .truth("whether a code waits for its controller")),
        ("retired", .optional(.text("when it was taken out of use"))),
        ("health", .optional(healthSchema)),
    ])

    private static let healthSchema = Schema.object([
        ("lastHeard", .text("when its controller was last heard, as far as it was written down")),
        ("clockOffsetSeconds", .optional(.integer("its clock less the hub's"))),
        ("waiting", .optional(.integer("records of its journal that the hub does not have yet"))),
        ("kept", .optional(.integer("records of its journal altogether"))),
        ("software", .optional(.text("what it runs"))), ("starts", .integer("how often it has started")),
        ("rightsAreCurrent", .truth("whether it holds the newest rights")),
        ("troubles", .list(.choice(GateTrouble.allCases.map(\.rawValue)))),
    ])

    /// The JSON interface of a site's gates, for its managers.
    func registerAdministration(_ routes: inout Routes) {
        routes.on(
            .get, "/api/sites/{site}/gates", for: Permission.managing,
            RouteDescription(
                "The gates of a site, those in use first, by name.",
                answer: .object([("items", .list(Self.administeredSchema))]))
        ) { request, _ in
            let site = try request.parameter("site", as: SiteID.self)
            let now = self.clock.now
            let (gates, waiting) = try self.store.read { database in
                (
                    try GateRecords.allGates(of: site, in: database),
                    try PairingRecords.waiting(PairedGates.kind, now: now, in: database)
                )
            }
            var json = JSONWriter(capacity: 256 * gates.count)
            try json.object { json in
                try json.array("items") { json in
                    for gate in gates { try self.describe(gate, isWaiting: waiting.contains(gate.id.raw), &json) }
                }
            }
            return .json(json.bytes)
        }
        routes.on(
            .post, "/api/sites/{site}/gates", for: Permission.managing,
            RouteDescription(
                "Adds a gate.",
                body: .object([
                    ("name", .text("what people call it; 1 to 80 characters")),
                    ("policy", .optional(.text("who decides: doors; null where only one can"))),
                    ("pulseMilliseconds", .optional(.integer("500 to 30000; 3000"))),
                ]),
                answer: Self.administeredSchema, status: 201)
        ) { request, principal in
            struct Body: Decodable {
                let name: String
                let policy: String?
                let pulseMilliseconds: Int?
            }
            let body = try request.json(Body.self)
            let site = try request.parameter("site", as: SiteID.self)
            let gate = try await Self.translating {
                try await self.addGate(
                    name: body.name, policy: body.policy, pulse: body.pulseMilliseconds ?? 3000, at: site,
                    by: principal.person.id)
            }
            return try self.answer(gate, status: 201)
        }
        routes.on(
            .patch, "/api/sites/{site}/gates/{gate}", for: Permission.managing,
            RouteDescription(
                "Changes what people call a gate, or how long it opens; what is left out stays.",
                body: .object([
                    ("name", .optional(.text("1 to 80 characters"))),
                    ("pulseMilliseconds", .optional(.integer("500 to 30000"))),
                ]), answer: Self.administeredSchema)
        ) { request, principal in
            struct Body: Decodable {
                let name: String?
                let pulseMilliseconds: Int?
            }
            let body = try request.json(Body.self)
            let (site, id) = try Self.names(request)
            let gate = try await Self.translating {
                try await self.changeGate(
                    id, at: site, by: principal.person.id, name: body.name, pulse: body.pulseMilliseconds)
            }
            return try self.answer(gate)
        }
        routes.on(
            .post, "/api/sites/{site}/gates/{gate}/retire", for: Permission.managing,
            RouteDescription(
                "Takes a gate out of use: nobody opens it any more, and the passes that are out for it are denied.",
                body: .anything("nothing yet: {}"), answer: Self.administeredSchema)
        ) { request, principal in
            try Self.requireEmptyObject(request)
            let (site, id) = try Self.names(request)
            let gate = try await Self.translating {
                try await self.retire(id, at: site, by: principal.person.id)
            }
            return try self.answer(gate)
        }
        routes.on(
            .post, "/api/sites/{site}/gates/{gate}/reinstate", for: Permission.managing,
            RouteDescription(
                "Puts a gate back into use, with the roles that it had.", body: .anything("nothing yet: {}"),
                answer: Self.administeredSchema)
        ) { request, principal in
            try Self.requireEmptyObject(request)
            let (site, id) = try Self.names(request)
            let gate = try await Self.translating {
                try await self.reinstate(id, at: site, by: principal.person.id)
            }
            return try self.answer(gate)
        }
    }

    static func names(_ request: Request) throws -> (SiteID, GateID) {
        (try request.parameter("site", as: SiteID.self), try request.parameter("gate", as: GateID.self))
    }

    private static func translating<T>(_ body: () async throws -> T) async throws -> T {
        do { return try await body() } catch let refusal as GateRefusal {
            switch refusal {
            case .unknown: throw Problem.notFound()
            case .taken, .retired: throw Problem.conflict(refusal.rawValue)
            case .name, .pulse, .policy, .tooMany:
                throw Problem(
                    status: 422, type: "gate-refused", title: "The content does not fit", detail: refusal.rawValue,
                    extra: [("field", refusal.field)])
            }
        }
    }

    private func answer(_ gate: Gate, status: Int = 200) throws -> Response {
        let now = clock.now
        let pending = try store.read { try PairingRecords.pending(PairedGates.kind, gate.id.raw, now: now, in: $0) }
        var json = JSONWriter()
        try describe(gate, isWaiting: pending != nil, &json)
        return .json(json.bytes, status: status)
    }

    private func describe(_ gate: Gate, isWaiting: Bool, _ json: inout JSONWriter) throws {
        try json.object { json in
            json.field("id", gate.id.text)
            json.field("name", gate.name)
            json.field("policy", gate.policy)
            json.field("pulseMilliseconds", Int(gate.pulse))
            json.field("state", state(of: gate).rawValue)
            json.field("isWaiting", isWaiting)
            json.field("retired", gate.retired?.iso8601)
            json.key("health")
            if let report = try health(of: gate.id) {
                json.object { json in
                    json.field("lastHeard", report.at.iso8601)
                    json.field("clockOffsetSeconds", report.clockOffset)
                    json.field("waiting", report.waiting)
                    json.field("kept", report.kept)
                    json.field("software", report.software)
                    json.field("starts", report.starts)
                    json.field("rightsAreCurrent", report.rightsVersion >= gate.rightsVersion)
                    json.array("troubles") { json in
                        for trouble in report.troubles { json.value(trouble.rawValue) }
                    }
                }
            } else {
                json.null()
            }
        }
    }
}
