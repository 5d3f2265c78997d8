import Accounts
import HTTPServer
import Identity
import Ledger
import Notices

extension NoticePages {
    func registerWebhook(_ pages: inout PageRoutes) {
        pages.on(.get, "/sites/{site}/webhook", for: Permission.managing) { request, principal, language in
            // The form needs a proof; who comes back from proving comes back to it, and has it then.
            try Routes.requireFreshProof(principal, at: accounts.clock.now)
            return try webhookPage(request, principal, language)
        }
        pages.on(.post, "/sites/{site}/webhook", for: Permission.managing) { request, principal, language in
            try Routes.requireFreshProof(principal, at: accounts.clock.now)
            let site = try Self.site(request, principal)
            let address = String((try request.form().get("address") ?? "").prefix(2_000))
            do {
                let secret = try await notices.setWebhook(address, of: site.id, by: principal.person.id)
                return try webhookPage(request, principal, language, secret: secret)
            } catch NoticeRefusal.invalid {
                return try webhookPage(request, principal, language, refused: address)
            }
        }
        pages.on(.post, "/sites/{site}/webhook/remove", for: Permission.managing) { request, principal, _ in
            try Routes.requireFreshProof(principal, at: accounts.clock.now)
            let site = try Self.site(request, principal)
            try await notices.removeWebhook(of: site.id, by: principal.person.id)
            return .redirect(to: "/sites/\(site.id.text)/webhook")
        }
        pages.on(.post, "/sites/{site}/webhook/test", for: Permission.managing) { request, principal, language in
            let site = try Self.site(request, principal)
            let words = NoticesWords.in(language)
            let outcome = try await notices.testWebhook(of: site.id)
            return try webhookPage(
                request, principal, language,
                notice: outcome.why.map { (.no, words.testFailed($0)) } ?? (.go, words.tested))
        }
    }

    private func webhookPage(
        _ request: Request, _ principal: Principal, _ language: Language, secret: String? = nil,
        refused: String? = nil, notice: (tone: Tone, text: String)? = nil
    ) throws -> Response {
        let site = try Self.site(request, principal)
        let words = NoticesWords.in(language)
        let webhook = try notices.webhook(of: site.id)
        let own: LocalPath = "/sites/\(site.id.text)/webhook"
        let html = around(site, principal, language, own).page(
            title: words.server, path: own, back: ("/sites/\(site.id.text)/notices", words.sentTitle)
        ) {
            div(.css("pile narrow")) {
                if let notice { Part.notice(notice.tone, notice.text) }
                p(.css("soft")) { words.serverIntro }
                if let secret {
                    section(.css("plate"), .aria("labelledby", "secret")) {
                        h2(.id("secret")) { words.secret }
                        p(.css("told")) { element("code", [], .text(secret)) }
                        p(.css("soft")) { words.secretDetail }
                    }
                }
                p { webhook.map { words.serverSet($0.host) } ?? words.noServer }
                if webhook != nil {
                    div(.css("row")) {
                        form(.method(.post), .action(own.under("test"))) {
                            button(.type(.submit)) { words.test }
                        }
                        form(.method(.post), .action(own.under("remove"))) {
                            button(.css("quiet"), .type(.submit)) { words.removeServer }
                        }
                    }
                }
                form(.css("stack"), .method(.post), .action(own)) {
                    Part.field(
                        words.address, name: "address", kind: .url, value: refused ?? webhook?.address ?? "",
                        hint: words.addressHint, refused: refused.map { _ in words.addressRefused },
                        verbatim: true, longest: Webhook.longestAddress)
                    div(.css("row")) { button(.css("quiet"), .type(.submit)) { words.setServer } }
                }
            }
        }
        return .html(html.bytes, status: refused == nil ? 200 : 422)
    }
}
