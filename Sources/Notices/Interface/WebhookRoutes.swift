import Accounts
import Identity
import JSON
import Ledger
import System

// The JSON interface: a site's own server.

extension Notices {
    func registerWebhooks(_ routes: inout Routes) {
        routes.on(
            .get, "/api/sites/{site}/webhook", for: Permission.managing,
            RouteDescription(
                "The server that is told of the site's notices.",
                answer: .object([
                    ("address", .optional(.text("where it is; null: there is none"))),
                    ("changed", .optional(.text("since when"))),
                ]))
        ) { request, _ in
            let webhook = try self.webhook(of: try request.parameter("site", as: SiteID.self))
            var json = JSONWriter()
            json.object { json in
                json.field("address", webhook?.address)
                json.field("changed", webhook?.changed.iso8601)
            }
            return .json(json.bytes)
        }
        routes.on(
            .put, "/api/sites/{site}/webhook", for: Permission.managing,
            RouteDescription(
                "Sets the server that is told of the site's notices, and makes a new secret.",
                body: .object([("address", .text("https://…, at most 1,000 bytes, without credentials"))]),
                answer: .object([
                    ("secret", .text("64 hexadecimal digits: the key of Soglia-Signature. It is shown this once."))
                ]))
        ) { request, principal in
            struct Body: Decodable { let address: String }
            try Routes.requireFreshProof(principal, at: self.clock.now)
            let secret = try await self.setWebhook(
                try request.json(Body.self).address, of: try request.parameter("site", as: SiteID.self),
                by: principal.person.id)
            var json = JSONWriter()
            json.object { $0.field("secret", secret) }
            return .json(json.bytes)
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
                answer: .object([
                    ("delivered", .truth("whether it took it")), ("why", .optional(.text("why not, in words"))),
                ]))
        ) { request, _ in
            let outcome = try await self.testWebhook(of: try request.parameter("site", as: SiteID.self))
            var json = JSONWriter()
            json.object { json in
                json.field("delivered", outcome == .delivered)
                json.field("why", outcome.why)
            }
            return .json(json.bytes)
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
