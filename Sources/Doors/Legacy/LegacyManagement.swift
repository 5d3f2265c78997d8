import Accounts
import Gates
import HTTPServer
import Identity
import JSON
import Ledger
import Store
import System

// What managers, and people for themselves, say of the original's app and of legacy gates.

extension Doors {
    private static let secretSchema = Schema.object([
        ("username", .text("the user name")), ("password", .text("the password; shown once")),
    ])

    /// The JSON interface of legacy gates and accounts.
    func register(legacyManagement routes: inout Routes) {
        routes.on(
            .get, "/api/sites/{site}/legacy", for: Permission.managing,
            RouteDescription(
                "The site's legacy gates and the accounts of the original system's app.",
                answer: .object([
                    ("allowsGET", .truth("whether the app may sign in by GET")),
                    (
                        "gates",
                        .list(
                            .object([
                                ("id", .text("the gate's id")), ("name", .text("what people call it")),
                                ("mode", .choice(["pass", "legacy"])),
                            ]))
                    ),
                    (
                        "accounts",
                        .list(
                            .object([
                                ("person", .text("the person's id")), ("name", .text("what people call them")),
                                ("username", .text("the user name")), ("created", .text("when the password was made")),
                                ("lastUsed", .optional(.text("when it was last right"))),
                                ("revoked", .optional(.text("when it was taken away"))),
                            ]))
                    ),
                ]))
        ) { request, _ in
            .json(try self.legacyList(try request.parameter("site", as: SiteID.self)))
        }
        routes.on(
            .put, "/api/sites/{site}/legacy", for: Permission.managing,
            RouteDescription(
                "Says whether the app may sign in by GET: then names and digests stand in addresses, which others may log. To begin with it takes a fresh proof.",
                body: .object([("allowsGET", .truth("off unless told"))]), status: 204)
        ) { request, principal in
            struct Body: Decodable { let allowsGET: Bool }
            let body = try request.json(Body.self)
            let site = try request.parameter("site", as: SiteID.self)
            try await self.setLegacyGET(body.allowsGET, at: site, by: principal)
            return .empty()
        }
        routes.on(
            .put, "/api/sites/{site}/gates/{gate}/mode", for: Permission.managing,
            RouteDescription(
                "Makes a gate take the original system's badges in the air, and no pass; or passes, and no badge. One sniffed write gives such a badge away, so that way round takes a fresh proof.",
                body: .object([("mode", .choice(["pass", "legacy"]))]), status: 204)
        ) { request, principal in
            struct Body: Decodable { let mode: String }
            let body = try request.json(Body.self)
            guard ["pass", "legacy"].contains(body.mode) else {
                throw Problem.unprocessable("a gate's mode is pass or legacy")
            }
            let site = try request.parameter("site", as: SiteID.self)
            let gate = try request.parameter("gate", as: GateID.self)
            do {
                try await self.setLegacy(gate, body.mode == "legacy", at: site, by: principal)
            } catch is Gates.Unknown { throw Problem.notFound() }
            return .empty()
        }
        register(legacyAccounts: &routes)
    }

