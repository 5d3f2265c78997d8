/// A text that grows up to a bound, and counts what that costs.
struct BoundedText {
    private(set) var text = ""
    private let limit: Int
    /// What it may still cost.
    private var left: Int
    /// What it has cost since it was asked last.
    private var spent = 0

    /// - Parameter left: what it may cost.
    init(limit: Int = TemplateLimit.text, left: Int) { (self.limit, self.left) = (limit, left) }

    /// May cost so much from now on.
    mutating func allow(_ left: Int) { (self.left, spent) = (left, 0) }

    /// What it has cost since then.
    var cost: Int { spent }

    mutating func spend(_ cost: Int) throws(TemplateFailure) {
        spent += cost
        guard spent <= left else { throw .tooManySteps }
    }

    mutating func append(_ more: String) throws(TemplateFailure) {
        guard more.utf8.count <= limit - text.utf8.count else { throw .tooLong }
        try spend(Cost.append + more.utf8.count / Cost.copied)
        text += more
    }

    mutating func append(_ scalar: Unicode.Scalar) throws(TemplateFailure) {
        guard text.utf8.count + 4 <= limit else { throw .tooLong }
        try spend(Cost.append)
        text.unicodeScalars.append(scalar)
    }

    mutating func append(_ more: String, times: Int) throws(TemplateFailure) {
        guard times > 0 else { return }
        let (size, overflows) = more.utf8.count.multipliedReportingOverflow(by: times)
        guard !overflows, size <= limit - text.utf8.count else { throw .tooLong }
        try spend(size / Cost.copied)
        // Doubled again and again: one by one, small texts take many times as long.
        var (part, rest) = (more, times)
        while rest > 0 {
            if rest & 1 == 1 { text += part }
            rest >>= 1
            if rest > 0 { part += part }
        }
    }

    /// As Python's `str` writes it. A missing value is an empty text.
    mutating func append(_ value: TemplateValue) throws(TemplateFailure) {
        switch value {
        case .undefined: break
        case .text(let text): try append(text)
        default: try append(literal: value)
        }
    }

    /// As Python's `repr` writes it: texts in quotes.
    mutating func append(literal value: TemplateValue, nesting: Int = 0) throws(TemplateFailure) {
        guard nesting < TemplateLimit.nesting else { throw .outOfRange }
        switch value {
        case .undefined: try append("Undefined")
        case .null: try append("None")
        case .truth(let truth): try append(truth ? "True" : "False")
        case .integer(let integer):
            try spend(Cost.integer)
            try append(String(integer))
        case .number(let number):
            try spend(Cost.float)
            try append(FloatText.python(number))
        case .text(let text): try append(quoted: text)
        case .list(let list):
            try append("[")
            for (place, element) in list.enumerated() {
                if place > 0 { try append(", ") }
                try append(literal: element, nesting: nesting + 1)
            }
            try append("]")
        case .object(let members):
            try append("{")
            for (place, member) in members.enumerated() {
                if place > 0 { try append(", ") }
                try append(literal: member.key, nesting: nesting + 1)
                try append(": ")
                try append(literal: member.value, nesting: nesting + 1)
            }
            try append("}")
        }
    }

    private mutating func append(quoted text: String) throws(TemplateFailure) {
        let quote: Unicode.Scalar = text.utf8.contains(0x27) && !text.utf8.contains(0x22) ? "\"" : "'"
        try append(quote)
        for scalar in text.unicodeScalars {
            switch scalar {
            case quote, "\\":
                try append("\\")
                try append(scalar)
            case "\n": try append("\\n")
            case "\r": try append("\\r")
            case "\t": try append("\\t")
            default:
                if !scalar.isASCII { try spend(Cost.unicode) }
                if isPrintable(scalar) { try append(scalar) } else { try append(escaped: scalar.value) }
            }
        }
        try append(quote)
    }

    private mutating func append(escaped value: UInt32) throws(TemplateFailure) {
        try spend(Cost.escape)
        let digits = String(value, radix: 16)
        let (prefix, width) = value < 0x100 ? ("\\x", 2) : value < 0x10000 ? ("\\u", 4) : ("\\U", 8)
        try append(prefix + String(repeating: "0", count: max(width - digits.utf8.count, 0)) + digits)
    }

    /// Python's `str.isprintable`.
    private func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return (0x20..<0x7f).contains(scalar.value) }
        return switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
            .spaceSeparator:
            false
        default: true
        }
    }
}
