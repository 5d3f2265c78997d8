import Identity
import JSON
import System

/// What a site's server gets of a notice: the words that may be seen by anybody, in every language.
struct WebhookBody: JSONObject {
    let notice: Notice
    let site: SiteID

    static let shape = Shape<WebhookBody> {
        JSONField("id", "the notice's id") { $0.notice.id }
        JSONField("site", "the site's id") { $0.site }
        JSONField("kind", "what it is about") { $0.notice.content.kind.text }
        JSONField("urgency") { $0.notice.content.urgency }
        JSONField("at", "when it was sent") { $0.notice.created }
        JSONField("expires", "when it is over") { $0.notice.expires }
        JSONField("text") { $0.notice.content.publicText }
    }
}

extension LocalizedText: JSONObject {
    public static let shape = Shape<LocalizedText> {
        JSONField("en") { $0[.en] }
        JSONField("it") { $0[.it] }
        JSONField("es") { $0[.es] }
    }
}

extension NoticeWords: JSONObject {
    public static let shape = Shape<NoticeWords> {
        JSONField("title", "a line") { $0.title }
        JSONField("body", "a few sentences; empty when the title says all") { $0.body }
    }
}