    private func register(legacyAccounts routes: inout Routes) {
        routes.on(
            .post, "/api/sites/{site}/legacy/accounts/{person}", for: Permission.managing,
            RouteDescription(
                "A new password for somebody's old app at this site; the one before ends. It takes a fresh proof.",
                body: .anything("nothing yet: {}"),
                answer: Self.secretSchema, status: 201)
        ) { request, principal in
            try Self.requireNothing(request)
            let (person, _) = try self.legacyPerson(request, principal)
            return try await self.answer(person, request, principal)
        }
        routes.on(
            .post, "/api/sites/{site}/legacy/accounts/{person}/badge", for: Permission.managing,
            RouteDescription(
                "Another badge for somebody's old app at this site, at once; the one before opens no more.",
                body: .anything("nothing yet: {}"), status: 204)
        ) { request, principal in
            try Self.requireNothing(request)
            let (person, site) = try self.legacyPerson(request, principal)
            try await Self.finding { try await self.replaceLegacyBadge(of: person, at: site, by: principal.person.id) }
            return .empty()
        }
        routes.on(
            .delete, "/api/sites/{site}/legacy/accounts/{person}", for: Permission.managing,
            RouteDescription("Takes somebody's old app away at this site: its password and its badge.", status: 204)
        ) { request, principal in
            let (person, site) = try self.legacyPerson(request, principal)
            try await Self.finding { try await self.revokeLegacy(of: person, at: site, by: principal.person.id) }
            return .empty()
        }
        routes.on(
            .post, "/api/sites/{site}/legacy/own",
            RouteDescription(
                "A new password for one's own old app at this site; the one before ends. It takes a fresh proof.",
                body: .anything("nothing yet: {}"), answer: Self.secretSchema, status: 201)
        ) { request, principal in
            try Self.requireNothing(request)
            try self.requireMember(request, principal)
            return try await self.answer(principal.person.id, request, principal)
        }
        routes.on(
            .delete, "/api/sites/{site}/legacy/own",
            RouteDescription("Takes one's own old app away at this site.", status: 204)
        ) { request, principal in
            let site = try request.parameter("site", as: SiteID.self)
            try self.requireMember(request, principal)
            try await Self.finding {
                try await self.revokeLegacy(of: principal.person.id, at: site, by: principal.person.id)
            }
            return .empty()
        }
    }

    private func answer(_ person: PersonID, _ request: Request, _ principal: Principal) async throws -> Response {
        try Routes.requireFreshProof(principal, at: given.clock.now)
        try given.accounts.admit(.password, of: principal)
        let site = try Self.site(request, principal)
        let secret = try await Self.finding {
            try await makeLegacyPassword(for: person, at: site, by: principal.person.id)
        }
        var json = JSONWriter()
        json.object { json in
            json.field("username", secret.username)
            json.field("password", secret.password)
        }
        return .json(json.bytes, status: 201)
    }

    /// Whom a path names, if whoever asks may change their account.
    private func legacyPerson(_ request: Request, _ principal: Principal) throws -> (PersonID, SiteID) {
        let person = try request.parameter("person", as: PersonID.self)
        let site = try request.parameter("site", as: SiteID.self)
        try requireMayChangeLegacy(of: person, at: site, principal)
        return (person, site)
    }

    private func requireMember(_ request: Request, _ principal: Principal) throws {
        let site = try request.parameter("site", as: SiteID.self)
        if principal.current(at: site, given.clock.now).isEmpty { throw Problem.notFound() }
    }

    private static func requireNothing(_ request: Request) throws {
        guard try request.jsonFields().isEmpty else {
            throw Problem.unprocessable("nothing can be said here yet: send {}")
        }
    }

    static func finding<T>(_ body: () async throws -> T) async throws -> T {
        do { return try await body() } catch is NoLegacyAccount {
            throw Problem.notFound()
        } catch is LegacyBadgesFull {
            throw Problem.conflict(
                "the site has \(LegacyPolicy.mostBadges) old badges, as many as a gate can hold: one of them has to be taken away first"
            )
        } catch AccountRefusal.busy {
            throw Problem.unavailable("too many sign-ins at this moment", retryAfter: 2)
        }
    }

    private func legacyList(_ site: SiteID) throws -> [UInt8] {
        let (allowsGET, gates, legacy, accounts) = try given.store.read { database in
            (
                try LegacyRecords.allowsGET(site, in: database), try GateRecords.gates(of: site, in: database),
                Set(try LegacyRecords.gates(of: site, in: database).map(\.id)),
                try LegacyRecords.accounts(of: site, in: database)
            )
        }
        var json = JSONWriter(capacity: 2048)
        json.object { json in
            json.field("allowsGET", allowsGET)
            json.array("gates") { json in
                for gate in gates {
                    json.object { json in
                        json.field("id", gate.id.text)
                        json.field("name", gate.name)
                        json.field("mode", legacy.contains(gate.id) ? "legacy" : "pass")
                    }
                }
            }
            json.array("accounts") { json in
                for (account, name) in accounts {
                    json.object { json in
                        json.field("person", account.person.text)
                        json.field("name", name)
                        json.field("username", account.username)
                        json.field("created", account.created.iso8601)
                        json.field("lastUsed", account.lastUsed?.iso8601)
                        json.field("revoked", account.revoked?.iso8601)
                    }
                }
            }
        }
        return json.bytes
    }
}
