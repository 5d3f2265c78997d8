import JSON
import Testing

@Suite("Reading JSON")
struct JSONReaderTests {
    private struct Item: Codable, Equatable {
        var name: String
        var count: Int?
    }

    private struct Message: Codable, Equatable {
        var id: Int
        var items: [Item]
        var ok: Bool
        var value: Double
    }

    private func error<Value: Decodable>(
        _ text: String, as type: Value.Type = Message.self, limit: Int = 1000
    ) -> JSONError? {
        do throws(JSONError) {
            _ = try JSONReader.decode(type, from: Array(text.utf8), limit: limit)
            return nil
        } catch {
            return error
        }
    }

    @Test("A good document becomes a value")
    func good() throws {
        let text =
            #" {"id":-7, "items":[{"name":"a\u00e8\ud83d\ude00\n"},{"name":"","count":2}],"ok":true,"value":1.5e2}\#n"#
        let message = try JSONReader.decode(Message.self, from: Array(text.utf8))
        let items = [Item(name: "a\u{e8}\u{1f600}\n", count: nil), Item(name: "", count: 2)]
        #expect(message == Message(id: -7, items: items, ok: true, value: 150))
    }

    @Test(
        "What is not JSON is malformed",
        arguments: [
            "", " ", "{", "}", "[1,]", "{\"a\":1,}", "{a:1}", "{'a':1}", "[1 2]", "{\"a\" 1}", "01", "-", "1.", ".5",
            "1e", "+1", "0x1", "NaN", "Infinity", "tru", "nul", "\"a", "\"\\x\"", "\"\\u12\"", "\"\\ud800\"",
            "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"a\nb\"", "\"a\tb\"", "[1] 2", "// a\n1", "\u{feff}1", "\"\u{0}\"",
        ])
    func malformed(_ text: String) {
        guard case .malformed = error(text) else {
            Issue.record("accepted, or refused for another reason")
            return
        }
    }

    @Test(
        "Bytes that are not UTF-8 are malformed",
        arguments: [[0xff], [0x22, 0xc0, 0x80, 0x22], [0x22, 0xed, 0xa0, 0x80, 0x22]])
    func notUTF8(_ bytes: [UInt8]) {
        #expect(throws: JSONError.malformed(offset: 0)) { try JSONReader.decode(String.self, from: bytes) }
    }

    @Test("Sixteen levels are allowed, seventeen are not")
    func depth() {
        func nested(_ levels: Int) -> String {
            String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        }
        #expect(error(nested(16)) != .tooDeep(limit: 16))
        #expect(error(nested(17)) == .tooDeep(limit: 16))
        #expect(error(String(repeating: "[", count: 900)) == .tooDeep(limit: 16))
        #expect(error(String(repeating: "{\"a\":", count: 100)) == .tooDeep(limit: 16))
    }

    @Test("A document above the limit is not looked at")
    func size() {
        #expect(error(String(repeating: "[", count: 1001)) == .tooLarge(limit: 1000))
    }

    @Test(
        "The same key twice is refused, however it is written",
        arguments: [
            #"{"a":1,"a":2}"#, #"{"a":1,"\u0061":2}"#, #"{"b":{"a":1,"c":2,"a":3}}"#, #"[{"":1,"":2}]"#,
            #"{"\ud83d\ude00":1,"😀":2}"#,
            "{" + (0..<50).map { "\"k\($0)\":1," }.joined() + "\"k3\":2}",
        ])
    func duplicates(_ text: String) {
        guard case .duplicateKey = error(text) else {
            Issue.record("accepted")
            return
        }
    }

    @Test("The same key in two objects is no duplicate")
    func sameKeyElsewhere() throws {
        let items = try JSONReader.decode([Item].self, from: Array(#"[{"name":"a"},{"name":"b"}]"#.utf8))
        #expect(items.count == 2)
        let many = "{" + (0..<100).map { "\"k\($0)\":{\"k\($0)\":1}" }.joined(separator: ",") + "}"
        #expect(try JSONReader.decode([String: [String: Int]].self, from: Array(many.utf8)).count == 100)
    }

    @Test(
        "Another shape is told in words, with its place",
        arguments: [
            (#"{"items":[],"ok":true,"value":1}"#, "id is missing."),
            (#"{"id":"x","items":[],"ok":true,"value":1}"#, "id must be a whole number."),
            (#"{"id":null,"items":[],"ok":true,"value":1}"#, "id must not be null."),
            // Foundation does not say where a number is that does not fit.
            (#"{"id":1.5,"items":[],"ok":true,"value":1}"#, "The document has a value that does not fit."),
            (#"{"id":1e99,"items":[],"ok":true,"value":1}"#, "The document has a value that does not fit."),
            (#"{"id":1,"items":[{"name":"a"},{"name":1}],"ok":true,"value":1}"#, "items[1].name must be a text."),
            (#"{"id":1,"items":{},"ok":true,"value":1}"#, "items must be a list."),
            (#"{"id":1,"items":[],"ok":1,"value":1}"#, "ok must be true or false."),
            (#"{"id":1,"items":[],"ok":true,"value":"1"}"#, "value must be a number."),
            ("[]", "The document must be an object."),
        ])
    func shape(_ text: String, _ words: String) {
        #expect(error(text)?.description == words)
    }

    @Test("Fields are read one by one, by the same rules")
    func fields() throws {
        let text = #"{"a":"x","b":"\u00e8\n","n":-5,"d":2.5,"t":true,"z":null,"o":{"a":1},"l":[1,{"n":2}]}"#
        let fields = try JSONFields(Array(text.utf8))
        #expect(try fields.require("a") == "x")
        #expect(try fields.require("b") == "\u{e8}\n")
        #expect(try fields.require("n") == -5)
        #expect(try fields.require("n", as: Double.self) == -5)
        #expect(try fields.require("d") == 2.5)
        #expect(try fields.require("t") == true)
        #expect(try fields.get("z", as: Int.self) == nil)
        #expect(try fields.get("missing", as: Int.self) == nil)
        #expect(throws: JSONError.mismatch(path: "missing", "is missing")) {
            try fields.require("missing", as: Int.self)
        }
        #expect(throws: JSONError.mismatch(path: "a", "must be a whole number")) { try fields.get("a", as: Int.self) }
        #expect(throws: JSONError.mismatch(path: "d", "must be a whole number")) { try fields.get("d", as: Int.self) }
        #expect(throws: JSONError.mismatch(path: "n", "must be a text")) { try fields.get("n", as: String.self) }
        #expect(throws: JSONError.mismatch(path: "o", "must be true or false")) { try fields.get("o", as: Bool.self) }
        #expect(throws: JSONError.self) { try JSONFields(Array("[1]".utf8)) }
        #expect(throws: JSONError.self) { try JSONFields(Array(#"{"a":1,"a":2}"#.utf8)) }
    }
}
