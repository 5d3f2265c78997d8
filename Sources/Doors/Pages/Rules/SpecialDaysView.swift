import Pages

/// A site's special days: the list, the form of one, the holidays of a country.
enum SpecialDaysView {
    /// Special days in the list.
    struct Row: Sendable {
        var id: String
        var name: String
        /// In words.
        var days: String
        /// In words.
        var hours: String
        var isClosed: Bool
    }

    /// What the list shows.
    struct List: Sendable {
        /// Today and later.
        var coming: [Row]
        /// Those that are over, latest first.
        var past: [Row]
        /// To choose from, first the one that is likely.
        var years: [Int]
        var country: String
        var notice: String?
    }

    /// The list, and a form `POST /sites/{site}/special-days/holidays` with `country` and `year`.
    static func list(_ around: Surroundings, _ list: List) -> HTML {
        let words = HoursWords.in(around.language)
        let own = RulesFrame.Tab.specialDays.path(around.siteID)
        let isEmpty = list.coming.isEmpty && list.past.isEmpty
        return RulesFrame.list(around, .specialDays, notice: list.notice, add: isEmpty ? nil : words.addSpecial) {
            if isEmpty {
                Part.empty(
                    title: words.noSpecial, detail: words.noSpecialDetail, action: (own.under("new"), words.addSpecial))
            }
            if !list.coming.isEmpty { table(list.coming, around, words) }
            if !list.past.isEmpty {
                details {
                    summary { words.past(list.past.count) }
                    table(list.past, around, words)
                }
            }
            form(.css("stack plate narrow"), .method(.post), .action(own.under("holidays"))) {
                h2 { words.holidays }
                p(.css("hint")) { words.holidaysHint }
                div(.css("pair")) {
                    Part.choice(
                        words.country, name: "country",
                        options: HolidayCountry.allCases.map { ($0.rawValue, words.countries($0.rawValue)) },
                        chosen: list.country)
                    Part.choice(
                        words.year, name: "year", options: list.years.map { ("\($0)", "\($0)") },
                        chosen: list.years.first.map(String.init))
                }
                div { button(.css("quiet"), .type(.submit)) { words.addHolidays } }
            }
        }
    }

    private static func table(_ rows: [Row], _ around: Surroundings, _ words: HoursWords) -> HTML {
        let rules = RulesWords.in(around.language)
        return Pages.table(.css("sheet rules"), .role("table")) {
            caption(.css("unseen")) { rules.specialDays }
            thead(.role("rowgroup")) {
                tr(.role("row")) {
                    for title in [words.firstDay, rules.name, rules.hours] {
                        th(.scope("col"), .role("columnheader")) { title }
                    }
                }
            }
            tbody(.role("rowgroup")) {
                for one in rows {
                    tr(.role("row"), .data("special", one.id)) {
                        td(.role("cell")) { one.days }
                        td(.css("name"), .role("cell")) {
                            a(.css("whole"), .href("/sites/\(around.siteID)/special-days/\(one.id)")) {
                                bdi { one.name }
                            }
                        }
                        td(.css("soft"), .role("cell")) { one.hours }
                    }
                }
            }
        }
    }

    /// The form of special days.
    struct Model: Sendable {
        /// Nil for new ones.
        var id: String?
        var title = ""
        var name = ""
        var firstDay = ""
        var lastDay = ""
        var hours = ""
        var saved = false
        var refused: [String: String] = [:]
    }

    /// A form `POST /sites/{site}/special-days/{id or new}` with `name`, `first_day`, `last_day`, `hours`.
    static func page(_ around: Surroundings, _ model: Model) -> HTML {
        let words = HoursWords.in(around.language)
        let rules = RulesWords.in(around.language)
        let common = PagesWords.in(around.language)
        let own: LocalPath = "/sites/\(around.siteID)/special-days/\(model.id ?? "new")"
        return RulesFrame.form(
            around, .specialDays, title: model.id == nil ? words.newSpecial : model.title, path: own,
            saved: model.saved, refused: model.refused
        ) {
            form(.css("stack"), .method(.post), .action(own)) {
                Part.field(
                    rules.name, name: "name", value: model.name, hint: words.specialNameHint,
                    refused: model.refused["name"], longest: 80)
                div(.css("pair")) {
                    Part.field(
                        words.firstDay, name: "first_day", kind: .date, value: model.firstDay,
                        refused: model.refused["firstDay"])
                    Part.field(
                        words.lastDay, name: "last_day", kind: .date, value: model.lastDay, optional: common.optional,
                        hint: words.lastDayHint, refused: model.refused["lastDay"])
                }
                Part.field(
                    words.specialHours, name: "hours", value: model.hours, optional: common.optional,
                    hint: words.specialHoursHint, refused: model.refused["hours"], verbatim: true)
                div(.css("thumb")) {
                    button(.type(.submit)) { model.id == nil ? words.addSpecial : rules.save }
                }
            }
            if model.id != nil { p { a(.css("button quiet"), .href(own.under("remove"))) { rules.remove } } }
        }
    }
}
