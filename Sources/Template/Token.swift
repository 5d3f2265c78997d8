/// The smallest parts of a source.
enum Token: Equatable {
    case text(String)
    case beginOutput, endOutput, beginStatement, endStatement
    case name(String)
    case string(String)
    case integer(Int)
    case number(Double)
    case symbol(Symbol)

    enum Symbol: String, CaseIterable {
        // Longest first: that is the order in which they are recognized.
        case equal = "=="
        case unequal = "!="
        case lessOrEqual = "<="
        case greaterOrEqual = ">="
        case floorDivided = "//"
        case power = "**"
        case less = "<"
        case greater = ">"
        case assign = "="
        case plus = "+"
        case minus = "-"
        case times = "*"
        case divided = "/"
        case modulo = "%"
        case tilde = "~"
        case pipe = "|"
        case dot = "."
        case comma = ","
        case colon = ":"
        case open = "("
        case close = ")"
        case openList = "["
        case closeList = "]"
        case openObject = "{"
        case closeObject = "}"
    }
}

func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) || (0x1c...0x1f).contains(byte) }

private func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "_"): true
    default: false
    }
}

/// Cuts a source into tokens, by the rules of Jinja's lexer.
struct Lexer {
    private let bytes: [UInt8]
    private var position = 0
    /// The brackets that are open: inside them, `}}` closes brackets and not the output.
    private var open: [Token.Symbol] = []
    private(set) var tokens: [(token: Token, offset: Int)] = []

    /// - Parameter source: as it came; its outer space does not count, and each line ends with `\n`.
    static func tokens(of source: String) throws(TemplateFault) -> [(token: Token, offset: Int)] {
        var bytes: [UInt8] = []
        for byte in source.utf8 {
            if byte == 0x0a, bytes.last == 0x0d { bytes.removeLast() }
            bytes.append(byte)
        }
        bytes = bytes.map { $0 == 0x0d ? 0x0a : $0 }
        while let last = bytes.last, isSpace(last) { bytes.removeLast() }
        var lexer = Lexer(bytes: Array(bytes.drop(while: isSpace)))
        while lexer.position < lexer.bytes.count { try lexer.section() }
        return lexer.tokens
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// Text up to the next bracket of Jinja, and what is in that bracket.
    private mutating func section() throws(TemplateFault) {
        let start = position
        while position < bytes.count, !isAt("{{"), !isAt("{%"), !isAt("{#") { position += 1 }
        var text = bytes[start..<position]
        let bracket = position
        let opening = position < bytes.count ? bytes[position + 1] : 0
        if position < bytes.count { position += 2 }
        if opening != 0, accept("-") {
            while let last = text.last, isSpace(last) { text.removeLast() }
        } else if opening != 0 {
            _ = accept("+")
        }
        if !text.isEmpty { tokens.append((.text(String(decoding: text, as: UTF8.self)), start)) }
        switch opening {
        case UInt8(ascii: "{"):
            tokens.append((.beginOutput, bracket))
            try code(until: "}}", .endOutput)
        case UInt8(ascii: "%"):
            tokens.append((.beginStatement, bracket))
            try code(until: "%}", .endStatement)
        case UInt8(ascii: "#"): try skipComment(from: bracket)
        default: break
        }
    }

    private mutating func skipComment(from start: Int) throws(TemplateFault) {
        while position < bytes.count, !isAt("#}") { position += 1 }
        guard position < bytes.count else { throw .malformed(offset: start) }
        // `{#}` is no comment, and its `-` belongs to one end alone.
        let trims = position > start + 2 && bytes[position - 1] == UInt8(ascii: "-")
        position += 2
        if trims { skipSpace() }
    }

    private mutating func code(until end: StaticString, _ token: Token) throws(TemplateFault) {
        open = []
        while true {
            skipSpace()
            guard position < bytes.count else { throw .malformed(offset: position) }
            if open.isEmpty {
                let start = position
                let trims = accept("-")
                if !trims, token == .endStatement { _ = accept("+") }
                if accept(end) {
                    tokens.append((token, start))
                    if trims { skipSpace() }
                    return
                }
                position = start
            }
            try codeToken()
        }
    }

    private mutating func codeToken() throws(TemplateFault) {
        let start = position
        let byte = bytes[position]
        if isDigit(byte) {
            tokens.append((try number(), start))
        } else if isWord(byte) {
            while position < bytes.count, isWord(bytes[position]) { position += 1 }
            tokens.append((.name(String(decoding: bytes[start..<position], as: UTF8.self)), start))
        } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
            position += 1
            tokens.append((.string(try string(endedBy: byte)), start))
        } else {
            guard let symbol = Token.Symbol.allCases.first(where: { bytes[position...].starts(with: $0.rawValue.utf8) })
            else { throw .malformed(offset: start) }
            position += symbol.rawValue.utf8.count
            try balance(symbol, at: start)
            tokens.append((.symbol(symbol), start))
        }
    }

    private mutating func balance(_ symbol: Token.Symbol, at offset: Int) throws(TemplateFault) {
        switch symbol {
        case .open: open.append(.close)
        case .openList: open.append(.closeList)
        case .openObject: open.append(.closeObject)
        case .close, .closeList, .closeObject: guard open.popLast() == symbol else { throw .malformed(offset: offset) }
        default: break
        }
    }

