import Accounts
import HTTPServer
import Identity
import Ledger
import OpenID
import Store
import System

/// Coming in by another service's word, from the button to the way back.
struct SignInByOthers: Sendable {
    let accounts: Accounts
    let services: SignInServices

    /// What a browser keeps while its person is at a service, so that nobody else's sign-in can be slipped to it.
    static let cookie: StaticString = "soglia_on_the_way"
    /// As long as a sign-in may take, in seconds.
    static let maxAge = 600

    func register(_ pages: inout PageRoutes) {
        pages.onPublic(.post, "/sign-in/by/{id}", why: "it is how one signs in") { request, _, language in
            let back = Entrance.returnPath(try request.form().get("return"))
            try accounts.admit(.signIn, from: Visitor(request))
            return try await begin(.signIn, back, request, language)
        }
        pages.onPublic(.get, "/sign-in/by/{id}/callback", why: "it is how one signs in") {
            request, principal, language in
            let service = try service(request)
            do { return try await finish(service, request, principal) } catch {
                guard let (status, words) = Self.words(for: error, service, language) else { throw error }
                return refused(status, words, principal, language).with(Self.cookie("", maxAge: 0, request))
            }
        }
        pages.on(.post, "/account/ways/identities/by/{id}") { request, principal, language in
            try Routes.requireFreshProof(principal, at: accounts.clock.now)
            try accounts.admit(.signIn, of: principal)
            return try await begin(
                .link(session: principal.session), AccountSection.ways.path, request, language, principal)
        }
        pages.on(.post, "/account/prove/by/{id}", counted: .urgent) { request, principal, language in
            let back = Entrance.returnPath(try request.form().get("return"))
            try accounts.admit(.signIn, of: principal)
            return try await begin(.prove(session: principal.session), back, request, language, principal)
        }
        pages.on(.post, "/account/ways/identities/{identity}/remove") { request, principal, _ in
            try Routes.requireFreshProof(principal, at: accounts.clock.now)
            do {
                try await remove(request, principal)
                return try WaysPages.removed(by: principal, request, accounts)
            } catch let refusal as WayRefusal { return WaysPages.refuse(refusal) }
        }
        pages.onPublic(.get, "/services/{id}/forgotten/{receipt}", why: "the receipt was given to whoever asked") {
            request, _, language in
            let service = try service(request)
            let receipt = try request.parameter("receipt", as: String.self)
            guard let time = try await accounts.forgotten(receipt: receipt, service: service.id) else {
                throw Problem.notFound()
            }
            let words = SignInByWords.in(language)
            let (year, month, day) = Zone.utc.day(at: time).civil
            let date = PagesWords.in(language).date(year: year, month: month, day: day)
            return .html(
                MessageView.page(
                    .init(
                        language: language, title: words.forgotten, detail: words.forgottenDetail(service.name, date),
                        tone: .go)
                ).bytes)
        }
    }

    /// Unlinks the identity that a path names.
    func remove(_ request: Request, _ principal: Principal) async throws {
        let handle = try request.parameter("identity", as: String.self)
        let found = try accounts.waysIn(of: principal.person.id).identities.first { $0.handle == handle }
        guard let found else { throw WayRefusal.unknown }
        try await accounts.removeIdentity(issuer: found.issuer, subject: found.subject, of: principal)
    }

    func service(_ request: Request) throws -> ProviderSettings {
        guard let settings = services.settings(of: try request.parameter("id", as: String.self)) else {
            throw Problem.notFound()
        }
        return settings
    }

    private func begin(
        _ errand: Errand, _ back: LocalPath, _ request: Request, _ language: Language,
        _ principal: Principal? = nil
    ) async throws -> Response {
        let service = try service(request)
        do {
            let departure = try await services.begin(
                service.id, errand,
                of: principal.map { .holder($0.person.id.raw.bytes) } ?? .network(ClientNetwork(request.peerAddress)),
                redirect: Self.redirect(service, request),
                back: back.description)
            return Response.html(DepartureView.page(service.name, departure.address, language).bytes)
                .with("Refresh", "0; url=\(departure.address)")
                .with(Self.cookie(departure.browser, maxAge: Self.maxAge, request))
        } catch {
            guard let (status, words) = Self.words(for: error, service, language) else { throw error }
            return refused(
                status, words, errand == .signIn ? nil : try Routes.principal(of: request, accounts), language)
        }
    }

