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

    private static let actionSchema = Schema.object([
        ("name", .text("for the address of the action")), ("title", .text("what its button says")),
        ("proof", .choice(ActionProof.allCases.map(\.rawValue))),
        ("isDone", .truth("whether one has done it already")),
        ("link", .optional(.text("the page of this hub that it opens; null: it is done by its address"))),
    ])
    private static let noticeSchema = Schema.object([
        ("id", .text("the notice's id")), ("site", .optional(.text("the id of the place it is about"))),
        ("kind", .text("what it is about, doors.checkIn")),
        ("urgency", .choice(Urgency.allCases.map(\.rawValue))), ("title", .text("a line, in one's language")),
        ("body", .text("a few sentences; empty when the title says all")), ("at", .text("when one was told")),
        ("expires", .text("when its actions are over")), ("read", .optional(.text("when one read it"))),
        ("acknowledged", .optional(.text("when one said that one takes care"))),
        ("isTaken", .truth("whether anybody takes care, as far as it concerns one still")),
        ("link", .optional(.text("where it goes on, a path of this hub"))), ("actions", .list(actionSchema)),
    ])

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
                answer: .object([
                    ("items", .list(Self.noticeSchema)),
                    ("next", .optional(.text("pass it as after to go on; null at the end"))),
                    ("unread", .integer("how many one has not read, at most 100")),
                ]),
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
            var json = JSONWriter(capacity: 4096)
            json.object { json in
                json.array("items") { json in
                    for received in page.items { self.write(received, principal, language, &json) }
                }
                json.field("next", page.next?.text)
                json.field("unread", unread)
            }
            return .json(json.bytes)
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
                "Says that one takes care: nobody else is told any more.",
                answer: .object([("first", .truth("whether nobody had said so before"))])
            ).counted(.urgent)
        ) { request, principal in
            let id = try request.parameter("id", as: NoticeID.self)
            let isFirst = try await self.acknowledge(id, by: principal)
            var json = JSONWriter()
            json.object { $0.field("first", isFirst) }
            return .json(json.bytes)
        }
        routes.on(
            .post, "/api/notices/{id}/actions/{name}",
            RouteDescription(
                "Does what an action of a notice says: once, while it matters, with the proof that it asks for.",
                answer: .object([
                    ("outcome", .text("for programs: checkedIn, silenced")), ("text", .text("for whoever acted")),
                    ("body", .text("more words; mostly empty")),
                ])
            ).counted(.urgent)
        ) { request, principal in
            let id = try request.parameter("id", as: NoticeID.self)
            let name = try request.parameter("name", as: String.self)
            let outcome = try await self.act(name, on: id, by: principal)
            let words = outcome.text[Self.language(principal, request)]
            var json = JSONWriter()
            json.object { json in
                json.field("outcome", outcome.name)
                json.field("text", words.title)
                json.field("body", words.body)
            }
            return .json(json.bytes)
        }
    }

    private func write(
        _ received: NoticeRecords.Received, _ principal: Principal, _ language: Language, _ json: inout JSONWriter
    ) {
        let shown = received.shown(to: principal, language)
        json.object { json in
            json.field("id", received.notice.id.text)
            json.field("site", received.notice.site?.text)
            json.field("kind", received.notice.content.kind.text)
            json.field("urgency", received.notice.content.urgency.rawValue)
            json.field("title", shown.words.title)
            json.field("body", shown.words.body)
            json.field("at", received.told.iso8601)
            json.field("expires", received.notice.expires.iso8601)
            json.field("read", received.read?.iso8601)
            json.field("acknowledged", received.acknowledged?.iso8601)
            json.field("isTaken", isTaken(received, for: principal))
            json.field("link", received.notice.content.link)
            json.array("actions") { json in
                for action in shown.actions {
                    json.object { json in
                        json.field("name", action.name)
                        json.field("title", action.words[language].title)
                        json.field("proof", action.proof.rawValue)
                        json.field("isDone", received.acts.contains(action.name))
                        json.field("link", action.page)
                    }
                }
            }
        }
    }
}

extension NoticeRecords.Received {
    /// What somebody sees of it: of a place that asks for a stronger proof than their session has, only what may be seen by anybody.
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
