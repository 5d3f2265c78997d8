/// A language in which every phrase exists.
public enum Language: String, CaseIterable, Sendable {
    /// English.
    case en
    /// Italian.
    case it
    /// Spanish.
    case es

    /// Its name in itself, for a chooser.
    public var ownName: String {
        switch self {
        case .en: "English"
        case .it: "Italiano"
        case .es: "Español"
        }
    }

    /// The language that an `Accept-Language` header (RFC 9110, 12.5.4) likes best among ours; English when it names
    /// none. `en-GB` counts as `en`, equal weights go by their order, weight 0 refuses. At most 32 entries are read.
    public static func preferred(from header: String?) -> Language {
        guard let header else { return .en }
        var best: (language: Language, weight: Int)?
        for entry in header.split(separator: ",").prefix(32) {
            let parts = entry.split(separator: ";").map(trimmed)
            guard let tag = parts.first?.lowercased(),
                let primary = tag.split(separator: "-").first,
                let language = primary == "*" ? .en : Language(rawValue: String(primary))
            else { continue }
            guard let weight = weight(of: parts.dropFirst()), weight > 0 else { continue }
            if weight > best?.weight ?? 0 { best = (language, weight) }
        }
        return best?.language ?? .en
    }

    /// In thousandths: `q=0.8` is 800, no `q` at all is 1,000, and what cannot be read is nil.
    private static func weight(of parameters: some Sequence<String>) -> Int? {
        guard let parameter = parameters.first(where: { $0.lowercased().hasPrefix("q=") }) else { return 1_000 }
        let digits = Array(parameter.dropFirst(2).utf8)
        guard let first = digits.first, first == UInt8(ascii: "0") || first == UInt8(ascii: "1") else { return nil }
        var weight = Int(first - UInt8(ascii: "0")) * 1_000
        guard digits.count > 1 else { return weight }
        guard digits[1] == UInt8(ascii: "."), digits.count <= 5 else { return nil }
        for (index, digit) in digits.dropFirst(2).enumerated() {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            weight += Int(digit - UInt8(ascii: "0")) * [100, 10, 1][index]
        }
        return weight <= 1_000 ? weight : nil
    }

    private static func trimmed(_ text: Substring) -> String {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        let front = text.drop(while: isBlank)
        return String(front.reversed().drop(while: isBlank).reversed())
    }
}
