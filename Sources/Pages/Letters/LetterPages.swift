import Accounts
import HTTPServer
import Identity
import Notices

/// The pages around letters, for people who are not signed in: a forgotten password, a new account, a confirmed address.
///
/// A letter's secret stands in the path of its link, since forms have to work without script: it is 256 bits, works once and not for
/// long, and opening the page uses nothing up, so that what looks into letters on their way does no harm. From the page it goes on in a
/// hidden field. It does not get further: the log of requests tells of the pattern of a path and never of the path itself, the answer is
/// not to be stored, and `Referrer-Policy: origin` keeps the path from whatever the page asks for. (`no-referrer` would take the
/// origin off the form, too, by which we know it for ours.)
public struct LetterPages: Sendable {
    let accounts: Accounts
    let letters: Letters

    /// See the properties.
    public init(accounts: Accounts, letters: Letters) { (self.accounts, self.letters) = (accounts, letters) }

    /// The screens.
    public func register(pages: inout PageRoutes) {
        registerAsking(&pages)
        registerChoosing(&pages)
        registerAddress(&pages)
        registerOwnAddress(&pages)
    }

    // MARK: asking for a letter

    private func registerAsking(_ pages: inout PageRoutes) {
        pages.onPublic(.get, "/forgotten", why: "whoever has forgotten the password cannot sign in") {
            request, _, language in
            guard letters.isSetUp else { return Self.noMail(language) }
            if try request.query.get("sent", as: String.self) != nil {
                return .html(AskingView.sent(.forgotten, language).bytes)
            }
            return .html(AskingView.page(.init(language: language, purpose: .forgotten)).bytes)
        }
        pages.onPublic(.post, "/forgotten", why: "whoever has forgotten the password cannot sign in") {
            request, _, language in
            guard letters.isSetUp else { return Self.noMail(language) }
            let email: String = try request.form().get("email") ?? ""
            try accounts.admitLetter(to: email, from: Visitor(request))
            try await letters.forgotten(email, language)
            return .redirect(to: "/forgotten?sent=1")
        }
        pages.onPublic(.get, "/register", why: "whoever has no account cannot sign in") { request, _, language in
            guard try letters.isRegistrationOpen() else { return Self.closed(language) }
            if try request.query.get("sent", as: String.self) != nil {
                return .html(AskingView.sent(.register, language).bytes)
            }
            return .html(AskingView.page(.init(language: language, purpose: .register)).bytes)
        }
        pages.onPublic(.post, "/register", why: "whoever has no account cannot sign in") { request, _, language in
            guard try letters.isRegistrationOpen() else { return Self.closed(language) }
            let form = try request.form()
            let (name, email): (String, String) = (try form.get("name") ?? "", try form.get("email") ?? "")
            try accounts.admitLetter(to: email, from: Visitor(request))
            do {
                try await letters.register(name: name, email: email, language)
                return .redirect(to: "/register?sent=1")
            } catch AccountRefusal.invalid(let field) {
                var model = AskingView.Model(language: language, purpose: .register, name: name, email: email)
                let words = LetterPagesWords.in(language)
                model.refused[field] = field == "name" ? words.nameRefused : words.addressRefused
                return .html(AskingView.page(model).bytes, status: 422)
            }
        }
    }

    // MARK: choosing a password

