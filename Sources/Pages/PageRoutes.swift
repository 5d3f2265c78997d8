import Accounts
import HTTPServer
import Identity

extension Language {
    /// The name of the cookie that keeps what somebody without an account chose.
    static let cookie: StaticString = "soglia_language"

    /// The language to answer in: what the person chose, else this browser's choice, else what the browser asks for. Where a site asks for a
    /// passkey that was not shown, this browser's choice first: it is all that can be chosen there.
    public static func of(_ principal: Principal?, _ request: Request) -> Language {
        let person = principal?.person.language.flatMap(Language.init(rawValue:))
        let browser = request.cookie(cookie).flatMap(Language.init(rawValue:))
        let chosen = principal?.locked.isEmpty == false ? browser ?? person : person ?? browser
        return chosen ?? preferred(from: request.headers["accept-language"])
    }
}

/// A handler of a page for somebody whose right to see it has been checked.
public typealias PageHandler = nonisolated(nonsending) @Sendable (Request, Principal, Language) async throws -> Response

/// A handler of a page that anybody may see; the principal is nil for somebody who is not signed in.
public typealias PublicPageHandler =
    nonisolated(nonsending) @Sendable (Request, Principal?, Language) async throws -> Response

/// The screens: every page with who may see it. Forms work without script.
public struct PageRoutes: Sendable {
    /// The router underneath, which the JSON interface shares.
    public var router: Router
    /// Who people are.
    public let accounts: Accounts

    /// Pages onto a router.
    public init(router: Router, accounts: Accounts) { (self.router, self.accounts) = (router, accounts) }

    /// Registers a page that anybody may see; the text says why that is right.
    public mutating func onPublic(
        _ method: HTTPServer.Method, _ path: String, why: String,
        _ handler: @escaping PublicPageHandler
    ) {
        let accounts = accounts
        router.on(method, path, options: Self.options) { request in
            try RequestRules.check(request, sessionCookie: Routes.sessionCookie)
            let principal = try Routes.principal(of: request, accounts)
            return try await handler(request, principal, Language.of(principal, request))
        }
    }

    /// Registers a page for somebody signed in, about what is theirs. Others are asked to sign in, and come back to it.
    /// - Parameters:
    ///   - counted: how it is counted where it may change something.
    ///   - bodyLimit: the longest form, in bytes; only a form with files has more than a few thousand.
    public mutating func on(
        _ method: HTTPServer.Method, _ path: String, counted: Counted = .change, bodyLimit: Int = 16 << 10,
        _ handler: @escaping PageHandler
    ) {
        register(method, path, .person, counted, bodyLimit, handler)
    }

    /// Registers a page for those with one of the permissions at the site that the path names as `{site}`.
    /// - Parameters:
    ///   - counted: how it is counted where it may change something.
    ///   - bodyLimit: the longest form, in bytes; only a form with files has more than a few thousand.
    public mutating func on(
        _ method: HTTPServer.Method, _ path: String, for permissions: Set<Permission>, counted: Counted = .change,
        bodyLimit: Int = 16 << 10, _ handler: @escaping PageHandler
    ) {
        register(method, path, .site(permissions), counted, bodyLimit, handler)
    }

    /// What the body of a form may be, unless its page says more.
    public static let options = RouteOptions(bodyLimit: 16 << 10)

    private mutating func register(
        _ method: HTTPServer.Method, _ path: String, _ access: Access, _ counted: Counted, _ bodyLimit: Int,
        _ handler: @escaping PageHandler
    ) {
        let accounts = accounts
        let options = Routes.options(bodyLimit: bodyLimit, access, accounts)
        router.on(method, path, options: options) { request in
            try RequestRules.check(request, sessionCookie: Routes.sessionCookie)
            guard let principal = try Routes.principal(of: request, accounts) else { return Self.askToSignIn(request) }
            if !request.method.isSafe { try accounts.admit(counted, of: principal) }
            try Routes.check(principal, access, request, accounts.clock.now)
            let language = Language.of(principal, request)
            if request.method.isSafe { return try await handler(request, principal, language) }
            return try await Routes.judging(principal, access, request, counted, accounts) {
                try await handler(request, principal, language)
            }
        }
    }

    /// Who asks for the address of a form, as a browser does that is led back to a page which answered one, is led to the page that the form
    /// stands on: the nearest one above. Called when all pages are registered.
    public mutating func leadToPages() {
        func shape(_ pattern: String) -> [Substring] {
            pattern.split(separator: "/").map { $0.hasPrefix("{") ? "{}" : $0 }
        }
        let own = router.routes.filter { !$0.pattern.hasPrefix("/api/") }
        let pages = Set(own.filter { $0.method == .get }.map { shape($0.pattern) })
        for (method, pattern) in own where method == .post && !pages.contains(shape(pattern)) {
            let steps = shape(pattern)
            let length = (0..<steps.count).last { pages.contains(Array(steps.prefix($0))) } ?? 0
            router.on(.get, pattern) { request in
                let path = request.path.split(separator: "/").prefix(length).joined(separator: "/")
                return .redirect(to: "/" + path)
            }
        }
    }

    /// Leads to the sign-in, and afterwards back to the page that was asked for, or that a form stands on. Where a session has ended, it says
    /// so, and that nothing was saved of the form: its page was for somebody signed in, also where no cookie is left.
    private static func askToSignIn(_ request: Request) -> Response {
        var page = SignInView.path
        if let back = ProvingPages.origin(of: request), back != "/" { page = page.adding("return", back.description) }
        if !request.method.isSafe {
            page = SignInView.Ending.beforeSaving.added(to: page)
        } else if request.cookie(Routes.sessionCookie) != nil {
            page = SignInView.Ending.elsewhere.added(to: page)
        }
        return .redirect(to: page.description)
    }

    /// The page for a problem, for somebody who asked for a page; nil for programs, which get the problem document.
    @Sendable public static func page(for problem: Problem, _ request: Request) -> Response? {
        if ["/api/", "/static/", "/metrics"].contains(where: request.path.hasPrefix) { return nil }
        // Also where a long body is refused before it is read.
        if problem.status == 401 { return askToSignIn(request) }
        if ProvingPages.answers(problem) { return ProvingPages.ask(request, for: problem) }
        let language = Language.of(nil, request)
        let model: MessageView.Model =
            switch problem.status {
            case 403: .forbidden(language)
            case 404, 405: .notFound(language)
            case 413: .tooLarge(language)
            case 429, 503: .tooMuch(language, wait: problem.retryAfter)
            case 507: .diskFull(language)
            default: .refused(language)
            }
        var response = Response.html(MessageView.page(model).bytes, status: problem.status)
        response.headers += problem.headers
        return response
    }
}

extension Problem {
    /// After how many seconds to come back, when it says so.
    fileprivate var retryAfter: Int? { headers.first { $0.0 == "Retry-After" }.flatMap { Int($0.1) } }
}
