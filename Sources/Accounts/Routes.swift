import Crypto
import HTTPServer
import Identity
import JSON
import Ledger
import Store
import Synchronization
import System

/// Who may call a route. A route that does not say does not exist.
public enum Access: Sendable {
    /// Anybody, signed in or not; the text says why that is right.
    case everyone(why: String)
    /// Somebody signed in, for what is theirs: the handler looks at nothing beyond their own memberships.
    case person
    /// Somebody with one of these permissions, today, at the site that the path names as `{site}`.
    case site(Set<Permission>)
}

/// What a route is, for whoever writes a program against it.
public struct RouteDescription: Sendable {
    /// One sentence.
    public var summary: String
    /// The body that it takes, nil for none.
    public var body: Schema?
    /// The media type of that body.
    public var bodyType: String
    /// The body of the good answer, nil for none.
    public var answer: Schema?
    /// The status of the good answer.
    public var status: Int
    /// Parameters of the query: name, whether it must be there, what it is.
    public var query: [(name: String, isRequired: Bool, words: String)]
    /// The media type of the good answer.
    public var mediaType: String
    /// Further statuses that are answered in the form of the good one, where an older interface knows no problem documents.
    public var sameForm: [Int]
    /// How it is counted where it may change something.
    public var counted = Counted.change

    /// See the properties.
    public init(
        _ summary: String, body: Schema? = nil, answer: Schema? = nil, status: Int = 200,
        query: [(name: String, isRequired: Bool, words: String)] = [], mediaType: String = "application/json",
        bodyType: String = "application/json", sameForm: [Int] = []
    ) {
        (self.summary, self.body, self.answer, self.status, self.query, self.mediaType, self.bodyType) = (
            summary, body, answer, status, query, mediaType, bodyType
        )
        self.sameForm = sameForm
    }

    /// The same, counted otherwise than with all changes of its person.
    public func counted(_ counted: Counted) -> RouteDescription {
        var description = self
        description.counted = counted
        return description
    }
}

/// A handler for somebody whose right to call it has been checked.
public typealias PersonHandler = nonisolated(nonsending) @Sendable (Request, Principal) async throws -> Response

/// The JSON interface: every route with who may call it and what it is.
public struct Routes: Sendable {
    /// The name of the cookie that holds a browser's session.
    public static let sessionCookie: StaticString = "soglia_session"

    /// The router underneath; pages register beside.
    public var router: Router
    /// Who people are.
    public let accounts: Accounts
    private var described: [(method: HTTPServer.Method, path: String, access: Access, description: RouteDescription)] =
        []
    private let repeats: Repeats

    /// Routes onto a router.
    public init(router: Router, accounts: Accounts) {
        (self.router, self.accounts) = (router, accounts)
        repeats = Repeats(clock: accounts.clock)
    }

    /// Methods and paths, as they were registered.
    public var paths: [(method: HTTPServer.Method, path: String)] { described.map { ($0.method, $0.path) } }

    /// Registers a route that anybody may call.
    public mutating func onPublic(
        _ method: HTTPServer.Method, _ path: String, why: String, _ description: RouteDescription,
        bodyLimit: Int = 16 << 10,
        _ handler: @escaping Handler
    ) {
        describe(method, path, .everyone(why: why), description)
        router.on(method, path, options: RouteOptions(bodyLimit: bodyLimit)) { request in
            try RequestRules.check(request, sessionCookie: Self.sessionCookie)
            return try await handler(request)
        }
    }

    /// Registers a route for somebody signed in, for what is theirs.
    public mutating func on(
        _ method: HTTPServer.Method, _ path: String, _ description: RouteDescription, bodyLimit: Int = 16 << 10,
        _ handler: @escaping PersonHandler
    ) {
        register(method, path, .person, description, bodyLimit, handler)
    }

    /// Registers a route for those with one of the permissions at the site that the path names as `{site}`.
    public mutating func on(
        _ method: HTTPServer.Method, _ path: String, for permissions: Set<Permission>, _ description: RouteDescription,
        bodyLimit: Int = 16 << 10, _ handler: @escaping PersonHandler
    ) {
        register(method, path, .site(permissions), description, bodyLimit, handler)
    }

