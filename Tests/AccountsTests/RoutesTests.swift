import Crypto
import Foundation
import HTTPServer
import Ledger
import Store
import System
import Testing

@testable import Accounts

@Suite("Routes")
struct RoutesTests {
    private static let origin = (name: "Origin", value: "http://hub.example")
    private static let host = (name: "Host", value: "hub.example")

    private func bearer(_ token: String) -> (name: String, value: String) { ("Authorization", "Bearer \(token)") }
    private func cookie(_ token: String) -> (name: String, value: String) { ("Cookie", "soglia_session=\(token)") }

    private func request(
        _ method: HTTPServer.Method, _ path: String, _ fields: [(name: String, value: String)], body: String = ""
    ) -> Request { Request(method, path, headers: Headers([Self.host] + fields), body: Array(body.utf8)) }

    /// Routes of every kind, and how often the one that changes something has been called.
    private func routes(_ house: House) -> (Routes, Shared<Int>) {
        let calls = Shared(0)
        var routes = Routes(router: Router(), accounts: house.accounts)
        routes.onPublic(.get, "/api/open", why: "it says nothing", RouteDescription("For everybody.")) { _ in
            .text("open")
        }
        routes.on(.get, "/api/me", RouteDescription("Who one is.", answer: .text("a name"))) { _, principal in
            .text(principal.person.name)
        }
        routes.on(.post, "/api/things", RouteDescription("Makes a thing.", body: .anything("a thing"), status: 201)) {
            request, _ in
            calls.change { $0 += 1 }
            if request.body == Array("bad".utf8) { throw Problem.unprocessable("bad") }
            return .text("made \(calls.value)", status: 201)
        }
        routes.on(
            .get, "/api/sites/{site}/people", for: Permission.managing,
            RouteDescription("Who is there.", query: [("after", false, "where to go on")])
        ) { _, _ in .text("people") }
        routes.on(
            .put, "/api/sites/{site}/people/{membership}", for: [.owner],
            RouteDescription(
                "Changes \"one\".",
                body: .object([("days", .list(.optional(.integer("a day")))), ("kind", .choice(["a", "b"]))]),
                answer: .object([("ok", .truth("yes"))]))
        ) { _, _ in .empty() }
        return (routes, calls)
    }

    @Test("A cookie proves a browser's session and a bearer token a program's, never the other way round")
    func credentials() async throws {
        try await House.run { house in
            let ada = try await house.person("Ada")
            let (program, browser) = (try await house.token(ada), try await house.token(ada, isProgram: false))
            func proven(_ fields: [(name: String, value: String)]) throws -> Bool {
                try Routes.principal(of: request(.get, "/api/me", fields), house.accounts) != nil
            }
            for (fields, expected) in [
                ([bearer(program)], true), ([cookie(browser)], true), ([bearer(browser)], false),
                ([cookie(program)], false), ([], false),
                ([("Authorization", "bearer \(program)")], true), ([("Authorization", "Basic \(program)")], false),
                ([("Authorization", program)], false), ([("Authorization", "Bearer")], false),
                ([("Authorization", "Bearer  \(program)")], false),
                ([("Cookie", "other=\(browser)")], false), ([("Cookie", "a=b; soglia_session=\(browser); c=d")], true),
                ([("Cookie", "soglia_session=")], false),
                // A token that proves nobody is not made good by a cookie beside it.
                ([("Authorization", "Basic x"), cookie(browser)], false),
            ] as [([(name: String, value: String)], Bool)] {
                #expect(try proven(fields) == expected, "\(fields.map(\.name))")
            }
        }
    }

