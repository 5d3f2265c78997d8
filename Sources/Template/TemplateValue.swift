/// A value that a template computes with. Its kinds are those of Python that JSON and literals lead to.
public enum TemplateValue: Sendable, Equatable {
    /// A variable or member that is missing.
    case undefined
    /// JSON's `null`, Python's `None`.
    case null
    /// A Boolean. Computed with, it counts as 0 or 1.
    case truth(Bool)
    /// A whole number of 64 bits.
    case integer(Int)
    /// Any other number, also an infinite one.
    case number(Double)
    /// A text, compared by its code points.
    case text(String)
    /// A list. A tuple is one, too.
    case list([TemplateValue])
    /// The members of an object, each key once, in the order in which they were written.
    case object([Member])

    /// One member of an object.
    public struct Member: Sendable, Equatable {
        /// A text in JSON; in a literal also a number, a Boolean or `none`.
        public var key: TemplateValue
        /// The value under the key.
        public var value: TemplateValue

        /// A member of any key.
        public init(key: TemplateValue, value: TemplateValue) {
            self.key = key
            self.value = value
        }
    }

    /// Reads JSON (RFC 8259), integers as integers and members in their order. Of two members with one key the later value counts.
    ///
    /// Nil: not JSON, more than 64 KiB, nested more than 16 deep, or not UTF-8. An integer beyond 64 bits becomes a ``number(_:)``.
    public init?(json: [UInt8]) {
        guard json.count <= TemplateLimit.json else { return nil }
        var reader = JSONReader(json)
        guard let value = reader.document() else { return nil }
        self = value
    }

    /// Python's truth: zero, an empty text, list or object, `none` and what is missing are false.
    var isTrue: Bool {
        switch self {
        case .undefined, .null: false
        case .truth(let truth): truth
        case .integer(let integer): integer != 0
        case .number(let number): number != 0
        case .text(let text): !text.isEmpty
        case .list(let list): !list.isEmpty
        case .object(let members): !members.isEmpty
        }
    }

    /// A Boolean or an integer, as Python computes with both.
    var whole: Int? {
        switch self {
        case .truth(let truth): truth ? 1 : 0
        case .integer(let integer): integer
        default: nil
        }
    }

    /// Any number, as the nearest `Double`.
    var real: Double? {
        if case .number(let number) = self { return number }
        return whole.map(Double.init)
    }
}
