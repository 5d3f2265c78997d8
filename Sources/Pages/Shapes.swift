/// Where a shape of a drawing lies (SVG): numbers and words of our own, so that none of them carries a style.
public enum Geometry: Sendable {
    case x, y, x1, x2, y1, y2, cx, cy, r, width, height, d, viewBox, preserveAspectRatio

    var name: StaticString {
        switch self {
        case .x: "x"
        case .y: "y"
        case .x1: "x1"
        case .x2: "x2"
        case .y1: "y1"
        case .y2: "y2"
        case .cx: "cx"
        case .cy: "cy"
        case .r: "r"
        case .width: "width"
        case .height: "height"
        case .d: "d"
        case .viewBox: "viewBox"
        case .preserveAspectRatio: "preserveAspectRatio"
        }
    }
}

extension Attribute {
    /// Where a shape lies.
    public static func place(_ what: Geometry, _ value: String) -> Attribute { .init(what.name, value) }
}

/// A drawing, or a field of its own coordinates within one.
public func svg(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
    element("svg", attributes, content())
}

/// A line or an area, as its `d` says.
public func path(_ attributes: Attribute...) -> HTML { element("path", attributes, .empty) }

/// A straight line.
public func line(_ attributes: Attribute...) -> HTML { element("line", attributes, .empty) }

/// A rectangle.
public func rect(_ attributes: Attribute...) -> HTML { element("rect", attributes, .empty) }

/// A disc.
public func circle(_ attributes: Attribute...) -> HTML { element("circle", attributes, .empty) }

/// Words in a drawing.
public func text(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
    element("text", attributes, content())
}
