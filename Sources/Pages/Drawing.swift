/// Drawings in lines (SVG). Their figures are numbers of our own, so that nothing can be smuggled in.
public enum Drawing {
    /// A drawing on a field of that size. It repeats what words beside it say, and so is not read out.
    public static func field(width: Int, height: Int, _ attributes: Attribute..., @HTMLBuilder content: () -> HTML)
        -> HTML
    {
        element(
            "svg", [Attribute("viewBox", "0 0 \(width) \(height)"), .aria("hidden", "true")] + attributes, content())
    }

    /// A drawing as large as its style says, which tells what it shows to whoever does not see it. What stands in it directly is
    /// placed by parts of its size.
    public static func picture(_ words: String, _ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
        element("svg", attributes + [.role("img"), .aria("label", words)], content())
    }

    /// A field of so many units within a picture, stretched over all of it.
    public static func stretched(width: Int, height: Int, @HTMLBuilder content: () -> HTML) -> HTML {
        element(
            "svg",
            [
                Attribute("width", "100%"), Attribute("height", "100%"), Attribute("viewBox", "0 0 \(width) \(height)"),
                Attribute("preserveAspectRatio", "none"),
            ], content())
    }

    /// What is inside, moved; and turned by degrees, clockwise.
    public static func moved(
        x: Double, y: Double, turned: Double = 0, _ attributes: Attribute..., @HTMLBuilder content: () -> HTML
    ) -> HTML {
        let turn = turned == 0 ? "" : " rotate(\(number(turned)))"
        return element(
            "g", [Attribute("transform", "translate(\(number(x)) \(number(y)))\(turn)")] + attributes, content())
    }

    /// A straight line.
    public static func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ attributes: Attribute...) -> HTML
    {
        element(
            "line",
            [
                Attribute("x1", number(x1)), Attribute("y1", number(y1)), Attribute("x2", number(x2)),
                Attribute("y2", number(y2)),
            ]
                + attributes, .empty)
    }

    /// A circle around the point (x, y).
    public static func circle(_ x: Double, _ y: Double, radius: Double, _ attributes: Attribute...) -> HTML {
        element(
            "circle",
            [Attribute("cx", number(x)), Attribute("cy", number(y)), Attribute("r", number(radius))] + attributes,
            .empty)
    }

    /// A rectangle whose upper left corner is at (x, y).
    public static func rectangle(
        _ x: Double, _ y: Double, width: Double, height: Double, _ attributes: Attribute...
    ) -> HTML {
        element(
            "rect",
            [
                Attribute("x", number(x)), Attribute("y", number(y)), Attribute("width", number(width)),
                Attribute("height", number(height)),
            ] + attributes, .empty)
    }

    /// A line or an area.
    /// - Parameter course: where it goes, as SVG says it (`M0 0H10`).
    public static func path(_ course: String, _ attributes: Attribute...) -> HTML {
        element("path", attributes + [Attribute("d", course)], .empty)
    }

    /// A disc in a picture, which is not stretched with a field.
    /// - Parameters:
    ///   - x: 0 at the left to 1 at the right.
    ///   - y: 0 above to 1 below.
    public static func disc(_ x: Double, _ y: Double, radius: Double, _ attributes: Attribute...) -> HTML {
        element(
            "circle",
            attributes + [Attribute("cx", percent(x)), Attribute("cy", percent(y)), Attribute("r", number(radius))],
            .empty)
    }

    /// Words in a picture, at a place as a disc has it; their style says which side of them lies there.
    public static func words(_ x: Double, _ y: Double, _ words: String, _ attributes: Attribute...) -> HTML {
        element("text", attributes + [Attribute("x", percent(x)), Attribute("y", percent(y))], .text(words))
    }

    /// A few letters, whose middle stands at a point.
    public static func letters(_ x: Double, _ y: Double, _ letters: String, _ attributes: Attribute...) -> HTML {
        element(
            "text",
            [Attribute("x", number(x)), Attribute("y", number(y)), Attribute("text-anchor", "middle")] + attributes,
            .text(letters))
    }

    /// A number with at most one place, as SVG takes it.
    public static func number(_ value: Double) -> String {
        guard value.magnitude < 1e9 else { return "0" }
        let rounded = (value * 10).rounded() / 10
        return rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)
    }

    private static func percent(_ part: Double) -> String { number(part * 100) + "%" }
}
