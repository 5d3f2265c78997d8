import JSON
import System

/// The server of a site, as its managers see it.
struct WebhookRow: JSONObject {
    /// Nil: there is none.
    let webhook: Webhook?

    static let shape = Shape<WebhookRow> {
        JSONField("address", "where it is; null: there is none") { $0.webhook?.address }
        JSONField("changed", "since when") { $0.webhook?.changed }
    }
}

/// The secret of a server, shown once.
struct WebhookSecretAnswer: JSONObject {
    let secret: String

    static let shape = Shape<WebhookSecretAnswer> {
        JSONField("secret", "64 hexadecimal digits: the key of Soglia-Signature. It is shown this once.") { $0.secret }
    }
}

/// What became of trying a server.
struct WebhookTestAnswer: JSONObject {
    let outcome: Carried

    static let shape = Shape<WebhookTestAnswer> {
        JSONField("delivered", "whether it took it") { $0.outcome == .delivered }
        JSONField("why", "why not, in words") { $0.outcome.why }
    }
}
