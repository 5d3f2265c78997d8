import Accounts
import HTTPServer
import Identity
import JSON
import Ledger
import Notices
import System

/// The screens of notices: the inbox, how one wants to be told, what a manager sends, the server of a place.
public struct NoticePages: Sendable {
    let accounts: Accounts
    let notices: Notices
    let navigation: Navigation

    static let pageSize = 30

    /// - Parameters:
    ///   - notices: told which pages live, before it runs.
    ///   - navigation: the main links of a place.
    ///   - live: the pages that live.
    public init(notices: Notices, navigation: Navigation, live: Live) {
        (accounts, self.notices, self.navigation) = (notices.accounts, notices, navigation)
        notices.whenToldInApp { [weak live] person, delivery in
            live?.publish(to: person) { principal, language in Self.event(delivery, principal, language) }
        }
    }

    /// What a page that lives hears: that something came, or that what is there has changed.
    private static func event(_ delivery: NoticeDelivery?, _ principal: Principal, _ language: Language) -> Live.Notice
    {
        var json = JSONWriter(capacity: 200)
        json.object { json in
            guard let notice = delivery?.notice else { return }
            let isLocked = notice.site.map { site in principal.locked.contains { $0.id == site } } ?? false
            let text = isLocked ? notice.content.publicText : notice.content.text
            json.field("id", notice.id.text)
            json.field("title", text[language].title)
            json.field("urgency", notice.content.urgency.rawValue)
        }
        return Live.Notice(event: "notice", id: nil, data: json.bytes)
    }

    /// The screens.
    public func register(pages: inout PageRoutes) {
        registerInbox(&pages)
        registerPreferences(&pages)
        registerSent(&pages)
        registerWebhook(&pages)
    }

    private func registerInbox(_ pages: inout PageRoutes) {
        pages.on(.get, "/notices") { request, principal, language in
            .html(InboxView.page(try inbox(request, principal, language)).bytes)
        }
        pages.on(.post, "/notices/read") { _, principal, _ in
            try await notices.readAll(by: principal)
            return .redirect(to: "/notices")
        }
        pages.on(.post, "/notices/{id}/read") { request, principal, _ in
            try await notices.read(try request.parameter("id", as: NoticeID.self), by: principal)
            return .redirect(to: "/notices")
        }
        pages.on(.post, "/notices/{id}/acknowledge", counted: .urgent) { request, principal, _ in
            try await notices.acknowledge(try request.parameter("id", as: NoticeID.self), by: principal)
            return .redirect(to: "/notices?done=care")
        }
        pages.on(.post, "/notices/{id}/actions/{name}", counted: .urgent) { request, principal, language in
            let id = try request.parameter("id", as: NoticeID.self)
            let name = try request.parameter("name", as: String.self)
            let words = NoticesWords.in(language)
            do {
                let outcome = try await notices.act(name, on: id, by: principal)
                let said = outcome.text[language]
                let (tone, between): (Tone, String) = outcome.isDone ? (.go, ". ") : (.no, ": ")
                return try page(
                    principal, language, (tone, said.body.isEmpty ? said.title : said.title + between + said.body))
            } catch NoticeRefusal.over {
                return try page(principal, language, (.no, words.over), status: 409)
            } catch NoticeRefusal.alreadyActed {
                return try page(principal, language, (.wait, words.alreadyDone), status: 409)
            }
        }
    }

    private func page(
        _ principal: Principal, _ language: Language, _ notice: (tone: Tone, text: String), status: Int = 200
    ) throws -> Response {
        var model = try inbox(nil, principal, language)
        model.notice = notice
        return .html(InboxView.page(model).bytes, status: status)
    }

    private func inbox(_ request: Request?, _ principal: Principal, _ language: Language) throws -> InboxView.Model {
        let cursor = try request?.query.get("after", as: String.self).flatMap { NoticeRecords.InboxCursor($0) }
        let (page, unread) = try accounts.store.read { database in
            (
                try NoticeRecords.inbox(
                    of: principal.person.id, after: cursor, limit: Self.pageSize, in: database),
                try NoticeRecords.unread(of: principal.person.id, most: 1, in: database)
            )
        }
        let (now, words) = (accounts.clock.now, NoticesWords.in(language))
        let zone = principal.zone(at: now)
        let isDone = try request?.query.get("done", as: String.self) != nil
        return InboxView.Model(
            language: language, person: principal.person.name,
            items: page.items.map { item($0, principal, language, zone, now) }, hasUnread: unread > 0,
            olderHref: page.next.map { InboxView.path.adding("after", $0.text) },
            notice: isDone ? (.go, words.done) : nil)
    }

    private func item(
        _ received: NoticeRecords.Received, _ principal: Principal, _ language: Language, _ zone: Zone,
        _ now: Timestamp
    ) -> InboxView.Item {
        let (shown, notice) = (received.shown(to: principal, language), received.notice)
        let place = notice.site.flatMap { site in principal.memberships.first { $0.site.id == site }?.site }
        let (isValid, isTaken) = (notice.isValid(at: now), notices.isTaken(received, for: principal))
        return InboxView.Item(
            id: notice.id.text, title: shown.words.title, body: shown.words.body, place: place?.name,
            moment: (
                received.told.iso8601, PagesWords.in(language).moment(received.told, in: place?.zone ?? zone, now: now)
            ), isUnread: received.read == nil, isCritical: notice.content.urgency == .critical,
            isLocked: shown.isLocked, takenByReader: isTaken ? received.acknowledged != nil : nil,
            canTakeCare: received.isInTurn && !isTaken && isValid && !shown.isLocked
                && notices.mayTakeCare(of: notice, principal),
            actions: shown.actions.filter { isValid || received.acts.contains($0.name) }.map {
                InboxView.Action(
                    name: $0.name, label: $0.words[language].title, isDone: received.acts.contains($0.name),
                    page: $0.page.flatMap { LocalPath($0) })
            },
            link: shown.isLocked || isValid && notice.content.linkHasActions
                ? nil : notice.content.link.flatMap { LocalPath($0) })
    }
}
