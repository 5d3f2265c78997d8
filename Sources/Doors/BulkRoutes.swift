import Accounts
import HTTPServer
import Identity
import JSON
import Ledger
import System

extension Doors {
    private static let resultSchema = Schema.object([
        ("batch", .text("names the change, for undoing it")), ("changed", .integer("how many are other than before")),
        (
            "refused",
            .list(
                .object([("membership", .text("the membership's id")), ("detail", .text("why it stayed as it was"))]))
        ),
    ])

    /// The JSON interface of several memberships at once, of further ones, and of badges.
    func registerBulk(_ routes: inout Routes) {
        routes.on(
            .post, "/api/sites/{site}/people/bulk", for: Permission.managing,
            RouteDescription(
                "Changes up to 1,000 memberships in one go. Those that may not be changed so stay as they were, and are told.",
                body: .object([
                    ("memberships", .list(.text("a membership's id"))),
                    ("do", .choice(["revoke", "reinstate", "role", "lastDay"])),
                    ("role", .optional(.text("for role: the role's id; null: none"))),
                    ("lastDay", .optional(.text("for lastDay: YYYY-MM-DD, inclusive; null: without an end"))),
                ]), answer: Self.resultSchema), bodyLimit: 64 << 10
        ) { request, principal in
            struct Body: Decodable {
                let memberships: [String]
                let `do`: String
                let role: String?
                let lastDay: String?
            }
            let body = try request.json(Body.self)
            let ids = body.memberships.compactMap { MembershipID($0) }
            guard ids.count == body.memberships.count else { throw Problem.unprocessable("one of the ids is none") }
            let site = try Self.site(request, principal)
            let change: BulkChange
            switch body.do {
            case "revoke": change = .revoke
            case "reinstate": change = .reinstate
            case "role":
                let role = body.role.flatMap { RoleID($0) }
                if body.role != nil, role == nil { throw MembershipEntry.Refusal(field: "role", why: .unknown) }
                change = .role(role)
            case "lastDay":
                let entry = MembershipEntry(
                    permission: "", role: "", firstDay: "", lastDay: body.lastDay ?? "")
                change = .lastDay(try entry.days().last)
            default: throw Problem.unprocessable("do is revoke, reinstate, role or lastDay")
            }
            let result = try await self.change(ids, change, at: site, by: principal)
            return Self.answer(result)
        }
        routes.on(
            .post, "/api/sites/{site}/people/undo", for: Permission.managing,
            RouteDescription(
                "Takes a change of several memberships back, within a day. What somebody changed since stays, and is told.",
                body: .object([("batch", .text("as the change answered it"))]), answer: Self.resultSchema),
            bodyLimit: 4096
        ) { request, principal in
            struct Body: Decodable { let batch: String }
            let body = try request.json(Body.self)
            let site = try Self.site(request, principal)
            guard let batch = EventID(body.batch), let result = try await undo(batch, at: site, by: principal) else {
                throw Problem.notFound()
            }
            return Self.answer(result)
        }
        routes.on(
            .post, "/api/sites/{site}/people/{membership}/more", for: Permission.managing,
            RouteDescription(
                "Adds another membership of the person who has this one.",
                body: .object([
                    ("permission", .choice(Permission.allCases.map(\.rawValue))),
                    ("role", .optional(.text("the role's id"))), ("firstDay", .optional(.text("YYYY-MM-DD"))),
                    ("lastDay", .optional(.text("YYYY-MM-DD, inclusive"))),
                ]),
                answer: .object([("membership", .text("the new membership's id"))]), status: 201), bodyLimit: 4096
        ) { request, principal in
            struct Body: Decodable {
                let permission: String
                let role: String?
                let firstDay: String?
                let lastDay: String?
            }
            let body = try request.json(Body.self)
            let site = try Self.site(request, principal)
            let known = try request.parameter("membership", as: MembershipID.self)
            let added = try await addMembership(
                MembershipEntry(
                    permission: body.permission, role: body.role ?? "", firstDay: body.firstDay ?? "",
                    lastDay: body.lastDay ?? ""), toHolderOf: known, at: site, by: principal)
            var json = JSONWriter()
            json.object { $0.field("membership", added.id.text) }
            return .json(json.bytes, status: 201)
        }
        routes.on(
            .put, "/api/sites/{site}/people/{membership}/badge", for: Permission.managing,
            RouteDescription(
                "Gives the person who has this membership a badge of a code. The code before ends.",
                body: .object([
                    ("code", .text("1 to 24 letters, digits, dots, dashes and underscores; 007 is another code than 7"))
                ]),
                answer: .object([("code", .text("the code"))])), bodyLimit: 4096
        ) { request, principal in
            struct Body: Decodable { let code: String }
            let body = try request.json(Body.self)
            let site = try Self.site(request, principal)
            let known = try request.parameter("membership", as: MembershipID.self)
            try await setBadge(body.code, ofHolderOf: known, at: site, by: principal)
            var json = JSONWriter()
            json.object { $0.field("code", body.code) }
            return .json(json.bytes)
        }
    }

    private static func answer(_ result: BulkResult) -> Response {
        var json = JSONWriter()
        json.object { json in
            json.field("batch", result.batch.text)
            json.field("changed", result.changed)
            json.array("refused") { json in
                for (membership, refusal) in result.refused {
                    json.object { json in
                        json.field("membership", membership.text)
                        json.field("detail", refusal.words)
                    }
                }
            }
        }
        return .json(json.bytes)
    }
}