    private func registerChoosing(_ pages: inout PageRoutes) {
        pages.onPublic(.get, "/reset/{token}", why: "the link in the letter is the proof") { request, _, language in
            let token = try request.parameter("token", as: String.self)
            guard let link = try accounts.link(token, for: [.reset]) else {
                return Self.spent(language, "/forgotten")
            }
            var model = ChoosingView.Model(language: language, token: token, email: link.address)
            model.isTakenOver = try isTakenOver(by: link)
            return Self.page(ChoosingView.page(model))
        }
        pages.onPublic(.post, "/reset", why: "the link in the letter is the proof") { request, _, language in
            try await Self.choose(request, language, again: "/forgotten") { form, model in
                try admit(request, showing: model.token, for: [.reset])
                guard let link = try accounts.link(model.token, for: [.reset]) else { throw LinkIsSpent() }
                (model.email, model.isTakenOver) = (link.address, try isTakenOver(by: link))
                return try await letters.setPassword(form.get("password") ?? "", by: model.token)
            } then: {
                try await signIn($0, request)
            }
        }
        pages.onPublic(.get, "/register/{token}", why: "the link in the letter is the proof") {
            request, _, language in
            let token = try request.parameter("token", as: String.self)
            guard try accounts.isRegistrationOpen() else { return Self.closed(language) }
            guard let link = try accounts.link(token, for: [.register]) else {
                return Self.spent(language, "/register")
            }
            return Self.page(
                ChoosingView.page(.init(language: language, token: token, email: link.address, name: link.name ?? "")))
        }
        pages.onPublic(.post, "/register/confirm", why: "the link in the letter is the proof") {
            request, _, language in
            guard try accounts.isRegistrationOpen() else { return Self.closed(language) }
            return try await Self.choose(request, language, again: "/register") { form, model in
                try admit(request, showing: model.token, for: [.register])
                guard let link = try accounts.link(model.token, for: [.register]) else { throw LinkIsSpent() }
                let name: String = try form.get("name") ?? ""
                (model.email, model.name) = (link.address, name)
                return try await accounts.register(name: name, password: form.get("password") ?? "", by: model.token)
            } then: {
                try await signIn($0, request)
            }
        }
    }

    /// Whether nobody has confirmed the address of the account that a link is for.
    private func isTakenOver(by link: OneTimeLink) throws -> Bool {
        try link.person.map { try !accounts.isConfirmed($0) } ?? false
    }

    /// Counts who chooses a password: whoever shows a good link by that, so that a flood from their network does not keep them out.
    private func admit(_ request: Request, showing link: String, for purposes: Set<LinkPurpose>) throws {
        try accounts.admit(.password, from: Visitor(request), showing: link, for: purposes)
    }

    /// Handles the form for a password: what is refused is said on the same page.
    private static func choose(
        _ request: Request, _ language: Language, again: LocalPath,
        act: (Form, inout ChoosingView.Model) async throws -> Person, then: (Person) async throws -> Response
    ) async throws -> Response {
        let form = try request.form()
        var model = ChoosingView.Model(language: language, token: try form.get("token") ?? "", email: "")
        let words = LetterPagesWords.in(language)
        do {
            return try await then(act(form, &model))
        } catch is LinkIsSpent {
            return spent(language, again)
        } catch AccountRefusal.weakPassword(let fault) {
            model.refused["password"] = PasswordWords.in(language).refused(fault)
        } catch AccountRefusal.invalid {
            model.refused["name"] = words.nameRefused
        } catch AccountRefusal.addressTaken {
            model.problem = words.addressTaken
        } catch let refusal as AccountRefusal {
            let (status, text, seconds) = Entrance.words(for: refusal, PagesWords.in(language))
            model.problem = text
            return page(ChoosingView.page(model), status: status).retrying(after: seconds)
        }
        return page(ChoosingView.page(model), status: 422)
    }

    /// Whoever has just shown the link of a letter is signed in.
    private func signIn(_ person: Person, _ request: Request) async throws -> Response {
        let signedIn = try await accounts.signIn(person.id, by: .letter, from: Visitor(request))
        return Response.redirect(to: "/").with(Entrance.cookies(signedIn, request))
    }

    // MARK: answers

    /// A page whose path holds a secret.
    static func page(_ html: HTML, status: Int = 200) -> Response {
        Response.html(html.bytes, status: status).with("Referrer-Policy", "origin")
    }

    static func spent(_ language: Language, _ again: LocalPath) -> Response {
        let words = LetterPagesWords.in(language)
        let model = MessageView.Model(
            language: language, title: words.spent, detail: words.spentDetail,
            action: (again, PagesWords.in(language).tryAgain), tone: .no)
        return page(MessageView.page(model), status: 410)
    }

    static func noMail(_ language: Language) -> Response {
        let words = LetterPagesWords.in(language)
        let model = MessageView.Model(
            language: language, title: words.noMail, detail: words.noMailDetail, action: ("/sign-in", words.toSignIn))
        return .html(MessageView.page(model).bytes, status: 404)
    }

    private static func closed(_ language: Language) -> Response {
        let words = LetterPagesWords.in(language)
        let model = MessageView.Model(
            language: language, title: words.closed, detail: words.closedDetail, action: ("/sign-in", words.toSignIn))
        return .html(MessageView.page(model).bytes, status: 404)
    }
}
