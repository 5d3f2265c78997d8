import Accounts
import Identity
import Notices
import System

/// What the people of a place were told, and the form to tell them something.
enum SentView {
    struct Row {
        let href: LocalPath
        let title: String
        let moment: (iso: String, text: String)
        let sender: String?
        let recipients: Int
        let notReached: Int
        let read: Int
        let isTaken: Bool
    }

    /// The form as it was sent, when it will not do.
    struct Draft {
        var title = ""
        var body = ""
        var urgency = "normal"
        var isForEverybody = true
        var people: Set<String> = []
        /// What is searched for among the people.
        var filter = ""
        /// Which page of them, from 1.
        var page = 1
        var isInTurn = false
        var minutes = "5"
        var refused: [String: String] = [:]
    }

    struct Model {
        let rows: [Row]
        let choice: PeopleChoice
        var draft = Draft()
        let olderHref: LocalPath?
        var notice: (tone: Tone, text: String)?
    }

    static func content(_ model: Model, _ own: LocalPath, _ language: Language) -> HTML {
        let words = NoticesWords.in(language)
        return div(.css("pile narrow")) {
            if let notice = model.notice { Part.notice(notice.tone, notice.text) }
            p(.css("soft")) { words.sentIntro }
            section(.css("plate"), .aria("labelledby", "write")) {
                h2(.id("write")) { words.write }
                write(model, own, words)
            }
            if model.rows.isEmpty {
                p { words.nothingSent }
            } else {
                ul(.css("pile")) { for row in model.rows { li { sent(row, words) } } }
                if let older = model.olderHref { p { a(.css("button quiet"), .href(older)) { words.older } } }
            }
        }
    }

    private static func sent(_ row: Row, _ words: NoticesWords) -> HTML {
        div(.css("card")) {
            div(.css("card-words")) {
                h3 { a(.css("whole"), .href(row.href)) { bdi { row.title } } }
                p(.css("soft")) {
                    Part.moment(row.moment.iso, row.moment.text)
                    " · "
                    bdi { row.sender ?? words.byHub }
                    " · "
                    words.counts(row.recipients, row.notReached, row.read)
                }
                if row.isTaken { p { Part.chip(.go, words.taken) } }
            }
        }
    }

    private static func write(_ model: Model, _ own: LocalPath, _ words: NoticesWords) -> HTML {
        let draft = model.draft
        return form(.css("stack"), .method(.post), .action(own)) {
            Part.field(
                words.noticeTitle, name: "title", value: draft.title, refused: draft.refused["title"], longest: 120)
            Part.field(
                words.noticeBody, name: "body", value: draft.body, optional: words.optional,
                refused: draft.refused["body"], longest: 600)
            Part.choice(words.urgency, name: "urgency", options: words.urgencies, chosen: draft.urgency)
            PeopleChoiceView.fields(model.choice, draft, own, words)
            fieldset {
                Part.check(words.inTurn, name: "turns", value: "1", isChecked: draft.isInTurn, detail: words.inTurnHint)
                Part.field(
                    words.minutes, name: "minutes", kind: .number, value: draft.minutes, optional: "",
                    refused: draft.refused["minutesBetween"], longest: 4)
            }
            div(.css("row")) { button(.type(.submit)) { words.send } }
        }
    }
}

/// What became of one notice, for who sent it.
enum DeliveryView {
    static func content(
        _ delivery: Delivery, _ language: Language, moment: (_ time: Timestamp) -> String
    ) -> HTML {
        let words = NoticesWords.in(language)
        let text = delivery.notice.content.text[language]
        return div(.css("pile narrow")) {
            section(.css("plate")) {
                h2 { bdi { text.title } }
                if !text.body.isEmpty { p(.css("told")) { bdi { text.body } } }
                p(.css("soft")) { Part.moment(delivery.notice.created.iso8601, moment(delivery.notice.created)) }
                if let time = delivery.acknowledged { p { Part.chip(.go, words.takenAt(moment(time))) } }
                if let turn = delivery.turn { p { Part.chip(.wait, words.nextTurn(moment(turn))) } }
                for parcel in delivery.webhook {
                    p(.css("soft")) { "\(words.channel(parcel.channel)): \(words.parcel(parcel.state))" }
                }
            }
            ul(.css("pile")) {
                for one in delivery.recipients { li { recipient(one, words, moment) } }
            }
        }
    }

    private static func recipient(
        _ one: Delivery.Recipient, _ words: NoticesWords, _ moment: (_ time: Timestamp) -> String
    ) -> HTML {
        div(.css("card tall")) {
            div(.css("card-words")) {
                h3 { bdi { one.name } }
                if one.isReachable {
                    p(.css("soft")) { "\(words.told): \(one.told.map(moment) ?? words.notYet)" }
                } else {
                    p(.css("soft")) { words.notReached }
                }
                if let time = one.acknowledged {
                    p { Part.chip(.go, words.acknowledgedAt(moment(time))) }
                } else if let time = one.read {
                    p { Part.chip(.go, words.readAt(moment(time))) }
                } else if let held = one.held, one.isReachable {
                    p { Part.chip(.idle, words.held(held)) }
                } else if one.told != nil, one.isReachable {
                    p { Part.chip(.idle, words.inInbox) }
                }
                if let time = one.shown { p(.css("soft")) { words.shownAt(moment(time)) } }
                for parcel in one.parcels {
                    p(.css("soft")) { "\(words.channel(parcel.channel)): \(words.parcel(parcel.state))" }
                }
            }
        }
    }
}
