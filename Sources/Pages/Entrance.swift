import Accounts
import HTTPServer
import Identity
import JSON
import Ledger
import Notices
import OpenID
import Store
import System

/// The screens and routes by which people come in: first run, sign-in, sign-out, language.
public struct Entrance: Sendable {
    let accounts: Accounts
    let live: Live
    let letters: Letters
    let folder: String
    let services: SignInServices

    /// - Parameters:
    ///   - letters: what is written to people about their accounts.
    ///   - folder: the folder of data, where the set-up code lies.
    ///   - services: by which people may sign in.
    public init(accounts: Accounts, live: Live, letters: Letters, folder: String, services: SignInServices) {
        (self.accounts, self.live, self.letters) = (accounts, live, letters)
        (self.folder, self.services) = (folder, services)
    }

    // MARK: JSON

    static let personSchema: [(String, Schema)] = [
        ("id", .text("the person's id")), ("name", .text("what people call them")), ("email", .text("their address")),
    ]

    /// The JSON interface.
    public func register(routes: inout Routes) {
        routes.onPublic(
            .post, "/api/session", why: "it is how one signs in",
            RouteDescription(
                "Signs in. In a browser the session is a cookie; a program asks for a token and sends it as a bearer token.",
                body: .object([("email", .text("the address")), ("password", .text("the password"))]),
                answer: .object(
                    Self.personSchema + [
                        ("token", .optional(.text("for a program that asked with \"program\": true; shown once")))
                    ]),
                status: 201), bodyLimit: 4096
        ) { request in
            struct Body: Decodable {
                let email: String
                let password: String
                let program: Bool?
            }
            let body = try request.json(Body.self)
            let isProgram = body.program ?? false
            try accounts.admit(.signIn, from: Visitor(request))
            let signedIn = try await accounts.signIn(
                email: body.email, password: body.password, from: Visitor(request), isProgram: isProgram)
            let person = signedIn.person
            var json = JSONWriter()
            json.object { json in
                json.field("id", person.id.text)
                json.field("name", person.name)
                json.field("email", person.email)
                json.field("token", isProgram ? signedIn.token.text : nil)
            }
            let response = Response.json(json.bytes, status: 201)
            return isProgram ? response : response.with(Self.cookies(signedIn, request))
        }
        routes.on(
            .delete, "/api/session",
            RouteDescription("Signs out, and cuts this session's live streams.", status: 204).counted(.urgent)
        ) {
            request, principal in
            try await accounts.signOut(principal)
            return Response.empty().with(Self.expired(request)).forgettingEverything()
        }
        routes.on(
            .get, "/api/sites",
            RouteDescription(
                "The sites that one is a member of today.",
                answer: .object([
                    (
                        "items",
                        .list(
                            .object([
                                ("id", .text("the site's id")), ("kind", .choice(SiteKind.allCases.map(\.rawValue))),
                                ("name", .text("what people call it")),
                                ("zone", .text("its time zone, a name of the IANA database")),
                            ]))
                    )
                ]))
        ) { _, principal in
            var json = JSONWriter()
            json.object { json in
                json.array("items") { json in
                    for site in principal.sites(at: accounts.clock.now) {
                        json.object { json in
                            json.field("id", site.id.text)
                            json.field("kind", site.kind.rawValue)
                            json.field("name", site.name)
                            json.field("zone", site.zone.name)
                        }
                    }
                }
            }
            return .json(json.bytes)
        }
        routes.on(
            .get, "/api/live",
            RouteDescription(
                "Server-sent events: `log` for managers, `gate` for members, `home` for those who see a house. A heartbeat every 15 seconds; a reader that comes back sends Last-Event-ID.",
                answer: .text("events"),
                query: [("after", false, "the id of the last event that was seen, for a stream opened anew")],
                mediaType: "text/event-stream")
        ) { request, principal in
            let lastID = try request.headers["last-event-id"] ?? request.query.get("after")
            return .events(live.open(principal, Language.of(principal, request), lastID: lastID))
        }
    }

