import Identity
import JSON
import System

/// A notice as its reader sees it.
struct NoticeRow: JSONObject {
    let received: NoticeRecords.Received
    /// What they see of it.
    let words: NoticeWords
    let actions: [NoticeActionRow]
    let isTaken: Bool

    static let shape = Shape<NoticeRow> {
        JSONField("id", "the notice's id") { $0.received.notice.id }
        JSONField("site", "the id of the place it is about") { $0.received.notice.site }
        JSONField("kind", "what it is about, doors.checkIn") { $0.received.notice.content.kind.text }
        JSONField("urgency") { $0.received.notice.content.urgency }
        JSONField("title", "a line, in one's language") { $0.words.title }
        JSONField("body", "a few sentences; empty when the title says all") { $0.words.body }
        JSONField("at", "when one was told") { $0.received.told }
        JSONField("expires", "when its actions are over") { $0.received.notice.expires }
        JSONField("read", "when one read it") { $0.received.read }
        JSONField("acknowledged", "when one said that one takes care") { $0.received.acknowledged }
        JSONField("isTaken", "whether a person takes care, while it concerns the reader") { $0.isTaken }
        JSONField("link", "where it goes on, a path of this hub") { $0.received.notice.content.link }
        JSONField("actions") { $0.actions }
    }
}

/// What can be done about it.
struct NoticeActionRow: JSONObject {
    let action: NoticeAction
    let language: Language
    let isDone: Bool

    static let shape = Shape<NoticeActionRow> {
        JSONField("name", "for the address of the action") { $0.action.name }
        JSONField("title", "what its button says") { $0.action.words[$0.language].title }
        JSONField("proof") { $0.action.proof }
        JSONField("isDone", "whether one has done it already") { $0.isDone }
        JSONField("link", "the page of this hub that it opens; null: it is done by its address") { $0.action.page }
    }
}

/// Some notices, the newest first.
struct InboxPage: JSONObject {
    let items: [NoticeRow]
    let next: NoticeRecords.InboxCursor?
    let unread: Int

    static let shape = Shape<InboxPage> {
        JSONField("items") { $0.items }
        JSONField("next", "pass it as after to go on; null at the end") { $0.next?.text }
        JSONField("unread", "how many one has not read, at most 100") { $0.unread }
    }
}

/// What became of taking care.
struct AcknowledgedAnswer: JSONObject {
    let isFirst: Bool

    static let shape = Shape<AcknowledgedAnswer> {
        JSONField("first", "whether no person had said so before") { $0.isFirst }
    }
}

/// What became of an action.
struct ActedAnswer: JSONObject {
    let outcome: String
    let words: NoticeWords

    static let shape = Shape<ActedAnswer> {
        JSONField("outcome", "for programs: checkedIn, silenced") { $0.outcome }
        JSONField("text", "for the person who acted") { $0.words.title }
        JSONField("body", "more words; mostly empty") { $0.words.body }
    }
}
