/// Why a line of a CSV file, or the whole file, cannot be read.
struct CSVError: Error, Equatable, Sendable {
    /// The line of the file on which the record begins, from 1, as an editor shows it.
    let line: Int
    /// The place of the field in its record, from 1; nil where it is not about one field.
    let column: Int?
    /// What is wrong.
    let kind: Kind

    enum Kind: Hashable, Sendable {
        /// The file has no line with names of columns.
        case empty
        /// A UTF-16 file ends in the middle of a character, or has half of a pair.
        case brokenEncoding
        /// NUL or another control character than tab and line ends.
        case control
        /// A quote was opened on `line` and is never closed.
        case unclosedQuote
        /// Letters stand between a closing quote and the next separator.
        case textAfterQuote
        /// The record has another number of fields than the first line.
        case ragged(expected: Int, found: Int)
        case tooManyLines(limit: Int)
        case tooManyColumns(limit: Int)
        /// In bytes of UTF-8.
        case fieldTooLong(limit: Int)
    }

    /// Whether nothing more can be read after it; else the next record can.
    var endsFile: Bool {
        switch kind {
        case .empty, .brokenEncoding, .unclosedQuote, .tooManyLines: true
        default: false
        }
    }
}
