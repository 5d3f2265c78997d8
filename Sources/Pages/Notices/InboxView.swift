import Accounts
import Identity
import Notices

/// What one was told, the newest first.
enum InboxView {
    struct Action {
        let name: String
        let label: String
        let isDone: Bool
        /// The page that it opens; nil: it acts.
        var page: LocalPath?
    }

    struct Item {
        let id: String
        let title: String
        let body: String
        let place: String?
        let moment: (iso: String, text: String)
        let isUnread: Bool
        let isCritical: Bool
        let isLocked: Bool
        /// Nil: nobody takes care; else whether it is the reader.
        let takenByReader: Bool?
        /// Whether it asks that somebody takes care.
        let canTakeCare: Bool
        let actions: [Action]
        let link: LocalPath?
    }

    struct Model {
        let language: Language
        let person: String
        let items: [Item]
        let hasUnread: Bool
        let olderHref: LocalPath?
        var notice: (tone: Tone, text: String)?
    }

    static let path: LocalPath = "/notices"

    static func page(_ model: Model) -> HTML {
        let words = NoticesWords.in(model.language)
        return Frame.page(
            title: words.title, language: model.language, person: model.person, path: path,
            back: ("/", PagesWords.in(model.language).home), live: true, modules: ["live-notices"],
            actions: a(.css("button quiet"), .href(AccountSection.notices.path)) { words.settings },
            content: div(.css("pile")) {
                if let notice = model.notice { Part.notice(notice.tone, notice.text) }
                island("live-notices", .css("pile")) {
                    if model.items.isEmpty {
                        Part.empty(title: words.empty, detail: words.emptyDetail)
                    } else {
                        if model.hasUnread {
                            form(.method(.post), .action("/notices/read")) {
                                button(.css("quiet"), .type(.submit)) { words.markAllRead }
                            }
                        }
                        ul(.css("pile inbox")) { for one in model.items { li { item(one, words) } } }
                        if let older = model.olderHref {
                            p { a(.css("button quiet"), .href(older)) { words.older } }
                        }
                    }
                }
            })
    }

    private static func item(_ one: Item, _ words: NoticesWords) -> HTML {
        element(
            "article", [.css(one.isUnread ? "plate unread" : "plate"), .id("notice-\(one.id)")],
            Frame.joined(
                div(.css("row")) {
                    h2 { bdi { one.title } }
                    if one.isCritical { Part.chip(.no, words.critical) }
                    if one.isUnread { Part.chip(.wait, words.unread) }
                },
                p(.css("soft")) {
                    if let place = one.place {
                        bdi { place }
                        " · "
                    }
                    Part.moment(one.moment.iso, one.moment.text)
                    if let mine = one.takenByReader { " · \(mine ? words.takenByYou : words.taken)" }
                },
                one.body.isEmpty ? .empty : p(.css("told")) { bdi { one.body } },
                one.isLocked ? p(.css("soft")) { words.locked } : .empty,
                buttons(one, words)))
    }

    private static func buttons(_ one: Item, _ words: NoticesWords) -> HTML {
        div(.css("row")) {
            for action in one.actions {
                if let page = action.page {
                    a(.css("button"), .href(page)) { action.label }
                } else if action.isDone {
                    p(.css("soft")) { "\(action.label): \(words.done)" }
                } else {
                    form(.method(.post), .action("/notices/\(one.id)/actions/\(action.name)")) {
                        button(.type(.submit)) { action.label }
                    }
                }
            }
            if one.canTakeCare {
                form(.method(.post), .action("/notices/\(one.id)/acknowledge")) {
                    button(.type(.submit)) { words.takeCare }
                }
            }
            if let link = one.link { a(.css("button quiet"), .href(link)) { words.goThere } }
            if one.isUnread {
                form(.method(.post), .action("/notices/\(one.id)/read")) {
                    button(.css("quiet"), .type(.submit)) { words.markRead }
                }
            }
        }
    }
}
