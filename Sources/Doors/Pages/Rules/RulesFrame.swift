import Pages

/// What the pages of rules share: their tabs, the list of gates to tick, the page that asks before something is removed.
enum RulesFrame {
    /// The pages that belong together.
    enum Tab: CaseIterable {
        case roles, hours, specialDays, groups

        func path(_ site: String) -> LocalPath {
            switch self {
            case .roles: "/sites/\(site)/roles"
            case .hours: "/sites/\(site)/hours"
            case .specialDays: "/sites/\(site)/special-days"
            case .groups: "/sites/\(site)/gate-groups"
            }
        }

        func label(_ words: RulesWords) -> String {
            switch self {
            case .roles: words.roles
            case .hours: words.hours
            case .specialDays: words.specialDays
            case .groups: words.groups
            }
        }
    }

    /// A list of one of the tabs.
    static func list(
        _ around: Surroundings, _ tab: Tab, notice: String? = nil, add: String? = nil,
        @HTMLBuilder content: () -> HTML
    ) -> HTML {
        let words = RulesWords.in(around.language)
        let own = tab.path(around.siteID)
        return around.page(
            title: tab.label(words), path: own,
            actions: add.map { label in a(.css("button"), .href(own.under("new"))) { label } } ?? .empty
        ) {
            div(.css("pile")) {
                Part.tabs(
                    words.rules,
                    Tab.allCases.map {
                        NavItem(href: $0.path(around.siteID), label: $0.label(words), isCurrent: $0 == tab)
                    })
                if let notice { Part.notice(.go, notice) }
                content()
            }
        }
    }

    /// The form of one thing of a tab.
    static func form(
        _ around: Surroundings, _ tab: Tab, title: String, path: LocalPath, saved: Bool = false,
        refused: [String: String] = [:], @HTMLBuilder content: () -> HTML
    ) -> HTML {
        let words = RulesWords.in(around.language)
        return around.page(title: title, path: path, back: (tab.path(around.siteID), tab.label(words))) {
            div(.css("pile narrow")) {
                if saved { Part.notice(.go, words.saved) }
                if !refused.isEmpty {
                    Part.notice(.no, refused["rule"] ?? PagesWords.in(around.language).checkFields)
                }
                content()
            }
        }
    }

    /// The page that asks before something is removed.
    /// - Parameters:
    ///   - sentences: what changes for whom.
    ///   - canRemove: whether it can be removed at all; the sentences then say why not.
    ///   - link: where one goes on instead.
    static func removal(
        _ around: Surroundings, _ tab: Tab, name: String, id: String, sentences: [String], canRemove: Bool = true,
        link: (href: LocalPath, label: String)? = nil
    ) -> HTML {
        let words = RulesWords.in(around.language)
        let own = LocalPath(tab.path(around.siteID).description + "/" + id) ?? tab.path(around.siteID)
        return around.page(title: words.removeTitle(name), path: own.under("remove"), back: (own, name)) {
            div(.css("pile narrow")) {
                for sentence in sentences { p { sentence } }
                Pages.form(.css("row"), .method(.post), .action(own.under("remove"))) {
                    if canRemove { button(.type(.submit)) { words.remove } }
                    if let link { a(.css("button"), .href(link.href)) { link.label } }
                    a(.css("button quiet"), .href(own)) { words.keep }
                }
            }
        }
    }

    /// The gates that a form offers, and those that it keeps unseen.
    struct GateChoice: Sendable {
        struct One: Sendable {
            var id: String
            var name: String
        }
        /// Those in use, by the names of their groups; the last one, without a name, has those in none.
        var sections: [(name: String?, gates: [One])]
        var chosen: Set<String>
        var filter = ""

        /// More than so many are folded up, section by section.
        static let fewGates = 40

        var count: Int { sections.reduce(0) { $0 + $1.gates.count } }

        func isShown(_ gate: One) -> Bool {
            filter.isEmpty || gate.name.lowercased().utf8.contains(filter.lowercased().utf8)
        }
    }

    /// Boxes for gates. A filter only hides: what was ticked before stays ticked, in fields that are not seen.
    static func gates(_ choice: GateChoice, refused: String?, _ words: RulesWords) -> HTML {
        let shown = choice.sections.map { section in (section.name, section.gates.filter(choice.isShown)) }
        let hidden = choice.sections.flatMap(\.gates).filter { !choice.isShown($0) && choice.chosen.contains($0.id) }
        let isLong = choice.count > GateChoice.fewGates
        return fieldset {
            legend { words.gatesGiven }
            if let refused { p(.css("refused")) { refused } }
            if choice.count == 0 { p(.css("hint")) { words.noGatesYet } }
            if isLong || !choice.filter.isEmpty {
                div(.css("search")) {
                    label(.for("filter")) { words.filter }
                    input(
                        .css("field"), .id("filter"), .name("filter"), .type(.search), .value(choice.filter),
                        .maxlength(80), .autocomplete("off"), also: Attribute.verbatim)
                    button(.css("quiet"), .type(.submit), .name("show"), .value("1")) { words.show }
                }
            }
            if !choice.filter.isEmpty {
                p(.css("hint"), .role("status")) {
                    shown.allSatisfy(\.1.isEmpty)
                        ? words.nothingShown : words.shown(shown.reduce(0) { $0 + $1.1.count }, choice.count)
                }
            }
            for gate in hidden { input(.type(.hidden), .name("gate"), .value(gate.id)) }
            for (name, gates) in shown where !gates.isEmpty {
                section(name, gates, choice, isFolded: isLong && choice.filter.isEmpty, words)
            }
        }
    }

    private static func section(
        _ name: String?, _ gates: [GateChoice.One], _ choice: GateChoice, isFolded: Bool, _ words: RulesWords
    ) -> HTML {
        let boxes = div(.css("checks")) {
            for gate in gates {
                Part.check(gate.name, name: "gate", value: gate.id, isChecked: choice.chosen.contains(gate.id))
            }
        }
        let title = name ?? words.otherGates
        if isFolded {
            let ticked = gates.filter { choice.chosen.contains($0.id) }.count
            return details(.open(ticked > 0 && gates.count <= GateChoice.fewGates)) {
                summary {
                    bdi { title }
                    " (\(ticked)/\(gates.count))"
                }
                boxes
            }
        }
        return choice.sections.count == 1
            ? boxes
            : div(.css("pile")) {
                h2 { bdi { title } }
                boxes
            }
    }
}
