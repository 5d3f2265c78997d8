/// Formats like C's `printf`: `'%.1f' % x`, `'%02x' | format(x)`.
extension Rendering {
    /// Fills the places of a pattern. Each needs a value, and each value a place.
    /// - Parameter isAlone: the value is no tuple: an object, a list or a missing one is not too many for a pattern without places.
    mutating func formatted(
        _ pattern: String, with values: [TemplateValue], isAlone: Bool = false
    ) throws(TemplateFailure) -> String {
        try spend(bytes: pattern.utf8.count)
        var result = BoundedText(left: left)
        var places = PlaceReader(pattern)
        var rest = values[...]
        while let part = try places.next() {
            switch part {
            case .text(let text): try append(.text(text), to: &result)
            case .place(let place):
                guard let value = rest.popFirst() else { throw .wrongKind }
                var cost = 0
                let text: String
                do throws(TemplateFailure) { text = try place.text(of: value, left: left, cost: &cost) } catch {
                    // Also what comes to nothing has cost something.
                    try spend(cost)
                    throw error
                }
                try spend(cost)
                try append(.text(text), to: &result)
            }
            try spend(elements: 1)
        }
        if isAlone, rest.count == 1 {
            switch rest.first {
            case .object?, .list?, .undefined?: rest = []
            default: break
            }
        }
        guard rest.isEmpty else { throw .wrongKind }
        return result.text
    }
}

/// Cuts a pattern into text and places.
private struct PlaceReader {
    enum Part {
        case text(String)
        case place(FormatPlace)
    }

    private var rest: Substring.UnicodeScalarView

    init(_ pattern: String) { rest = pattern[...].unicodeScalars }

    mutating func next() throws(TemplateFailure) -> Part? {
        guard let first = rest.first else { return nil }
        guard first == "%" else {
            let text = rest.prefix { $0 != "%" }
            rest = rest[text.endIndex...]
            return .text(String(text))
        }
        rest.removeFirst()
        var place = FormatPlace()
        while let flag = rest.first, place.accept(flag: flag) { rest.removeFirst() }
        place.width = try number() ?? 0
        if rest.first == "." {
            rest.removeFirst()
            place.precision = try number() ?? 0
        }
        // C's sizes of integers mean nothing in Python.
        if let size = rest.first, "hlL".unicodeScalars.contains(size) { rest.removeFirst() }
        guard let kind = rest.popFirst() else { throw .wrongKind }
        if kind == "%" { return .text("%") }
        place.kind = kind
        return .place(place)
    }

    private mutating func number() throws(TemplateFailure) -> Int? {
        var number: Int?
        while let digit = rest.first, ("0"..."9").contains(digit) {
            let next = (number ?? 0) * 10 + Int(digit.value - 0x30)
            guard next <= TemplateLimit.output else { throw .tooLong }
            number = next
            rest.removeFirst()
        }
        return number
    }
}

/// One `%…` of a pattern.
private struct FormatPlace {
    var isLeft = false
    var isSigned = false
    var hasSpace = false
    var isPadded = false
    var isAlternative = false
    var width = 0
    var precision: Int?
    var kind: Unicode.Scalar = "s"

    mutating func accept(flag: Unicode.Scalar) -> Bool {
        switch flag {
        case "-": isLeft = true
        case "+": isSigned = true
        case " ": hasSpace = true
        case "0": isPadded = true
        case "#": isAlternative = true
        default: return false
        }
        return true
    }

