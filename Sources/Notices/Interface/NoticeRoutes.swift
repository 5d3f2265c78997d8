import Accounts
import HTTPServer
import Identity
import JSON
import Ledger
import Store
import System

// The JSON interface: what one was told, and what one does about it.

extension Notices {
    /// The most notices of one answer.
    static let mostOfAnAnswer = 100

    /// The JSON interface of this room.
    public func register(routes: inout Routes) {
        registerInbox(&routes)
        registerPreferences(&routes)
        registerSending(&routes)
        registerWebhooks(&routes)
        registerPush(&routes)
        registerReceipts(&routes)
    }

    /// The language of an answer: the person's, else what their program asks for.
    static func language(_ principal: Principal, _ request: Request) -> Language {
        principal.person.language.flatMap(Language.init(rawValue:))
            ?? Language.preferred(from: request.headers["accept-language"])
    }

    private func registerInbox(_ routes: inout Routes) {
        routes.on(
            .get, "/api/notices",
            RouteDescription(
                "What one was told, the newest first.",
                answer: InboxPage.schema,
                query: [("after", false, "where the answer before said to go on"), ("limit", false, "1 to 100; 50")])
        ) { request, principal in
            let limit = min(max(try request.query.get("limit", as: Int.self) ?? 50, 1), Self.mostOfAnAnswer)
            let cursor = try request.query.get("after", as: String.self).map { text in
                guard let cursor = NoticeRecords.InboxCursor(text) else {
                    throw Problem.badRequest("after is what an answer before said")
                }
                return cursor
            }
            let (page, unread) = try self.store.read { database in
                (
                    try NoticeRecords.inbox(of: principal.person.id, after: cursor, limit: limit, in: database),
                    try NoticeRecords.unread(of: principal.person.id, in: database)
                )
            }
            let language = Self.language(principal, request)
            let rows = page.items.map { self.row($0, principal, language) }
            return .json(InboxPage(items: rows, next: page.next, unread: unread), capacity: 4096)
        }
        routes.on(
            .post, "/api/notices/{id}/read",
            RouteDescription("Says that one has read a notice.", status: 204)
        ) { request, principal in
            try await self.read(try request.parameter("id", as: NoticeID.self), by: principal)
            return .empty()
        }
        routes.on(
            .post, "/api/notices/{id}/acknowledge",
            RouteDescription(
                "Says that one takes care: the notice goes to no other person.",
                answer: AcknowledgedAnswer.schema
            ).counted(.urgent)
        ) { request, principal in
            let id = try request.parameter("id", as: NoticeID.self)
            return .json(AcknowledgedAnswer(isFirst: try await self.acknowledge(id, by: principal)))
        }
        routes.on(
            .post, "/api/notices/{id}/actions/{name}",
            RouteDescription(
                "Does what an action of a notice says: once, while it matters, with the proof that it asks for.",
                answer: ActedAnswer.schema
            ).counted(.urgent)
        ) { request, principal in
            let id = try request.parameter("id", as: NoticeID.self)
            let name = try request.parameter("name", as: String.self)
            let outcome = try await self.act(name, on: id, by: principal)
            return .json(
                ActedAnswer(outcome: outcome.name, words: outcome.text[Self.language(principal, request)]))
        }
    }

    private func row(
        _ received: NoticeRecords.Received, _ principal: Principal, _ language: Language
    ) -> NoticeRow {
        let shown = received.shown(to: principal, language)
        let actions = shown.actions.map {
            NoticeActionRow(action: $0, language: language, isDone: received.acts.contains($0.name))
        }
        return NoticeRow(
            received: received, words: shown.words, actions: actions, isTaken: isTaken(received, for: principal))
    }
}

extension NoticeRecords.Received {
    /// What a reader sees of it: of a place that asks for a stronger proof than their session has, only what every reader may see.
    public func shown(
        to principal: Principal, _ language: Language
    ) -> (words: NoticeWords, actions: [NoticeAction], isLocked: Bool) {
        let isLocked = notice.site.map { site in principal.locked.contains { $0.id == site } } ?? false
        let content = notice.content
        return isLocked ? (content.publicText[language], [], true) : (content.text[language], content.actions, false)
    }
}

extension NoticeRefusal: ProblemConvertible {
    /// In words.
    public var problem: Problem? {
        switch self {
        case .unknown: .notFound()
        case .over: .conflict("this notice is over", type: "notice-over")
        case .noSuchAction: .notFound("this notice has no such action", type: "no-such-action")
        case .alreadyActed: .conflict("this was done already", type: "already-done")
        case .notAllowed: .forbidden("only managers of a site tell its people something")
        case .tooMany(let seconds): .tooManyRequests(retryAfter: seconds)
        case .invalid(let field):
            .refused("\(field) will not do", type: "notice-refused", field: field)
        }
    }
}
