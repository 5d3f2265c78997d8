import Accounts
import Identity
import Pages

/// Erasing somebody: what goes, what stays, and their name to be typed.
enum EraseView {
    struct Model: Sendable {
        var language: Language
        /// Who is signed in.
        var person: String
        var siteID: String
        var siteName: String
        /// Who is to be erased.
        var name: String
        var email: String
        var personID: String
        /// Whether another site has them too: then the account stays.
        var isElsewhere: Bool
        /// Whether it is the reader's own page.
        var isYourself: Bool
        /// Why the typed name was not accepted.
        var refused: String?
        /// What the reader has to look through.
        var freeTexts: [FreeText.Found]
        var navigation: [NavItem]
    }

    static func page(_ model: Model) -> HTML {
        let words = PrivacyWords.in(model.language)
        let own: LocalPath = "/sites/\(model.siteID)/people/\(model.personID)/erase"
        return frame(model, own, words.erase(model.name)) {
            if model.isYourself {
                Part.notice(.wait, words.yourself)
            } else {
                Part.notice(.no, words.warning)
                list(words.goes, words.gone + [model.isElsewhere ? words.accountStays : words.accountGoes])
                list(words.stays, words.staying)
                review(model, words)
                form(.css("stack"), .method(.post), .action(own)) {
                    Part.field(
                        words.typeName, name: "name", hint: words.typeNameHint(model.name), refused: model.refused,
                        verbatim: true)
                    div(.css("thumb")) { button(.css("danger"), .type(.submit)) { words.eraseForGood } }
                }
            }
        }
    }

    /// What was done.
    static func done(_ model: Model, _ events: Int, accountIsGone: Bool) -> HTML {
        let words = PrivacyWords.in(model.language)
        return frame(model, "/sites/\(model.siteID)/people", words.erased) {
            Part.notice(.go, words.doneWith(events))
            p { accountIsGone ? words.accountIsGone : words.accountStays }
            review(model, words)
            p(.css("hint")) { words.afterwards }
        }
    }

    /// What no eraser reads: free text, with the pages where it is removed.
    @HTMLBuilder private static func review(_ model: Model, _ words: PrivacyWords) -> HTML {
        if !model.freeTexts.isEmpty {
            section {
                h2 { words.review }
                p { words.reviewLead }
                ul(.css("marked")) {
                    for found in model.freeTexts {
                        li {
                            a(.href(found.page)) { found.title(model.language) }
                            ": " + found.texts.joined(separator: ", ")
                        }
                    }
                }
            }
        }
    }

    private static func frame(
        _ model: Model, _ own: LocalPath, _ title: String, @HTMLBuilder _ content: () -> HTML
    ) -> HTML {
        let list: LocalPath = "/sites/\(model.siteID)/people"
        return Frame.page(
            title: title, place: model.siteName, language: model.language, navigation: model.navigation,
            person: model.person, style: .desk, path: own, back: (list, PrivacyWords.in(model.language).allPeople),
            content: div(.css("pile narrow"), content: content))
    }

    private static func list(_ title: String, _ lines: [String]) -> HTML {
        section {
            h2 { title }
            ul(.css("marked")) { for line in lines { li { line } } }
        }
    }
}

extension PrivacyWords {
    /// After the deed.
    func doneWith(_ events: Int) -> String { events == 1 ? oneEntry : entries("\(events)") }
}
