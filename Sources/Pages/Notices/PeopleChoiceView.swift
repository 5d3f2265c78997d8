import Accounts

/// The people whom a form offers, a page of them at a time.
struct PeopleChoice: Sendable {
    /// No page shows more; whoever has no more people sees no search.
    static let pageSize = 30
    /// A form names no more people one by one.
    static let mostChosen = 1_000

    struct One: Sendable {
        let id: String
        let name: String
        let email: String

        init(_ person: Person) { (id, name, email) = (person.id.text, person.name, person.shownAddress) }
    }

    /// Everybody who can be chosen.
    let total: Int
    /// Those that match the search.
    let count: Int
    /// Which page of them is shown, from 1.
    let page: Int
    /// The people of that page.
    let found: [One]
    /// Who was ticked already, by name.
    let chosen: [One]

    /// Whether they need more than one page.
    var isLong: Bool { total > Self.pageSize }
    var pages: Int { max(1, (count + Self.pageSize - 1) / Self.pageSize) }

    /// The page that is nearest to the one that was asked for.
    static func page(_ asked: Int, of count: Int) -> Int {
        min(max(asked, 1), max(1, (count + pageSize - 1) / pageSize))
    }
}

/// Boxes for people. Who was ticked stands first, whatever is searched for: every button of the form keeps them.
enum PeopleChoiceView {
    static func fields(
        _ choice: PeopleChoice, _ draft: SentView.Draft, _ own: LocalPath, _ words: NoticesWords
    ) -> HTML {
        let here = LocalPath(own.description + "#people") ?? own
        let chosen = Set(choice.chosen.map(\.id))
        return fieldset(.id("people")) {
            legend { words.people }
            if let refused = draft.refused["people"] { p(.css("refused")) { refused } }
            Part.check(words.everybody, name: "everybody", value: "1", isChecked: draft.isForEverybody)
            if choice.isLong {
                if !chosen.isEmpty {
                    p(.css("hint")) { words.chosen(chosen.count) }
                    boxes(choice.chosen, chosen, isLong: true)
                }
                search(draft, here, words)
                p(.css("hint"), .role("status")) { status(choice, words) }
                boxes(choice.found.filter { !chosen.contains($0.id) }, [], isLong: true)
                if choice.pages > 1 { turning(choice, here, words) }
            } else {
                boxes(choice.found, chosen, isLong: false)
            }
        }
    }

    private static func boxes(_ people: [PeopleChoice.One], _ chosen: Set<String>, isLong: Bool) -> HTML {
        div(.css("checks")) {
            for person in people {
                Part.check(
                    person.name, name: "person", value: person.id, isChecked: chosen.contains(person.id),
                    detail: isLong ? person.email : nil)
            }
        }
    }

    /// The first button of the form, so that Enter in any of its fields searches, and sends nothing.
    private static func search(_ draft: SentView.Draft, _ here: LocalPath, _ words: NoticesWords) -> HTML {
        div(.css("search")) {
            label(.for("filter")) { words.findPeople }
            input(
                .css("field"), .id("filter"), .name("filter"), .type(.search), .value(draft.filter), .maxlength(100),
                .autocomplete("off"), also: Attribute.verbatim)
            turn(to: 1, words.find, here)
        }
    }

    private static func status(_ choice: PeopleChoice, _ words: NoticesWords) -> String {
        let first = (choice.page - 1) * PeopleChoice.pageSize
        return choice.count == 0
            ? words.nobodyFound : words.shown(first + 1, first + choice.found.count, choice.count)
    }

    private static func turning(_ choice: PeopleChoice, _ here: LocalPath, _ words: NoticesWords) -> HTML {
        div(.css("row")) {
            if choice.page > 1 { turn(to: choice.page - 1, words.previousPeople, here) }
            if choice.page < choice.pages { turn(to: choice.page + 1, words.nextPeople, here) }
        }
    }

    private static func turn(to page: Int, _ words: String, _ here: LocalPath) -> HTML {
        button(
            .css("quiet"), .type(.submit), .name("show"), .value("\(page)"), .formnovalidate, .formaction(here)
        ) { words }
    }
}
