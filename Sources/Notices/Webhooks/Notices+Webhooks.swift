import Accounts
import Identity
import Ledger
import Store
import System
import Wire

extension Notices {
    /// Says that the sites' own servers are called, before `run`.
    /// - Parameter isOpen: whether servers inside the hub's own network may be called, and without TLS: in the demo and in tests.
    public func callWebhooks(isOpen: Bool) {
        isOpenToPrivate.withLock { $0 = isOpen }
        outbox.use(WebhookCarrier(store: store, clock: clock, isOpen: isOpen), for: .webhook)
    }

    /// Sets where a site's own server is told.
    /// - Returns: the secret that signs each call, in hexadecimal; nobody can see it a second time.
    /// - Throws: `NoticeRefusal.invalid` when it is no such address.
    public func setWebhook(_ address: String, of site: SiteID, by person: PersonID) async throws -> String {
        guard Webhook.isAddress(address, allowingPlain: isOpenToPrivate.withLock { $0 }) else {
            throw NoticeRefusal.invalid(field: "address")
        }
        let webhook = Webhook(address: address, secret: Random.bytes(Webhook.secretLength), changed: clock.now)
        try await store.write { try WebhookRecords.put(webhook, of: site, by: person, in: $0) }
        return Hex.text(webhook.secret)
    }

    /// The server of a site.
    public func webhook(of site: SiteID) throws -> Webhook? {
        try store.read { try WebhookRecords.webhook(of: site, in: $0) }
    }

    /// Tells a site's own server nothing more.
    public func removeWebhook(of site: SiteID, by person: PersonID) async throws {
        let now = clock.now
        let was = try await store.write { try WebhookRecords.remove(of: site, by: person, at: now, in: $0) }
        if !was { throw NoticeRefusal.unknown }
    }

    /// Calls a site's own server now, with a notice that says that it is a test.
    /// - Returns: what became of it.
    public func testWebhook(of site: SiteID) async throws -> Carried {
        let now = clock.now
        let words = LocalizedText(
            en: NoticeWords("This is a test", "Your server hears this hub."),
            it: NoticeWords("Questa è una prova", "Il tuo server riceve questo hub."),
            es: NoticeWords("Esto es una prueba", "Tu servidor recibe este hub."))
        let notice = Notice(
            id: .new(at: now), site: site, content: NoticeContent(kind: "site.test", text: words, publicText: words),
            sender: nil, created: now, expires: now.adding(milliseconds: 60_000))
        guard let parcel = try store.read({ try WebhookRecords.parcel(for: notice, in: $0) }) else {
            throw NoticeRefusal.unknown
        }
        return await outbox.tryOut(parcel)
    }
}
