/// Writes JSON, in one of the two forms that templates know.
struct JSONWriter {
    enum Style {
        /// `to_json` of Home Assistant: without spaces, characters as they are.
        case compact
        /// `tojson` of Jinja: with spaces, keys in order, everything beyond ASCII and the signs of HTML escaped.
        case python
    }

    private(set) var output: BoundedText
    private let style: Style

    init(_ output: BoundedText, style: Style) { (self.output, self.style) = (output, style) }

    mutating func append(_ value: TemplateValue, nesting: Int = 0) throws(TemplateFailure) {
        guard nesting < TemplateLimit.nesting else { throw .outOfRange }
        switch value {
        case .undefined: throw .wrongKind
        case .null: try output.append("null")
        case .truth(let truth): try output.append(truth ? "true" : "false")
        case .integer(let integer):
            try output.spend(Cost.integer)
            try output.append(String(integer))
        case .number(let number):
            try output.spend(Cost.float)
            try output.append(text(of: number))
        case .text(let text): try append(quoted: text)
        case .list(let list):
            try output.append("[")
            for (place, element) in list.enumerated() {
                if place > 0 { try output.append(style == .python ? ", " : ",") }
                try append(element, nesting: nesting + 1)
            }
            try output.append("]")
        case .object(let members):
            try output.append("{")
            if style == .python { try output.spend(members.count * Cost.sorted) }
            for (place, member) in try ordered(members).enumerated() {
                if place > 0 { try output.append(style == .python ? ", " : ",") }
                try append(quoted: try key(member.key))
                try output.append(style == .python ? ": " : ":")
                try append(member.value, nesting: nesting + 1)
            }
            try output.append("}")
        }
    }

    private func text(of number: Double) -> String {
        if style == .compact { return FloatText.json(number) }
        if number.isNaN { return "NaN" }
        if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
        return FloatText.python(number)
    }

    /// orjson refuses keys that are no texts; Python writes them as texts.
    private func key(_ key: TemplateValue) throws(TemplateFailure) -> String {
        if case .text(let text) = key { return text }
        guard style == .python else { throw .wrongKind }
        switch key {
        case .null: return "null"
        case .truth(let truth): return truth ? "true" : "false"
        case .integer(let integer): return String(integer)
        case .number(let number): return text(of: number)
        default: throw .wrongKind
        }
    }

    private func ordered(_ members: [TemplateValue.Member]) throws(TemplateFailure) -> [TemplateValue.Member] {
        guard style == .python, members.count > 1 else { return members }
        let texts = members.count {
            if case .text = $0.key { true } else { false }
        }
        if texts == members.count {
            return members.sorted {
                guard case .text(let first) = $0.key, case .text(let second) = $1.key else { return false }
                return first.utf8.lexicographicallyPrecedes(second.utf8)
            }
        }
        guard members.allSatisfy({ $0.key.real != nil }) else { throw .wrongKind }
        return members.sorted { Rendering.order(numbers: $0.key, $1.key) == -1 }
    }

    private mutating func append(quoted text: String) throws(TemplateFailure) {
        try output.append("\"")
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": try output.append("\\\"")
            case "\\": try output.append("\\\\")
            case "\n": try output.append("\\n")
            case "\r": try output.append("\\r")
            case "\t": try output.append("\\t")
            case "\u{8}": try output.append("\\b")
            case "\u{c}": try output.append("\\f")
            case "<", ">", "&", "'":
                if style == .python { try append(escaped: UInt16(scalar.value)) } else { try output.append(scalar) }
            default:
                if scalar.value < 0x20 || style == .python && !(0x20...0x7e).contains(scalar.value) {
                    for unit in String(Character(scalar)).utf16 { try append(escaped: unit) }
                } else {
                    try output.append(scalar)
                }
            }
        }
        try output.append("\"")
    }

    private mutating func append(escaped unit: UInt16) throws(TemplateFailure) {
        try output.spend(Cost.escape)
        let digits = String(unit, radix: 16)
        try output.append("\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits)
    }
}
