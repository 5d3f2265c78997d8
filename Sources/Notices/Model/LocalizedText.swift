import Accounts
import Identity

/// A title and a body, as somebody reads them: bounded, and without signs that are not seen.
public struct NoticeWords: Sendable, Equatable, Codable {
    /// The most characters of a title.
    public static let longestTitle = 120
    /// The most characters of a body.
    public static let longestBody = 600

    /// A line.
    public let title: String
    /// A sentence or a few; empty when the title says all.
    public let body: String

    /// Words of our own source, with names in them: what is too long is cut, what is not seen is left out.
    public init(_ title: String, _ body: String = "") {
        (self.title, self.body) = (Self.cut(title, to: Self.longestTitle), Self.cut(body, to: Self.longestBody))
    }

    /// Words that somebody typed, without blanks around them.
    /// - Throws: `NoticeRefusal.invalid` with the field, when nothing is left, when it is too long, or when it holds signs that are not seen.
    public init(typedTitle title: String, body: String) throws(NoticeRefusal) {
        let (title, body) = (Self.trimmed(title), Self.trimmed(body))
        guard (1...Self.longestTitle).contains(title.count), title == Self.cut(title, to: Self.longestTitle) else {
            throw .invalid(field: "title")
        }
        guard body.count <= Self.longestBody, body == Self.cut(body, to: Self.longestBody) else {
            throw .invalid(field: "body")
        }
        (self.title, self.body) = (title, body)
    }

    private static func trimmed(_ text: String) -> String {
        // A browser sends the lines of a form with two signs each.
        let unix = text.replacing("\r\n", with: "\n")
        return String(unix.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }

    private static func cut(_ text: String, to length: Int) -> String {
        var seen = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where isSeen(scalar) { seen.append(scalar) }
        // A character may be any number of marks on one letter: bytes are bounded too.
        var short = String(seen).prefix(length)
        while short.utf8.count > length * 8 { short.removeLast() }
        return String(short)
    }

    /// All but control characters (a new line stays) and those that turn the direction of writing.
    private static func isSeen(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0a: true
        case 0..<0x20, 0x7f..<0xa0, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069, 0xfeff: false
        default: true
        }
    }
}

/// The same words in every language.
public struct LocalizedText: Sendable, Equatable, Codable {
    private let en: NoticeWords
    private let it: NoticeWords
    private let es: NoticeWords

    /// Words per language: one that is missing does not compile.
    public init(en: NoticeWords, it: NoticeWords, es: NoticeWords) { (self.en, self.it, self.es) = (en, it, es) }

    /// What somebody wrote themselves, in whichever language they wrote it.
    public init(asWritten words: NoticeWords) { (en, it, es) = (words, words, words) }

    /// The words in a language.
    public subscript(language: Language) -> NoticeWords {
        switch language {
        case .en: en
        case .it: it
        case .es: es
        }
    }
}
