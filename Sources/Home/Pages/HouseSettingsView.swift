import Accounts
import Identity
import Ledger
import Pages
import System

/// The form of a house: what it is called and where it stands.
enum HouseSettingsView {
    /// The fields `name`, `street`, `latitude`, `longitude`, `zone`.
    static func form(
        _ entry: HouseEntry, _ refused: [String: String], to action: LocalPath, isNew: Bool, _ tiles: Tiles?,
        saved: Bool = false, _ language: Language
    ) -> HTML {
        let words = HomeHousesWords.in(language)
        return div(.css("pile narrow")) {
            if isNew { p(.css("lead")) { words.newIntro } }
            if saved { Part.notice(.go, words.saved) }
            if !refused.isEmpty { Part.notice(.no, refused["site"] ?? PagesWords.in(language).checkFields) }
            Pages.form(.css("stack"), .method(.post), .action(action)) {
                Part.field(
                    words.name, name: "name", value: entry.name, hint: words.nameHint, refused: refused["name"],
                    longest: GivenName.longest)
                Part.field(
                    words.street, name: "street", value: entry.street, autocomplete: "street-address",
                    optional: PagesWords.in(language).optional, hint: words.streetHint, refused: refused["street"],
                    longest: HousesDesk.longestStreet)
                place(entry, refused, tiles, words)
                Part.choice(
                    words.zone, name: "zone", options: Zone.allNames.map { ($0, $0) }, chosen: entry.zone,
                    hint: words.zoneHint, refused: refused["zone"])
                button(.type(.submit)) { isNew ? words.add : words.save }
            }
        }
    }

    /// Typed, told by the browser, or chosen on the map where there is one.
    private static func place(
        _ entry: HouseEntry, _ refused: [String: String], _ tiles: Tiles?, _ words: HomeHousesWords
    ) -> HTML {
        let optional = PagesWords.in(words.language).optional
        return island(
            "house-place", .css("stack tight"), .data("tiles", tiles?.address), .data("credit", tiles?.credit),
            .data("words", "house-place-words")
        ) {
            data(
                id: "house-place-words",
                ["notTold": words.notTold, "notSecure": words.notSecure, "map": words.pickHint])
            div(.css("pair")) {
                Part.field(
                    words.latitude, name: "latitude", value: entry.latitude, optional: optional,
                    hint: words.placeHint, refused: refused["latitude"], verbatim: true, longest: 80)
                Part.field(
                    words.longitude, name: "longitude", value: entry.longitude, optional: optional,
                    refused: refused["longitude"], verbatim: true, longest: 80)
            }
            p { button(.css("quiet"), .type(.button), .data("part", "here"), .hidden(true)) { words.here } }
            p(.css("hint"), .data("part", "state"), .role("status")) {}
            p(.css("hint"), .data("part", "pick"), .hidden(true)) { words.pickHint }
            div(.css("map small"), .data("part", "map"), .hidden(true)) {}
        }
    }

    /// Who the house is shared with, and the form that shares it with somebody else.
    static func people(_ model: People, _ frame: HomeFrame) -> HTML {
        let words = HomeHousesWords.in(frame.language)
        let own = frame.root.under("people")
        return section(.css("plate"), .id("people"), .aria("labelledby", "people-title")) {
            h2(.id("people-title")) { words.people }
            p(.css("soft")) { words.peopleIntro }
            if let notice = model.notice { Part.notice(.go, notice) }
            if let why = model.refused["person"] { Part.notice(.no, why) }
            ul(.css("rows")) {
                for one in model.rows {
                    li {
                        div(.css("card-words")) {
                            p(.css("strong")) {
                                bdi { one.person.name }
                                if one.isReader { span(.css("soft")) { " (\(words.yourself))" } }
                            }
                            p(.css("soft")) { words.may(one.permission) }
                            if one.isRefused { p { Part.chip(.no, words.letterRefused) } }
                            if let href = one.invitation { p { a(.href(href)) { words.notJoined } } }
                        }
                        if one.mayEnd {
                            Pages.form(.method(.post), .action(own.under("end"))) {
                                input(.type(.hidden), .name("membership"), .value(one.membership.text))
                                button(
                                    .css("quiet"), .type(.submit), .aria("label", words.endOf(one.person.name))
                                ) { words.end }
                            }
                        }
                    }
                }
            }
            details(.open(!model.refused.isEmpty)) {
                summary { words.share }
                share(model, own, words)
            }
        }
    }

    private static func share(_ model: People, _ own: LocalPath, _ words: HomeHousesWords) -> HTML {
        let optional = PagesWords.in(words.language).optional
        return Pages.form(.css("stack"), .method(.post), .action(own)) {
            p(.css("soft")) { model.sendsLetters ? words.shareIntro : words.shareOnPaper }
            Part.field(
                words.email, name: "email", kind: .email, value: model.entry.email, refused: model.refused["email"],
                verbatim: true)
            Part.field(
                words.personName, name: "person_name", value: model.entry.name, optional: optional,
                hint: words.personNameHint, refused: model.refused["name"], longest: GivenName.longestOfPerson)
            Part.choice(
                words.may, name: "permission", options: model.grants.map { ($0.rawValue, words.may($0)) },
                chosen: model.entry.permission, refused: model.refused["permission"])
            button(.css("quiet"), .type(.submit)) { words.invite }
        }
    }

    /// What the part about people shows.
    struct People: Sendable {
        struct Row: Sendable {
            let membership: MembershipID
            let person: Person
            let permission: Permission
            /// Where they are invited; nil: they have joined.
            let invitation: LocalPath?
            /// Whether the mail server refused its letter.
            let isRefused: Bool
            let isReader: Bool
            let mayEnd: Bool
        }
        let rows: [Row]
        let grants: [Permission]
        let sendsLetters: Bool
        var entry = ShareEntry()
        var notice: String?
        var refused: [String: String] = [:]
    }
}
