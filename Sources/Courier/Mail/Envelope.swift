/// A letter on its way: its envelope, which servers read, and what is in it. No description shows any of it.
public struct Envelope: Sendable, CustomStringConvertible, CustomReflectable {
    /// To whom the server reports what could not be delivered.
    public var sender: String
    /// Who gets it: 1...100.
    public var recipients: [String]
    /// Header and text (RFC 5322), each line ended by CR LF.
    public var message: [UInt8]

    /// See the properties.
    public init(sender: String, recipients: [String], message: [UInt8]) {
        (self.sender, self.recipients, self.message) = (sender, recipients, message)
    }

    /// Always `Envelope(hidden)`.
    public var description: String { "Envelope(hidden)" }
    /// Without children.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }

    /// The most recipients of one letter (RFC 5321, 4.5.3.1.8).
    public static let mostRecipients = 100
    /// The largest letter, in bytes: 10 MiB.
    public static let largestMessage = 10 << 20
    /// The longest line without its CR LF, in bytes (RFC 5321, 4.5.3.1.6).
    public static let longestLine = 998

    /// Whether a server can be told an address: visible ASCII on both sides of the last `@`, no brackets, 254 bytes at most. Whether
    /// somebody reads it, only a letter shows.
    public static func isAddress(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard let at = bytes.lastIndex(of: UInt8(ascii: "@")), at > 0, at < bytes.count - 1 else { return false }
        return bytes.count <= 254 && at <= 64
            && bytes.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">") }
    }

    /// Whether each line ends with CR LF and neither stands alone: servers that disagree about the end of a letter would take its rest
    /// for another.
    static func isMessage(_ bytes: [UInt8]) -> Bool {
        guard !bytes.isEmpty, bytes.count <= largestMessage, bytes.suffix(2).elementsEqual([0x0d, 0x0a]) else {
            return false
        }
        var (length, afterReturn) = (0, false)
        for byte in bytes {
            if afterReturn || byte == 0x0a {
                guard afterReturn, byte == 0x0a, length <= longestLine else { return false }
                (length, afterReturn) = (0, false)
            } else if byte == 0x0d {
                afterReturn = true
            } else {
                guard byte != 0 else { return false }
                length += 1
            }
        }
        return true
    }
}
