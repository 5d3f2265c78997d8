/// A piece of a page: bytes that are already escaped.
///
/// The only ways in are `HTML.text`, which escapes, the element functions, which escape their attributes, and
/// `HTML.raw`, which takes nothing but text that stands in our source. So a name cannot become an element.
public struct HTML: Sendable, Hashable {
    /// UTF-8, already escaped.
    public internal(set) var bytes: [UInt8]

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Nothing at all.
    public static let empty = HTML(bytes: [])

    /// Text, escaped so that it reads as itself both between tags and within a quoted attribute.
    public static func text(_ text: String) -> HTML {
        var html = HTML.empty
        html.bytes.appendEscaped(text)
        return html
    }

    /// Markup that stands in our own source, letter by letter. What comes from outside cannot be a `StaticString`.
    public static func raw(_ markup: StaticString) -> HTML {
        var html = HTML.empty
        html.bytes.append(markup)
        return html
    }

    /// Whether there is nothing in it.
    public var isEmpty: Bool { bytes.isEmpty }

    /// The same as a string: for tests, and for answers that are strings.
    public var string: String { String(decoding: bytes, as: UTF8.self) }
}

/// Lets a page be written as blocks; a string in a block becomes escaped text.
@resultBuilder
public enum HTMLBuilder {
    /// A piece that is a piece already.
    public static func buildExpression(_ html: HTML) -> HTML { html }
    /// A string becomes text.
    public static func buildExpression(_ text: String) -> HTML { .text(text) }
    /// An empty block.
    public static func buildBlock() -> HTML { .empty }
    /// The first piece of a block.
    public static func buildPartialBlock(first: HTML) -> HTML { first }
    /// The next piece: appended in place, so that a block costs one array.
    public static func buildPartialBlock(accumulated: consuming HTML, next: HTML) -> HTML {
        accumulated.bytes.append(contentsOf: next.bytes)
        return accumulated
    }
    /// An `if` without `else`.
    public static func buildOptional(_ html: HTML?) -> HTML { html ?? .empty }
    /// The first way of an `if` or `switch`.
    public static func buildEither(first: HTML) -> HTML { first }
    /// The other way of an `if` or `switch`.
    public static func buildEither(second: HTML) -> HTML { second }
    /// A `for`.
    public static func buildArray(_ pieces: [HTML]) -> HTML {
        var all = HTML.empty
        all.bytes.reserveCapacity(pieces.reduce(0) { $0 + $1.bytes.count })
        for piece in pieces { all.bytes.append(contentsOf: piece.bytes) }
        return all
    }
}

extension [UInt8] {
    mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { append(contentsOf: $0) }
    }

    /// `& < > " '` as references. A carriage return too, which a parser would turn into a line feed;
    /// NUL, which no page may hold, becomes U+FFFD.
    mutating func appendEscaped(_ text: String) {
        var text = text
        text.withUTF8 { utf8 in
            var plainFrom = 0
            for index in utf8.indices {
                let reference: StaticString
                switch utf8[index] {
                case UInt8(ascii: "&"): reference = "&amp;"
                case UInt8(ascii: "<"): reference = "&lt;"
                case UInt8(ascii: ">"): reference = "&gt;"
                case UInt8(ascii: "\""): reference = "&quot;"
                case UInt8(ascii: "'"): reference = "&#39;"
                case UInt8(ascii: "\r"): reference = "&#13;"
                case 0: reference = "\u{FFFD}"
                default: continue
                }
                append(contentsOf: utf8[plainFrom..<index])
                append(reference)
                plainFrom = index + 1
            }
            append(contentsOf: utf8[plainFrom...])
        }
    }
}
