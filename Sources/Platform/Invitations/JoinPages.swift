import Accounts
import HTTPServer
import Identity
import Notices
import Pages
import Store
import System

// The page that an invitation leads to. Its code stands in the path, since forms have to work without script: see `LetterPages` for what
// keeps it from going further.

extension Invitations {
    func register(joining pages: inout PageRoutes) {
        pages.onPublic(.get, "/join", why: "a person with an invitation on paper has no account yet") {
            request, _, language in
            guard let typed = try request.query.get("code", as: String.self), !typed.isEmpty else {
                return .html(JoinView.typing(language).bytes)
            }
            let letters = String(typed.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.prefix(40))
            try given.accounts.admit(.password, from: Visitor(request), invitedBy: letters)
            guard try given.accounts.invitation(letters) != nil else {
                return Self.page(JoinView.typing(language, unknown: String(typed.prefix(60))), status: 404)
            }
            return .redirect(to: "/join/\(letters)")
        }
        pages.onPublic(.get, "/join/{code}", why: "the code of the invitation is the proof") {
            request, principal, language in
            let code = try request.parameter("code", as: String.self)
            try given.accounts.admit(.password, from: Visitor(request), invitedBy: code)
            guard let shown = try given.accounts.invitation(code) else { return Self.spent(language) }
            return Self.page(JoinView.page(Self.model(code, shown, principal, language)))
        }
        pages.onPublic(.post, "/join", why: "the code of the invitation is the proof") {
            request, principal, language in
            let form = try request.form()
            func text(_ name: String) throws -> String { try form.get(name) ?? "" }
            let code = try text("code")
            try given.accounts.admit(.password, from: Visitor(request), invitedBy: code)
            guard let shown = try given.accounts.invitation(code) else { return Self.spent(language) }
            var model = Self.model(code, shown, principal, language)
            do {
                if try text("as") == "account" {
                    guard let principal else {
                        return .redirect(to: ("/sign-in" as LocalPath).adding("return", "/join/\(code)").description)
                    }
                    _ = try await join(code, as: principal)
                    return .redirect(to: "/")
                }
                (model.name, model.typed) = (try text("name"), try text("email"))
                let person = try await join(
                    code, name: model.name, address: model.typed, password: try text("password"))
                let method: ProofWay = shown.invitation.way == .letter ? .letter : .password
                let signedIn = try await given.accounts.signIn(person, by: method, from: Visitor(request))
                return Response.redirect(to: "/").with(Entrance.cookies(signedIn, request))
            } catch is LinkIsSpent {
                return Self.spent(language)
            } catch let refusal as JoiningRefusal {
                model.problem = JoinWords.in(language).refusal(refusal)
                return Self.page(JoinView.page(model), status: 403)
            } catch AccountRefusal.weakPassword(let fault) {
                model.refused["password"] = PasswordWords.in(language).refused(fault)
            } catch AccountRefusal.invalid(let field) {
                let words = JoinWords.in(language)
                model.refused[field] = field == "name" ? words.nameRefused : words.addressRefused
            } catch AccountRefusal.addressTaken {
                model.refused["email"] = JoinWords.in(language).addressTaken
            } catch let refusal as AccountRefusal {
                let (status, words, seconds) = Entrance.words(for: refusal, PagesWords.in(language))
                model.problem = words
                return Self.page(JoinView.page(model), status: status).retrying(after: seconds)
            }
            return Self.page(JoinView.page(model), status: 422)
        }
    }

    private static func model(
        _ code: String, _ shown: ShownInvitation, _ principal: Principal?, _ language: Language
    ) -> JoinView.Model {
        let isPaper = shown.invitation.way == .paper
        var model = JoinView.Model(
            language: language, code: code, site: shown.site.name, inviter: shown.inviter, name: shown.standIn.name,
            address: shown.address, isPaper: isPaper, typed: isPaper ? shown.address : "")
        if let principal {
            let address = principal.person.address
            if isPaper || (address == shown.address && shown.isHolders) {
                model.account = (principal.person.name, address ?? "")
            } else {
                model.stranger = (principal.person.name, address ?? "", address == shown.address)
            }
        }
        model.holderSignsIn = shown.isHolders
        if let ending = shown.ending {
            let (words, ways) = (JoinWords.in(language), ending.ways)
            model.ending = [
                ways.hasPassword ? words.endingPassword : nil,
                ways.passkeys.isEmpty ? nil : words.endingPasskeys(ways.passkeys.count),
                ways.identities.isEmpty ? nil : words.endingServices(ways.identities.count),
                ending.sessions == 0 ? nil : words.endingSessions(ending.sessions),
            ].compactMap { $0 }
        }
        return model
    }

    private static func page(_ html: HTML, status: Int = 200) -> Response {
        Response.html(html.bytes, status: status).with("Referrer-Policy", "origin").with("Cache-Control", "no-store")
    }

    private static func spent(_ language: Language) -> Response {
        let words = JoinWords.in(language)
        let model = MessageView.Model(
            language: language, title: words.spent, detail: words.spentDetail,
            action: ("/sign-in", PagesWords.in(language).signIn), tone: .no)
        return page(MessageView.page(model), status: 410)
    }
}
