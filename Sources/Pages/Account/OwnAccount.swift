import Accounts
import HTTPServer
import Identity
import Images
import JSON
import Ledger
import OpenID
import Store
import System

/// The screens and routes of one's own account: where one is signed in, and the password.
public struct OwnAccount: Sendable {
    let accounts: Accounts
    let services: SignInServices
    private let profile: ProfilePages

    /// - Parameters:
    ///   - accounts: who people are.
    ///   - services: by which they may sign in.
    public init(accounts: Accounts, services: SignInServices) {
        (self.accounts, self.services) = (accounts, services)
        profile = ProfilePages(accounts: accounts, desk: PhotoDesk())
    }

    // MARK: JSON

    private static let sessionSchema = Schema.object([
        ("id", .text("the session's id; it proves nothing")), ("isCurrent", .truth("whether it is this one")),
        ("isProgram", .truth("whether it is a program's")), ("created", .text("when somebody signed in")),
        ("seen", .text("when it was last used, to ten minutes or so")), ("expires", .text("when it ends by itself")),
        ("address", .optional(.text("from where it was last used"))),
        ("client", .optional(.text("what it is used with, as far as it says: Firefox on Linux"))),
    ])

    /// The JSON interface.
    public func register(routes: inout Routes) {
        ProvingPages(accounts: accounts, services: services).register(routes: &routes)
        SignInByOthers(accounts: accounts, services: services).register(routes: &routes)
        profile.register(routes: &routes)
        routes.on(
            .get, "/api/sessions",
            RouteDescription(
                "Where one is signed in, the last used first.",
                answer: .object([("items", .list(Self.sessionSchema))]))
        ) { _, principal in
            var json = JSONWriter()
            let sessions = try accounts.sessions(of: principal)
            json.object { json in
                json.array("items") { json in for session in sessions { Self.write(session, principal, &json) } }
            }
            return .json(json.bytes)
        }
        routes.on(
            .delete, "/api/sessions",
            RouteDescription(
                "Ends all of one's sessions but this one, and cuts their live streams. It takes a fresh proof, by a passkey where one of them has shown one: the phones among them ring for no alarm any more. Passwords and badges of the original system's app end, too.",
                answer: .object([("ended", .integer("how many"))])
            ).counted(.urgent)
        ) { request, principal in
            let alone = try await accounts.endOtherSessions(of: principal)
            var json = JSONWriter()
            json.object { $0.field("ended", alone.ended) }
            return Response.json(json.bytes).going(on: alone, request)
        }
        routes.on(
            .delete, "/api/sessions/{id}",
            RouteDescription(
                "Ends one of one's sessions, and cuts its live streams. Another one than this takes a fresh proof, by a passkey if that one has shown one.",
                status: 204
            ).counted(.urgent)
        ) { request, principal in
            let id = try request.parameter("id", as: SessionID.self)
            guard try await accounts.endSession(id, of: principal) else { throw Problem.notFound() }
            return .empty()
        }
        routes.on(
            .put, "/api/password",
            RouteDescription(
                "Changes one's password, and ends all other sessions. Passwords and badges of the original system's app end, too.",
                body: .object([
                    ("current", .text("the password that one has")),
                    ("new", .text("another one, 10 to 1,024 bytes")),
                ]),
                answer: .object([("ended", .integer("how many other sessions ended"))])
            ).counted(.urgent), bodyLimit: 4096
        ) { request, principal in
            struct Body: Decodable {
                let current: String
                let new: String
            }
            let body = try request.json(Body.self)
            try accounts.admit(.password, of: principal)
            let (device, alone) = try await accounts.changePassword(
                of: principal, current: body.current, new: body.new, from: Visitor(request))
            var json = JSONWriter()
            json.object { $0.field("ended", alone.ended) }
            let response = Response.json(json.bytes).going(on: alone, request)
            return principal.isProgram ? response : response.with(Entrance.deviceCookie(device, request))
        }
    }

    private static func write(_ session: Session, _ principal: Principal, _ json: inout JSONWriter) {
        json.object { json in
            json.field("id", session.id.text)
            json.field("isCurrent", session.hash == principal.session)
            json.field("isProgram", session.isProgram)
            json.field("created", session.created.iso8601)
            json.field("seen", session.seen.iso8601)
            json.field("expires", session.expires.iso8601)
            json.field("address", session.address)
            json.field("client", session.client.text(on: "on"))
        }
    }

    // MARK: pages

