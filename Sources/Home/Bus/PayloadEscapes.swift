/// The escapes of a JSON text.
enum PayloadEscapes {
    /// What a text with escapes means; nil when one of them means nothing, or it is no UTF-8.
    static func decoded(_ bytes: ArraySlice<UInt8>) -> String? {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var rest = bytes
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                out.append(byte)
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "\"")?: out.append(UInt8(ascii: "\""))
            case UInt8(ascii: "\\")?: out.append(UInt8(ascii: "\\"))
            case UInt8(ascii: "/")?: out.append(UInt8(ascii: "/"))
            case UInt8(ascii: "b")?: out.append(0x08)
            case UInt8(ascii: "f")?: out.append(0x0c)
            case UInt8(ascii: "n")?: out.append(0x0a)
            case UInt8(ascii: "r")?: out.append(0x0d)
            case UInt8(ascii: "t")?: out.append(0x09)
            case UInt8(ascii: "u")?:
                guard let scalar = scalar(&rest) else { return nil }
                out.append(contentsOf: String(scalar).utf8)
            default: return nil
            }
        }
        return String(validating: out, as: UTF8.self)
    }

    /// The four digits after `\u`, with the second half of a pair. A half alone means nothing.
    private static func scalar(_ rest: inout ArraySlice<UInt8>) -> Unicode.Scalar? {
        guard let first = unit(&rest) else { return nil }
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard (0xd800...0xdbff).contains(first), rest.popFirst() == UInt8(ascii: "\\"),
            rest.popFirst() == UInt8(ascii: "u"), let second = unit(&rest), (0xdc00...0xdfff).contains(second)
        else { return nil }
        let (high, low) = (UInt32(first - 0xd800), UInt32(second - 0xdc00))
        return Unicode.Scalar(0x10000 + (high << 10 | low))
    }

    private static func unit(_ rest: inout ArraySlice<UInt8>) -> UInt16? {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = rest.popFirst(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                return nil
            }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }
}
