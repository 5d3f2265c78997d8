/// Reads one JSON document, strictly by RFC 8259. Nil wherever it is not JSON.
struct JSONReader {
    private let bytes: [UInt8]
    private var position = 0
    private var depth = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func document() -> TemplateValue? {
        guard let value = value() else { return nil }
        skipSpace()
        return position == bytes.count ? value : nil
    }

    private mutating func value() -> TemplateValue? {
        skipSpace()
        switch current {
        case UInt8(ascii: "{"): return nested { $0.object() }
        case UInt8(ascii: "["): return nested { $0.list() }
        case UInt8(ascii: "\""): return string().map(TemplateValue.text)
        case UInt8(ascii: "t"): return accept("true") ? .truth(true) : nil
        case UInt8(ascii: "f"): return accept("false") ? .truth(false) : nil
        case UInt8(ascii: "n"): return accept("null") ? .null : nil
        default: return number()
        }
    }

    private mutating func nested(_ read: (inout Self) -> TemplateValue?) -> TemplateValue? {
        guard depth < TemplateLimit.jsonDepth else { return nil }
        depth += 1
        defer { depth -= 1 }
        return read(&self)
    }

    private mutating func object() -> TemplateValue? {
        position += 1
        var members: [TemplateValue.Member] = []
        // By bytes: Swift holds two texts of different code points equal, Python does not.
        var places: [[UInt8]: Int] = [:]
        skipSpace()
        if accept("}") { return .object([]) }
        repeat {
            skipSpace()
            guard current == UInt8(ascii: "\""), let key = string() else { return nil }
            skipSpace()
            guard accept(":"), let value = value() else { return nil }
            if let place = places.updateValue(members.count, forKey: Array(key.utf8)) {
                places[Array(key.utf8)] = place
                members[place].value = value
            } else {
                members.append(.init(key: .text(key), value: value))
            }
            skipSpace()
        } while accept(",")
        return accept("}") ? .object(members) : nil
    }

    private mutating func list() -> TemplateValue? {
        position += 1
        var elements: [TemplateValue] = []
        skipSpace()
        if accept("]") { return .list([]) }
        repeat {
            guard let element = value() else { return nil }
            elements.append(element)
            skipSpace()
        } while accept(",")
        return accept("]") ? .list(elements) : nil
    }

    private mutating func number() -> TemplateValue? {
        let start = position
        _ = accept("-")
        guard let first = current, isDigit(first) else { return nil }
        position += 1
        if first != UInt8(ascii: "0") { skipDigits() }
        var isWhole = true
        if accept(".") {
            guard skipDigits() else { return nil }
            isWhole = false
        }
        if accept("e") || accept("E") {
            if !accept("+") { _ = accept("-") }
            guard skipDigits() else { return nil }
            isWhole = false
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isWhole, let integer = Int(text) { return .integer(integer) }
        guard let number = Double(text), number.isFinite else { return nil }
        return .number(number)
    }

    private mutating func string() -> String? {
        position += 1
        var content: [UInt8] = []
        while let byte = current {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(validating: content, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let scalar = escape() else { return nil }
                content.append(contentsOf: String(Character(scalar)).utf8)
            case 0..<0x20: return nil
            default: content.append(byte)
            }
        }
        return nil
    }

    private mutating func escape() -> Unicode.Scalar? {
        guard let byte = current else { return nil }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return unit().flatMap { scalar(from: $0) }
        default: return nil
        }
    }

    /// Half a pair of surrogates alone is no character.
    private mutating func scalar(from unit: UInt32) -> Unicode.Scalar? {
        guard (0xd800..<0xdc00).contains(unit) else { return Unicode.Scalar(unit) }
        guard accept("\\u"), let low = self.unit(), (0xdc00..<0xe000).contains(low) else { return nil }
        return Unicode.Scalar(0x10000 + (unit - 0xd800) << 10 + (low - 0xdc00))
    }

    private mutating func unit() -> UInt32? {
        guard position + 4 <= bytes.count else { return nil }
        var unit: UInt32 = 0
        for byte in bytes[position..<position + 4] {
            guard let digit = hexDigit(byte) else { return nil }
            unit = unit << 4 | digit
        }
        position += 4
        return unit
    }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func accept(_ text: StaticString) -> Bool {
        let wanted = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        guard bytes[position...].starts(with: wanted) else { return false }
        position += wanted.count
        return true
    }

    @discardableResult
    private mutating func skipDigits() -> Bool {
        let start = position
        while let byte = current, isDigit(byte) { position += 1 }
        return position > start
    }

    private mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { position += 1 }
    }
}

func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

func hexDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case 0x30...0x39: UInt32(byte - 0x30)
    case 0x41...0x46: UInt32(byte - 0x41 + 10)
    case 0x61...0x66: UInt32(byte - 0x61 + 10)
    default: nil
    }
}
