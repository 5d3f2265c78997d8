/// One conversation of the demo's mail server: what a client says line by line, and what is answered (RFC 5321). It takes whatever it is
/// given, and shares nothing with the client that it hears.
struct MailboxSession {
    /// What to do about a line.
    enum Turn: Equatable {
        /// Say this.
        case answer(String)
        /// A letter is complete: keep it, and say this.
        case letter([UInt8], answer: String)
        /// Say this, and end.
        case end(String)
        /// A line of a letter: nothing to say.
        case nothing
    }

    /// The longest line and the longest letter, in bytes.
    static let (longestLine, longestLetter) = (2_000, 1 << 20)

    /// The first words.
    static let greeting = "220 Letters of the demo"

    private var letter: [UInt8]?
    private var hasRecipient = false

    /// - Parameter line: without its CR LF.
    mutating func hear(_ line: [UInt8]) -> Turn {
        if let sofar = letter { return take(line, sofar) }
        let words = String(decoding: line.prefix(200), as: UTF8.self).uppercased()
        switch words.prefix(4) {
        case "EHLO": return .answer("250-localhost\r\n250 8BITMIME")
        case "HELO", "NOOP": return .answer("250 Fine")
        case "RSET", "MAIL":
            hasRecipient = false
            return .answer("250 Fine")
        case "RCPT":
            hasRecipient = true
            return .answer("250 Fine")
        case "DATA":
            guard hasRecipient else { return .answer("503 To whom?") }
            letter = []
            return .answer("354 Go on, a dot ends it")
        case "QUIT": return .end("221 Bye")
        default: return .answer("502 Not here")
        }
    }

    private mutating func take(_ line: [UInt8], _ before: [UInt8]) -> Turn {
        if line == [UInt8(ascii: ".")] {
            (letter, hasRecipient) = (nil, false)
            return .letter(before, answer: "250 Kept")
        }
        guard before.count + line.count <= Self.longestLetter else { return .end("552 Too long") }
        // A dot at the beginning is doubled on its way (RFC 5321, 4.5.2).
        letter = before + line.dropFirst(line.first == UInt8(ascii: ".") ? 1 : 0) + [0x0d, 0x0a]
        return .nothing
    }
}