    private mutating func register(
        _ method: HTTPServer.Method, _ path: String, _ access: Access, _ description: RouteDescription,
        _ bodyLimit: Int,
        _ handler: @escaping PersonHandler
    ) {
        describe(method, path, access, description)
        let (accounts, repeats, counted) = (accounts, repeats, description.counted)
        let options = Self.options(bodyLimit: bodyLimit, access, accounts)
        router.on(method, path, options: options) { request in
            try RequestRules.check(request, sessionCookie: Self.sessionCookie)
            guard let principal = try Self.principal(of: request, accounts) else {
                throw Problem.unauthorized("sign in first")
            }
            if !request.method.isSafe { try accounts.admit(counted, of: principal) }
            try Self.check(principal, access, request, accounts.clock.now)
            if request.method.isSafe { return try await handler(request, principal) }
            guard let key = request.headers["idempotency-key"] else {
                return try await Self.judging(principal, access, request, counted, accounts) {
                    try await handler(request, principal)
                }
            }
            return try await repeats.once(
                key, request, principal, after: { try Self.principal(of: request, accounts) }
            ) {
                try await Self.judging(principal, access, request, counted, accounts) {
                    try await handler(request, principal)
                }
            }
        }
    }

    private mutating func describe(
        _ method: HTTPServer.Method, _ path: String, _ access: Access, _ description: RouteDescription
    ) {
        let text = path
        precondition(text.hasPrefix("/api/"), "the JSON interface lies under /api/: \(text)")
        if case .site = access { precondition(text.contains("{site}"), "a route for a site names it: \(text)") }
        described.append((method, text, access, description))
    }

    /// A longer body than this is not read before it is known that its sender may send it.
    public static let trustedBody = 64 << 10

    /// What a route accepts: a long body only from those with access.
    public static func options(bodyLimit: Int, _ access: Access, _ accounts: Accounts) -> RouteOptions {
        guard bodyLimit > trustedBody else { return RouteOptions(bodyLimit: bodyLimit) }
        return RouteOptions(bodyLimit: bodyLimit) { request in
            try RequestRules.check(request, sessionCookie: sessionCookie)
            guard let principal = try principal(of: request, accounts) else {
                throw Problem.unauthorized("sign in first")
            }
            try check(principal, access, request, accounts.clock.now)
        }
    }

    /// Whom a request proves: by cookie, or by bearer token, never by both (`RequestRules` refuses that).
    public static func principal(of request: Request, _ accounts: Accounts) throws -> Principal? {
        if let authorization = request.headers["authorization"] {
            guard authorization.lowercased().hasPrefix("bearer ") else { return nil }
            let token = String(authorization.dropFirst(7))
            guard let principal = try accounts.principal(token: token, from: request.peerAddress), principal.isProgram
            else { return nil }
            return principal
        }
        guard let cookie = request.cookie(sessionCookie) else { return nil }
        guard let principal = try accounts.principal(token: cookie, from: request.peerAddress), !principal.isProgram
        else { return nil }
        return principal
    }

    /// Refuses who may not.
    /// - Throws: 403; 404 for a site that the principal has no part in, so that nobody learns which sites exist.
    public static func check(_ principal: Principal, _ access: Access, _ request: Request, _ now: Timestamp) throws {
        guard case .site(let permissions) = access else { return }
        let site = try request.parameter("site", as: SiteID.self)
        try principal.requireUnlocked(site)
        let current = principal.current(at: site, now)
        if current.isEmpty { throw Problem.notFound() }
        if !current.contains(where: { permissions.contains($0.permission) }) {
            throw Problem.forbidden("your membership at this site does not allow it")
        }
    }

