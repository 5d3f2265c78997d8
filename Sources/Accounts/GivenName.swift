/// What people call a thing of a site: a gate, a role, the site itself.
public enum GivenName {
    /// The most characters of one.
    public static let longest = 80

    /// The most characters of a person's name.
    public static let longestOfPerson = 120

    /// Whether a text has so many characters, and no more bytes than they take in any language: one character may have any number of marks.
    public static func fits(_ text: String, longest: Int) -> Bool {
        text.utf8.count <= longest * 16 && (1...longest).contains(text.count)
    }

    /// The name without blanks around it; nil when nothing is left that is seen, when it is too long, or when it holds control characters
    /// or signs that turn the direction of writing.
    public static func parse(_ text: String) -> String? { parse(text, longest: longest) }

    /// The same with another limit.
    public static func parse(_ text: String, longest: Int) -> String? {
        guard text.utf8.count <= longest * 16 else { return nil }
        let front = text.drop(while: \.isWhitespace)
        let name = String(front.reversed().drop(while: \.isWhitespace).reversed())
        guard (1...longest).contains(name.count), isSeen(name), !name.unicodeScalars.contains(where: steers) else {
            return nil
        }
        return name
    }

    /// Whether anything of it is seen: blanks and what only joins or parts letters are nothing.
    public static func isSeen(_ text: String) -> Bool {
        text.unicodeScalars.contains { scalar in
            let properties = scalar.properties
            return !properties.isDefaultIgnorableCodePoint && !properties.isWhitespace && scalar.value != 0x2800
        }
    }

    /// Whether a sign is a control character, or turns the direction of writing.
    public static func steers(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7f..<0xa0, 0x61c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069, 0xfeff: true
        default: false
        }
    }
}
