import Accounts
import Identity
import Pages

/// Who changed what at a site, for its managers.
enum ChangesView {
    /// One change, in words.
    struct Entry: Sendable {
        struct Field: Sendable {
            let label: String
            let before: String?
            let after: String?
        }
        let event: String
        let kind: String
        let time: String
        let timeText: String
        /// What happened: "Changed: membership".
        let title: String
        /// Whom or what it is about.
        let about: String?
        /// Whether it is gone: its fields are what it was.
        let isGone: Bool
        /// Who did it, and where to see all that they did.
        let by: String
        let byHref: LocalPath?
        let fields: [Field]
        let isErased: Bool
    }

    /// What the page shows.
    struct Model: Sendable {
        let language: Language
        let person: String
        let siteID: String
        let siteName: String
        let entries: [Entry]
        /// Those who may be chosen: id and name.
        let people: [(id: String, name: String)]
        let chosenPerson: String
        let chosenGroup: ChangeGroup?
        let olderHref: LocalPath?
        let isNewest: Bool
        let navigation: [NavItem]
    }

    /// A form `GET /sites/{site}/changes` with `person` and `kind`, and the changes.
    static func page(_ model: Model) -> HTML {
        let words = ChangeWords.in(model.language)
        let own: LocalPath = "/sites/\(model.siteID)/changes"
        let isFiltered = !model.chosenPerson.isEmpty || model.chosenGroup != nil
        return Frame.page(
            title: words.title, place: model.siteName, language: model.language, navigation: model.navigation,
            person: model.person, style: .desk,
            path: own.adding("person", model.chosenPerson).adding("kind", model.chosenGroup?.rawValue ?? ""),
            back: ("/sites/\(model.siteID)/people", DoorsWords.in(model.language).allPeople),
            actions: model.isNewest ? .empty : a(.css("button quiet"), .href(own)) { words.newest },
            content: div(.css("pile")) {
                p(.css("lead")) { words.lead }
                filter(model, own, words)
                if model.entries.isEmpty {
                    if model.olderHref != nil {
                        p(.css("soft")) { words.searchedFar }
                    } else {
                        Part.empty(title: isFiltered ? words.noneFound : words.none, detail: words.noneDetail)
                    }
                } else {
                    ol(.css("changes")) { for entry in model.entries { row(entry, words) } }
                }
                if let href = model.olderHref {
                    p(.css("turning")) { a(.css("button quiet"), .href(href)) { words.older } }
                }
            })
    }

    private static func filter(_ model: Model, _ own: LocalPath, _ words: ChangeWords) -> HTML {
        form(.css("filter"), .method(.get), .action(own)) {
            Part.choice(
                words.who, name: "person", options: [("", words.everybody)] + model.people.map { ($0.id, $0.name) },
                chosen: model.chosenPerson)
            Part.choice(
                words.what, name: "kind",
                options: [("", words.everything)] + ChangeGroup.allCases.map { ($0.rawValue, words.groups[$0] ?? "") },
                chosen: model.chosenGroup?.rawValue ?? "")
            button(.css("quiet"), .type(.submit)) { words.show }
        }
    }

    private static func row(_ entry: Entry, _ words: ChangeWords) -> HTML {
        li(.css("change"), .data("event", entry.event), .data("kind", entry.kind)) {
            div(.css("change-head")) {
                h2 {
                    entry.title
                    if let about = entry.about {
                        span(.css("of")) { " · " }
                        bdi { about }
                    }
                }
                p(.css("soft")) {
                    Part.moment(entry.time, entry.timeText)
                    " · "
                    if let href = entry.byHref {
                        a(.href(href)) { bdi { entry.by } }
                    } else {
                        bdi { entry.by }
                    }
                }
            }
            if entry.isErased {
                p(.css("soft")) { words.erased }
            } else if !entry.fields.isEmpty {
                dl(.css("pairs")) {
                    for field in entry.fields {
                        dt { field.label }
                        dd {
                            if entry.isGone {
                                bdi { field.before ?? words.empty }
                            } else {
                                if let before = field.before {
                                    span(.css("was")) { bdi { before } }
                                    " → "
                                }
                                bdi { field.after ?? words.empty }
                            }
                        }
                    }
                }
            }
        }
    }
}
