extension Part {
    /// A share of a hundred as an arc from left to right. It repeats what words beside it say, and so is not read out. An island
    /// moves it by the `stroke-dasharray` of what is marked `data-part="arc"`.
    /// - Parameters:
    ///   - percent: 0 to 100.
    ///   - mark: a share that is marked on the arc; nil: none.
    public static func gauge(_ percent: Int, mark: Int? = nil) -> HTML {
        func arc(_ attributes: [Attribute]) -> HTML {
            element(
                "path", [Attribute("d", "M20 112A96 96 0 0 1 212 112"), Attribute("pathLength", "100")] + attributes,
                .empty)
        }
        let share = min(max(percent, 0), 100)
        return element(
            "svg", [.css("gauge"), Attribute("viewBox", "0 0 232 124"), .aria("hidden", "true")],
            HTMLBuilder.buildArray([
                arc([.css("rest")]),
                arc([.css("share"), .data("part", "arc"), Attribute("stroke-dasharray", "\(share) 200")]),
                mark.map {
                    arc([
                        .css("mark"), Attribute("stroke-dasharray", "0 \(min(max($0, 0), 100)) 1 200"),
                    ])
                } ?? .empty,
            ]))
    }

    /// A labelled field for an amount, with its unit beside it. A comma is as good as a point.
    /// - Parameters:
    ///   - id: unique within the page; the field's name need not be.
    ///   - least: what an island's slider begins with; nil: it has none.
    ///   - greatest: what it ends with.
    public static func amount(
        _ text: String, name: StaticString, id: String, value: String, unit: String, least: String? = nil,
        greatest: String? = nil, optional: Bool = false, hint: String? = nil, refused: String? = nil
    ) -> HTML {
        let described = [hint == nil ? nil : id + "-hint", refused == nil ? nil : id + "-refused"].compactMap { $0 }
        return div(.css("row-field")) {
            label(.for(id)) {
                text
                if !unit.isEmpty { small { " \(unit)" } }
            }
            input(
                .css("field"), .id(id), .name(name), .type(.text), .value(value), .autocomplete("off"),
                .required(!optional), .maxlength(20), .data("least", least), .data("greatest", greatest),
                .aria("describedby", described.isEmpty ? nil : described.joined(separator: " ")),
                .aria("invalid", refused == nil ? nil : "true"), also: [Attribute("inputmode", "decimal")])
            if let refused { p(.css("refused"), .id(id + "-refused")) { refused } }
            if let hint { p(.css("hint"), .id(id + "-hint")) { hint } }
        }
    }
}
