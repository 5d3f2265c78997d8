import Accounts
import Crypto
import HTTPServer
import JSON

extension Passkeys {
    /// What a browser keeps between asking for a challenge and showing a passkey: nobody else can use that challenge.
    static let cookie: StaticString = "soglia_ceremony"

    private static let schema = Schema.object([
        ("id", .text("the passkey's id here")), ("name", .text("what one calls it")),
        ("host", .text("the name of the hub under which it works")), ("added", .text("when")),
        ("used", .optional(.text("when it was used last"))), ("isShared", .truth("whether one's devices share it")),
    ])

    /// The JSON interface.
    public func register(routes: inout Routes) {
        registerOwn(&routes)
        routes.onPublic(
            .post, "/api/session/passkey/options", why: "it is how one signs in",
            RouteDescription(
                "A challenge for signing in with a passkey. It is bound to this browser by a cookie, for five minutes.",
                body: .object([]), answer: PasskeyOptions.gettingSchema), bodyLimit: 256
        ) { request in
            let token = Self.token(request) ?? Token().text
            return Response.json(try signInOptions(request, holder: Token.hash(token)))
                .with(Self.cookie(token, request))
        }
        routes.onPublic(
            .post, "/api/session/passkey", why: "it is how one signs in",
            RouteDescription(
                "Signs in with a passkey. The passkey itself says whose it is.", body: PasskeyBody.assertionSchema,
                answer: .object(Entrance.personSchema), status: 201)
        ) { request in
            guard let token = Self.token(request) else { throw Problem.stalePasskey }
            let signedIn = try await signIn(request, holder: Token.hash(token))
            var json = JSONWriter()
            json.object { json in
                json.field("id", signedIn.person.id.text)
                json.field("name", signedIn.person.name)
                json.field("email", signedIn.person.email)
            }
            return Entrance.cookies(signedIn, request)
                .reduce(Response.json(json.bytes, status: 201)) { $0.with($1) }
                .with(Self.cookie(nil, request))
        }
        routes.on(
            .post, "/api/session/proof/passkey/options",
            RouteDescription(
                "A challenge for showing once more, by a passkey, who holds this session.", body: .object([]),
                answer: PasskeyOptions.gettingSchema
            ).counted(.urgent), bodyLimit: 256
        ) { request, principal in .json(try proofOptions(request, principal)) }
        routes.on(
            .post, "/api/session/proof/passkey",
            RouteDescription(
                "Proves by a passkey who holds this session: dangerous acts are open for ten minutes, and places that ask for a second factor for as long as the session lasts.",
                body: PasskeyBody.assertionSchema, status: 204
            ).counted(.urgent)
        ) { request, principal in
            try await prove(request, principal)
            return .empty()
        }
    }

    private func registerOwn(_ routes: inout Routes) {
        routes.on(
            .get, "/api/account/passkeys",
            RouteDescription(
                "One's passkeys, the first added first.", answer: .object([("items", .list(Self.schema))]))
        ) { _, principal in
            let own = try accounts.waysIn(of: principal.person.id).passkeys
            var json = JSONWriter()
            json.object { json in
                json.array("items") { json in for passkey in own { Self.write(passkey, &json) } }
            }
            return .json(json.bytes)
        }
        routes.on(
            .post, "/api/account/passkeys/options",
            RouteDescription(
                "A challenge for a new passkey. Needs a fresh proof.", body: .object([]),
                answer: PasskeyOptions.creatingSchema), bodyLimit: 256
        ) { request, principal in .json(try addingOptions(request, principal)) }
        routes.on(
            .post, "/api/account/passkeys",
            RouteDescription(
                "Adds a passkey to one's account. Needs a fresh proof.", body: PasskeyBody.registrationSchema,
                answer: Self.schema, status: 201)
        ) { request, principal in
            let passkey = try await add(request, principal)
            return Self.answer(passkey, status: 201)
        }
        routes.on(
            .patch, "/api/account/passkeys/{id}",
            RouteDescription(
                "Changes what one calls a passkey. Needs a fresh proof.",
                body: .object([("name", .text("1 to 80 characters"))]), answer: Self.schema), bodyLimit: 4096
        ) { request, principal in
            struct Body: Decodable { let name: String }
            let body = try request.json(Body.self)
            return Self.answer(try await rename(try own(request, principal), to: body.name, principal))
        }
        routes.on(
            .delete, "/api/account/passkeys/{id}",
            RouteDescription(
                "Removes a passkey from one's account, unless it is the only way in, and ends the sessions that it opened or was shown in last; this one too if it opened it, unless another proof is fresh. Needs a fresh proof.",
                status: 204)
        ) { request, principal in
            try await remove(try own(request, principal), principal)
            return .empty()
        }
    }

    /// The passkey that the path names.
    func own(_ request: Request, _ principal: Principal) throws -> Passkey {
        let id = try request.parameter("id", as: PasskeyID.self)
        guard let passkey = try accounts.passkey(id, of: principal) else { throw Problem.notFound() }
        return passkey
    }

    func rename(_ passkey: Passkey, to name: String, _ principal: Principal) async throws -> Passkey {
        try accounts.requireRightToChangePasskeys(principal)
        guard let name = GivenName.parse(name) else { throw Problem.wrongPasskeyName }
        try await accounts.renamePasskey(passkey.id, to: name, of: principal)
        var renamed = passkey
        renamed.name = name
        return renamed
    }

    func remove(_ passkey: Passkey, _ principal: Principal) async throws {
        try accounts.requireRightToChangePasskeys(principal)
        try await accounts.removePasskey(passkey, of: principal)
    }

    private static func answer(_ passkey: Passkey, status: Int = 200) -> Response {
        var json = JSONWriter()
        write(passkey, &json)
        return .json(json.bytes, status: status)
    }

    private static func write(_ passkey: Passkey, _ json: inout JSONWriter) {
        json.object { json in
            json.field("id", passkey.reference.text)
            json.field("name", passkey.name)
            json.field("host", passkey.party)
            json.field("added", passkey.added.iso8601)
            json.field("used", passkey.used?.iso8601)
            json.field("isShared", passkey.isBackedUp)
        }
    }

    /// The cookie, when it looks like one of ours: two tabs share it.
    private static func token(_ request: Request) -> String? {
        request.cookie(cookie).flatMap { $0.utf8.count == 43 ? $0 : nil }
    }

    private static func cookie(_ token: String?, _ request: Request) -> Cookie {
        Cookie(
            cookie.description, token ?? "", maxAge: token == nil ? 0 : 300, isSecure: request.isSecure,
            sameSite: .strict)
    }
}