    /// Runs what changes something, and judges who asks once more where it is written: between the request and the write lies whatever takes
    /// time, a password's hash above all, and meanwhile the session may have been ended and the membership taken away.
    /// - Throws: what `check` throws; 401 for a session that has ended.
    public static func judging(
        _ principal: Principal, _ access: Access, _ request: Request, _ counted: Counted, _ accounts: Accounts,
        _ body: nonisolated(nonsending) () async throws -> Response
    ) async throws -> Response {
        var place: (site: SiteID, permissions: Set<Permission>)?
        if case .site(let permissions) = access {
            place = (try request.parameter("site", as: SiteID.self), permissions)
        }
        let (clock, asked) = (accounts.clock, place)
        // What is urgent, and what takes something away, does not wait for room on the disk.
        let weight: WriteWeight = counted == .urgent || request.method == .delete ? .vital : .current
        return try await Store.writing(weight) {
            try await Store.writing(first: { try judge(principal, asked, at: clock.now, in: $0) }, body)
        }
    }

    /// Judges who asked, in the transaction that writes: their session stands, nothing that they might do when they asked was taken away
    /// since, and no site has begun to ask for more than they have shown.
    /// - Parameter place: where, and what of it they need; nil: what is theirs, at all sites.
    /// - Throws: `Problem`.
    public static func judge(
        _ principal: Principal, _ place: (site: SiteID, permissions: Set<Permission>)?, at now: Timestamp,
        in database: Database
    ) throws {
        guard try SessionRecords.stands(principal, at: now, in: database) else {
            throw Problem.unauthorized("sign in first")
        }
        let standing = try AccountRecords.rights(of: principal.person.id, in: database)
        for (membership, site) in principal.memberships {
            guard place == nil || place?.site == site.id, membership.holds(on: site.zone.day(at: now)) else { continue }
            if !principal.proof.isStrong, try WayRecords.asksSecondFactor(site.id, in: database) {
                throw Problem.secondFactorNeeded
            }
            guard let after = standing[membership.id], after.permission.reaches(membership.permission),
                after.role == membership.role, after.holds(on: site.zone.day(at: now))
            else {
                throw Problem.forbidden(
                    "What you may do here was changed in the same moment. Nothing was done.", type: "rights-changed")
            }
        }
        guard let (site, permissions) = place else { return }
        guard try AccountRecords.may(principal.person.id, permissions, at: site, now: now, in: database) else {
            throw Problem.forbidden("your membership at this site does not allow it")
        }
    }

    /// Refuses a dangerous act to whoever has not proven who they are in the last minutes: the session may have been left open.
    public static func requireFreshProof(_ principal: Principal, at now: Timestamp) throws(Problem) {
        guard principal.proof.isFresh(at: now) else { throw .freshProofNeeded }
    }

    /// What giving, changing and ending memberships takes, and making a way in for their holders: a fresh proof in a house, which each
    /// of them can disarm, and everywhere where one of them may change the place.
    /// - Parameter permissions: of the memberships, before and after.
    public static func requireProof(
        toShare site: Site, as permissions: some Sequence<Permission>, _ principal: Principal, at now: Timestamp
    ) throws(Problem) {
        if site.kind == .home || permissions.contains(where: Permission.changing.contains) {
            try requireFreshProof(principal, at: now)
        }
    }

    // MARK: OpenAPI

