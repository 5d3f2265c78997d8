import Accounts
import HTTPServer
import Identity
import JSON
import Ledger
import Store
import System

extension Privacy {
    private static let retentionSchema = Schema.object([
        ("openings", .integer("days that openings and transits are kept; 0 is for ever")),
        ("signIns", .integer("days that sign-ins are kept; 0 is for ever")),
        ("changes", .integer("days that changes to people, roles and gates are kept; 0 is for ever")),
    ])

    /// The JSON interface of erasure and retention.
    func register(routes: inout Routes) {
        registerOwn(&routes)
        routes.on(
            .post, "/api/sites/{site}/people/{person}/erase", for: [.owner],
            RouteDescription(
                "Erases a person at the site, for good: what they did and what is kept of them there, and the account when no other site has them. Text that people typed is matched by no name: `toReview` lists it.",
                body: .object([("name", .text("the person's name, as it stands in the list: to be sure"))]),
                answer: .object([
                    ("events", .integer("how many entries of the ledger lost what they said")),
                    ("accountIsGone", .truth("whether the account itself is gone")),
                    (
                        "toReview",
                        .list(
                            .object([
                                ("kind", .text("what it is: alarmCodes, alarmTags, alarmContacts")),
                                ("text", .text("as it was typed")),
                            ]))
                    ),
                ]))
        ) { request, principal in
            struct Body: Decodable { let name: String }
            let body = try request.json(Body.self)
            let outcome = try await self.erase(request, principal, typed: body.name)
            let found = try self.freeTexts(at: try request.parameter("site", as: SiteID.self))
            var json = JSONWriter()
            json.object { json in
                json.field("events", outcome.events)
                json.field("accountIsGone", outcome.accountIsGone)
                json.array("toReview") { json in
                    for (kind, text) in found.flatMap({ found in found.texts.map { (found.name, $0) } }) {
                        json.object { json in
                            json.field("kind", kind)
                            json.field("text", text)
                        }
                    }
                }
            }
            return .json(json.bytes)
        }
        routes.on(
            .get, "/api/sites/{site}/retention", for: Permission.managing,
            RouteDescription("How long the site keeps what, in days.", answer: Self.retentionSchema)
        ) { request, _ in
            let site = try request.parameter("site", as: SiteID.self)
            return .json(Self.json(try self.given.store.read { try Ledger.retention(of: site, in: $0) }))
        }
        routes.on(
            .put, "/api/sites/{site}/retention", for: [.owner],
            RouteDescription(
                "Says how long the site keeps what: 30 to 7300 days, or 0 for ever. What is older goes within the day.",
                body: Self.retentionSchema, answer: Self.retentionSchema)
        ) { request, principal in
            struct Body: Decodable {
                let openings: Int
                let signIns: Int
                let changes: Int
            }
            let body = try request.json(Body.self)
            var rules = RetentionRules()
            (rules[.openings], rules[.signIns], rules[.changes]) = (body.openings, body.signIns, body.changes)
            try await self.keep(rules, at: try request.parameter("site", as: SiteID.self), by: principal)
            return .json(Self.json(rules))
        }
    }

    /// Erases whom a checked request's path names.
    func erase(_ request: Request, _ principal: Principal, typed name: String) async throws -> Erasing.Outcome {
        try Routes.requireFreshProof(principal, at: given.clock.now)
        let id = try request.parameter("person", as: PersonID.self)
        guard let site = try site(of: request, principal) else { throw Problem.notFound() }
        do { return try await erase(id, at: site, by: principal, typed: name) } catch let refusal as Refusal {
            switch refusal {
            case .notHere: throw Problem.notFound("There is no such person at this site.")
            case .notOwner: throw Problem.forbidden("your membership at this site does not allow it")
            case .lastOwner:
                throw Problem.conflict(
                    "They are the only owner of this site without a last day. Make another one first.",
                    type: "last-owner")
            case .moving:
                throw Problem.conflict(
                    "They join this site in the same moment. Nothing was erased: try again.", type: "changes-now")
            case .otherName:
                throw Problem(
                    status: 422, type: "name-differs", title: "The content does not fit",
                    detail: "name: it is not the name of this person", extra: [("field", "name")])
            case .yourself:
                throw Problem.conflict(
                    "You cannot erase yourself. Ask another owner to do it.", type: "yourself")
            }
        }
    }

    /// Keeps what an owner asks for.
    func keep(_ rules: RetentionRules, at site: SiteID, by principal: Principal) async throws {
        try Routes.requireFreshProof(principal, at: given.clock.now)
        for group in RetentionGroup.allCases where !RetentionRules.allows(rules[group]) {
            throw Problem(
                status: 422, type: "retention-refused", title: "The content does not fit",
                detail:
                    "\(group.rawValue): \(RetentionRules.fewest) to \(RetentionRules.most) days, or 0 for ever",
                extra: [("field", group.rawValue)])
        }
        let (now, by) = (given.clock.now, principal.person.id)
        try await given.store.write { database in
            try Ledger.setRetention(rules, of: site, by: by, at: now, in: database)
        }
    }

    /// The site that a checked path names.
    func site(of request: Request, _ principal: Principal) throws -> Site? {
        let id = try request.parameter("site", as: SiteID.self)
        return principal.memberships.first { $0.site.id == id }?.site
    }

    private static func json(_ rules: RetentionRules) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in for group in RetentionGroup.allCases { json.field(group.name, rules[group]) } }
        return json.bytes
    }
}

extension RetentionGroup {
    /// As the interface and the forms call it.
    var name: StaticString {
        switch self {
        case .openings: "openings"
        case .signIns: "signIns"
        case .changes: "changes"
        }
    }
}
