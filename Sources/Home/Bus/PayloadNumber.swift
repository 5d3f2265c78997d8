/// A number as JSON writes it.
enum PayloadNumber {
    /// Powers of ten, all of them exact.
    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ]

    /// - Parameter range: one number, by `PayloadScanner`.
    /// - Returns: its value, infinite when it is too large.
    static func value(_ bytes: [UInt8], _ range: Range<Int>) -> Double {
        var (mantissa, scale, isAfterPoint) = (0, 0, false)
        var index = range.lowerBound
        let isNegative = bytes[index] == UInt8(ascii: "-")
        if isNegative { index += 1 }
        while index < range.upperBound {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: ".") {
                isAfterPoint = true
                continue
            }
            // With an exponent or many digits the library is right to the last bit, and slower.
            guard (0x30...0x39).contains(byte), mantissa < 100_000_000_000_000, scale < powers.count - 1 else {
                return Double(String(decoding: bytes[range], as: UTF8.self)) ?? .nan
            }
            mantissa = mantissa * 10 + Int(byte - 0x30)
            if isAfterPoint { scale += 1 }
        }
        // Both exact, so the quotient is rounded once, as it should be.
        let value = Double(mantissa) / powers[scale]
        return isNegative ? -value : value
    }
}
