import Identity
import JSON
import Ledger

// What the events of notices hold.

/// Of `notice.sent`: no words of it, which may be about anything.
struct NoticeSentPayload: JSONObject {
    let notice: Notice
    let count: Int
    /// An event that is about a person names them: else nothing could tell whom erasing them takes away.
    let about: PersonID?

    static let shape = Shape<NoticeSentPayload> {
        JSONField("notice", "the notice's id") { $0.notice.id }
        JSONField("kind", "what it is about") { $0.notice.content.kind.text }
        JSONField("urgency") { $0.notice.content.urgency }
        JSONField("people", "how many it is for") { $0.count }
        JSONField(unlessNil: "person", "whom it is about") { $0.about }
        JSONField(unlessNil: "by", "who sent it, where it was a person") { $0.notice.sender }
    }
}

/// Of `notice.acknowledged`: the first who takes care.
struct NoticeAcknowledgedPayload: JSONObject {
    let notice: NoticeID
    let person: PersonID

    static let shape = Shape<NoticeAcknowledgedPayload> {
        JSONField("notice", "the notice's id") { $0.notice }
        JSONField("person", "who takes care") { $0.person }
    }
}
