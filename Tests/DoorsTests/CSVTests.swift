import HTTPServer
import Testing

@testable import Doors

@Suite("Comma-separated values")
struct CSVTests {
    /// All records and all errors of a text, in order.
    private func read(_ text: String) -> (records: [[String]], lines: [Int], errors: [CSVError]) {
        read(Array(text.utf8))
    }

    private func read(_ bytes: [UInt8]) -> (records: [[String]], lines: [Int], errors: [CSVError]) {
        var (records, lines, errors): ([[String]], [Int], [CSVError]) = ([], [], [])
        var reader = CSVReader(bytes)
        while true {
            do {
                guard let record = try reader.next() else { return (records, lines, errors) }
                records.append(record.fields)
                lines.append(record.line)
            } catch {
                errors.append(error)
                if error.endsFile { return (records, lines, errors) }
            }
        }
    }

    @Test(
        "The separator is the one that the first line has most of, outside quotes",
        arguments: [
            ("a,b;c,d\n1,2,3", UInt8(ascii: ",")), ("a;b;c,d\n", UInt8(ascii: ";")), ("a\tb\n", UInt8(ascii: "\t")),
            ("\"a,b,c\";d\n", UInt8(ascii: ";")), ("alone\n", UInt8(ascii: ",")),
            ("sep=;\r\na,b;c\n", UInt8(ascii: ";")),
            ("a,b;c\n", UInt8(ascii: ",")),
        ])
    func delimiters(_ text: String, _ delimiter: UInt8) {
        #expect(CSVReader(Array(text.utf8)).delimiter == delimiter)
    }

