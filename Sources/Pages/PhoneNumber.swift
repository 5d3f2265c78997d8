/// A number that a telephone dials.
public struct PhoneNumber: Sendable, Hashable {
    /// The most characters that are read.
    public static let longest = 40

    /// As a person wrote it, without what no telephone dials: `+39 055 123`, `112`.
    public let text: String

    /// Nil unless it has 2 to 15 digits (ITU-T E.164) and nothing else but one plus in front, blanks, dots, dashes, slashes and brackets.
    public init?(_ text: String) {
        guard text.unicodeScalars.count <= Self.longest else { return nil }
        var kept = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "0"..."9": kept.unicodeScalars.append(scalar)
            case "+" where kept.isEmpty: kept = "+"
            case " ", ".", "-", "(", ")", "/": kept += kept.isEmpty || kept.hasSuffix(" ") ? "" : " "
            default: return nil
            }
        }
        while kept.hasSuffix(" ") { kept.removeLast() }
        guard (2...15).contains(kept.utf8.count(where: { (0x30...0x39).contains($0) })) else { return nil }
        self.text = kept
    }

    /// What is dialled: digits, with a plus in front where there is one.
    public var dialled: String { text.filter { $0 != " " } }
}

extension Attribute {
    /// A link that opens the dialler of the device (RFC 3966).
    public static func href(_ number: PhoneNumber) -> Attribute { .init("href", "tel:\(number.dialled)") }
}
