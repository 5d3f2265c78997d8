import Accounts
import Identity
import Ledger
import Pages

/// One's own data: taking it along, and deleting oneself.
enum OwnDataView {
    /// What the first page shows.
    struct Model: Sendable {
        var language: Language
        var person: String
        /// The names of the sites that the file leaves out: they ask for a passkey.
        var withheld: [String]
    }

    /// What the page before the deed shows.
    struct Leaving: Sendable {
        var language: Language
        var person: String
        /// The sites that know the person.
        var traces: [Trace]
        /// Of these not even how much they keep is told: they ask for a passkey.
        var withheld: Set<SiteID>
        /// Why the typed name was not accepted.
        var refused: String?
    }

    static let deletePath: LocalPath = "/account/data/delete"

    static func page(_ model: Model) -> HTML {
        let words = OwnDataWords.in(model.language)
        return AccountSection.data.page(title: words.title, person: model.person, model.language) {
            section(.css("plate narrow"), .aria("labelledby", "take")) {
                h2(.id("take")) { words.take }
                p(.css("soft")) { words.takeDetail }
                if !model.withheld.isEmpty {
                    Part.notice(.wait, words.withheld(model.withheld))
                    p {
                        a(.css("button quiet"), .href(AccountSection.proving(to: AccountSection.data.path))) {
                            words.showPasskey
                        }
                    }
                }
                p { a(.css("button"), .href("/api/account/data")) { words.download } }
            }
            section(.css("plate narrow"), .aria("labelledby", "delete")) {
                h2(.id("delete")) { words.delete }
                p(.css("soft")) { words.deleteDetail }
                p { a(.css("button danger"), .href(deletePath)) { words.goOn } }
            }
        }
    }

    /// A form `POST /account/data/delete` with `name`.
    static func deleting(_ model: Leaving) -> HTML {
        let words = OwnDataWords.in(model.language)
        let alone = model.traces.filter(\.isOnlyOwner)
        return AccountSection.data.page(
            title: words.delete, person: model.person, model.language, path: deletePath,
            back: (AccountSection.data.path, words.title)
        ) {
            div(.css("pile narrow")) {
                if alone.isEmpty {
                    Part.notice(.no, words.warning)
                    list(words.goes, words.gone)
                    list(words.stays, words.staying)
                    if !model.traces.isEmpty { sites(model, words) }
                    form(.css("stack"), .method(.post), .action(deletePath)) {
                        Part.field(
                            words.typeName, name: "name", hint: words.typeNameHint(model.person),
                            refused: model.refused, verbatim: true)
                        div(.css("thumb")) { button(.css("danger"), .type(.submit)) { words.deleteForGood } }
                    }
                } else {
                    Part.notice(.wait, words.onlyOwner)
                    ul(.css("rows")) {
                        for trace in alone {
                            li {
                                Part.kind(trace.site.kind)
                                div(.css("card-words")) {
                                    p {
                                        a(.css("strong"), .href("/sites/\(trace.site.id.text)/people")) {
                                            bdi { trace.site.name }
                                        }
                                    }
                                    p(.css("soft")) { words.makeOwner }
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /// Afterwards, to nobody any more.
    static func gone(_ language: Language) -> HTML {
        let words = OwnDataWords.in(language)
        return MessageView.page(
            .init(
                language: language, title: words.goneTitle, detail: words.goneDetail,
                action: ("/sign-in", words.toStart)))
    }

    private static func sites(_ model: Leaving, _ words: OwnDataWords) -> HTML {
        let common = PagesWords.in(model.language)
        return section {
            h2 { words.atPlaces }
            ul(.css("rows")) {
                for trace in model.traces {
                    li {
                        Part.kind(trace.site.kind)
                        div(.css("card-words")) {
                            p(.css("strong")) { bdi { trace.site.name } }
                            p(.css("soft")) {
                                common.kind(trace.site.kind.rawValue)
                                if !model.withheld.contains(trace.site.id) {
                                    " · "
                                    trace.events == 1 ? words.oneEntry : words.entries("\(trace.events)")
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    private static func list(_ title: String, _ lines: [String]) -> HTML {
        section {
            h2 { title }
            ul(.css("marked")) { for line in lines { li { line } } }
        }
    }
}
