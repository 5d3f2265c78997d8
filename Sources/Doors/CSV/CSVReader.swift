/// Reads comma-separated values (RFC 4180) one record at a time: separated by `,`, `;` or tab, whichever the first line has most
/// of; lines ended by CRLF, LF or CR; quoted fields with separators, doubled quotes and line ends in them.
///
/// The first record names the columns, and every other has as many fields. Lines without any content are passed over. After an
/// error that does not end the file, `next` goes on with the record after it.
struct CSVReader<Bytes: Collection> where Bytes.Element == UInt8 {
    /// A line of the file, or several when a quoted field has line ends in it.
    struct Record: Equatable {
        /// Where it begins, from 1.
        let line: Int
        let fields: [String]
    }

    private typealias Limit = CSVLimit

    /// What stands between fields.
    let delimiter: UInt8
    private let bytes: Bytes
    private var position: Bytes.Index
    private var line = 1
    private var columns: Int?
    private var records = 0

    /// - Parameter bytes: UTF-8 without a byte order mark.
    init(_ bytes: Bytes) {
        self.bytes = bytes
        position = bytes.startIndex
        delimiter = Self.delimiter(of: bytes)
        if Self.namesDelimiter(bytes) { skipLine() }
    }

    /// The next record, nil at the end.
    mutating func next() throws(CSVError) -> Record? {
        while position != bytes.endIndex {
            let (start, parsed) = (line, try record())
            if parsed.error == nil, parsed.fields.allSatisfy(\.isEmpty) { continue }
            if columns == nil {
                columns = parsed.fields.count
            } else {
                records += 1
                if records > Limit.lines {
                    throw end(CSVError(line: start, column: nil, kind: .tooManyLines(limit: Limit.lines)))
                }
            }
            if let error = parsed.error { throw error }
            if let columns, parsed.fields.count != columns {
                throw CSVError(line: start, column: nil, kind: .ragged(expected: columns, found: parsed.fields.count))
            }
            return Record(line: start, fields: parsed.fields.map { String(decoding: $0, as: UTF8.self) })
        }
        guard columns != nil else {
            columns = 0
            throw CSVError(line: 1, column: nil, kind: .empty)
        }
        return nil
    }

    // MARK: one record

    private mutating func end(_ error: CSVError) -> CSVError {
        position = bytes.endIndex
        return error
    }

    private enum State { case start, plain, quoted, closed }

    private mutating func record() throws(CSVError) -> (fields: [[UInt8]], error: CSVError?) {
        let start = line
        var (fields, field): ([[UInt8]], [UInt8]) = ([], [])
        var error: CSVError?
        var (state, quoteLine) = (State.start, line)
        func fail(_ kind: CSVError.Kind) {
            if error == nil { error = CSVError(line: start, column: fields.count + 1, kind: kind) }
        }
        func keep(_ byte: UInt8) {
            if field.count < Limit.fieldBytes {
                field.append(byte)
            } else {
                fail(.fieldTooLong(limit: Limit.fieldBytes))
            }
        }
        func finish() {
            if fields.count < Limit.columns {
                fields.append(field)
            } else {
                fail(.tooManyColumns(limit: Limit.columns))
            }
            field.removeAll(keepingCapacity: true)
            state = .start
        }
        var previous: UInt8 = 0
        while position != bytes.endIndex {
            let byte = bytes[position]
            position = bytes.index(after: position)
            defer { previous = byte }
            let isLineEnd = byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n")
            if byte < 0x20 && !isLineEnd && byte != UInt8(ascii: "\t") || byte == 0x7f
                || previous == 0xc2 && (0x80...0x9f).contains(byte)
            {
                fail(.control)
                continue
            }
            if isLineEnd {
                line += 1
                let isPair =
                    byte == UInt8(ascii: "\r") && position != bytes.endIndex && bytes[position] == UInt8(ascii: "\n")
                if isPair { position = bytes.index(after: position) }
                guard state == .quoted else {
                    finish()
                    return (fields, error)
                }
                keep(byte)
                if isPair { keep(UInt8(ascii: "\n")) }
                continue
            }
            switch state {
            case .quoted:
                if byte != UInt8(ascii: "\"") {
                    keep(byte)
                } else if position != bytes.endIndex, bytes[position] == UInt8(ascii: "\"") {
                    position = bytes.index(after: position)
                    keep(byte)
                } else {
                    state = .closed
                }
            case .start where byte == UInt8(ascii: "\""): (state, quoteLine) = (.quoted, line)
            case _ where byte == delimiter: finish()
            case .closed: fail(.textAfterQuote)
            case .start, .plain:
                state = .plain
                keep(byte)
            }
        }
        if state == .quoted { throw end(CSVError(line: quoteLine, column: fields.count + 1, kind: .unclosedQuote)) }
        finish()
        return (fields, error)
    }

    // MARK: the separator

    private mutating func skipLine() {
        while position != bytes.endIndex {
            let byte = bytes[position]
            position = bytes.index(after: position)
            let isPair =
                byte == UInt8(ascii: "\r") && position != bytes.endIndex && bytes[position] == UInt8(ascii: "\n")
            if !isPair && (byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n")) { break }
        }
        line += 1
    }

    /// `sep=;` on a line of its own, Excel's way to say it.
    private static func namesDelimiter(_ bytes: Bytes) -> Bool {
        let start = Array(bytes.prefix(6))
        return start.count > 5 && start.prefix(4).elementsEqual("sep=".utf8) && isDelimiter(start[4])
            && (start[5] == UInt8(ascii: "\r") || start[5] == UInt8(ascii: "\n"))
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool { ",;\t".utf8.contains(byte) }

    private static func delimiter(of bytes: Bytes) -> UInt8 {
        if namesDelimiter(bytes) { return bytes[bytes.index(bytes.startIndex, offsetBy: 4)] }
        var counts: [UInt8: Int] = [:]
        var isQuoted = false
        for byte in bytes.prefix(Limit.columns * Limit.fieldBytes) {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if isQuoted { continue }
            if byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n") { break }
            if isDelimiter(byte) { counts[byte, default: 0] += 1 }
        }
        let order = Array(",;\t".utf8)
        return order.max { counts[$0, default: 0] < counts[$1, default: 0] }.flatMap { best in
            // Of equals the first, a comma where there is none at all.
            order.first { counts[$0, default: 0] == counts[best, default: 0] }
        } ?? UInt8(ascii: ",")
    }
}

/// The limits of a file, whoever sends it.
enum CSVLimit {
    /// Records after the one that names the columns. They are written in one transaction, for which doors that open wait: 20,000 people
    /// took 2.5 s (release build, two cores).
    static let lines = 5_000
    /// Fields of a record.
    static let columns = 64
    /// Bytes of a field, in UTF-8.
    static let fieldBytes = 1_000
}