    @Test("Without a session one is told to sign in; with both kinds of credentials one is refused")
    func signInFirst() async throws {
        try await House.run { house in
            let ada = try await house.person("Ada")
            let (program, browser) = (try await house.token(ada), try await house.token(ada, isProgram: false))
            let (routes, calls) = routes(house)
            #expect(await routes.router.respond(to: request(.get, "/api/open", [])).status == 200)
            #expect(await routes.router.respond(to: request(.get, "/api/me", [])).status == 401)
            #expect(await routes.router.respond(to: request(.get, "/api/me", [bearer(program)])).text == "Ada")
            #expect(
                await routes.router.respond(to: request(.get, "/api/me", [bearer(program), cookie(browser)])).status
                    == 400)
            #expect(await routes.router.respond(to: request(.post, "/api/things", [cookie(browser)])).status == 403)
            #expect(
                await routes.router.respond(
                    to: request(.post, "/api/things", [cookie(browser), ("Origin", "http://evil")])
                ).status == 403)
            #expect(calls.value == 0)
            #expect(
                await routes.router.respond(to: request(.post, "/api/things", [cookie(browser), Self.origin])).status
                    == 201)
            #expect(await routes.router.respond(to: request(.post, "/api/things", [bearer(program)])).status == 201)
            #expect(calls.value == 2)
        }
    }

    @Test("A site's route is for those who may today; a site that one has no part in does not exist")
    func sites() async throws {
        try await House.run { house in
            let (ada, bruno) = (try await house.person("Ada"), try await house.person("Bruno"))
            let (mine, other) = (try await house.site("Officina"), try await house.site("Altrove"))
            try await house.member(ada, of: mine, .manager, to: "2026-11-21")
            try await house.member(bruno, of: mine, .member)
            let (adas, brunos) = (try await house.token(ada), try await house.token(bruno))
            let (routes, _) = routes(house)
            func status(_ token: String, _ site: String) async -> Int {
                await routes.router.respond(to: request(.get, "/api/sites/\(site)/people", [bearer(token)])).status
            }
            #expect(await status(adas, mine.id.text) == 200)
            #expect(await status(brunos, mine.id.text) == 403)
            #expect(await status(adas, other.id.text) == 404)
            #expect(await status(adas, String(repeating: "0", count: 32)) == 404)
            #expect(await status(adas, "x") == 404)
            #expect(
                await status(adas, mine.id.text.uppercased()) == (mine.id.text.uppercased() == mine.id.text ? 200 : 404)
            )
            house.wait(milliseconds: 11 * 3_600_000)
            #expect(await status(adas, mine.id.text) == 404)
        }
    }

    /// What happens to somebody's rights between their request and its write.
    private enum Meanwhile: CaseIterable {
        case nothing, promoted, signedOut, sessionEnded, passwordChanged, proofTaken, membershipEnded, demoted, siteAsks
    }

    @Test("Who asks is judged where it is written: nothing comes of a session or right that ended meanwhile")
    func judgedWhenWritten() async throws {
        for meanwhile in Meanwhile.allCases {
            for path in ["/api/own", "/api/sites/{site}/things"] {
                try await House.run { house in
                    let (ada, site) = (try await house.person("Ada"), try await house.site("Works"))
                    let membership = try await house.member(ada, of: site, .manager)
                    let token = try await house.token(ada)
                    let her = try #require(try house.accounts.principal(token: token))
                    let status = try await write(path, site, [bearer(token)], house) {
                        try await happen(meanwhile, to: her, membership, house)
                    }
                    let bound = Set(Meanwhile.allCases).subtracting([.nothing, .promoted])
                    let made = try house.store.read {
                        try $0.row("SELECT count(*) FROM hub WHERE name = 'made'") { $0[0] as Int }
                    }
                    #expect(made == (bound.contains(meanwhile) ? 0 : 1), "\(meanwhile) \(path)")
                    #expect((status < 300) != bound.contains(meanwhile), "\(meanwhile) \(path): \(status)")
                }
            }
        }
    }

    /// Sends a request whose handler waits for something before it writes.
    private func write(
        _ path: String, _ site: Site, _ fields: [(name: String, value: String)], _ house: House,
        _ wait: @escaping @Sendable () async throws -> Void
    ) async throws -> Int {
        var routes = Routes(router: Router(), accounts: house.accounts)
        let handler: PersonHandler = { _, _ in
            // What happens elsewhere is not this request's.
            try await Task.detached { try await wait() }.value
            try await house.accounts.change {
                _ = try $0.execute("INSERT INTO hub (name, value) VALUES ('made', x'00')")
            }
            return .empty()
        }
        let description = RouteDescription("Makes a thing.", status: 204)
        if path.contains("{site}") {
            routes.on(.post, path, for: Permission.managing, description, handler)
        } else {
            routes.on(.post, path, description, handler)
        }
        let asked = request(
            .post, path.replacing("{site}", with: site.id.text), fields + [("Content-Type", "application/json")],
            body: "{}")
        return await routes.router.respond(to: asked).status
    }

    @Test(
        "What is under way in a copy of a browser's session is not written once the others were shut out; a renewal keeps it"
    )
    func judgedInACopy() async throws {
        enum Shut: CaseIterable { case byEnding, byPassword, byEndingAfterRenewal, renewed }
        for shut in Shut.allCases {
            for path in ["/api/own", "/api/sites/{site}/things"] {
                try await House.run { house in
                    let (ada, site) = (try await house.person("Ada"), try await house.site("Works"))
                    try await house.member(ada, of: site, .manager)
                    let (accounts, token) = (house.accounts, try await house.token(ada, isProgram: false))
                    let her = try #require(try accounts.principal(token: token))
                    let status = try await write(path, site, [cookie(token), Self.origin], house) {
                        var last = her
                        if shut == .byEndingAfterRenewal || shut == .renewed {
                            let next = try #require(try await accounts.renew(her)).text
                            last = try #require(try accounts.principal(token: next))
                            try await accounts.confirmRenewal(last)
                            house.wait(milliseconds: SessionRenewal.grace)
                        }
                        switch shut {
                        case .byEnding, .byEndingAfterRenewal: _ = try await accounts.endOtherSessions(of: last)
                        case .byPassword:
                            _ = try await accounts.changePassword(
                                of: last, current: House.password, new: "a threshold in the evening",
                                from: Visitor(address: "::1"))
                        case .renewed: break
                        }
                    }
                    let made = try house.store.read {
                        try $0.row("SELECT count(*) FROM hub WHERE name = 'made'") { $0[0] as Int }
                    }
                    #expect(made == (shut == .renewed ? 1 : 0), "\(shut) \(path)")
                    #expect(status == (shut == .renewed ? 204 : 401), "\(shut) \(path)")
                }
            }
        }
    }

    private func happen(_ meanwhile: Meanwhile, to her: Principal, _ membership: Membership, _ house: House)
        async throws
    {
        let accounts = house.accounts
        switch meanwhile {
        case .nothing: break
        case .signedOut: try await accounts.signOut(her)
        case .sessionEnded:
            let id = try #require(try accounts.sessions(of: her).first).id
            _ = try await accounts.endSession(id, of: her)
        case .passwordChanged:
            let other = try #require(
                try accounts.principal(token: try await house.token(her.person, isProgram: false)))
            _ = try await accounts.changePassword(
                of: other, current: House.password, new: "a threshold in the evening", from: Visitor(address: "::1"))
        case .proofTaken:
            try await accounts.change {
                _ = try $0.execute("UPDATE sessions SET proven = 0, proven_by = NULL WHERE hash = ?", her.session)
            }
        case .membershipEnded:
            var ended = membership
            ended.revoked = noon
            let after = ended
            try await accounts.change { try AccountRecords.change(after, at: noon, by: nil, in: $0) }
        case .promoted, .demoted:
            var other = membership
            other.permission = meanwhile == .promoted ? .owner : .member
            let after = other
            try await accounts.change { try AccountRecords.change(after, at: noon, by: nil, in: $0) }
        case .siteAsks:
            try await accounts.change {
                try WayRecords.askSecondFactor(true, at: membership.site, now: noon, by: nil, in: $0)
            }
        }
    }

    @Test("A repeat with the same key gets the first answer, and the work is done once")
    func repeated() async throws {
        try await House.run { house in
            let (ada, bruno) = (try await house.person("Ada"), try await house.person("Bruno"))
            let (adas, brunos) = (try await house.token(ada), try await house.token(bruno))
            let (routes, calls) = routes(house)
            func send(_ token: String, _ key: String?, _ body: String = "one") async -> Response {
                await routes.router.respond(
                    to: request(
                        .post, "/api/things", [bearer(token)] + (key.map { [("Idempotency-Key", $0)] } ?? []),
                        body: body))
            }
            for _ in 0..<3 {
                let answer = await send(adas, "k")
                #expect((answer.status, answer.text) == (201, "made 1"))
            }
            #expect(await send(adas, "k", "two").status == 422)
            #expect(await send(adas, "other").text == "made 2")
            #expect(await send(brunos, "k").text == "made 3")
            #expect(await send(adas, nil).text == "made 4")
            #expect(await send(adas, "").status == 400)
            #expect(await send(adas, String(repeating: "k", count: 65)).status == 400)
            house.wait(milliseconds: 599_999)
            #expect(await send(adas, "k").text == "made 1")
            house.wait(milliseconds: 1)
            #expect(await send(adas, "k").text == "made 5")
            #expect(calls.value == 5)
        }
    }

    @Test("Whose rights have shrunk since gets no earlier answer, and nothing is done again")
    func repeatedAfterRights() async throws {
        try await House.run { house in
            let (ada, site) = (try await house.person("Ada"), try await house.site("Officina"))
            let (routes, calls) = routes(house)
            let token = try await house.token(ada)
            func send(_ key: String) async -> Response {
                await routes.router.respond(
                    to: request(.post, "/api/things", [bearer(token), ("Idempotency-Key", key)], body: "one"))
            }
            #expect(await send("before").text == "made 1")
            let membership = try await house.member(ada, of: site, .manager)
            // More rights than then: the answer is theirs.
            #expect(await send("before").text == "made 1")
            #expect(await send("with").text == "made 2")
            func change(_ permission: Permission, revoked: Timestamp?) async throws {
                var other = membership
                (other.permission, other.revoked) = (permission, revoked)
                let changed = other
                try await house.accounts.change { try AccountRecords.change(changed, at: noon, by: nil, in: $0) }
            }
            for (permission, revoked) in [(Permission.member, nil), (.manager, noon)] {
                try await change(permission, revoked: revoked)
                let answer = await send("with")
                #expect(answer.status == 409 && answer.text.contains("Nothing was done again"))
                #expect(await send("before").text == "made 1")
            }
            try await change(.manager, revoked: nil)
            #expect(await send("with").text == "made 2")
            #expect(calls.value == 2)
        }
    }

    @Test("Another session that has proven less gets no earlier answer: it may hold a secret")
    func repeatedElsewhere() async throws {
        try await House.run { house in
            let ada = try await house.person("Ada")
            let (routes, calls) = routes(house)
            let left = try await house.token(ada)
            house.wait(milliseconds: Proof.freshness)
            let fresh = try await house.token(ada)
            func send(_ token: String) async -> Response {
                await routes.router.respond(
                    to: request(.post, "/api/things", [bearer(token), ("Idempotency-Key", "one")], body: "one"))
            }
            #expect(await send(fresh).text == "made 1")
            #expect(await send(left).status == 409)
            // The one that asked gets it also when its proof is old.
            house.wait(milliseconds: Proof.freshness - 1_000)
            #expect(await send(fresh).text == "made 1")
            #expect(calls.value == 1)
        }
    }

    @Test("An answer with a cookie is given once: another session of that person gets none of it")
    func repeatedCookie() async throws {
        try await House.run { house in
            let ada = try await house.person("Ada")
            let (one, two) = (try await house.token(ada), try await house.token(ada))
            var routes = Routes(router: Router(), accounts: house.accounts)
            let calls = Shared(0)
            routes.on(.post, "/api/renewed", RouteDescription("Hands over a cookie.")) { _, _ in
                calls.change { $0 += 1 }
                return .text("done").with("set-cookie", "soglia_session=secret")
            }
            func send(_ token: String) async -> Response {
                await routes.router.respond(
                    to: request(.post, "/api/renewed", [bearer(token), ("Idempotency-Key", "k")]))
            }
            #expect(await send(one).text == "done")
            for token in [two, one] {
                let again = await send(token)
                #expect(again.status == 409 && again.text.contains("Nothing was done again"))
                #expect(!again.hasHeader("Set-Cookie"))
            }
            #expect(calls.value == 1)
        }
    }

    @Test("A request that takes away one's own rights is answered again as it was")
    func repeatedLeaving() async throws {
        try await House.run { house in
            let (ada, site) = (try await house.person("Ada"), try await house.site("Officina"))
            let (membership, token) = (try await house.member(ada, of: site), try await house.token(ada))
            let (accounts, calls) = (house.accounts, Shared(0))
            var routes = Routes(router: Router(), accounts: accounts)
            routes.on(.post, "/api/leave", RouteDescription("Leaves.")) { _, _ in
                calls.change { $0 += 1 }
                var left = membership
                left.revoked = noon
                let changed = left
                try await accounts.change { try AccountRecords.change(changed, at: noon, by: nil, in: $0) }
                return .text("left")
            }
            for _ in 0..<2 {
                let answer = await routes.router.respond(
                    to: request(.post, "/api/leave", [bearer(token), ("Idempotency-Key", "k")]))
                #expect(answer.text == "left")
            }
            #expect(calls.value == 1)
        }
    }

    @Test("Many keys push out their own person's oldest answer, and no other's")
    func repeatedPerPerson() async throws {
        try await House.run { house in
            let (ada, bruno) = (try await house.person("Ada"), try await house.person("Bruno"))
            let (adas, brunos) = (try await house.token(ada), try await house.token(bruno))
            let (routes, _) = routes(house)
            func send(_ token: String, _ key: String) async -> String {
                await routes.router.respond(
                    to: request(.post, "/api/things", [bearer(token), ("Idempotency-Key", key)], body: "one")
                ).text
            }
            #expect(await send(brunos, "k") == "made 1")
            house.wait(milliseconds: 1)
            for n in 0..<4000 { _ = await send(adas, "k\(n)") }
            #expect(await send(brunos, "k") == "made 1")
            #expect(await send(adas, "k3999") == "made 4001")
            #expect(await send(adas, "k0") == "made 4002")
        }
    }

    @Test("Long answers of one person are kept up to a limit, the newest of them")
    func repeatedLongAnswers() async throws {
        try await House.run { house in
            let token = try await house.token(try await house.person("Ada"))
            let calls = Shared(0)
            var routes = Routes(router: Router(), accounts: house.accounts)
            routes.on(.post, "/api/long", RouteDescription("Answers at length.")) { _, _ in
                calls.change { $0 += 1 }
                return .text(String(repeating: "x", count: 400_000))
            }
            for key in ["a", "b", "c", "c", "b", "a"] {
                let answer = await routes.router.respond(
                    to: request(.post, "/api/long", [bearer(token), ("Idempotency-Key", key)]))
                #expect(answer.status == 200)
            }
            #expect(calls.value == 4)
        }
    }

    @Test("What was refused was not done: the same key may try anew")
    func repeatedRefusal() async throws {
        try await House.run { house in
            let token = try await house.token(try await house.person("Ada"))
            let (routes, calls) = routes(house)
            for n in 1...2 {
                let answer = await routes.router.respond(
                    to: request(.post, "/api/things", [bearer(token), ("Idempotency-Key", "k")], body: "bad"))
                #expect(answer.status == 422)
                #expect(calls.value == n)
            }
        }
    }

    @Test("A repeat while the first is still at work is a conflict, not a second piece of work")
    func inFlight() async throws {
        try await House.run { house in
            let token = try await house.token(try await house.person("Ada"))
            let (begun, mayEnd, calls) = (Shared(false), Shared(false), Shared(0))
            var routes = Routes(router: Router(), accounts: house.accounts)
            routes.on(.post, "/api/slow", RouteDescription("Takes long.")) { _, _ in
                calls.change { $0 += 1 }
                begun.change { $0 = true }
                _ = await eventually { mayEnd.value }
                return .text("done")
            }
            let (router, slow) = (
                routes.router, request(.post, "/api/slow", [bearer(token), ("Idempotency-Key", "k")])
            )
            let first = Task { await router.respond(to: slow) }
            #expect(await eventually { begun.value })
            #expect(await router.respond(to: slow).status == 409)
            mayEnd.change { $0 = true }
            #expect(await first.value.text == "done")
            #expect(await router.respond(to: slow).text == "done")
            #expect(calls.value == 1)
        }
    }

    @Test("The OpenAPI document is JSON and describes every route: its method, its parameters, who may call it")
    func openAPI() async throws {
        try await House.run { house in
            let (routes, _) = routes(house)
            let document = try JSONSerialization.jsonObject(with: Data(routes.openAPI(version: "1.2.3")))
            let root = try #require(document as? [String: Any])
            #expect(root["openapi"] as? String == "3.1.0")
            #expect((root["info"] as? [String: Any])?["version"] as? String == "1.2.3")
            let paths = try #require(root["paths"] as? [String: [String: [String: Any]]])
            #expect(routes.paths.count == 5)
            for (method, path) in routes.paths {
                let operation = try #require(paths[path]?[method.rawValue.lowercased()], "\(method) \(path)")
                #expect((operation["summary"] as? String)?.isEmpty == false)
                let named = (operation["parameters"] as? [[String: Any]] ?? []).filter { $0["in"] as? String == "path" }
                    .compactMap { $0["name"] as? String }
                #expect(
                    Set(named)
                        == Set(
                            path.split(separator: "/").filter { $0.hasPrefix("{") }.map {
                                String($0.dropFirst().dropLast())
                            }))
                #expect((operation["security"] as? [Any])?.isEmpty == (path == "/api/open"))
                #expect((operation["responses"] as? [String: Any])?["default"] != nil)
            }
            #expect(Set(paths.keys) == Set(routes.paths.map(\.path)))
            let change = try #require(paths["/api/sites/{site}/people/{membership}"]?["put"])
            #expect(change["summary"] as? String == "Changes \"one\".")
            #expect(change["requestBody"] != nil)
            #expect((change["description"] as? String)?.contains("owner") == true)
        }
    }
}
