/// Reads a JSON text (RFC 8259) once and finds some values in it; builds nothing, whatever the text is.
///
/// It is for texts that come many times a second; requests are read by `JSONReader`. A key that is written with escapes is none of
/// the wanted ones.
struct PayloadScanner {
    /// So deep objects and lists may lie in one another.
    static let depthLimit = 16

    /// A value, by where it lies in the text.
    enum Token: Equatable {
        /// Without its quotes; plain: without escapes.
        case text(Range<Int>, isPlain: Bool)
        case number(Range<Int>)
        case truth(Bool)
        case null
        /// An object or a list.
        case container
    }

    private let bytes: [UInt8]
    private let wanted: [[[UInt8]]]
    private var found: [Token?]
    private var position = 0

    private init(_ bytes: [UInt8], _ wanted: [[[UInt8]]]) {
        (self.bytes, self.wanted) = (bytes, wanted)
        found = Array(repeating: nil, count: wanted.count)
    }

    /// - Parameter wanted: the members that lead to each value, at most eight of them; in a list, its index.
    /// - Returns: for each wanted value what lies there; nil when the text is not JSON, or has a wanted member twice.
    static func find(_ wanted: [[[UInt8]]], in bytes: [UInt8]) -> [Token?]? {
        var scanner = PayloadScanner(bytes, wanted)
        scanner.skipSpace()
        guard scanner.value(UInt8(truncatingIfNeeded: (1 << min(wanted.count, 8)) - 1), depth: 0) != nil else {
            return nil
        }
        scanner.skipSpace()
        return scanner.position == bytes.count ? scanner.found : nil
    }

    /// The text of a token; nil when it is no UTF-8 or its escapes mean nothing.
    static func string(_ range: Range<Int>, isPlain: Bool, in bytes: [UInt8]) -> String? {
        if isPlain { return String(validating: bytes[range], as: UTF8.self) }
        return PayloadEscapes.decoded(bytes[range])
    }

    /// Whether these bytes are one number.
    static func isNumber(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
        var scanner = PayloadScanner(bytes, [])
        scanner.position = range.lowerBound
        return scanner.number() == .number(range)
    }

    // MARK: Values

    /// - Parameter open: a bit for each wanted value that may lie in here.
    private mutating func value(_ open: UInt8, depth: Int) -> Token? {
        guard position < bytes.count else { return nil }
        switch bytes[position] {
        case UInt8(ascii: "{"): return object(open, depth) ? .container : nil
        case UInt8(ascii: "["): return list(open, depth) ? .container : nil
        case UInt8(ascii: "\""): return text()
        case UInt8(ascii: "t"): return word("true") ? .truth(true) : nil
        case UInt8(ascii: "f"): return word("false") ? .truth(false) : nil
        case UInt8(ascii: "n"): return word("null") ? .null : nil
        default: return number()
        }
    }

    private mutating func object(_ open: UInt8, _ depth: Int) -> Bool {
        guard depth < Self.depthLimit else { return false }
        position += 1
        skipSpace()
        if take(UInt8(ascii: "}")) { return true }
        repeat {
            skipSpace()
            guard case .text(let key, let isPlain)? = text() else { return false }
            skipSpace()
            guard take(UInt8(ascii: ":")) else { return false }
            skipSpace()
            let inner = open == 0 || !isPlain ? 0 : those(of: open, at: depth) { bytes[key].elementsEqual($0) }
            guard let token = value(inner, depth: depth + 1), keep(token, inner, depth + 1) else { return false }
            skipSpace()
        } while take(UInt8(ascii: ","))
        return take(UInt8(ascii: "}"))
    }

    private mutating func list(_ open: UInt8, _ depth: Int) -> Bool {
        guard depth < Self.depthLimit else { return false }
        position += 1
        skipSpace()
        if take(UInt8(ascii: "]")) { return true }
        var index = 0
        repeat {
            skipSpace()
            let inner = open == 0 ? 0 : those(of: open, at: depth) { "\(index)".utf8.elementsEqual($0) }
            guard let token = value(inner, depth: depth + 1), keep(token, inner, depth + 1) else { return false }
            index += 1
            skipSpace()
        } while take(UInt8(ascii: ","))
        return take(UInt8(ascii: "]"))
    }

    /// Those of the wanted values whose way goes on through this member.
    private func those(of open: UInt8, at depth: Int, _ matches: ([UInt8]) -> Bool) -> UInt8 {
        var inner: UInt8 = 0
        for index in wanted.indices where open & 1 << index != 0 && wanted[index].count > depth {
            if matches(wanted[index][depth]) { inner |= 1 << index }
        }
        return inner
    }

    /// - Returns: false when a wanted value was there before.
    private mutating func keep(_ token: Token, _ open: UInt8, _ depth: Int) -> Bool {
        if open == 0 { return true }
        for index in wanted.indices where open & 1 << index != 0 && wanted[index].count == depth {
            if found[index] != nil { return false }
            found[index] = token
        }
        return true
    }

    private mutating func text() -> Token? {
        guard take(UInt8(ascii: "\"")) else { return nil }
        let start = position
        var isPlain = true
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return .text(start..<position - 1, isPlain: isPlain)
            case UInt8(ascii: "\\"):
                isPlain = false
                // What the escape means is looked at when somebody wants the text.
                position += 1
            case 0..<0x20: return nil
            default: break
            }
        }
        return nil
    }

    private mutating func number() -> Token? {
        let start = position
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")), !digits() { return nil }
        if take(UInt8(ascii: ".")), !digits() { return nil }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            if !digits() { return nil }
        }
        return .number(start..<position)
    }

    private mutating func digits() -> Bool {
        let start = position
        while position < bytes.count, (0x30...0x39).contains(bytes[position]) { position += 1 }
        return position > start
    }

    private mutating func word(_ word: StaticString) -> Bool {
        let letters = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        let end = position + letters.count
        guard end <= bytes.count, bytes[position..<end].elementsEqual(letters) else { return false }
        position = end
        return true
    }

    private mutating func skipSpace() {
        while position < bytes.count, PayloadScanner.isSpace(bytes[position]) { position += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    /// What JSON calls white space.
    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 }
}