    /// `12`, `1_000`, `0x1f`, `1.5`, `1e3`. Digits after a dot are an index (`a.0.b`) and no fraction.
    private mutating func number() throws(TemplateFault) -> Token {
        let start = position
        if position > 0, bytes[position - 1] == UInt8(ascii: ".") {
            skipDigits()
            return try integer(bytes[start..<position], radix: 10, at: start)
        }
        for (prefix, radix) in [("0x", 16), ("0X", 16), ("0o", 8), ("0O", 8), ("0b", 2), ("0B", 2)]
        where bytes[position...].starts(with: prefix.utf8) {
            position += 2
            while position < bytes.count, isWord(bytes[position]) { position += 1 }
            return try integer(bytes[(start + 2)..<position], radix: radix, at: start)
        }
        skipDigits()
        var isWhole = true
        if position + 1 < bytes.count, bytes[position] == UInt8(ascii: "."), isDigit(bytes[position + 1]) {
            position += 1
            skipDigits()
            isWhole = false
        }
        if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
            position += 1
            if position < bytes.count, bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-") {
                position += 1
            }
            guard position < bytes.count, isDigit(bytes[position]) else { throw .malformed(offset: start) }
            skipDigits()
            isWhole = false
        }
        if position < bytes.count, isWord(bytes[position]) { throw .malformed(offset: start) }
        let digits = bytes[start..<position]
        if isWhole {
            let hasLeadingZero = digits.first == 0x30 && digits.contains { (0x31...0x39).contains($0) }
            guard !hasLeadingZero else { throw .malformed(offset: start) }
            return try integer(digits, radix: 10, at: start)
        }
        let text = String(decoding: digits.filter { $0 != UInt8(ascii: "_") }, as: UTF8.self)
        guard let number = Double(text) else { throw .malformed(offset: start) }
        return .number(number)
    }

    private func integer(_ digits: ArraySlice<UInt8>, radix: Int, at start: Int) throws(TemplateFault) -> Token {
        let text = String(decoding: digits.filter { $0 != UInt8(ascii: "_") }, as: UTF8.self)
        guard digits.last != UInt8(ascii: "_"), let integer = Int(text, radix: radix) else {
            throw .malformed(offset: start)
        }
        return .integer(integer)
    }

    private mutating func string(endedBy quote: UInt8) throws(TemplateFault) -> String {
        let start = position
        var content: [UInt8] = []
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if byte == quote { return String(decoding: content, as: UTF8.self) }
            if byte == UInt8(ascii: "\\") {
                try escape(into: &content)
            } else {
                content.append(byte)
            }
        }
        throw .malformed(offset: start - 1)
    }

    /// Python's escapes. One that it does not know stays as it is written.
    private mutating func escape(into content: inout [UInt8]) throws(TemplateFault) {
        guard position < bytes.count else { throw .malformed(offset: position) }
        let byte = bytes[position]
        position += 1
        switch byte {
        case 0x0a: break
        case UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""): content.append(byte)
        case UInt8(ascii: "a"): content.append(0x07)
        case UInt8(ascii: "b"): content.append(0x08)
        case UInt8(ascii: "t"): content.append(0x09)
        case UInt8(ascii: "n"): content.append(0x0a)
        case UInt8(ascii: "v"): content.append(0x0b)
        case UInt8(ascii: "f"): content.append(0x0c)
        case UInt8(ascii: "r"): content.append(0x0d)
        case UInt8(ascii: "x"): try scalar(digits: 2, into: &content)
        case UInt8(ascii: "u"): try scalar(digits: 4, into: &content)
        case UInt8(ascii: "U"): try scalar(digits: 8, into: &content)
        // A character by its octal number or by its name: no template has one.
        case 0x30...0x37, UInt8(ascii: "N"): throw .malformed(offset: position - 2)
        default: content += [UInt8(ascii: "\\"), byte]
        }
    }

    private mutating func scalar(digits count: Int, into content: inout [UInt8]) throws(TemplateFault) {
        let start = position
        var number: UInt32 = 0
        for _ in 0..<count {
            guard position < bytes.count, let digit = hexDigit(bytes[position]), number < 1 << 24 else {
                throw .malformed(offset: start - 2)
            }
            number = number << 4 | digit
            position += 1
        }
        guard let scalar = Unicode.Scalar(number) else { throw .malformed(offset: start - 2) }
        content += Array(String(Character(scalar)).utf8)
    }

    private mutating func skipDigits() {
        while position < bytes.count {
            let isSeparator =
                bytes[position] == UInt8(ascii: "_") && position + 1 < bytes.count && isDigit(bytes[position + 1])
            guard isDigit(bytes[position]) || isSeparator else { return }
            position += 1
        }
    }

    private mutating func skipSpace() {
        while position < bytes.count, isSpace(bytes[position]) { position += 1 }
    }

    private func isAt(_ text: StaticString) -> Bool {
        let wanted = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        return bytes[position...].starts(with: wanted)
    }

    private mutating func accept(_ text: StaticString) -> Bool {
        guard isAt(text) else { return false }
        position += text.utf8CodeUnitCount
        return true
    }
}
