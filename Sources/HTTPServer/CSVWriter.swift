/// Writes comma-separated values (RFC 4180) that spreadsheets open well: UTF-8 with a byte order mark, CRLF, quotes where they
/// are needed.
///
/// A spreadsheet runs a field that begins with `=`, `+`, `-` or `@` as a formula. Such a field is written with an apostrophe
/// before it, as OWASP advises ("CSV Injection"); `unguarded` takes that off again, so that what is read is what was written.
public struct CSVWriter: Sendable {
    /// The file so far.
    public private(set) var bytes: [UInt8] = [0xef, 0xbb, 0xbf]
    private let delimiter: UInt8

    /// - Parameter delimiter: what stands between fields; spreadsheets of most of Europe expect `;`.
    public init(delimiter: UInt8) { self.delimiter = delimiter }

    /// Adds a record.
    public mutating func row(_ fields: [String]) {
        ownRow(fields.map(Self.guarded))
    }

    /// Adds a record whose fields are ours, numbers and times: a minus before a number is no formula.
    public mutating func ownRow(_ fields: [String]) {
        for (index, field) in fields.enumerated() {
            if index > 0 { bytes.append(delimiter) }
            add(field)
        }
        bytes.append(contentsOf: [0x0d, 0x0a])
    }

    private mutating func add(_ field: String) {
        let utf8 = Array(field.utf8)
        let needsQuotes =
            utf8.contains { ",;\t\"\r\n".utf8.contains($0) } || utf8.first == 0x20 || utf8.last == 0x20
        guard needsQuotes else { return bytes.append(contentsOf: utf8) }
        bytes.append(UInt8(ascii: "\""))
        for byte in utf8 {
            if byte == UInt8(ascii: "\"") { bytes.append(byte) }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    // MARK: formulas

    /// The field with an apostrophe before it where a spreadsheet would run it, or would have been told not to by one.
    public static func guarded(_ field: String) -> String { isRun(field, apostrophes: 0...) ? "'" + field : field }

    /// The field without the apostrophe that `guarded` put before it.
    public static func unguarded(_ field: String) -> String {
        isRun(field, apostrophes: 1...) ? String(field.dropFirst()) : field
    }

    private static func isRun(_ field: String, apostrophes: PartialRangeFrom<Int>) -> Bool {
        let utf8 = field.utf8
        let count = utf8.prefix { $0 == UInt8(ascii: "'") }.count
        guard apostrophes.contains(count), let next = utf8.dropFirst(count).first else { return false }
        return "=+-@\t\r".utf8.contains(next)
    }
}
