/// Text as it travels in a letter: every byte that is not plain ASCII as `=XX`, lines of at most 76 characters (RFC 2045, 6.7).
enum QuotedPrintable {
    private static let longest = 76
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// - Parameter text: its lines end with LF, CR LF or CR.
    static func encode(_ text: String) -> [UInt8] {
        var out: [UInt8] = []
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: { $0.isNewline }) {
            encode(Array(line.utf8), to: &out)
        }
        return out
    }

    private static func encode(_ line: [UInt8], to out: inout [UInt8]) {
        var length = 0
        for (index, byte) in line.enumerated() {
            let isLast = index == line.count - 1
            let piece: [UInt8] =
                switch byte {
                // At the end it would get lost.
                case 0x20 where !isLast: [byte]
                // At the beginning it would look like the end of the letter.
                case UInt8(ascii: ".") where length > 0: [byte]
                case 0x21...0x2d, 0x2f...0x3c, 0x3e...0x7e: [byte]
                default: [UInt8(ascii: "="), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
                }
            // Room for the sign of a line that goes on.
            if length + piece.count > longest - 1 {
                out += Array("=\r\n".utf8)
                length = 0
            }
            out += piece
            length += piece.count
        }
        out += Array("\r\n".utf8)
    }
}
