import Accounts
import Gates
import HTTPServer
import Identity
import JSON
import Ledger
import Pages
import Store
import System

extension Doors {
    private static let readerSchema = Schema.object([
        ("id", .integer("its number")), ("name", .text("what people call it")),
        ("systemName", .text("what it calls itself in the air")),
        ("serviceUUID", .text("the service that it offers")), ("charBadgeUUID", .text("where badge ⊕ key is written")),
        ("charKeyUUID", .text("where the key is read")), ("beaconUUID", .text("the beacons of its site")),
        ("majorBeaconValue", .integer("0 to 65535")), ("minorBeaconValue", .integer("0 to 65535")),
    ])

    private static let answerSchema = Schema.object([
        ("success", .truth("whether the app is signed in")),
        (
            "data",
            .optional(
                .object([
                    (
                        "user",
                        .object([
                            ("id", .integer("their number")), ("name", .text("the first word of their name")),
                            ("surname", .text("the rest of it")), ("username", .text("as it was sent")),
                            ("vatCode", .text("empty: it is not kept")),
                            ("userPhoto", .text("empty: it is not kept")),
                            ("badgeCode", .text("at most 20 bytes, valid at this site's legacy gates alone")),
                            ("birthday", .text("empty: it is not kept")),
                        ])
                    ),
                    (
                        "company",
                        .object([
                            ("companyName", .text("the site's name")), ("logo", .text("empty: it is not kept")),
                        ])
                    ),
                    (
                        "roles",
                        .list(
                            .object([
                                ("id", .integer("its number")), ("name", .text("what people call it")),
                                ("level", .integer("how high, in the site's own scale")),
                                ("readers", .list(readerSchema)),
                            ]))
                    ),
                ]))
        ),
        ("message", .text("for people, in their language")),
    ])

    /// What is answered in the original's own envelope: not over TLS, not by GET, too many attempts, too busy.
    private static let refusals = [403, 405, 429, 503]
    private static let whyPublic = "it is how an app of the original system signs in, and it gives no session"

    /// The original web service.
    func register(legacy routes: inout Routes) {
        routes.onPublic(
            .post, "/api/login", why: Self.whyPublic,
            RouteDescription(
                "Signs an app of the original system in, over TLS alone. Who is not signed in gets success false.",
                body: .object([
                    ("username", .text("the user name")),
                    ("password", .text("SHA-1 of the password, 40 hexadecimal digits")),
                ]),
                answer: Self.answerSchema, bodyType: "application/x-www-form-urlencoded", sameForm: Self.refusals),
            bodyLimit: 4096
        ) { request in
            try await self.answerLegacy(request) { try request.form() }
        }
        routes.onPublic(
            .get, "/api/login", why: Self.whyPublic,
            RouteDescription(
                "The same by GET, where a site turned that on: then names and digests stand in addresses, which others may log.",
                answer: Self.answerSchema,
                query: [
                    ("username", false, "the user name"), ("password", false, "SHA-1 of the password"),
                ], sameForm: Self.refusals)
        ) { request in
            try await self.answerLegacy(request) { try request.query.decoded() }
        }
    }

    /// What only a proxy writes: what came through one did not begin on this machine, whatever address it seems to have.
    private static let proxyHeaders: [StaticString] = [
        "forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via",
    ]

    /// Whether nobody on the way could read a request: it came by TLS, or never left this machine.
    static func isSafe(_ request: Request) -> Bool {
        request.isSecure
            || LegacyPolicy.isLoopback(request.peerAddress)
                && !proxyHeaders.contains { request.headers.contains($0) }
    }

    private func answerLegacy(_ request: Request, _ fields: () throws -> Form) async throws -> Response {
        let words = LegacyWords.in(Language.of(nil, request))
        do {
            guard Self.isSafe(request) else { throw LegacyRefusal.notSecure }
            let form = try fields()
            let answer = try await signInLegacy(
                .init(
                    username: try form.get("username") ?? "", digest: try form.get("password") ?? "",
                    isGET: request.method != .post, address: request.peerAddress))
            return Self.response(200, answer, words.signedIn)
        } catch let refusal as LegacyRefusal {
            return switch refusal {
            case .wrong: Self.response(200, nil, words.wrong)
            case .noRole: Self.response(200, nil, words.noRole)
            case .postOnly: Self.response(405, nil, words.postOnly).with("Allow", "POST")
            case .notSecure: Self.response(403, nil, words.notSecure)
            case .busy: Self.response(503, nil, words.busy).with("Retry-After", "2")
            case .tooManyAttempts(let seconds):
                Self.response(429, nil, words.tooManyAttempts).with("Retry-After", "\(seconds)")
            }
        }
    }

    /// The original said in `success` what others say in the status; ours says both where it is no matter of name and password.
    private static func response(_ status: Int, _ answer: LegacyAnswer?, _ message: String) -> Response {
        var json = JSONWriter(capacity: 1024)
        json.object { json in
            json.field("success", answer != nil)
            json.key("data")
            if let answer { answer.write(to: &json) } else { json.null() }
            json.field("message", message)
        }
        return .json(json.bytes, status: status)
    }
}
