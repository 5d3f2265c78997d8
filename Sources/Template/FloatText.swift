/// The text of floating-point numbers. Swift gives the shortest digits that read back the same; the forms are Python's and orjson's.
enum FloatText {
    /// As Python's `repr`: `12.0`, `1e+20`, `1e-05`, `nan`.
    static func python(_ number: Double) -> String {
        if number.isNaN { return "nan" }
        if number.isInfinite { return number < 0 ? "-inf" : "inf" }
        let (digits, point) = shortest(number.magnitude)
        let sign = number.sign == .minus ? "-" : ""
        if point > -4, point <= 16 { return sign + plain(digits, point) }
        let exponent = String((point - 1).magnitude)
        return sign + scientific(digits) + (point > 0 ? "e+" : "e-") + (exponent.utf8.count < 2 ? "0" : "") + exponent
    }

    /// As orjson: `12.0`, `1e20`, `1e-6`. Infinite numbers and NaN are `null` there.
    static func json(_ number: Double) -> String {
        guard number.isFinite else { return "null" }
        let (digits, point) = shortest(number.magnitude)
        let sign = number.sign == .minus ? "-" : ""
        return sign + (point > -5 && point <= 16 ? plain(digits, point) : scientific(digits) + "e" + String(point - 1))
    }

    /// The digits after `0.`, and the power of ten that they are multiplied with.
    private static func shortest(_ magnitude: Double) -> (digits: [UInt8], point: Int) {
        guard magnitude > 0 else { return ([0x30], 1) }
        var digits: [UInt8] = []
        var point: Int?
        let text = Array(magnitude.description.utf8)
        let mantissa = text.prefix { $0 != UInt8(ascii: "e") }
        for byte in mantissa {
            if byte == UInt8(ascii: ".") { point = digits.count } else { digits.append(byte) }
        }
        let exponent = Int(String(decoding: text.dropFirst(mantissa.count + 1), as: UTF8.self)) ?? 0
        let zeros = digits.prefix { $0 == 0x30 }.count
        let end = (point ?? digits.count) - zeros + exponent
        digits.removeFirst(zeros)
        while digits.count > 1, digits.last == 0x30 { digits.removeLast() }
        return (digits, end)
    }

    private static func plain(_ digits: [UInt8], _ point: Int) -> String {
        var text: [UInt8] = []
        if point <= 0 {
            text = [0x30, UInt8(ascii: ".")] + [UInt8](repeating: 0x30, count: -point) + digits
        } else if point >= digits.count {
            text = digits + [UInt8](repeating: 0x30, count: point - digits.count) + [UInt8(ascii: "."), 0x30]
        } else {
            text = digits[..<point] + [UInt8(ascii: ".")] + digits[point...]
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func scientific(_ digits: [UInt8]) -> String {
        let rest = digits.dropFirst()
        return String(decoding: digits.prefix(1) + (rest.isEmpty ? [] : [UInt8(ascii: ".")]) + rest, as: UTF8.self)
    }
}
