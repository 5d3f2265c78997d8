/// A finite number with all its decimal digits, for rounding as Python does it: by the true value, ties to the even digit.
///
/// 12.35 is really 12.3499999…, so that one place gives 12.3. There are at most 309 digits before the point and 1,074 behind it.
struct ExactDecimal {
    /// 0 to 9 each, the first one not 0; empty for zero.
    private(set) var digits: [UInt8]
    /// How many of them are before the point; negative if zeros follow the point.
    private(set) var point: Int

    /// - Parameter magnitude: finite and not negative.
    init(_ magnitude: Double) {
        guard magnitude > 0, magnitude.isFinite else {
            (digits, point) = ([], 0)
            return
        }
        let isSubnormal = magnitude.exponentBitPattern == 0
        let mantissa = magnitude.significandBitPattern | (isSubnormal ? 0 : 1 << 52)
        let exponent = (isSubnormal ? 1 : Int(magnitude.exponentBitPattern)) - 1075
        if exponent >= 0 {
            digits = Self.whole(mantissa, shiftedBy: exponent)
            point = digits.count
        } else {
            digits = exponent > -64 ? Self.decimal(mantissa >> UInt64(-exponent)) : []
            point = digits.count
            digits += Self.fraction(mantissa, below: -exponent)
        }
        let zeros = digits.prefix { $0 == 0 }.count
        digits.removeFirst(zeros)
        point -= zeros
        while digits.last == 0 { digits.removeLast() }
    }

    private static func decimal(_ number: UInt64) -> [UInt8] {
        number == 0 ? [] : String(number).utf8.map { $0 - 0x30 }
    }

    /// `mantissa << shift`, as words of 32 bits that are divided by 10⁹ over and over.
    private static func whole(_ mantissa: UInt64, shiftedBy shift: Int) -> [UInt8] {
        var words = [UInt32](repeating: 0, count: shift / 32 + 3)
        put(mantissa, at: shift, into: &words)
        var groups: [UInt32] = []
        while !words.isEmpty {
            var rest: UInt64 = 0
            for place in words.indices.reversed() {
                let part = rest << 32 | UInt64(words[place])
                words[place] = UInt32(part / 1_000_000_000)
                rest = part % 1_000_000_000
            }
            groups.append(UInt32(rest))
            while words.last == 0 { words.removeLast() }
        }
        return groups.reversed().flatMap(nine)
    }

    /// The digits of `mantissa / 2^bits` after its point: each multiplication by 10⁹ pushes nine of them over it.
    private static func fraction(_ mantissa: UInt64, below bits: Int) -> [UInt8] {
        // Whole words behind the point: the carry out of the last one is the number pushed over it.
        var words = [UInt32](repeating: 0, count: (bits + 31) / 32)
        let cut = bits < 64 ? mantissa & (1 << UInt64(bits) - 1) : mantissa
        put(cut, at: words.count * 32 - bits, into: &words)
        var digits: [UInt8] = []
        while words.contains(where: { $0 != 0 }) {
            var carry: UInt64 = 0
            for place in words.indices {
                let part = UInt64(words[place]) * 1_000_000_000 + carry
                words[place] = UInt32(truncatingIfNeeded: part)
                carry = part >> 32
            }
            digits += nine(UInt32(carry))
        }
        return digits
    }

    private static func put(_ number: UInt64, at bit: Int, into words: inout [UInt32]) {
        let (word, shift) = (bit / 32, UInt64(bit % 32))
        let low = number << shift
        let high = shift == 0 ? 0 : number >> (64 - shift)
        for (offset, part) in [low & 0xffff_ffff, low >> 32, high].enumerated() where word + offset < words.count {
            words[word + offset] = UInt32(part)
        }
    }

    private static func nine(_ group: UInt32) -> [UInt8] {
        let digits = decimal(UInt64(group))
        return [UInt8](repeating: 0, count: 9 - digits.count) + digits
    }

    /// Rounded to this many digits, the first one included: padded with zeros, and one more where all of them were nines.
    /// - Parameter count: with zero, the result is 1 or nothing; negative, nothing.
    func rounded(to count: Int) -> ExactDecimal {
        var result = self
        if count >= digits.count { return result }
        guard count >= 0 else {
            (result.digits, result.point) = ([], 0)
            return result
        }
        let isOdd = count > 0 && digits[count - 1] % 2 == 1
        let goesUp = digits[count] > 5 || digits[count] == 5 && (digits.count > count + 1 || isOdd)
        result.digits = Array(digits.prefix(count))
        guard goesUp else { return result }
        var place = count - 1
        while place >= 0, result.digits[place] == 9 {
            result.digits[place] = 0
            place -= 1
        }
        if place >= 0 {
            result.digits[place] += 1
        } else {
            result.digits.insert(1, at: 0)
            result.point += 1
        }
        return result
    }

    /// Rounded to this many places after the point, with that many written.
    /// - Parameter places: at least 0. The caller bounds it.
    func fixed(_ places: Int) -> String {
        let rounded = rounded(to: point + places)
        var text: [UInt8] = []
        for place in 0..<max(rounded.point, 0) { text.append(0x30 + rounded.digit(place)) }
        if text.isEmpty { text = [0x30] }
        if places > 0 { text.append(UInt8(ascii: ".")) }
        for place in 0..<places { text.append(0x30 + rounded.digit(rounded.point + place)) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Zero beyond both ends.
    func digit(_ place: Int) -> UInt8 { digits.indices.contains(place) ? digits[place] : 0 }

    /// `d.ddde±dd` with this many places.
    func scientific(_ places: Int) -> String {
        let rounded = rounded(to: places + 1)
        var text = String(rounded.digit(0)) + (places > 0 ? "." : "")
        for place in 0..<places { text += String(rounded.digit(1 + place)) }
        let exponent = rounded.digits.isEmpty ? 0 : rounded.point - 1
        let size = String(exponent.magnitude)
        return text + (exponent < 0 ? "e-" : "e+") + (size.utf8.count < 2 ? "0" : "") + size
    }

    /// Python's `round(number, places)`: the nearest number to the rounded decimal.
    static func round(_ number: Double, places: Int) -> Double {
        guard number.isFinite, number != 0, places <= 323 else { return number }
        let exact = ExactDecimal(number.magnitude)
        guard places >= -309 else { return number.sign == .minus ? -0.0 : 0 }
        let text: String
        if places >= 0 {
            text = exact.fixed(places)
        } else {
            let rounded = exact.rounded(to: exact.point + places)
            text = "0" + String(decoding: (0..<max(rounded.point, 0)).map { 0x30 + rounded.digit($0) }, as: UTF8.self)
        }
        let result = Double(text) ?? number.magnitude
        return number.sign == .minus ? -result : result
    }
}
