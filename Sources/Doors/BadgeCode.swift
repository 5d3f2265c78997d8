/// What the code of a site's badge is, wherever one is read or written: 1 to 24 letters, digits, dots, dashes and underscores of
/// ASCII. It is a text: `007` is another code than `7`.
enum BadgeCode {
    /// In characters.
    static let longest = 24

    /// Whether a text may be a badge's code.
    static func isCode(_ text: String) -> Bool {
        (1...longest).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) || (0x61...0x7a).contains($0)
                    || "-_.".utf8.contains($0)
            }
    }

    /// As a CSV file has it: behind an apostrophe, without which a spreadsheet makes `7` of `007` and a day of `1-2`. What begins with a
    /// dash gets one from `CSVWriter`, as a formula would.
    static func inFile(_ code: String) -> String { code.hasPrefix("-") ? code : "'" + code }

    /// The code that a field of a CSV file holds; nil when it is none.
    static func read(_ field: String) -> String? {
        let code = field.hasPrefix("'") ? String(field.dropFirst()) : field
        return isCode(code) ? code : nil
    }

    /// The code of a number: at least six digits.
    static func numbered(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 6 - digits.utf8.count)) + digits
    }
}
