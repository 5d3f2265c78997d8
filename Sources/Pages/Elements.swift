/// Any element with content. The functions below name those that we use.
func element(_ name: StaticString, _ attributes: [Attribute], _ content: HTML) -> HTML {
    var html = HTML.empty
    html.bytes.reserveCapacity(content.bytes.count + 32 + attributes.count * 24)
    html.bytes.append(UInt8(ascii: "<"))
    html.bytes.append(name)
    for attribute in attributes { attribute.write(to: &html.bytes) }
    html.bytes.append(UInt8(ascii: ">"))
    html.bytes.append(contentsOf: content.bytes)
    html.bytes.append("</")
    html.bytes.append(name)
    html.bytes.append(UInt8(ascii: ">"))
    return html
}

/// An element of an island: a name with a dash, which one of our modules defines.
public func island(_ name: StaticString, _ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
    element(name, attributes, content())
}

/// A field. It has no content and no end tag.
public func input(_ attributes: Attribute..., also more: [Attribute] = []) -> HTML {
    var html = HTML.raw("<input")
    for attribute in attributes { attribute.write(to: &html.bytes) }
    for attribute in more { attribute.write(to: &html.bytes) }
    html.bytes.append(UInt8(ascii: ">"))
    return html
}

/// A picture of our own. It has no content and no end tag.
/// - Parameters:
///   - path: nil where an island shows it later.
///   - alt: what it shows, for whoever does not see it; empty where words beside it say so.
///   - side: of a square, in pixels; nil: as large as it is.
public func img(_ path: LocalPath?, alt: String, side: Int? = nil, _ attributes: Attribute...) -> HTML {
    var html = HTML.raw("<img")
    var own = [Attribute("alt", alt), .hidden(path == nil)]
    if let path { own.append(.src(path)) }
    if let side { own += [Attribute("width", "\(side)"), Attribute("height", "\(side)")] }
    for attribute in own + attributes { attribute.write(to: &html.bytes) }
    html.bytes.append(UInt8(ascii: ">"))
    return html
}

/// Words for an island: a block of JSON, which the browser treats as data and the content policy lets stand.
public func data(id: String, _ entries: KeyValuePairs<StaticString, String>) -> HTML {
    var html = HTML.raw("<script type=\"application/json\"")
    Attribute.id(id).write(to: &html.bytes)
    html.bytes.append(">{")
    for (index, entry) in entries.enumerated() {
        if index > 0 { html.bytes.append(UInt8(ascii: ",")) }
        html.bytes.append(UInt8(ascii: "\""))
        html.bytes.append(entry.key)
        html.bytes.append("\":\"")
        html.bytes.appendJSON(entry.value)
        html.bytes.append(UInt8(ascii: "\""))
    }
    html.bytes.append("}</script>")
    return html
}

extension [UInt8] {
    /// The inside of a JSON string in which no `<`, `>` or `&` is left, so that it cannot end its script element.
    mutating func appendJSON(_ text: String) {
        let digits = Array("0123456789abcdef".utf8)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                append(UInt8(ascii: "\\"))
                append(byte)
            case 0..<0x20, UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"):
                append("\\u00")
                append(digits[Int(byte >> 4)])
                append(digits[Int(byte & 15)])
            default:
                append(byte)
            }
        }
    }
}

/// A block without a meaning of its own.
public func div(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
    element("div", attributes, content())
}

/// A run of text without a meaning of its own.
public func span(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
    element("span", attributes, content())
}

/// A paragraph.
public func p(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
    element("p", attributes, content())
}

/// The title of the page.
public func h1(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
    element("h1", attributes, content())
}

/// The title of a part.
public func h2(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
    element("h2", attributes, content())
}

/// The title of a part of a part.
public func h3(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
    element("h3", attributes, content())
}

/// What the page is about.
public func main(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
    element("main", attributes, content())
}

/// The top of a page or part.
public func header(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
    element("header", attributes, content())
}

/// The foot of a page or part.
public func footer(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
    element("footer", attributes, content())
}

/// Links to elsewhere.
public func nav(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
    element("nav", attributes, content())
}

/// A part of the page.
public func section(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
    element("section", attributes, content())
}

/// A list without order.
public func ul(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
    element("ul", attributes, content())
}

/// A list in order.
public func ol(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
    element("ol", attributes, content())
}

/// An item of a list.
public func li(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
    element("li", attributes, content())
}

/// A link.
public func a(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
    element("a", attributes, content())
}

/// A button: it sends its form, unless its type says otherwise.
public func button(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
    element("button", attributes, content())
}

/// A form: browsers send it without script.
public func form(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
    element("form", attributes, content())
}

/// What a field is for.
public func label(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
    element("label", attributes, content())
}

/// A field with options.
public func select(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
    element("select", attributes, content())
}

/// An option of a `select`.
public func option(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
    element("option", attributes, content())
}

/// Fields that belong together.
public func fieldset(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
    element("fieldset", attributes, content())
}

/// Text whose lines and spaces stay as they are.
public func pre(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
    element("pre", attributes, content())
}

/// What a `fieldset` is for.
public func legend(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
    element("legend", attributes, content())
}

/// A table, of `thead` and `tbody`.
public func table(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
    element("table", attributes, content())
}

/// The heading rows of a table.
public func thead(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
    element("thead", attributes, content())
}

/// The rows of a table.
public func tbody(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
    element("tbody", attributes, content())
}

/// A row.
public func tr(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
    element("tr", attributes, content())
}

/// A heading cell.
public func th(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
    element("th", attributes, content())
}

/// A cell.
public func td(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
    element("td", attributes, content())
}

/// What a table shows.
public func caption(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
    element("caption", attributes, content())
}

/// Names and values.
public func dl(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
    element("dl", attributes, content())
}

/// A name of a `dl`.
public func dt(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
    element("dt", attributes, content())
}

/// A value of a `dl`.
public func dd(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
    element("dd", attributes, content())
}

/// A moment; `datetime` says it to programs.
public func time(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
    element("time", attributes, content())
}

/// Important.
public func strong(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
    element("strong", attributes, content())
}

/// A side remark.
public func small(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
    element("small", attributes, content())
}

/// Letters to be typed as they are.
public func code(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
    element("code", attributes, content())
}

/// A name from outside, whose writing direction must not disturb its neighbours.
public func bdi(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
    element("bdi", attributes, content())
}

/// Something to unfold.
public func details(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
    element("details", attributes, content())
}

/// What unfolds a `details`.
public func summary(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
    element("summary", attributes, content())
}
