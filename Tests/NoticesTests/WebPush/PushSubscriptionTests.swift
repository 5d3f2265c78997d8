import Crypto
import Notices
import Testing

@Suite("A browser's subscription")
struct PushSubscriptionTests {
    private let key = Base64.urlText(P256PrivateKey().publicBytes)
    private let auth = Base64.urlText([UInt8](repeating: 7, count: 16))

    private func taken(_ endpoint: String, loopback: Bool = false) -> PushSubscription? {
        try? PushSubscription(endpoint: endpoint, p256dh: key, auth: auth, allowsLoopback: loopback)
    }

    @Test(
        "The origin of an endpoint is what the service is told",
        arguments: [
            ("https://fcm.googleapis.com/fcm/send/abc:def", "https://fcm.googleapis.com"),
            ("https://Updates.Push.Services.Mozilla.com/wpush/v2/x?y=z", "https://updates.push.services.mozilla.com"),
            ("https://web.push.apple.com:443/QG", "https://web.push.apple.com"),
            ("https://push.example:8443", "https://push.example:8443"), ("https://8.8.8.8/x", "https://8.8.8.8"),
            ("https://[2606:4700::1111]:444/x", "https://[2606:4700::1111]:444"),
            ("https://push.example?x", "https://push.example"),
        ])
    func origins(endpoint: String, origin: String) throws {
        let subscription = try #require(taken(endpoint))
        #expect(subscription.origin == origin && subscription.endpoint == endpoint && !subscription.isLoopback)
    }

    @Test(
        "Other endpoints are refused",
        arguments: [
            "", "https://", "http://push.example/x", "ftp://push.example/x", "HTTPS://push.example/x", "push.example/x",
            "https://user@push.example/x", "https://user:secret@push.example/x", "https://push.example\\@other/x",
            "https://push.example/x#y", "https://push.example/ x", "https://push.example/x\r\nHost: y",
            "https://push.example:0/",
            "https://push.example:65536/", "https://push.example:/", "https://push.example:80x/", "https://[::1/",
            "https://[]/",
            "https://[push]/", "https://push_example/", "https://pu%73h.example/", "https://jörg.example/",
            "http://127.0.0.1/x",
            "https://push.example/" + String(repeating: "x", count: 1_024),
        ])
    func refusedEndpoints(endpoint: String) {
        #expect(throws: PushSubscription.Refusal.endpoint) {
            try PushSubscription(endpoint: endpoint, p256dh: key, auth: auth)
        }
    }

    @Test("A service on this machine is taken only where that is allowed, and nothing else without encryption then")
    func loopback() {
        for endpoint in [
            "http://127.0.0.1:8090/x", "http://localhost:8090/x", "http://[::1]:8090/x", "https://localhost/x",
            "https://LOCALHOST:8443/x", "https://127.0.0.1/x",
        ] {
            #expect(taken(endpoint) == nil)
            #expect(taken(endpoint, loopback: true)?.isLoopback == true)
        }
        #expect(taken("https://push.example/x", loopback: true)?.isLoopback == false)
        for endpoint in ["http://push.example/x", "http://10.0.0.1/x", "http://localhost.example/x"] {
            #expect(taken(endpoint, loopback: true) == nil)
        }
    }

    @Test("A key that is no point, and a secret of another length, are refused")
    func keys() {
        let point = P256PrivateKey().publicBytes
        var off = point
        off[64] ^= 1
        for wrong in [
            "", key + "=", String(key.dropLast()), "+" + key.dropFirst(), Base64.urlText(off),
            Base64.urlText(point + [0]),
        ] {
            #expect(throws: PushSubscription.Refusal.key) {
                try PushSubscription(endpoint: "https://push.example/x", p256dh: wrong, auth: auth)
            }
        }
        for wrong in ["", auth + "==", Base64.urlText([1]), Base64.urlText([UInt8](repeating: 1, count: 17))] {
            #expect(throws: PushSubscription.Refusal.auth) {
                try PushSubscription(endpoint: "https://push.example/x", p256dh: key, auth: wrong)
            }
        }
    }

    @Test("What was kept is read again, and no description shows where it goes")
    func kept() throws {
        let subscription = try #require(taken("https://push.example/capability"))
        let again = try PushSubscription(
            endpoint: subscription.endpoint, key: subscription.key.bytes, auth: subscription.auth)
        #expect(again == subscription)
        var dumped = "\(subscription)"
        dump(subscription, to: &dumped)
        #expect(!dumped.contains("capability"))
    }
}