    @Test("Quotes hold separators, doubled quotes and line ends; lines end by CRLF, LF or CR")
    func quotes() {
        let found = read("name,note\r\n\"Rossi, Ada\",\"said \"\"hi\"\"\"\rBo,\"two\r\nlines\"\nCy,plain \"inside\"")
        #expect(found.errors == [])
        #expect(
            found.records == [
                ["name", "note"], ["Rossi, Ada", "said \"hi\""], ["Bo", "two\r\nlines"], ["Cy", "plain \"inside\""],
            ])
        // As an editor counts: the record after the one of two lines is on the fifth.
        #expect(found.lines == [1, 2, 3, 5])
    }

    @Test("Lines without content are passed over and counted, also those that spreadsheets fill with separators")
    func blank() {
        let found = read("\n\na,b\n\n;,;\n,\n,,,,\n1,2\n")
        #expect(found.records == [["a", "b"], [";", ";"], ["1", "2"]])
        #expect(found.lines == [3, 5, 8])
    }

    @Test("A line with another number of fields is refused with its number, and the next is read")
    func ragged() {
        let found = read("a,b\n1\n1,2\n1,2,3\n3,4\n")
        #expect(found.records == [["a", "b"], ["1", "2"], ["3", "4"]])
        #expect(
            found.errors == [
                CSVError(line: 2, column: nil, kind: .ragged(expected: 2, found: 1)),
                CSVError(line: 4, column: nil, kind: .ragged(expected: 2, found: 3)),
            ])
    }

    @Test("A quote that never ends is told with the line on which it began")
    func unclosed() {
        let found = read("a,b\n1,2\n3,\"four\n5,6\n7,8\n")
        #expect(found.records == [["a", "b"], ["1", "2"]])
        #expect(found.errors == [CSVError(line: 3, column: 2, kind: .unclosedQuote)])
        let later = read("a,b\n\"x\ny\",\"four\n5,6")
        #expect(later.errors == [CSVError(line: 3, column: 2, kind: .unclosedQuote)])
    }

    @Test("NUL and other control characters are refused on their line")
    func control() {
        let found = read("a,b\n1\u{0},2\n3,4\n5,\u{1b}[2J\n\u{85}x,y\n")
        #expect(found.records == [["a", "b"], ["3", "4"]])
        #expect(found.errors.map(\.line) == [2, 4, 5])
        #expect(found.errors.allSatisfy { $0.kind == .control })
    }

    @Test("Letters after a closing quote are refused")
    func afterQuote() {
        let found = read("a,b\n\"1\"x,2\n3,4\n")
        #expect(found.errors == [CSVError(line: 2, column: 1, kind: .textAfterQuote)])
        #expect(found.records == [["a", "b"], ["3", "4"]])
    }

    @Test("Every limit is kept, and named")
    func limits() {
        let long = read(
            "a,b\n1,\(String(repeating: "x", count: CSVLimit.fieldBytes))\n1,\(String(repeating: "x", count: 5_000))\n2,3\n"
        )
        #expect(long.records.count == 3)
        #expect(long.errors == [CSVError(line: 3, column: 2, kind: .fieldTooLong(limit: 1_000))])
        let wide = read(String(repeating: ",", count: 70) + "x\n")
        #expect(wide.errors == [CSVError(line: 1, column: 65, kind: .tooManyColumns(limit: 64))])
        let many = read("a\n" + String(repeating: "x\n", count: CSVLimit.lines + 1))
        #expect(many.records.count == CSVLimit.lines + 1)
        #expect(
            many.errors == [CSVError(line: CSVLimit.lines + 2, column: nil, kind: .tooManyLines(limit: CSVLimit.lines))]
        )
    }

    @Test("A file without any line has no names of columns", arguments: ["", "\n\r\n", "sep=;\n"])
    func empty(_ text: String) {
        #expect(read(text).errors.map(\.kind) == [.empty])
    }

    @Test("UTF-8 and UTF-16 are read with their marks, anything else as Windows-1252")
    func encodings() throws {
        let text = "nome;città\nZoë;Forlì €5\n"
        func decoded(_ bytes: [UInt8]) throws -> (String, CSVText.Encoding) {
            let read = try CSVText(bytes[...])
            return (String(decoding: read.bytes, as: UTF8.self), read.encoding)
        }
        #expect(try decoded(Array(text.utf8)) == (text, .utf8))
        #expect(try decoded([0xef, 0xbb, 0xbf] + text.utf8) == (text, .utf8))
        #expect(
            try decoded([0xff, 0xfe] + text.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }) == (text, .utf16))
        #expect(
            try decoded([0xfe, 0xff] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }) == (text, .utf16))
        let latin = text.unicodeScalars.map { $0 == "€" ? 0x80 : UInt8($0.value) }
        #expect(try decoded(latin) == (text, .windows1252))
        for broken: [UInt8] in [[0xff, 0xfe, 0x41], [0xff, 0xfe, 0x00, 0xd8, 0x41, 0x00]] {
            #expect(throws: CSVError(line: 1, column: nil, kind: .brokenEncoding)) { try CSVText(broken[...]) }
        }
        // A byte that Windows-1252 does not have is no text.
        #expect(read(try CSVText([0x61, 0x0a, 0x81, 0xff][...]).bytes).errors.map(\.kind) == [.control])
    }

    @Test(
        "What is written is what is read, whatever the fields hold", arguments: [UInt8(ascii: ","), UInt8(ascii: ";")])
    func identity(_ delimiter: UInt8) throws {
        let alphabet = Array("ab'=+-@;,\t\"\r\n é€😀 ").map(String.init)
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            let rows = (0..<4).map { _ in
                (0..<3).map { _ in
                    (0..<Int.random(in: 0...6, using: &generator)).map { _ in alphabet.randomElement(using: &generator)!
                    }
                    .joined()
                }
            }.filter { $0.contains { !$0.isEmpty } }
            var writer = CSVWriter(delimiter: delimiter)
            writer.row(["one", "two", "three"])
            for row in rows { writer.row(row) }
            let found = read(try CSVText(writer.bytes[...]).bytes)
            #expect(found.errors == [])
            #expect(found.records.dropFirst().map { $0.map(CSVWriter.unguarded) } == rows)
        }
    }

    @Test("Nothing that is written begins as a formula")
    func formulas() {
        var writer = CSVWriter(delimiter: UInt8(ascii: ","))
        writer.row(["=1+1", "+39", "-5", "@x", "\tx", "'=x", "plain", "'plain", "a=b"])
        let text = String(decoding: writer.bytes.dropFirst(3), as: UTF8.self)
        #expect(text == "'=1+1,'+39,'-5,'@x,\"'\tx\",''=x,plain,'plain,a=b\r\n")
    }

    @Test("Any bytes at all are read to an end, without a trap")
    func noise() {
        var generator = SystemRandomNumberGenerator()
        let likely = Array("\"\",;\r\n\0a\u{7f}".utf8) + [0xc2, 0x85, 0xff, 0xfe, 0xef, 0xbb, 0xbf]
        for _ in 0..<2_000 {
            let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                likely.randomElement(using: &generator)!
            }
            guard let text = try? CSVText(bytes[...]) else { continue }
            let found = read(text.bytes)
            #expect(found.records.allSatisfy { $0.count == found.records.first?.count })
        }
    }
}
