import Accounts
import Identity
import JSON
import Ledger
import System

// The JSON interface: a site's own server.

extension Notices {
    private static let server = JSONBody(
        JSONKey<String>("address", "https://…, at most 1,000 bytes, without credentials"))

    func registerWebhooks(_ routes: inout Routes) {
        routes.on(
            .get, "/api/sites/{site}/webhook", for: Permission.managing,
            RouteDescription(
                "The server that is told of the site's notices.",
                answer: WebhookRow.schema)
        ) { request, _ in
            .json(WebhookRow(webhook: try self.webhook(of: try request.parameter("site", as: SiteID.self))))
        }
        routes.on(
            .put, "/api/sites/{site}/webhook", for: Permission.managing,
            RouteDescription(
                "Sets the server that is told of the site's notices, and makes a new secret.",
                body: Self.server.schema, answer: WebhookSecretAnswer.schema)
        ) { request, principal in
            try Routes.requireFreshProof(principal, at: self.clock.now)
            let secret = try await self.setWebhook(
                try request.json(Self.server), of: try request.parameter("site", as: SiteID.self),
                by: principal.person.id)
            return .json(WebhookSecretAnswer(secret: secret))
        }
        routes.on(
            .delete, "/api/sites/{site}/webhook", for: Permission.managing,
            RouteDescription("Tells the site's server nothing more.", status: 204)
        ) { request, principal in
            // A house's may be what calls for help; another site's tells of forced doors. Silence takes what a new address takes.
            try Routes.requireFreshProof(principal, at: self.clock.now)
            try await self.removeWebhook(
                of: try request.parameter("site", as: SiteID.self), by: principal.person.id)
            return .empty()
        }
        routes.on(
            .post, "/api/sites/{site}/webhook/test", for: Permission.managing,
            RouteDescription(
                "Calls the site's server now, with a notice of the kind site.test.",
                answer: WebhookTestAnswer.schema)
        ) { request, _ in
            let outcome = try await self.testWebhook(of: try request.parameter("site", as: SiteID.self))
            return .json(WebhookTestAnswer(outcome: outcome))
        }
    }
}

extension Carried {
    /// Why it has not arrived; nil when it has.
    public var why: String? {
        switch self {
        case .delivered: nil
        case .again(_, let why), .refused(let why): why
        }
    }
}
