extension Part {
    /// A box to tick, with its words beside it.
    public static func check(
        _ words: String, name: StaticString, value: String, isChecked: Bool, detail: String? = nil
    ) -> HTML {
        label(.css("check")) {
            input(.type(.checkbox), .name(name), .value(value), .checked(isChecked))
            span {
                bdi { words }
                if let detail { small { " \(detail)" } }
            }
        }
    }

    /// Links between pages that belong together; the current one is marked.
    public static func tabs(_ label: String, _ items: [NavItem]) -> HTML {
        nav(.css("tabs"), .aria("label", label)) {
            ul {
                for item in items {
                    li { a(.href(item.href), .aria("current", item.isCurrent ? "page" : nil)) { item.label } }
                }
            }
        }
    }

    /// The stretches of a day as a bar from midnight to midnight. Words beside it say the same.
    /// - Parameter stretches: minutes, 0 to 1440.
    public static func dayBar(_ stretches: [Range<Int>]) -> HTML {
        func number(_ value: Int) -> String { "\(value)" }
        return element(
            "svg",
            [
                .css("day-bar"), .init("viewBox", "0 0 1440 10"), .init("preserveAspectRatio", "none"),
                .aria("hidden", "true"),
            ],
            HTMLBuilder.buildArray(
                [element("rect", [.css("closed"), .init("width", "1440"), .init("height", "10")], .empty)]
                    + stretches.map {
                        element(
                            "rect",
                            [
                                .css("open"), .init("x", number($0.lowerBound)), .init("width", number($0.count)),
                                .init("height", "10"),
                            ], .empty)
                    }))
    }
}
