import System

/// A moment as devices write it: `2026-11-21T12:00:00Z`, with or without thousandths.
enum PayloadTime {
    /// Nil for any other form, and for a time that does not exist.
    static func moment(_ text: ArraySlice<UInt8>) -> Timestamp? {
        let first = text.startIndex
        guard text.count == 20 || text.count == 24, text.last == UInt8(ascii: "Z") else { return nil }
        func number(_ offset: Int, _ count: Int) -> Int? {
            var value = 0
            for byte in text[(first + offset)..<(first + offset + count)] {
                guard (0x30...0x39).contains(byte) else { return nil }
                value = value * 10 + Int(byte - 0x30)
            }
            return value
        }
        func has(_ sign: Unicode.Scalar, at offset: Int) -> Bool { text[first + offset] == UInt8(ascii: sign) }
        guard has("-", at: 4), has("-", at: 7), has("T", at: 10), has(":", at: 13), has(":", at: 16),
            let year = number(0, 4), let month = number(5, 2), let dayOfMonth = number(8, 2),
            let day = Day(year: year, month: month, day: dayOfMonth), let hour = number(11, 2), hour < 24,
            let minute = number(14, 2), minute < 60, let second = number(17, 2), second < 60
        else { return nil }
        var thousandths = 0
        if text.count == 24 {
            guard has(".", at: 19), let fraction = number(20, 3) else { return nil }
            thousandths = fraction
        }
        let seconds = day.daysSinceEpoch * 86_400 + hour * 3_600 + minute * 60 + second
        return Timestamp(milliseconds: Int64(seconds * 1_000 + thousandths))
    }
}
