import Accounts
import HTTPServer

extension Entrance {
    /// Where the installed app starts: the session is checked and renewed, silently when it holds.
    static let startPath: LocalPath = "/start"

    /// The ways in at a start of the installed app.
    func registerStart(_ pages: inout PageRoutes) {
        pages.onPublic(.get, Self.startPath.description, why: "it sends a visitor without a session to the sign-in") {
            request, principal, _ in
            let back = Self.returnPath(try request.query.get("return"))
            guard let principal else {
                let signIn: LocalPath = "/sign-in"
                return .redirect(to: (back == "/" ? signIn : signIn.adding("return", back.description)).description)
            }
            guard let token = try await accounts.renew(principal) else { return .redirect(to: back.description) }
            let done: LocalPath = "/start/renewed"
            return Response.redirect(to: done.adding("return", back.description).description)
                .with(Self.cookie(token.text, request))
        }
        // Asked for with the fresh token: only now do we know that it has arrived, and that the old one can end.
        pages.on(.get, "/start/renewed") { request, principal, _ in
            try await accounts.confirmRenewal(principal)
            return .redirect(to: Self.returnPath(try request.query.get("return")).description)
        }
    }
}
