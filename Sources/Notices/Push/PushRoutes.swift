import Accounts
import Crypto
import HTTPServer
import JSON
import Ledger
import Store
import System

// The JSON interface of one's own devices: for the settings page, the service worker, and programs.

/// As a browser writes it (Push API, `PushSubscription.toJSON`). It also says when it ends, which nobody keeps.
private struct SubscriptionBody: Decodable {
    let endpoint: String
    let keys: Keys

    struct Keys: Decodable {
        let p256dh: String
        let auth: String
    }
}

extension Notices {
    private static let subscriptionSchema = Schema.object([
        ("endpoint", .text("where its push service takes messages for it: https, on the public internet")),
        (
            "keys",
            .object([
                ("p256dh", .text("its public key: an uncompressed point of P-256, 65 bytes, base64url")),
                ("auth", .text("its secret: 16 bytes, base64url")),
            ])
        ),
    ])

    func registerPush(_ routes: inout Routes) {
        routes.on(
            .get, "/api/push/key",
            RouteDescription(
                "What a browser needs to let this hub reach it.",
                answer: .object([
                    ("key", .text("the hub's public key (RFC 8292): an uncompressed point of P-256, base64url")),
                    ("person", .text("whose notices they would be: one's own id")),
                    ("isOn", .truth("whether the device of this session is told something already")),
                ]))
        ) { _, principal in
            let key = try await self.devices.publicKey()
            let isOn = try self.devices.device(of: principal) != nil
            var json = JSONWriter()
            json.object { json in
                json.field("key", Base64.urlText(key))
                json.field("person", principal.person.id.text)
                json.field("isOn", isOn)
            }
            return .json(json.bytes)
        }
        routes.on(
            .put, "/api/push/subscription",
            RouteDescription(
                "From now on this session's device is told what its person is told. It belongs to the session, and ends with it.",
                body: Self.subscriptionSchema, status: 204), bodyLimit: 8_192
        ) { request, principal in
            let body = try request.json(SubscriptionBody.self)
            let subscription = try self.devices.subscription(
                endpoint: body.endpoint, publicKey: body.keys.p256dh, secret: body.keys.auth)
            try await self.devices.put(subscription, of: principal)
            return .empty()
        }
        routes.on(
            .delete, "/api/push/subscription",
            RouteDescription("This session's device is told nothing any more.", status: 204)
        ) { _, principal in
            try await self.devices.remove(of: principal)
            return .empty()
        }
        routes.on(
            .post, "/api/push/test",
            RouteDescription(
                "Sends a notice to this session's device, that says only that it came.",
                body: .anything("nothing yet: {}"), status: 202)
        ) { request, principal in
            guard try request.jsonFields().isEmpty else {
                throw Problem.unprocessable("nothing can be said here yet: send {}")
            }
            try await self.devices.test(of: principal, Notices.language(principal, request))
            return .empty(202)
        }
    }
}
