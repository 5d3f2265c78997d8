import Ledger
import Store
import System
import TestSupport
import Testing
import Wire

@testable import Notices

@Suite struct WebhookTests {
    @Test func `An address is https, without credentials, fragment and what is no address`() {
        for address in ["https://example.org/hook", "https://example.org", "https://[2001:db8::1]:8443/x?y=z"] {
            #expect(Webhook.isAddress(address, allowingPlain: false), "\(address)")
        }
        for address in [
            "http://example.org", "https://", "https:///x", "https://a@b.example", "https://a:b@c.example/",
            "ftp://x.example",
            "https://x.example/#y", "https://x.example/\u{e9}", "https://x.example/a b",
            "https://x.example\\@y.example",
            "https://x.example/\r\nX: y", "https://" + String(repeating: "x", count: 1_000), "",
        ] {
            #expect(!Webhook.isAddress(address, allowingPlain: false), "\(address)")
        }
        #expect(Webhook.isAddress("http://127.0.0.1:8080/x", allowingPlain: true))
        let webhook = Webhook(address: "https://example.org:8443/x?key=1", secret: [], changed: .init(milliseconds: 0))
        #expect(webhook.host == "example.org:8443")
    }

    @Test func `A call is signed over its time and its body`() {
        // From Python: hmac.new(bytes(range(32)), b'1795257120.{"id":"1"}', sha256).hexdigest()
        #expect(
            WebhookCarrier.signature(Array(#"{"id":"1"}"#.utf8), at: "1795257120", under: Array(0..<32))
                == "b63b3fa96c30e183689f0c48c6bf83f0b6b56aad2a17bb2396858e718c7b1485")
    }

    @Test func `A place's server hears of its notices in words for anybody; who has none is not called`() async throws {
        try await Office.with { office in
            let none = try await office.notices.send(office.notify())
            #expect(try #require(try office.delivery(none)).webhook.isEmpty)
            await #expect(throws: NoticeRefusal.invalid(field: "address")) {
                _ = try await office.notices.setWebhook("http://127.0.0.1/", of: office.site.id, by: office.owner)
            }
            let secret = try await office.notices.setWebhook(
                "https://hook.example/x?token=hidden", of: office.site.id, by: office.owner)
            #expect(secret.utf8.count == 64)
            let id = try await office.notices.send(office.notify())
            #expect(try #require(try office.delivery(id)).webhook.map(\.state) == [.waiting])
            let (payload, events) = try office.store.read { database in
                (
                    try database.row("SELECT payload FROM outbox WHERE channel = 'webhook'") { $0[0] as [UInt8] } ?? [],
                    try database.rows("SELECT payload FROM event_payloads") { $0[0] as [UInt8] }
                )
            }
            let text = String(decoding: payload.dropFirst(16), as: UTF8.self)
            #expect(text.contains("A gate is stuck") && text.contains("Un varco è bloccato"))
            #expect(!text.contains("Mara") && !text.contains("Gate A"))
            // Neither the secret nor what the address may hide gets into the ledger.
            for event in events {
                let text = String(decoding: event, as: UTF8.self)
                #expect(!text.contains(secret) && !text.contains("hidden"))
            }
            try await office.notices.removeWebhook(of: office.site.id, by: office.owner)
            await #expect(throws: NoticeRefusal.unknown) {
                _ = try await office.notices.testWebhook(of: office.site.id)
            }
        }
    }

    @Test func `A server inside the hub's own network is not called`() async throws {
        try await Office.with { office in
            office.notices.callWebhooks(isOpen: false)
            for address in ["https://127.0.0.1:1/x", "https://[::1]:1/", "https://10.0.0.1:1/", "https://localhost:1/"]
            {
                _ = try await office.notices.setWebhook(address, of: office.site.id, by: office.owner)
                guard case .refused = try await office.notices.testWebhook(of: office.site.id) else {
                    Issue.record("\(address) was called")
                    continue
                }
            }
        }
    }
}
