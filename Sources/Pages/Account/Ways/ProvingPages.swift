import Accounts
import HTTPServer
import Identity
import Ledger
import OpenID
import System

/// The page on which somebody who is signed in proves once more who they are: before a dangerous act, and for a site that asks for a
/// second factor. Afterwards it leads back to where they were.
struct ProvingPages: Sendable {
    static let path: LocalPath = "/account/prove"

    let accounts: Accounts
    let services: SignInServices

    /// Whether a proof is the answer to a problem.
    static func answers(_ problem: Problem) -> Bool {
        [Problem.freshProofNeeded.type, Problem.secondFactorNeeded.type].contains(problem.type)
    }

    /// Leads there, and back.
    static func ask(_ request: Request, for problem: Problem) -> Response {
        let isStrong = problem.type == Problem.secondFactorNeeded.type
        let back = origin(of: request)
        var page = isStrong ? strong(to: back ?? "/") : path.adding("return", (back ?? "/").description)
        if request.method != .get { page = page.adding("again", "1") }
        return .redirect(to: page.description)
    }

    /// Where a passkey alone will do.
    static func strong(to back: LocalPath) -> LocalPath {
        path.adding("return", back.description).adding("strong", "1")
    }

    /// Where somebody was: the page that was asked for; of a form, whose content is lost, the page that it stands on.
    static func origin(of request: Request) -> LocalPath? {
        let target = request.query.raw.map { "\(request.path)?\($0)" } ?? request.path
        return request.method == .get ? LocalPath(target) : form(of: request)
    }

    /// The page of ours that a form was sent from.
    private static func form(of request: Request) -> LocalPath? {
        guard let referrer = request.headers["referer"], let origin = RequestRules.origin(of: request),
            referrer.hasPrefix(origin + "/")
        else { return nil }
        return LocalPath(String(referrer.dropFirst(origin.count)))
    }

    func register(_ pages: inout PageRoutes) {
        pages.on(.get, Self.path.description) { request, principal, language in
            .html(ProvingView.page(try model(request, principal, language)).bytes)
        }
        pages.on(.post, Self.path.description) { request, principal, language in
            try accounts.admit(.password, of: principal)
            let form = try request.form()
            let back = Entrance.returnPath(try form.get("return"))
            do {
                try await accounts.prove(
                    principal, password: form.get("password") ?? "", from: Visitor(request))
                return .redirect(to: back.description)
            } catch let refusal as AccountRefusal {
                let (words, common) = (WaysWords.in(language), PagesWords.in(language))
                let (status, text, seconds) = Entrance.words(for: refusal, common)
                var model = ProvingView.Model(
                    language: language, person: principal.person.name, email: principal.person.email,
                    returnPath: back, ways: try accounts.waysIn(of: principal.person.id))
                model.services = services.buttons(for: model.ways.identities)
                model.hasPasskeys = Passkeys.party(request) != nil
                model.refused = refusal == .wrongPassword ? words.wrongPassword : text
                model.isAgain = try form.get("again", as: String.self) == "1"
                return Response.html(ProvingView.page(model).bytes, status: status).retrying(after: seconds)
            }
        }
    }

    private func model(
        _ request: Request, _ principal: Principal, _ language: Language
    ) throws -> ProvingView.Model {
        var model = ProvingView.Model(
            language: language, person: principal.person.name, email: principal.person.email,
            returnPath: Entrance.returnPath(try request.query.get("return")),
            ways: try accounts.waysIn(of: principal.person.id),
            needsStrong: try request.query.get("strong", as: String.self) == "1")
        model.services = services.buttons(for: model.ways.identities)
        model.hasPasskeys = Passkeys.party(request) != nil
        model.locked = principal.locked.map(\.name)
        model.isAgain = try request.query.get("again", as: String.self) == "1"
        return model
    }

    /// The same for programs and the islands of our pages.
    func register(routes: inout Routes) {
        routes.on(
            .post, "/api/session/proof",
            RouteDescription(
                "Proves by the password, once more, who holds this session: dangerous acts are open for ten minutes then.",
                body: .object([("password", .text("the password that one has"))]), status: 204
            ).counted(.urgent), bodyLimit: 4096
        ) { request, principal in
            struct Body: Decodable { let password: String }
            let body = try request.json(Body.self)
            try accounts.admit(.password, of: principal)
            try await accounts.prove(principal, password: body.password, from: Visitor(request))
            return .empty()
        }
    }
}