    /// Where the service sends the browser back to, under the name by which the browser calls this hub.
    private static func redirect(_ service: ProviderSettings, _ request: Request) -> String {
        (RequestRules.origin(of: request) ?? "") + service.callbackPath
    }

    static func cookie(_ value: String, maxAge: Int, _ request: Request) -> Cookie {
        var cookie = Cookie(cookie.description, value, maxAge: maxAge, isSecure: request.isSecure)
        cookie.path = "/sign-in/by"
        return cookie
    }

    private func finish(
        _ service: ProviderSettings, _ request: Request, _ principal: Principal?
    ) async throws -> Response {
        let query = try request.query.decoded()
        func text(_ name: String) throws -> String? { try query.get(name, as: String.self) }
        let arrival = try await services.finish(
            service.id,
            SignInServices.Return(
                state: text("state"), code: text("code"), error: text("error"), issuer: text("iss"),
                browser: request.cookie(Self.cookie), redirect: Self.redirect(service, request),
                network: ClientNetwork(request.peerAddress)))
        let profile = arrival.profile
        let introduced = Introduced(
            issuer: profile.issuer, subject: profile.subject, name: profile.name, address: profile.address,
            isAddressConfirmed: profile.isAddressConfirmed, service: service.name)
        let response: Response
        switch arrival.errand {
        case .signIn:
            let signedIn = try await accounts.signIn(introduced, from: Visitor(request))
            response = Entrance.cookies(signedIn, request).reduce(.redirect(to: arrival.back)) { $0.with($1) }
        case .link(let session):
            guard let principal, principal.session == session else { throw SignInRefusal.notBegun }
            do {
                try await accounts.link(introduced, to: principal)
                response = .redirect(to: AccountSection.ways.path.adding("done", "added").description)
            } catch let refusal as WayRefusal { response = WaysPages.refuse(refusal) }
        case .prove(let session):
            guard let principal, principal.session == session else { throw SignInRefusal.notBegun }
            try await accounts.prove(principal, by: introduced)
            response = .redirect(to: arrival.back)
        }
        return response.with(Self.cookie("", maxAge: 0, request))
    }

    // MARK: refusals

    private func refused(
        _ status: Int, _ words: String, _ principal: Principal?, _ language: Language
    ) -> Response {
        let own = SignInByWords.in(language)
        return Response.html(
            MessageView.page(
                .init(
                    language: language, title: own.notSignedIn, detail: words,
                    action: (principal == nil ? "/sign-in" : AccountSection.ways.path, own.tryAgain),
                    tone: status == 403 ? .no : .wait)
            ).bytes, status: status)
    }

    /// What to say of a refusal; nil for what is none. What a service did wrong is told in the log: whoever runs the hub can mend it.
    private static func words(
        for error: any Error, _ service: ProviderSettings, _ language: Language
    ) -> (status: Int, words: String)? {
        let words = SignInByWords.in(language)
        switch error {
        case let refusal as IntroductionRefusal:
            return switch refusal {
            case .closed: (403, words.closed(service.name))
            case .addressTaken: (409, words.addressTaken(service.name))
            case .another: (403, words.another(service.name))
            }
        case let refusal as SignInRefusal:
            switch refusal {
            case .unknownService, .notBegun: return (400, words.notBegun)
            case .declined: return (403, words.declined(service.name))
            case .busy: return (503, words.busy(service.name))
            case .unreachable(let why):
                Log.warning("sign-in", "a service cannot be reached", ["service": service.id, "why": "\(why)"])
                return (502, words.unreachable(service.name))
            case .untrusted(let fault):
                Log.warning(
                    "sign-in", "what a service says is not believed", ["service": service.id, "why": fault.rawValue])
                return (502, words.untrusted(service.name))
            }
        default: return nil
        }
    }
}
