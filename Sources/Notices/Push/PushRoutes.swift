import Accounts
import Crypto
import HTTPServer
import Identity
import JSON
import Ledger
import Store
import System

// The JSON interface of one's own devices: for the settings page, the service worker, and programs.

/// The keys of a browser's subscription.
private struct SubscriptionKeys: JSONReadable {
    private static let body = JSONBody(
        JSONKey<String>("p256dh", "its public key: an uncompressed point of P-256, 65 bytes, base64url"),
        JSONKey<String>("auth", "its secret: 16 bytes, base64url"))

    let p256dh: String
    let auth: String

    static func schema(_ words: String) -> Schema { body.schema }
    static func read(_ json: UnsafeRawBufferPointer, at path: String) throws(JSONError) -> SubscriptionKeys {
        let (p256dh, auth) = try body.read(json, at: path)
        return SubscriptionKeys(p256dh: p256dh, auth: auth)
    }
}

/// What a browser needs to let this hub reach it.
struct PushKeyAnswer: JSONObject {
    let key: [UInt8]
    let person: PersonID
    let isOn: Bool

    static let shape = Shape<PushKeyAnswer> {
        JSONField("key", "the hub's public key (RFC 8292): an uncompressed point of P-256, base64url") {
            Base64.urlText($0.key)
        }
        JSONField("person", "whose notices they would be: one's own id") { $0.person }
        JSONField("isOn", "whether the device of this session is told something already") { $0.isOn }
    }
}

extension Notices {
    /// As a browser writes it (Push API, `PushSubscription.toJSON`). It also says when it ends, which nobody keeps.
    private static let subscription = JSONBody(
        JSONKey<String>("endpoint", "where its push service takes messages for it: https, on the public internet"),
        JSONKey<SubscriptionKeys>("keys"))

    func registerPush(_ routes: inout Routes) {
        routes.on(
            .get, "/api/push/key",
            RouteDescription(
                "What a browser needs to let this hub reach it.",
                answer: PushKeyAnswer.schema)
        ) { _, principal in
            let key = try await self.devices.publicKey()
            let isOn = try self.devices.device(of: principal) != nil
            return .json(PushKeyAnswer(key: key, person: principal.person.id, isOn: isOn))
        }
        routes.on(
            .put, "/api/push/subscription",
            RouteDescription(
                "From now on this session's device is told what its person is told. It belongs to the session, and ends with it.",
                body: Self.subscription.schema, status: 204), bodyLimit: 8_192
        ) { request, principal in
            let (endpoint, keys) = try request.json(Self.subscription)
            let subscription = try self.devices.subscription(
                endpoint: endpoint, publicKey: keys.p256dh, secret: keys.auth)
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
