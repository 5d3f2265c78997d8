/// RFC 4648: base64url without padding (section 5), and base64 with it (section 4). Of each value there is one text.
public enum Base64 {
    private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    private static let urlAlphabet = Array((letters + "-_").utf8)
    private static let alphabet = Array((letters + "+/").utf8)

    /// The base64url of some bytes, without padding.
    public static func urlText(_ bytes: [UInt8]) -> String {
        String(decoding: characters(bytes, urlAlphabet), as: UTF8.self)
    }

    /// The bytes of a base64url; nil for any other character, padding too, a length that no bytes have, or bits left over that
    /// are not zero.
    public static func bytes(urlText text: String) -> [UInt8]? { bytes(text.utf8, last: (0x2d, 0x5f)) }

    /// The base64 of some bytes, padded to a multiple of four characters.
    public static func text(_ bytes: [UInt8]) -> String {
        var out = characters(bytes, alphabet)
        while !out.count.isMultiple(of: 4) { out.append(padding) }
        return String(decoding: out, as: UTF8.self)
    }

    /// The bytes of a base64; nil for any other character, line breaks too, padding that lacks or is too much, or bits left over
    /// that are not zero.
    public static func bytes(text: String) -> [UInt8]? {
        guard text.utf8.count.isMultiple(of: 4) else { return nil }
        let pads = text.utf8.suffix(2).count { $0 == padding }
        return bytes(text.utf8.dropLast(pads), last: (0x2b, 0x2f))
    }

    private static let padding = UInt8(ascii: "=")

    private static func characters(_ bytes: [UInt8], _ alphabet: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity((bytes.count + 2) / 3 * 4)
        var (bits, held) = (0 as UInt32, 0)
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            held += 8
            while held >= 6 {
                held -= 6
                out.append(alphabet[Int(bits >> UInt32(held) & 63)])
            }
        }
        if held > 0 { out.append(alphabet[Int(bits << UInt32(6 - held) & 63)]) }
        return out
    }

    /// - Parameter last: the characters for 62 and 63.
    private static func bytes(_ text: some Collection<UInt8>, last: (UInt8, UInt8)) -> [UInt8]? {
        guard text.count % 4 != 1 else { return nil }
        var out: [UInt8] = []
        out.reserveCapacity(text.count * 3 / 4)
        var (bits, held) = (0 as UInt32, 0)
        for character in text {
            let value: UInt8
            switch character {
            case 0x41...0x5a: value = character - 0x41
            case 0x61...0x7a: value = character - 0x61 + 26
            case 0x30...0x39: value = character - 0x30 + 52
            case last.0: value = 62
            case last.1: value = 63
            default: return nil
            }
            bits = bits << 6 | UInt32(value)
            held += 6
            if held >= 8 {
                held -= 8
                out.append(UInt8(truncatingIfNeeded: bits >> UInt32(held)))
                bits &= (1 << UInt32(held)) - 1
            }
        }
        return bits == 0 ? out : nil
    }
}
