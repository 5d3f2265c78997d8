/// Lower-case hexadecimal, for ids in texts and file names.
public enum Hex {
    /// Two digits for each byte, in lower case.
    public static func text(_ bytes: [UInt8]) -> String {
        var letters: [UInt8] = []
        letters.reserveCapacity(bytes.count * 2)
        for byte in bytes {
            letters.append(letter(byte >> 4))
            letters.append(letter(byte & 15))
        }
        return String(decoding: letters, as: UTF8.self)
    }

    /// Exactly `count` bytes from twice as many digits of either case; nil for anything else.
    public static func bytes(_ digits: some Sequence<UInt8>, count: Int) -> [UInt8]? {
        var result: [UInt8] = []
        result.reserveCapacity(count)
        var high: UInt8?
        for digit in digits {
            guard let value = value(digit), result.count < count else { return nil }
            if let upper = high {
                result.append(upper << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return high == nil && result.count == count ? result : nil
    }

    private static func letter(_ value: UInt8) -> UInt8 {
        value < 10 ? 0x30 + value : 0x57 + value
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x61...0x66: digit - 0x57
        case 0x41...0x46: digit - 0x37
        default: nil
        }
    }
}
