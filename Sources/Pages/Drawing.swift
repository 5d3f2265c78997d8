/// Drawings in lines (SVG). Their figures are numbers of our own, so that nothing can be smuggled in.
public enum Drawing {
    /// A drawing on a field of that size. It repeats what words beside it say, and so is not read out.
    public static func field(width: Int, height: Int, _ attributes: Attribute..., @HTMLBuilder content: () -> HTML)
        -> HTML
    {
        element(
            "svg", [Attribute("viewBox", "0 0 \(width) \(height)"), .aria("hidden", "true")] + attributes, content())
    }

    /// What is inside, moved; and turned by degrees, clockwise.
    public static func moved(
        x: Double, y: Double, turned: Double = 0, _ attributes: Attribute..., @HTMLBuilder content: () -> HTML
    ) -> HTML {
        let turn = turned == 0 ? "" : " rotate(\(text(turned)))"
        return element(
            "g", [Attribute("transform", "translate(\(text(x)) \(text(y)))\(turn)")] + attributes, content())
    }

    /// A straight line.
    public static func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ attributes: Attribute...) -> HTML
    {
        element(
            "line",
            [
                Attribute("x1", text(x1)), Attribute("y1", text(y1)), Attribute("x2", text(x2)),
                Attribute("y2", text(y2)),
            ]
                + attributes, .empty)
    }

    /// A circle.
    public static func circle(_ x: Double, _ y: Double, radius: Double, _ attributes: Attribute...) -> HTML {
        element(
            "circle", [Attribute("cx", text(x)), Attribute("cy", text(y)), Attribute("r", text(radius))] + attributes,
            .empty)
    }

    /// A rectangle.
    public static func rectangle(
        _ x: Double, _ y: Double, width: Double, height: Double, _ attributes: Attribute...
    ) -> HTML {
        element(
            "rect",
            [
                Attribute("x", text(x)), Attribute("y", text(y)), Attribute("width", text(width)),
                Attribute("height", text(height)),
            ] + attributes, .empty)
    }

    /// A few letters, whose middle stands at a point.
    public static func letters(_ x: Double, _ y: Double, _ letters: String, _ attributes: Attribute...) -> HTML {
        element(
            "text",
            [Attribute("x", text(x)), Attribute("y", text(y)), Attribute("text-anchor", "middle")] + attributes,
            .text(letters))
    }

    /// A number with at most one place, as SVG takes it.
    static func text(_ value: Double) -> String {
        guard value.magnitude < 1e9 else { return "0" }
        let rounded = (value * 10).rounded() / 10
        return rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)
    }
}
