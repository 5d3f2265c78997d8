import Accounts
import HTTPServer
import Identity
import Notices
import Store

/// Another address of an account.
extension LetterPages {
    /// What the letter to the new address leads to. It proves who reads that address; whose account it is, the session does.
    func registerAddress(_ pages: inout PageRoutes) {
        pages.on(.get, "/address/{token}") { request, principal, language in
            let token = try request.parameter("token", as: String.self)
            guard let link = try accounts.link(token, for: [.address]) else {
                return Self.spent(language, AddressView.path)
            }
            guard link.person == principal.person.id else {
                return Self.page(AddressView.isAnothers(signedInAs: principal.person.name, language), status: 403)
            }
            return Self.page(AddressView.confirming(link.address, token: token, language))
        }
        pages.on(.post, "/address") { request, principal, language in
            let words = LetterPagesWords.in(language)
            do {
                let person = try await letters.changeAddress(
                    by: request.form().get("token") ?? "", as: principal)
                let model = MessageView.Model(
                    language: language, title: words.addressDone, detail: words.addressDoneDetail(person.email),
                    action: ("/", PagesWords.in(language).home), tone: .go)
                return .html(MessageView.page(model).bytes)
            } catch is LinkIsSpent {
                return Self.spent(language, AddressView.path)
            } catch AccountRefusal.addressTaken {
                let model = MessageView.Model(
                    language: language, title: words.spent, detail: words.addressTaken,
                    action: ("/sign-in", words.toSignIn), tone: .no)
                return .html(MessageView.page(model).bytes, status: 409)
            }
        }
    }

    /// Whoever is signed in asks for it.
    func registerOwnAddress(_ pages: inout PageRoutes) {
        pages.on(.get, AddressView.path.description) { request, principal, language in
            guard letters.isSetUp else { return Self.noMail(language) }
            var model = try ownAddress(principal, language)
            model.isSent = try request.query.get("sent", as: String.self) != nil
            return .html(AddressView.page(model).bytes)
        }
        pages.on(.post, AddressView.path.description) { request, principal, language in
            guard letters.isSetUp else { return Self.noMail(language) }
            // Whoever has the address can choose the password: a session that was left open must not give the account away.
            if let waiting = try waiting(principal, language) { return waiting }
            try accounts.requireStrongestProof(principal)
            try accounts.admit(.letter, of: principal)
            let email: String = try request.form().get("email") ?? ""
            do {
                if Accounts.normalised(email) == principal.person.address,
                    try !accounts.isConfirmed(principal.person.id)
                {
                    // The first time it is confirmed by choosing a password.
                    try await letters.confirmAddress(of: principal.person, language)
                } else {
                    let accounts = accounts
                    // A passkey that was added since is asked for, too.
                    try await Store.writing(
                        only: { try Accounts.requireStrongestProof(principal, at: accounts.clock.now, in: $0) },
                        { try await letters.changeAddress(of: principal.person, to: email, language) })
                }
                return .redirect(to: AddressView.path.adding("sent", "1").description)
            } catch let refusal as AccountRefusal {
                var model = try ownAddress(principal, language)
                model.typed = email
                guard case .invalid = refusal else {
                    let (status, text, seconds) = Entrance.words(for: refusal, PagesWords.in(language))
                    model.problem = text
                    return Response.html(AddressView.page(model).bytes, status: status).retrying(after: seconds)
                }
                model.refused = LetterPagesWords.in(language).addressRefused
                return .html(AddressView.page(model).bytes, status: 422)
            }
        }
    }

    /// The page for somebody who cannot take another address yet: see `Accounts.changeWaits`.
    private func waiting(_ principal: Principal, _ language: Language) throws -> Response? {
        guard let end = try accounts.changeWaits(for: principal) else { return nil }
        let words = LetterPagesWords.in(language)
        let now = accounts.clock.now
        let moment = PagesWords.in(language).moment(end, in: principal.zone(at: now), now: now)
        let model = MessageView.Model(
            language: language, title: words.addressWaits,
            detail: words.addressWaitsDetail(moment),
            action: (AccountSection.ways.path, words.showWays), tone: .wait)
        return .html(MessageView.page(model).bytes, status: 409)
    }

    private func ownAddress(_ principal: Principal, _ language: Language) throws -> AddressView.Model {
        let isConfirmed = try accounts.isConfirmed(principal.person.id)
        let address = principal.person.address
        return AddressView.Model(
            language: language, person: principal.person.name, email: address, isConfirmed: isConfirmed,
            typed: isConfirmed ? "" : address ?? "")
    }
}