    /// The screens.
    public func register(pages: inout PageRoutes) {
        ProvingPages(accounts: accounts, services: services).register(&pages)
        WaysPages(accounts: accounts, services: services).register(&pages)
        SignInByOthers(accounts: accounts, services: services).register(&pages)
        profile.register(&pages)
        pages.on(.get, "/account/sessions") { request, principal, language in
            let words = AccountWords.in(language)
            let notice: String? =
                switch try request.query.get("done", as: String.self) {
                case "ended": words.ended
                case "others": words.othersEnded
                case "password": words.passwordChanged
                default: nil
                }
            return .html(SessionsView.page(try list(principal, language, notice)).bytes)
        }
        pages.on(.post, "/account/sessions/end-others", counted: .urgent) { request, principal, _ in
            let alone = try await accounts.endOtherSessions(of: principal)
            return Response.redirect(to: "/account/sessions?done=others").going(on: alone, request)
        }
        pages.on(.post, "/account/sessions/{id}/end", counted: .urgent) { request, principal, _ in
            let id = try request.parameter("id", as: SessionID.self)
            guard try await accounts.endSession(id, of: principal) else { throw Problem.notFound() }
            return .redirect(to: "/account/sessions?done=ended")
        }
        pages.on(.get, "/account/password") { _, principal, language in
            .html(PasswordView.page(Self.passwordModel(principal, language)).bytes)
        }
        pages.on(.post, "/account/password", counted: .urgent) { request, principal, language in
            try accounts.admit(.password, of: principal)
            let form = try request.form()
            do {
                let (device, alone) = try await accounts.changePassword(
                    of: principal, current: form.get("current") ?? "", new: form.get("password") ?? "",
                    from: Visitor(request))
                return Response.redirect(to: "/account/sessions?done=password")
                    .with(Entrance.deviceCookie(device, request)).going(on: alone, request)
            } catch let refusal as AccountRefusal {
                return Self.refused(refusal, principal, request, language)
            }
        }
    }

    private static func passwordModel(_ principal: Principal, _ language: Language) -> PasswordView.Model {
        PasswordView.Model(language: language, person: principal.person.name, email: principal.person.email)
    }

    private static func refused(
        _ refusal: AccountRefusal, _ principal: Principal, _ request: Request, _ language: Language
    ) -> Response {
        let words = AccountWords.in(language)
        var model = passwordModel(principal, language)
        switch refusal {
        case .wrongPassword: model.refusedFields["current"] = words.wrongPassword
        case .invalid: model.refusedFields["password"] = words.newPasswordRule
        case .weakPassword(let fault): model.refusedFields["password"] = PasswordWords.in(language).refused(fault)
        default:
            let (status, text, seconds) = Entrance.words(for: refusal, PagesWords.in(language))
            model.refused = text
            return Response.html(PasswordView.page(model).bytes, status: status).retrying(after: seconds)
        }
        return .html(PasswordView.page(model).bytes, status: 422)
    }

    private func list(
        _ principal: Principal, _ language: Language, _ notice: String?
    ) throws -> SessionsView.Model {
        let (words, now) = (AccountWords.in(language), accounts.clock.now)
        let zone = principal.zone(at: now)
        func moment(_ time: Timestamp) -> (iso: String, text: String) {
            (time.iso8601, PagesWords.in(language).moment(time, in: zone, now: now))
        }
        let sessions = try accounts.sessions(of: principal)
        let rows = sessions.map { session in
            SessionsView.Row(
                id: session.id.text,
                client: session.client.text(on: words.on) ?? (session.isProgram ? words.program : words.browser),
                isCurrent: session.hash == principal.session, address: session.address,
                created: moment(session.created), seen: moment(session.seen))
        }
        return SessionsView.Model(
            language: language, person: principal.person.name,
            rows: rows.filter(\.isCurrent) + rows.filter { !$0.isCurrent }, notice: notice)
    }
}

extension PagesWords {
    /// A moment as people say it: today at 08:52, yesterday at 08:52, 3 March 2027 at 08:52.
    public func moment(_ time: Timestamp, in zone: Zone, now: Timestamp) -> String {
        let (day, today, clock) = (zone.day(at: time), zone.day(at: now), zone.clockText(at: time))
        if day == today { return todayAt(clock) }
        if day == today.adding(days: -1) { return yesterdayAt(clock) }
        let (year, month, date) = day.civil
        return onDayAt(self.date(year: year, month: month, day: date), clock)
    }
}

extension Response {
    /// Gives a browser the token that it goes on with.
    fileprivate func going(on alone: Accounts.Alone, _ request: Request) -> Response {
        alone.token.map { with(Entrance.cookie($0.text, request)) } ?? self
    }

    /// Says when to come back, when that is known.
    public func retrying(after seconds: Int?) -> Response { seconds.map { with("Retry-After", "\($0)") } ?? self }
}
