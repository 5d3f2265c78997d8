/// Numbers in text, as Python's `float()` and `int()` read them.
enum NumberReader {
    /// Nil: not a number. A number that is too large is infinite.
    static func real(_ text: String) -> Double? {
        var bytes = Array(TextFunctions.strip(text).utf8)
        let isNegative = bytes.first == UInt8(ascii: "-")
        if isNegative || bytes.first == UInt8(ascii: "+") { bytes.removeFirst() }
        let magnitude: Double
        switch String(decoding: bytes, as: UTF8.self).lowercased() {
        case "inf", "infinity": magnitude = .infinity
        case "nan": magnitude = .nan
        default:
            guard isPlain(bytes) else { return nil }
            let digits = bytes.filter { $0 != UInt8(ascii: "_") }
            guard let number = Double(String(decoding: digits, as: UTF8.self)) else { return nil }
            magnitude = number
        }
        return isNegative ? -magnitude : magnitude
    }

    /// Digits with single `_` between them, at most one point, and an exponent.
    private static func isPlain(_ bytes: [UInt8]) -> Bool {
        var position = 0
        func digits() -> Bool {
            let start = position
            while position < bytes.count {
                if isDigit(bytes[position]) {
                    position += 1
                } else if bytes[position] == UInt8(ascii: "_"), position > start, position + 1 < bytes.count,
                    isDigit(bytes[position + 1])
                {
                    position += 1
                } else {
                    break
                }
            }
            return position > start
        }
        let hasWhole = digits()
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
            position += 1
            guard digits() || hasWhole else { return false }
        } else if !hasWhole {
            return false
        }
        if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
            position += 1
            if position < bytes.count, bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-") {
                position += 1
            }
            guard digits() else { return false }
        }
        return position == bytes.count
    }

    /// Nil: not an integer in this base.
    /// - Parameter base: 2 to 36; 0: as the prefix says.
    /// - Throws: `outOfRange` beyond 64 bits.
    static func whole(_ text: String, base: Int) throws(TemplateFailure) -> Int? {
        var bytes = Array(TextFunctions.strip(text).utf8)
        let isNegative = bytes.first == UInt8(ascii: "-")
        if isNegative || bytes.first == UInt8(ascii: "+") { bytes.removeFirst() }
        var radix = base
        let prefixes: [UInt8: Int] = [0x78: 16, 0x6f: 8, 0x62: 2]
        var mayBeginWithSeparator = false
        if bytes.count > 2, bytes[0] == 0x30, let named = prefixes[bytes[1] | 0x20], base == 0 || base == named {
            radix = named
            bytes.removeFirst(2)
            mayBeginWithSeparator = true
        } else if base == 0 {
            guard bytes.first != 0x30 || bytes.allSatisfy({ $0 == 0x30 }) else { return nil }
            radix = 10
        }
        var result = 0
        var wasDigit = mayBeginWithSeparator
        var isBeyond = false
        guard let last = bytes.last, last != UInt8(ascii: "_") else { return nil }
        for byte in bytes {
            if byte == UInt8(ascii: "_") {
                guard wasDigit else { return nil }
                wasDigit = false
                continue
            }
            guard let digit = digit(byte), digit < radix else { return nil }
            wasDigit = true
            let (product, tooLarge) = result.multipliedReportingOverflow(by: radix)
            let (sum, tooSmall) = product.subtractingReportingOverflow(digit)
            // Downwards, since there is one more negative integer than there are positive ones.
            if tooLarge || tooSmall { isBeyond = true } else { result = sum }
        }
        guard !isBeyond, isNegative || result != .min else { throw .outOfRange }
        return isNegative ? result : -result
    }

    private static func digit(_ byte: UInt8) -> Int? {
        switch byte {
        case 0x30...0x39: Int(byte) - 0x30
        case 0x41...0x5a: Int(byte) - 0x41 + 10
        case 0x61...0x7a: Int(byte) - 0x61 + 10
        default: nil
        }
    }
}
