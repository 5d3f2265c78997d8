import Template
import Testing

struct ValueTests {
    @Test(
        "JSON keeps its integers and the order of its members",
        arguments: [
            ("5", .integer(5)), (" -12 ", .integer(-12)), ("-0", .integer(0)), ("1.0", .number(1)),
            ("1e2", .number(100)),
            ("1E+2", .number(100)), ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
            ("9223372036854775808", .number(9_223_372_036_854_775_808)), ("true", .truth(true)),
            ("false", .truth(false)),
            ("null", .null), (#""""#, .text("")),
            (#""a\"\\\/\b\f\n\r\t\u00e8\ud83d\ude00""#, .text("a\"\\/\u{8}\u{c}\n\r\tè😀")),
            ("[]", .list([])), ("[1, [2], {}]", .list([.integer(1), .list([.integer(2)]), .object([])])),
            (
                #"{"b":1,"a":{"c":null}}"#,
                .object([
                    .init(key: .text("b"), value: .integer(1)),
                    .init(key: .text("a"), value: .object([.init(key: .text("c"), value: .null)])),
                ])
            ),
            (
                #"{"a":1,"b":2,"a":3}"#,
                .object([.init(key: .text("a"), value: .integer(3)), .init(key: .text("b"), value: .integer(2))])
            ),
        ] as [(String, TemplateValue)])
    func json(_ text: String, _ value: TemplateValue) {
        #expect(TemplateValue(json: Array(text.utf8)) == value, "\(text)")
    }

    @Test(
        "Text that is not JSON gives no value",
        arguments: [
            "", " ", "on", "nul", "True", "'a'", "01", "-", "1.", ".5", "1e", "+1", "0x1", "NaN", "Infinity", "1e999",
            "1 2",
            "[1,]", "[1", "[,1]", "{", "{1:2}", #"{"a"}"#, #"{"a":1,}"#, #"{"a" 1}"#, #"{a:1}"#, "\"a", #""\x""#,
            #""\u12""#,
            #""\ud800""#, #""\ud800\u0041""#, #""\udc00""#, "\"\t\"", "[1]x", "\u{feff}1",
        ])
    func notJSON(_ text: String) {
        #expect(TemplateValue(json: Array(text.utf8)) == nil, "\(text)")
    }

    @Test("JSON is bounded in bytes and depth, and has to be UTF-8")
    func bounds() {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        #expect(TemplateValue(json: nested(16)) != nil)
        #expect(TemplateValue(json: nested(17)) == nil)
        #expect(TemplateValue(json: nested(30_000)) == nil)
        #expect(TemplateValue(json: [UInt8](repeating: 0x20, count: 65_535) + [0x31]) == .integer(1))
        #expect(TemplateValue(json: [UInt8](repeating: 0x20, count: 65_536) + [0x31]) == nil)
        #expect(TemplateValue(json: [0x22, 0xff, 0x22]) == nil)
        #expect(TemplateValue(json: [0x22, 0xc3, 0xa8, 0x22]) == .text("è"))
    }

    @Test(
        "A rendering fails with its reason",
        arguments: [
            ("{{ value_json.a }}", TemplateFailure.undefined("value_json")), ("{{ none.a.b }}", .undefined("a")),
            ("{{ value_json|is_defined }}", .undefined("value_json")), ("{{ a['b'] }}", .undefined("a")),
            ("{{ {}.b|float(0) }}", .undefined("b")), ("{{ {}['b'] + 1 }}", .undefined("b")),
            ("{{ 1 < c }}", .undefined("c")),
            ("{{ (1).lower() }}", .undefined("lower")), ("{{ 'a'|float }}", .wrongKind), ("{{ 'a' + 1 }}", .wrongKind),
            ("{{ 'a' < 1 }}", .wrongKind), ("{{ 1 in 2 }}", .wrongKind), ("{{ 'a'|bool }}", .wrongKind),
            ("{{ -'a' }}", .wrongKind), ("{{ '%d' % 'a' }}", .wrongKind), ("{{ '%d' % () }}", .wrongKind),
            ("{{ {[1]: 2} }}", .wrongKind), ("{{ 1|length }}", .wrongKind), ("{{ {1: 2}|to_json }}", .wrongKind),
        ])
    func failures(_ source: String, _ failure: TemplateFailure) {
        #expect(throws: failure, "\(source)") { try Template(source).text([:]) }
    }

    @Test("A payload that is not JSON can be told from one that is")
    func isJSON() throws {
        let template = try Template("{{ value_json.a if value_json is defined else value }}")
        #expect(try template.text(variables(of: "raw")) == "raw")
        #expect(try template.text(variables(of: #"{"a":1}"#)) == "1")
    }

    @Test("Texts are compared by their code points")
    func codePoints() throws {
        let variables: [String: TemplateValue] = [
            "one": .text("\u{e8}"), "other": .text("e\u{300}"),
            "json": .object([.init(key: .text("\u{e8}"), value: .integer(1))]),
        ]
        #expect(try Template("{{ one == other }}").text(variables) == "False")
        #expect(try Template("{{ other in json }}").text(variables) == "False")
        #expect(try Template("{{ other|length }}").text(variables) == "2")
    }
}
