import Accounts
import HTTPServer
import Identity
import System

extension Passkeys {
    /// The page of each of one's own passkeys. The list stands on that of the ways in.
    public func register(pages: inout PageRoutes) {
        pages.on(.get, "/account/ways/passkeys/{id}") { request, principal, language in
            .html(
                PasskeysView.page(try row(request, principal, language), person: principal.person.name, language).bytes)
        }
        pages.on(.post, "/account/ways/passkeys/{id}/name") { request, principal, language in
            let passkey = try own(request, principal)
            do {
                _ = try await rename(passkey, to: try request.form().get("name") ?? "", principal)
            } catch let problem as Problem where problem.type == Problem.wrongPasskeyName.type {
                let page = PasskeysView.page(
                    try row(request, principal, language), person: principal.person.name,
                    refusedName: PasskeyWords.in(language).wrongName, language)
                return .html(page.bytes, status: 422)
            }
            return Self.done("renamed")
        }
        pages.on(.post, "/account/ways/passkeys/{id}/remove") { request, principal, language in
            do {
                try await remove(try own(request, principal), principal)
            } catch WayRefusal.isLast {
                let page = PasskeysView.page(
                    try row(request, principal, language), person: principal.person.name,
                    refused: WaysWords.in(language).isLast, language)
                return .html(page.bytes, status: 409)
            }
            return try WaysPages.removed(by: principal, request, accounts)
        }
    }

    private static func done(_ what: String) -> Response {
        .redirect(to: AccountSection.ways.path.adding("done", what).description)
    }

    private func row(_ request: Request, _ principal: Principal, _ language: Language) throws -> PasskeysView.Row {
        let now = accounts.clock.now
        return PasskeysView.Row(
            try own(request, principal), zone: principal.zone(at: now), now: now, at: Self.party(request)?.id, language)
    }
}

extension PasskeysView.Row {
    /// - Parameter host: under which name the hub was asked; nil where it can have no passkeys.
    init(_ passkey: Passkey, zone: Zone, now: Timestamp, at host: String?, _ language: Language) {
        let words = PagesWords.in(language)
        func moment(_ time: Timestamp) -> (iso: String, text: String) {
            (time.iso8601, words.moment(time, in: zone, now: now))
        }
        self.init(
            id: passkey.reference.text, name: passkey.name, added: moment(passkey.added),
            used: passkey.used.map(moment), isShared: passkey.isBackedUp,
            otherHost: passkey.party == host ? nil : passkey.party)
    }
}

extension PasskeysView.Model {
    /// The part as it is for somebody now.
    init(_ ways: WaysIn, _ principal: Principal, _ request: Request, now: Timestamp, _ language: Language) {
        let (host, zone) = (Passkeys.party(request)?.id, principal.zone(at: now))
        self.init(
            rows: ways.passkeys.map { .init($0, zone: zone, now: now, at: host, language) },
            suggestedName: host.map { _ in Passkeys.suggestedName(for: Visitor(request).client) })
    }
}
