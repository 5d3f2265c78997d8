/// A text file in UTF-8, whatever a spreadsheet wrote it in: UTF-8 with or without a byte order mark, UTF-16 with one, else
/// Windows-1252, which Excel writes as plain "CSV" in western Europe.
struct CSVText: Sendable {
    enum Encoding: String, Sendable {
        case utf8 = "UTF-8"
        case utf16 = "UTF-16"
        case windows1252 = "Windows-1252"
    }

    /// No file is longer, in bytes.
    static let fileLimit = 10 << 20

    /// Valid UTF-8 without a byte order mark.
    let bytes: [UInt8]
    /// What it was.
    let encoding: Encoding

    /// Reads the bytes of a file. Throws for UTF-16 that is broken; any other bytes are a text.
    init(_ file: ArraySlice<UInt8>) throws(CSVError) {
        if file.starts(with: [0xff, 0xfe]) {
            (bytes, encoding) = (try Self.utf16(file.dropFirst(2), highFirst: false), .utf16)
        } else if file.starts(with: [0xfe, 0xff]) {
            (bytes, encoding) = (try Self.utf16(file.dropFirst(2), highFirst: true), .utf16)
        } else {
            let text = file.starts(with: [0xef, 0xbb, 0xbf]) ? file.dropFirst(3) : file
            if String(validating: text, as: UTF8.self) != nil {
                (bytes, encoding) = (Array(text), .utf8)
            } else {
                (bytes, encoding) = (Self.windows1252(text), .windows1252)
            }
        }
    }

    private static func utf16(_ file: ArraySlice<UInt8>, highFirst: Bool) throws(CSVError) -> [UInt8] {
        var units: [UInt16] = []
        units.reserveCapacity(file.count / 2)
        var position = file.startIndex
        while position + 1 < file.endIndex {
            let (first, second) = (UInt16(file[position]), UInt16(file[position + 1]))
            units.append(highFirst ? first << 8 | second : second << 8 | first)
            position += 2
        }
        guard file.count.isMultiple(of: 2), let text = String(validating: units, as: UTF16.self) else {
            throw CSVError(line: 1, column: nil, kind: .brokenEncoding)
        }
        return Array(text.utf8)
    }

    private static func windows1252(_ file: ArraySlice<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(file.count + file.count / 8)
        for byte in file {
            if byte < 0x80 {
                text.append(byte)
            } else {
                let scalar = byte < 0xa0 ? special[Int(byte) - 0x80] : UInt16(byte)
                text.append(contentsOf: Unicode.Scalar(scalar).map { Array(String($0).utf8) } ?? [])
            }
        }
        return text
    }

    /// 0x80 to 0x9F as the WHATWG's Encoding Standard has them. The five that mean nothing stay control characters, which the
    /// reader refuses on their line.
    private static let special: [UInt16] = [
        0x20ac, 0x0081, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008d,
        0x017d, 0x008f, 0x0090, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a,
        0x0153, 0x009d, 0x017e, 0x0178,
    ]
}