    /// The OpenAPI 3.1 document of all routes so far.
    /// - Parameter pages: what people see beside it, `/sites/{site}/people`: named in `x-pages`, so that a test can tell which of them
    ///   it has not looked at.
    public func openAPI(version: String, pages: [String] = []) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.field("openapi", "3.1.0")
            json.key("info")
            json.object { json in
                json.field("title", "Soglia")
                json.field("version", version)
                json.field(
                    "description",
                    "Errors are RFC 9457 problem documents. Times are UTC, ISO 8601. Ids are 32 hexadecimal digits.")
                json.key("license")
                json.object { $0.field("name", "Apache-2.0") }
            }
            json.key("paths")
            json.object { json in
                var paths: [String] = []
                for route in described where !paths.contains(route.path) { paths.append(route.path) }
                for path in paths {
                    json.key(path)
                    json.object { json in
                        for route in described where route.path == path { write(route, &json) }
                    }
                }
            }
            json.key("x-pages")
            json.array { json in for page in pages { json.value(page) } }
            json.key("components")
            json.object { json in
                json.key("securitySchemes")
                json.object { json in
                    json.key("cookie")
                    json.object { json in
                        json.field("type", "apiKey")
                        json.field("in", "cookie")
                        json.field("name", Self.sessionCookie.description)
                    }
                    json.key("bearer")
                    json.object { json in
                        json.field("type", "http")
                        json.field("scheme", "bearer")
                    }
                }
                json.key("schemas")
                json.object { json in
                    json.key("Problem")
                    Schema.object([
                        ("type", .text("what kind of problem, /problems/…")), ("title", .text("the kind in words")),
                        ("status", .integer("the status of the answer")),
                    ]).write(to: &json)
                }
            }
        }
        return json.bytes
    }

    private func write(
        _ route: (method: HTTPServer.Method, path: String, access: Access, description: RouteDescription),
        _ json: inout JSONWriter
    ) {
        let description = route.description
        json.key(route.method.rawValue.lowercased())
        json.object { json in
            json.field("summary", description.summary)
            json.key("security")
            json.array { json in
                if case .everyone = route.access { return }
                json.object {
                    $0.key("cookie"); $0.array { _ in }
                }
                json.object {
                    $0.key("bearer"); $0.array { _ in }
                }
            }
            switch route.access {
            case .everyone(let why): json.field("description", "For everybody: \(why).")
            case .person: json.field("description", "For whoever is signed in.")
            case .site(let permissions):
                json.field(
                    "description", "For \(permissions.map(\.rawValue).sorted().joined(separator: ", ")) of the site.")
            }
            json.key("parameters")
            json.array { json in
                for segment in route.path.split(separator: "/") where segment.hasPrefix("{") {
                    parameter(String(segment.dropFirst().dropLast()), "path", true, "an id", &json)
                }
                for query in description.query { parameter(query.name, "query", query.isRequired, query.words, &json) }
            }
            if let body = description.body {
                json.key("requestBody")
                json.object { json in
                    json.field("required", true)
                    content(description.bodyType, body, &json)
                }
            }
            json.key("responses")
            json.object { json in
                for status in [description.status] + description.sameForm {
                    json.key("\(status)")
                    json.object { json in
                        json.field("description", status == description.status ? "Done." : "Refused, in the same form.")
                        if let answer = description.answer { content(description.mediaType, answer, &json) }
                    }
                }
                json.key("default")
                json.object { json in
                    json.field("description", "A problem, in words.")
                    json.key("content")
                    json.object { json in
                        json.key("application/problem+json")
                        json.object { json in
                            json.key("schema")
                            json.object { $0.field("$ref", "#/components/schemas/Problem") }
                        }
                    }
                }
            }
        }
    }

    private func parameter(
        _ name: String, _ place: String, _ isRequired: Bool, _ words: String, _ json: inout JSONWriter
    ) {
        json.object { json in
            json.field("name", name)
            json.field("in", place)
            json.field("required", isRequired)
            json.field("description", words)
            json.key("schema")
            json.object { $0.field("type", "string") }
        }
    }

    private func content(_ mediaType: String, _ schema: Schema, _ json: inout JSONWriter) {
        json.key("content")
        json.object { json in
            json.key(mediaType)
            json.object { json in
                json.key("schema")
                schema.write(to: &json)
            }
        }
    }
}

extension ID: PathParameter {
    /// Nil unless the segment is an id.
    public init?(pathSegment: String) { self.init(pathSegment) }
}

extension StoreError: ProblemConvertible {
    /// A full disk is told; anything else of the database is nobody's business.
    public var problem: Problem? { isFull ? .diskFull() : nil }
}

extension SystemError: ProblemConvertible {
    /// The same for files.
    public var problem: Problem? { isFull ? .diskFull() : nil }
}

extension Problem {
    /// The site asks for a passkey, which this session has not shown.
    public static let secondFactorNeeded = Problem.forbidden(
        "this site opens only to whoever has signed in with a passkey", type: "second-factor-needed")
    /// What is asked for needs the strongest proof that the account has.
    public static let passkeyNeeded = Problem.forbidden(
        "this account has a passkey: show it first", type: secondFactorNeeded.type)
    /// The session is too old for this: whoever holds it has to prove anew who they are, by `POST /api/session/proof`.
    public static let freshProofNeeded = Problem.forbidden(
        "prove once more who you are", type: "fresh-proof-needed")
}
