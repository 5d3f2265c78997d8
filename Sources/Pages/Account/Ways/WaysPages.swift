import Accounts
import HTTPServer
import Identity
import OpenID

/// The ways in of one's own account: what there is, adding, removing all but the last.
struct WaysPages: Sendable {
    let accounts: Accounts
    let services: SignInServices

    func register(_ pages: inout PageRoutes) {
        pages.on(.get, AccountSection.ways.path.description) { request, principal, language in
            .html(WaysView.page(try model(request, principal, language)).bytes)
        }
    }

    /// The page as it is now. `?done=` and `?refused=` name what has just happened.
    func model(_ request: Request, _ principal: Principal, _ language: Language) throws -> WaysView.Model {
        let words = WaysWords.in(language)
        var model = WaysView.Model(
            language: language, person: principal.person.name, email: principal.person.address,
            ways: try accounts.waysIn(of: principal.person.id))
        model.identities = IdentitiesSection(
            model.ways, services, language, in: principal.zone(at: accounts.clock.now),
            now: accounts.clock.now)
        model.passkeys = .init(model.ways, principal, request, now: accounts.clock.now, language)
        model.notice = words.done(try request.query.get("done") ?? "")
        model.refused = words.refused(try request.query.get("refused") ?? "")
        return model
    }

    /// Back to the page; to the sign-in where the session has ended with what opened it.
    static func removed(by principal: Principal, _ request: Request, _ accounts: Accounts) throws -> Response {
        if try accounts.principal(session: principal.session) == nil {
            return Response.redirect(to: SignInView.Ending.withItsWay.path.description).with(Entrance.expired(request))
                .forgettingEverything()
        }
        return .redirect(to: AccountSection.ways.path.adding("done", "removed").description)
    }

    /// Back to the page, with the reason.
    static func refuse(_ refusal: WayRefusal) -> Response {
        let code =
            switch refusal {
            case .isLast: "last"
            case .belongsToAnother: "another"
            case .tooMany: "many"
            case .unknown: "unknown"
            }
        return .redirect(to: AccountSection.ways.path.adding("refused", code).description)
    }
}
