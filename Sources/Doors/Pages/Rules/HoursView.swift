import Pages
import System

/// A site's hours: the list with a picture of each week, and the form of one.
enum HoursView {
    /// Hours in the list.
    struct Row: Sendable {
        var id: String
        var name: String
        var week: [[DaySpan]]
        var keepsSpecialDays: Bool
        var roles: Int
        /// "open until 18:00"
        var now: String
        var isOpen: Bool
    }

    static func list(_ around: Surroundings, rows: [Row], zone: String, notice: String?) -> HTML {
        let words = HoursWords.in(around.language)
        let rules = RulesWords.in(around.language)
        let own = RulesFrame.Tab.hours.path(around.siteID)
        return RulesFrame.list(around, .hours, notice: notice, add: rows.isEmpty ? nil : words.addHours) {
            if rows.isEmpty {
                Part.empty(
                    title: words.noHours, detail: words.noHoursDetail, action: (own.under("new"), words.addHours))
            } else {
                p(.css("soft")) { words.zoneHint(zone) }
                ul(.css("cards")) {
                    for one in rows {
                        li(.css("card tall")) {
                            div(.css("card-words")) {
                                h2 {
                                    a(.css("whole"), .href("/sites/\(around.siteID)/hours/\(one.id)")) {
                                        bdi { one.name }
                                    }
                                }
                                p { Part.chip(one.isOpen ? .go : .idle, one.now) }
                                week(one.week, words)
                                p(.css("soft")) {
                                    rules.countRoles(one.roles)
                                    if !one.keepsSpecialDays { " · \(words.ignoresSpecialDays)" }
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /// The week as seven bars with their words.
    static func week(_ week: [[DaySpan]], _ words: HoursWords) -> HTML {
        dl(.css("week"), .aria("label", words.picture)) {
            for (index, spans) in week.enumerated() {
                div {
                    dt { words.weekdays[index] }
                    dd {
                        Part.dayBar(bar(week, index))
                        span { text(spans, words) }
                    }
                }
            }
        }
    }

    static func text(_ spans: [DaySpan], _ words: HoursWords) -> String {
        if spans.isEmpty { return words.closed }
        if spans.count == 1, spans[0].start == 0, spans[0].end == 1440 { return words.allDay }
        return spans.map { $0.text.replacing("-", with: "–") }.joined(separator: ", ")
    }

    /// What of the week lies in a day, with what reaches over from the day before.
    static func bar(_ week: [[DaySpan]], _ day: Int) -> [Range<Int>] {
        let over = week[(day + 6) % 7].filter { $0.end > 1440 }.map { 0..<($0.end - 1440) }
        return over + week[day].map { $0.start..<min($0.end, 1440) }
    }

    /// The form of hours.
    struct Model: Sendable {
        /// Nil for new ones.
        var id: String?
        var title = ""
        var name = ""
        /// As they are written, Monday first.
        var lines = Array(repeating: "", count: 7)
        var keepsSpecialDays = true
        /// The picture; nil while what is written cannot be read.
        var week: [[DaySpan]]?
        /// How it is now, and whether it is open.
        var now: (text: String, isOpen: Bool)?
        var zone = ""
        var saved = false
        var refused: [String: String] = [:]
    }

    private static let names: [StaticString] = ["day1", "day2", "day3", "day4", "day5", "day6", "day7"]

    /// A form `POST /sites/{site}/hours/{id or new}` with `name`, `day1` to `day7`, `keeps`, `copy`.
    static func page(_ around: Surroundings, _ model: Model) -> HTML {
        let words = HoursWords.in(around.language)
        let rules = RulesWords.in(around.language)
        let common = PagesWords.in(around.language)
        let own: LocalPath = "/sites/\(around.siteID)/hours/\(model.id ?? "new")"
        return RulesFrame.form(
            around, .hours, title: model.id == nil ? words.newHours : model.title, path: own, saved: model.saved,
            refused: model.refused
        ) {
            if let now = model.now { p { Part.chip(now.isOpen ? .go : .idle, now.text) } }
            form(.css("stack"), .method(.post), .action(own)) {
                Part.field(
                    rules.name, name: "name", value: model.name, hint: words.nameHint, refused: model.refused["name"],
                    longest: 80)
                fieldset(.aria("describedby", "week-hint")) {
                    legend { words.picture }
                    p(.css("hint"), .id("week-hint")) { "\(words.weekHint) \(words.zoneHint(model.zone))" }
                    div(.css("day-fields")) {
                        for (index, name) in names.enumerated() {
                            Part.field(
                                words.weekdays[index], name: name, value: model.lines[index],
                                optional: index == 0 ? common.optional : "", refused: model.refused["\(name)"],
                                verbatim: true)
                        }
                    }
                    if let week = model.week { self.week(week, words) }
                }
                div {
                    Part.check(
                        words.keepsSpecialDays, name: "keeps", value: "1", isChecked: model.keepsSpecialDays)
                    p(.css("hint")) { words.keepsSpecialDaysHint }
                }
                div(.css("row")) {
                    button(.type(.submit), .name("save"), .value("1")) {
                        model.id == nil ? words.addHours : rules.save
                    }
                    button(.css("quiet"), .type(.submit), .name("copy"), .value("1")) { words.copyMonday }
                }
            }
            if model.id != nil { p { a(.css("button quiet"), .href(own.under("remove"))) { rules.remove } } }
        }
    }
}