    /// What a browser gets at a sign-in.
    public static func cookies(_ signedIn: Accounts.SignedIn, _ request: Request) -> [Cookie] {
        [cookie(signedIn.token.text, request), deviceCookie(signedIn.device, request)]
    }

    /// What a browser keeps of a session.
    static func cookie(_ value: String, _ request: Request) -> Cookie {
        Cookie(Routes.sessionCookie.description, value, maxAge: 30 * 86_400, isSecure: request.isSecure)
    }

    /// What a browser keeps to be known again.
    static func deviceCookie(_ value: String, _ request: Request) -> Cookie {
        Cookie(KnownDevice.cookie.description, value, maxAge: KnownDevice.maxAge, isSecure: request.isSecure)
    }

    /// What makes a browser forget the session.
    public static func expired(_ request: Request) -> Cookie {
        Cookie(Routes.sessionCookie.description, "", maxAge: 0, isSecure: request.isSecure)
    }

    // MARK: pages

    /// The screens.
    public func register(pages: inout PageRoutes) {
        pages.onPublic(.get, "/sign-in", why: "it is how one signs in") { request, principal, language in
            if try accounts.isEmpty() { return .redirect(to: "/first-run") }
            let back = Self.returnPath(try request.query.get("return"))
            if principal != nil { return .redirect(to: back.description) }
            let ending = try request.query.get("signed-out", as: String.self).flatMap(SignInView.Ending.init)
            var model = SignInView.Model(
                language: language, ending: ending, returnPath: back.description, services: services.buttons,
                links: try links(language))
            model.hasPasskeys = Passkeys.party(request) != nil
            return .html(SignInView.page(model).bytes).saved(for: nil, language)
        }
        pages.onPublic(.post, "/sign-in", why: "it is how one signs in") { request, _, language in
            let form = try request.form()
            let email = try form.get("email", as: String.self) ?? ""
            let back = Self.returnPath(try form.get("return"))
            try accounts.admit(.signIn, from: Visitor(request))
            do {
                let signedIn = try await accounts.signIn(
                    email: email, password: form.get("password") ?? "", from: Visitor(request), isProgram: false)
                return Response.redirect(to: back.description).with(Self.cookies(signedIn, request))
            } catch let refusal as AccountRefusal {
                let (status, words, seconds) = Self.words(for: refusal, PagesWords.in(language))
                var model = SignInView.Model(
                    language: language, email: email, refused: words, returnPath: back.description,
                    services: services.buttons, links: try links(language))
                model.hasPasskeys = Passkeys.party(request) != nil
                return Response.html(SignInView.page(model).bytes, status: status).retrying(after: seconds)
            }
        }
        pages.onPublic(.post, "/sign-out", why: "it ends nothing but the asker's own session, which may have ended") {
            request, principal, _ in
            // To the page that is meant for somebody else, where it says so.
            let target = request.body.isEmpty ? "/" : Self.returnPath(try request.form().get("return"))
            if let principal {
                try accounts.admit(Counted.urgent, of: principal)
                try await accounts.signOut(principal)
            }
            let away = target == "/" ? SignInView.Ending.signedOut.path : target
            return Response.redirect(to: away.description).with(
                Self.expired(request)
            ).forgettingEverything()
        }
        pages.onPublic(.post, "/language", why: "it changes nothing but the chooser's own language") {
            request, principal, _ in
            let form = try request.form()
            guard let language = Language(rawValue: try form.require("language")) else {
                throw Problem.unprocessable("there is no such language")
            }
            if let principal {
                try accounts.admit(Counted.change, of: principal)
                // Where a site asks for a passkey, the account's is the language of its letters; else only this browser's changes.
                if principal.locked.isEmpty {
                    try await accounts.change(ProfileChange(language: language), by: principal)
                }
            }
            return Response.redirect(to: Self.returnPath(try form.get("return")).description).with(
                Cookie(Language.cookie.description, language.rawValue, maxAge: 365 * 86_400, isSecure: request.isSecure)
            )
        }
        registerFirstRun(&pages)
        registerStart(&pages)
    }

