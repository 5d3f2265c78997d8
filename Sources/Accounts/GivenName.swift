/// What people call a thing of a site: a gate, a role, the site itself.
public enum GivenName {
    /// The most characters of one.
    public static let longest = 80

    /// The most characters of a person's name.
    public static let longestOfPerson = 120

    /// The name without blanks around it; nil when nothing is left, when it is too long, or when it holds signs that are not seen:
    /// control characters, and those that turn the direction of writing.
    public static func parse(_ text: String) -> String? { parse(text, longest: longest) }

    /// The same with another limit.
    public static func parse(_ text: String, longest: Int) -> String? {
        guard text.utf8.count <= longest * 16 else { return nil }
        let front = text.drop(while: \.isWhitespace)
        let name = String(front.reversed().drop(while: \.isWhitespace).reversed())
        guard (1...longest).contains(name.count) else { return nil }
        for scalar in name.unicodeScalars {
            switch scalar.value {
            case 0..<0x20, 0x7f..<0xa0, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069, 0xfeff: return nil
            default: continue
            }
        }
        return name
    }
}
