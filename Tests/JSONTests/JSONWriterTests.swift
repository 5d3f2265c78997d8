import FoundationEssentials
import JSON
import TestSupport
import Testing

@Suite("Writing JSON")
struct JSONWriterTests {
    @Test("Objects, arrays and values stand where they were written")
    func shape() {
        var json = JSONWriter()
        json.object { json in
            json.field("text", "a")
            json.field("nothing", nil as String?)
            json.field("number", -12)
            json.field("large", UInt64.max)
            json.field("fraction", 0.1)
            json.field("infinite", Double.infinity)
            json.field("flag", true)
            json.object("empty") { _ in }
            json.array("list") { json in
                json.value(0)
                json.value("b")
                json.array { $0.null() }
                json.object { $0.field("c", false) }
                json.raw(Array("[1]".utf8))
            }
            json.field("x" + "y", "z")
        }
        let expected =
            #"{"text":"a","nothing":null,"number":-12,"large":18446744073709551615,"fraction":0.1,"infinite":null,"#
            + #""flag":true,"empty":{},"list":[0,"b",[null],{"c":false},[1]],"xy":"z"}"#
        #expect(String(decoding: json.bytes, as: UTF8.self) == expected)
    }

    @Test("Any text reads back the same", arguments: 0..<20)
    func texts(_ seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let texts =
            (0..<50).map { _ in randomText(&generator) } + [
                "", "\"\\/\u{8}\u{c}\n\r\t\u{0}\u{1f}\u{7f}\u{2028}\u{2029}",
            ]
        var json = JSONWriter()
        json.object { json in
            json.array("texts") { json in for text in texts { json.value(text) } }
            for (number, text) in texts.enumerated() { json.field("\(number)" + text, text) }
        }
        let fields = try JSONFields(json.bytes)
        #expect(try fields.get("missing", as: String.self) == nil)
        struct Document: Decodable { var texts: [String] }
        #expect(try JSONDecoder().decode(Document.self, from: Data(json.bytes)).texts == texts)
        #expect(try JSONReader.decode(Document.self, from: json.bytes).texts == texts)
    }

    /// As RFC 8259 says, one byte after the other.
    private func quoted(_ text: [UInt8]) -> [UInt8] {
        let short: [UInt8: String] = [0x22: #"\""#, 0x5c: #"\\"#, 0x0a: #"\n"#, 0x0d: #"\r"#, 0x09: #"\t"#]
        let quoted = text.flatMap { byte -> [UInt8] in
            if let escape = short[byte] { return Array(escape.utf8) }
            if byte >= 0x20 { return [byte] }
            let digits = String(byte, radix: 16)
            return Array((byte < 16 ? #"\u000"# : #"\u00"#).utf8) + Array(digits.utf8)
        }
        return [0x22] + quoted + [0x22]
    }

    @Test("A byte is escaped or not wherever it is in a text of any length", arguments: 0...0x7f as ClosedRange<UInt8>)
    func everyPlace(_ byte: UInt8) {
        // What is beside the bytes that are escaped.
        let around = Array(" !#[]\u{7f}".utf8)
        for length in 1...27 {
            for place in 0..<length {
                var text = (0..<place).map { around[$0 % around.count] } + [byte]
                // Whole characters after it: a text that is not UTF-8 would be mended before it is written.
                while text.count < length { text += text.count + 1 < length ? Array("à".utf8) : [0x21] }
                var json = JSONWriter()
                json.value(String(decoding: text, as: UTF8.self))
                #expect(json.bytes == quoted(text))
                text += [byte, byte]
                json = JSONWriter()
                json.value(String(decoding: text, as: UTF8.self))
                #expect(json.bytes == quoted(text))
            }
        }
    }

    @Test("Any number reads back the same", arguments: 0..<10)
    func numbers(_ seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let doubles = (0..<200).map { _ in Double(bitPattern: generator.next()) }.filter(\.isFinite)
        let integers = (0..<200).map { _ in Int(truncatingIfNeeded: generator.next()) } + [.min, .max, 0]
        var json = JSONWriter()
        json.array { json in for number in doubles { json.value(number) } }
        #expect(try JSONReader.decode([Double].self, from: json.bytes) == doubles)
        json = JSONWriter()
        json.array { json in for number in integers { json.value(number) } }
        #expect(try JSONReader.decode([Int].self, from: json.bytes) == integers)
    }

    private func randomText(_ generator: inout SeededGenerator) -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0..<20, using: &generator) {
            let range: ClosedRange<UInt32> = Bool.random(using: &generator) ? 0...0x7f : 0...0x10ffff
            if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &generator)) {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
