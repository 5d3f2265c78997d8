import Crypto

/// Text in a header field of a letter. What it makes is visible ASCII and folds of our own, whatever the text holds: nobody writes a
/// field of their own into a letter by a name or a subject.
enum HeaderText {
    /// More characters than these of a text are left out.
    static let longest = 200

    /// Words as a name before an address, or as a subject: plain where that is possible, else encoded (RFC 2047, 5).
    static func encoded(_ text: String) -> String {
        let bounded = text.prefix(longest).utf8
        let isPlain = bounded.count <= 60 && !bounded.isEmpty && bounded.allSatisfy(isAtom)
        return isPlain ? String(text.prefix(longest)) : words(String(text.prefix(longest))).joined(separator: "\r\n ")
    }

    /// What needs no quotation in a name (RFC 5322, 3.2.3), and the blank between words.
    private static func isAtom(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20, 0x30...0x39, 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "-"), UInt8(ascii: "'"): true
        default: false
        }
    }

    /// Encoded words of at most 75 characters each, none of which cuts a character in two. Control characters become blanks.
    private static func words(_ text: String) -> [String] {
        var (words, piece): ([String], [UInt8]) = ([], [])
        func close() {
            if !piece.isEmpty { words.append("=?utf-8?B?\(Base64.text(piece))?=") }
            piece = []
        }
        for scalar in text.unicodeScalars {
            let isControl = scalar.value < 0x20 || (0x7f..<0xa0).contains(scalar.value)
            let bytes = isControl ? [0x20] : Array(String(scalar).utf8)
            // 45 bytes are 60 characters in base64, and 12 stand around them.
            if piece.count + bytes.count > 45 { close() }
            piece += bytes
        }
        close()
        return words.isEmpty ? ["=?utf-8?B??="] : words
    }
}