    /// - Parameters:
    ///   - left: what it may cost.
    ///   - cost: what it has, with what is written before it is cut.
    func text(of value: TemplateValue, left: Int, cost: inout Int) throws(TemplateFailure) -> String {
        switch kind {
        case "s", "r", "a":
            // `%a` escapes what `%r` shows: no template has it.
            guard kind != "a" else { throw .wrongKind }
            var text = BoundedText(left: left)
            defer { cost = text.cost }
            if kind == "s" { try text.append(value) } else { try text.append(literal: value) }
            return padded(precision.map { String(text.text.unicodeScalars.prefix($0)) } ?? text.text)
        case "c": return padded(try character(value))
        case "d", "i", "u", "x", "X", "o": return try integer(value)
        case "f", "F", "e", "E", "g", "G":
            cost = Cost.digits(of: value.real ?? 0)
            return try real(value)
        default: throw .wrongKind
        }
    }

    private func character(_ value: TemplateValue) throws(TemplateFailure) -> String {
        if case .text(let text) = value, text.unicodeScalars.count == 1 { return text }
        guard let whole = value.whole, let code = UInt32(exactly: whole), let scalar = Unicode.Scalar(code) else {
            throw .wrongKind
        }
        return String(Character(scalar))
    }

    private func integer(_ value: TemplateValue) throws(TemplateFailure) -> String {
        let number: Int
        if let whole = value.whole {
            number = whole
        } else {
            // A fraction has no hexadecimal digits.
            guard case .number(let real) = value, "diu".unicodeScalars.contains(kind) else { throw .wrongKind }
            number = try Numbers.cut(real)
        }
        let radix = kind == "o" ? 8 : kind == "x" || kind == "X" ? 16 : 10
        var digits = String(number.magnitude, radix: radix, uppercase: kind == "X")
        if let precision { digits = String(repeating: "0", count: max(precision - digits.utf8.count, 0)) + digits }
        let prefix = isAlternative && radix != 10 ? "0" + String(Character(kind)) : ""
        return padded(digits, sign: sign(number < 0) + prefix)
    }

    private func real(_ value: TemplateValue) throws(TemplateFailure) -> String {
        guard let number = value.real else { throw .wrongKind }
        let isUpper = kind.properties.isUppercase
        guard number.isFinite else {
            let text = number.isNaN ? "nan" : "inf"
            let isNegative = number < 0
            return padded(isUpper ? text.uppercased() : text, sign: sign(isNegative), withZeros: isPadded)
        }
        let exact = ExactDecimal(number.magnitude)
        let places = precision ?? 6
        var text: String
        switch kind {
        case "f", "F": text = exact.fixed(places)
        case "e", "E": text = exact.scientific(places)
        default: text = general(exact, max(places, 1))
        }
        if isUpper { text = text.uppercased() }
        return padded(text, sign: sign(number.sign == .minus))
    }

    /// The shorter form, without zeros at its end.
    private func general(_ exact: ExactDecimal, _ digits: Int) -> String {
        let rounded = exact.rounded(to: digits)
        let exponent = rounded.digits.isEmpty ? 0 : rounded.point - 1
        let isPlain = exponent >= -4 && exponent < digits
        let text = isPlain ? exact.fixed(digits - 1 - exponent) : exact.scientific(digits - 1)
        guard !isAlternative, text.utf8.contains(UInt8(ascii: ".")) else { return text }
        let end = text.utf8.firstIndex(of: UInt8(ascii: "e")) ?? text.endIndex
        var mantissa = text[..<end]
        while mantissa.last == "0" { mantissa.removeLast() }
        if mantissa.last == "." { mantissa.removeLast() }
        return String(mantissa + text[end...])
    }

    private func sign(_ isNegative: Bool) -> String { isNegative ? "-" : isSigned ? "+" : hasSpace ? " " : "" }

    private func padded(_ text: String) -> String {
        let missing = String(repeating: " ", count: max(width - text.unicodeScalars.count, 0))
        return isLeft ? text + missing : missing + text
    }

    private func padded(_ digits: String, sign: String, withZeros: Bool? = nil) -> String {
        guard withZeros ?? isPadded, !isLeft else { return padded(sign + digits) }
        return sign + String(repeating: "0", count: max(width - sign.utf8.count - digits.utf8.count, 0)) + digits
    }
}
