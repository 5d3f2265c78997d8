import Pages

/// A site's roles: the list, and the form of one.
enum RolesView {
    /// A role in the list.
    struct Row: Sendable {
        var id: String
        var name: String
        var level: Int
        /// Nil: at any time.
        var hours: String?
        var gates: Int
        var people: Int
    }

    static func list(_ around: Surroundings, rows: [Row], notice: String?) -> HTML {
        let words = RulesWords.in(around.language)
        let own = RulesFrame.Tab.roles.path(around.siteID)
        return RulesFrame.list(around, .roles, notice: notice, add: rows.isEmpty ? nil : words.addRole) {
            if rows.isEmpty {
                Part.empty(
                    title: words.noRoles, detail: words.noRolesDetail, action: (own.under("new"), words.addRole))
            } else {
                table(.css("sheet rules"), .role("table")) {
                    caption(.css("unseen")) { words.roles }
                    thead(.role("rowgroup")) {
                        tr(.role("row")) {
                            for title in [words.name, words.level, words.hours, words.gates, words.people] {
                                th(.scope("col"), .role("columnheader")) { title }
                            }
                        }
                    }
                    tbody(.role("rowgroup")) { for one in rows { row(one, around.siteID, words) } }
                }
            }
        }
    }

    private static func row(_ one: Row, _ site: String, _ words: RulesWords) -> HTML {
        tr(.role("row"), .data("role", one.id)) {
            td(.css("name"), .role("cell")) {
                a(.css("whole"), .href("/sites/\(site)/roles/\(one.id)")) { bdi { one.name } }
            }
            td(.css("soft"), .role("cell")) { "\(words.level) \(one.level)" }
            td(.role("cell")) { if let hours = one.hours { bdi { hours } } else { words.anyTime } }
            td(.role("cell")) { words.countGates(one.gates) }
            td(.role("cell")) { words.countPeople(one.people) }
        }
    }

    /// The form of a role.
    struct Model: Sendable {
        /// Nil for a new one.
        var id: String?
        /// As it is saved, for the title.
        var title = ""
        var name = ""
        var level = "0"
        var timetables: [(id: String, name: String)] = []
        var hours = ""
        var groups: [(id: String, name: String, gates: Int)] = []
        var chosenGroups: Set<String> = []
        var gates = RulesFrame.GateChoice(sections: [], chosen: [])
        var people = 0
        var saved = false
        var refused: [String: String] = [:]
    }

    /// A form `POST /sites/{site}/roles/{role or new}` with `name`, `level`, `hours`, `group` and `gate` (any number), `filter`, `show`.
    static func page(_ around: Surroundings, _ model: Model) -> HTML {
        let words = RulesWords.in(around.language)
        let own: LocalPath = "/sites/\(around.siteID)/roles/\(model.id ?? "new")"
        return RulesFrame.form(
            around, .roles, title: model.id == nil ? words.newRole : model.title, path: own, saved: model.saved,
            refused: model.refused
        ) {
            if model.id != nil {
                p(.css("soft")) {
                    a(.href(peopleHref(around.siteID, model.id ?? ""))) { words.countPeople(model.people) }
                    " · \(words.changeHolds)"
                }
            }
            form(.css("stack"), .method(.post), .action(own)) {
                fieldset {
                    legend(.css("unseen")) { words.roles }
                    Part.field(
                        words.name, name: "name", value: model.name, refused: model.refused["name"], longest: 80)
                    Part.field(
                        words.level, name: "level", value: model.level, hint: words.levelHint,
                        refused: model.refused["level"], longest: 5)
                    Part.choice(
                        words.roleHours, name: "hours",
                        options: [("", words.anyTime)] + model.timetables.map { ($0.id, $0.name) }, chosen: model.hours,
                        hint: words.roleHoursHint, refused: model.refused["hours"])
                }
                if !model.groups.isEmpty { groups(model, words) }
                RulesFrame.gates(model.gates, refused: model.refused["gates"], words)
                div(.css("thumb")) {
                    button(.type(.submit), .name("save"), .value("1")) {
                        model.id == nil ? words.addRole : words.save
                    }
                }
            }
            if model.id != nil { p { a(.css("button quiet"), .href(own.under("remove"))) { words.remove } } }
        }
    }

    private static func groups(_ model: Model, _ words: RulesWords) -> HTML {
        fieldset {
            legend { words.groupsGiven }
            if let refused = model.refused["groups"] { p(.css("refused")) { refused } }
            div(.css("checks")) {
                for group in model.groups {
                    Part.check(
                        group.name, name: "group", value: group.id, isChecked: model.chosenGroups.contains(group.id),
                        detail: words.countGates(group.gates))
                }
            }
        }
    }

    /// The people who have a role.
    static func peopleHref(_ site: String, _ role: String) -> LocalPath {
        let people: LocalPath = "/sites/\(site)/people"
        return people.adding("role", role)
    }
}