    /// What else somebody can do who cannot sign in; nothing that this hub does not do.
    private func links(_ language: Language) throws -> [(href: LocalPath, label: String)] {
        let words = LetterPagesWords.in(language)
        var links: [(href: LocalPath, label: String)] = []
        if letters.isSetUp { links.append(("/forgotten", words.forgotten)) }
        if try letters.isRegistrationOpen() { links.append(("/register", words.makeAccount)) }
        return links
    }

    static func returnPath(_ text: String?) -> LocalPath { text.flatMap { LocalPath($0) } ?? "/" }

    /// What to say to somebody who was refused, and when they may come back.
    public static func words(
        for refusal: AccountRefusal, _ words: PagesWords
    ) -> (status: Int, text: String, seconds: Int?) {
        switch refusal {
        case .tooManyAttempts(let seconds): (429, words.tooManyAttempts(PagesWords.wait(seconds)), seconds)
        case .busy: (503, words.tooMuchDetail, busyPause)
        default: (401, words.wrongCredentials, nil)
        }
    }

    /// After so many seconds there is room for another sign-in.
    static let busyPause = 2

    private func registerFirstRun(_ pages: inout PageRoutes) {
        pages.onPublic(.get, "/first-run", why: "nobody has an account yet; the set-up code decides") {
            request, _, language in
            guard try accounts.isEmpty() else { return .redirect(to: "/sign-in") }
            return .html(FirstRunView.page(Self.firstRunModel(language)).bytes)
        }
        pages.onPublic(.post, "/first-run", why: "nobody has an account yet; the set-up code decides") {
            request, _, language in
            guard try accounts.isEmpty() else { return .redirect(to: "/sign-in") }
            try accounts.admit(.setUp, from: Visitor(request))
            let form = try request.form()
            func text(_ name: String) throws -> String { try form.get(name) ?? "" }
            var model = Self.firstRunModel(language)
            model.code = try text("code")
            model.name = try text("name")
            model.email = try text("email")
            model.siteName = try text("site")
            model.timeZone = try text("timezone")
            model.siteKind = SiteKind(rawValue: try text("kind")) ?? .company
            let password = try text("password")
            let words = PagesWords.in(language)
            guard let zone = Zone(name: model.timeZone) else {
                model.refused["timezone"] = words.firstRunRefusal(field: "timezone")
                return .html(FirstRunView.page(model).bytes, status: 422)
            }
            let now = accounts.clock.now
            let person = Person(
                id: .new(at: now), name: model.name, email: Accounts.normalised(model.email),
                language: language.rawValue)
            let site = Site(id: .new(at: now), name: model.siteName, kind: model.siteKind, zone: zone)
            do {
                try await accounts.firstRun(
                    code: model.code, person: person, password: password, site: site, folder: folder)
                let signedIn = try await accounts.signIn(
                    email: person.email, password: password, from: Visitor(request), isProgram: false)
                return Response.redirect(to: "/").with(Self.cookies(signedIn, request))
            } catch let refusal as AccountRefusal {
                if case .weakPassword(let fault) = refusal {
                    model.refused["password"] = PasswordWords.in(language).refused(fault)
                    return .html(FirstRunView.page(model).bytes, status: 422)
                }
                let field =
                    switch refusal {
                    case .invalid(let field): field
                    case .addressTaken: "email"
                    default: "code"
                    }
                model.refused[field] = words.firstRunRefusal(field: field)
                return .html(FirstRunView.page(model).bytes, status: 422)
            }
        }
    }

    private static func firstRunModel(_ language: Language) -> FirstRunView.Model {
        FirstRunView.Model(
            language: language, code: "", name: "", email: "", siteName: "", timeZone: "Europe/Rome",
            timeZones: Zone.allNames,
            refused: [:])
    }
}

extension PagesWords {
    /// What is wrong with a field of the first-run page.
    func firstRunRefusal(field: String) -> String {
        switch field {
        case "code": wrongSetupCode
        case "timezone": timeZoneHint
        case "site": siteNameHint
        default: checkFields
        }
    }
}

extension Response {
    /// Gives the browser several cookies.
    public func with(_ cookies: [Cookie]) -> Response { cookies.reduce(self) { $0.with($1) } }
}
