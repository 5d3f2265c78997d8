import Template
import Testing

struct ReadingTests {
    @Test(
        "Filters, functions, tests and statements outside the subset are refused by name",
        arguments: [
            ("{{ value|truncate(3) }}", TemplateFault.unknownFilter("truncate")),
            ("{{ value|regex_findall('a') }}", .unknownFilter("regex_findall")),
            ("{{ value|map('int')|list }}", .unknownFilter("map")),
            ("{{ states('sensor.a') }}", .unknownFunction("states")), ("{{ now() }}", .unknownFunction("now")),
            ("{{ as_timestamp(now()) }}", .unknownFunction("as_timestamp")),
            ("{{ value.isdigit() }}", .unknownFunction("isdigit")),
            ("{{ value_json.items() }}", .unknownFunction("items")),
            ("{{ value() }}", .unknownFunction("value")), ("{{ value_json.a[0]() }}", .unknownFunction("a")),
            ("{{ namespace(a=1) }}", .unknownFunction("namespace")), ("{{ range(9) }}", .unknownFunction("range")),
            ("{{ value is match('a') }}", .unknownTest("match")),
            ("{{ value is not search 'a' }}", .unknownTest("search")),
            ("{% for a in value %}{% endfor %}", .unknownStatement("for")),
            ("{% macro a() %}{% endmacro %}", .unknownStatement("macro")),
            ("{% import 'a' as a %}", .unknownStatement("import")),
            ("{% include 'a' %}", .unknownStatement("include")), ("{% raw %}{% endraw %}", .unknownStatement("raw")),
            ("{{ value|round(1, 2, 3, 4) }}", .wrongArguments("round")),
            ("{{ value|round(digits=1) }}", .wrongArguments("round")),
            ("{{ value|multiply }}", .wrongArguments("multiply")), ("{{ float() }}", .wrongArguments("float")),
            ("{{ value.replace('a') }}", .wrongArguments("replace")), ("{{ value is odd 3 }}", .wrongArguments("odd")),
            ("{{ value is divisibleby }}", .wrongArguments("divisibleby")), ("{{ min() }}", .wrongArguments("min")),
            ("{{ value|float(1, default=2) }}", .wrongArguments("float")),
        ])
    func outside(_ source: String, _ fault: TemplateFault) {
        #expect(throws: fault) { try Template(source) }
    }

    @Test(
        "Text that is not Jinja is refused at its place",
        arguments: [
            ("{{ broken", 9), ("{{ }}", 3), ("{{ 1 + }}", 7), ("{{ (1 }}", 6), ("{{ 'a }}", 3), ("{{ a b }}", 5),
            ("{{ 1 2 }}", 5), ("{{ value. }}", 10), ("{{ value| }}", 10), ("{{ a = 1 }}", 5), ("{{ not }}", 7),
            ("{{ 007 }}", 3), ("{{ 5. }}", 6), ("{{ 99999999999999999999 }}", 3), ("{{ ? }}", 3), ("{{ a ] }}", 5),
            (#"{{ '\x4' }}"#, 4), (#"{{ '\ud800' }}"#, 4), (#"{{ '\N{BULLET}' }}"#, 4), ("{# open", 0),
            ("{% if 1 %}", 8), ("{% endif %}", 3), ("{% else %}", 3), ("{% if 1 %}{% else %}{% else %}{% endif %}", 23),
            ("{% set a %}", 9), ("{% set a.b = 1 %}", 8), ("{% set if = 1 %}", 7), ("{% %}", 3),
            ("{% if a if b %}x{% endif %}", 8),
            ("{{ (1, 2) }}", 3), ("{{ (1, 2) ~ 'a' }}", 3), ("{{ 1, 2 }}", 4), ("{{ a[1:2:3:4] }}", 11),
            ("{{ a[] }}", 7),
            ("  {{ ? }}", 3),
        ])
    func malformed(_ source: String, _ offset: Int) {
        #expect(throws: TemplateFault.malformed(offset: offset), "\(source)") { try Template(source) }
    }

    @Test("A name in an error has letters, digits and underscores alone, and at most 32")
    func shownNames() throws {
        let long = String(repeating: "a", count: 100)
        #expect(throws: TemplateFault.unknownFilter(String(long.prefix(32)))) { try Template("{{ value|\(long) }}") }
        #expect(throws: TemplateFailure.undefined("scriptab")) {
            try Template("{{ value_json['<script>\\n a b'].c }}").text(["value_json": .object([])])
        }
    }

    @Test(
        "The variables are those that it reads",
        arguments: [
            ("plain", []), ("{{ value }}", ["value"]),
            ("{{ value_json.a ~ other['b'][index] }}", ["value_json", "other", "index"]),
            ("{% set a = value %}{{ a }}", ["value"]), ("{{ a }}{% set a = 1 %}", ["a"]),
            ("{% if c %}{% set a = 1 %}{{ a }}{% else %}{{ a }}{% endif %}{{ a }}", ["c", "a"]),
            ("{% if c %}{% set a = 1 %}{% else %}{% set a = 2 %}{% endif %}{{ a }}", ["c"]),
            ("{% if c %}{% set a = 1 %}{% elif d %}{% else %}{% set a = 2 %}{% endif %}{{ a }}", ["c", "d", "a"]),
            ("{% if c %}{% set a = 1 %}{% endif %}{{ a }}", ["c", "a"]),
            ("{{ float(position) }}{# hidden #}", ["position"]), ("{{ {'a': b, c: 1}.d }}", ["b", "c"]),
            ("{{ x is defined }}", ["x"]), ("{{ '%s' % y }}", ["y"]),
        ] as [(String, Set<String>)])
    func names(_ source: String, _ names: Set<String>) throws {
        #expect(try Template(source).names == names)
    }

    @Test(
        "A template that only names a place is a path",
        arguments: [
            ("{{ value }}", []), ("{{value}}", []), ("  {{- value -}} ", []), ("{{ value_json.a }}", ["a"]),
            ("{{ value_json.a.b }}", ["a", "b"]), ("{{ value_json['a b'].c }}", ["a b", "c"]),
            (#"{{ value_json["a"]["b"] }}{# the second #}"#, ["a", "b"]), ("{{ (value_json.a) }}", ["a"]),
            ("{{ value_json }}", nil), ("{{ value.a }}", nil), ("{{ value_json.a.0 }}", nil),
            ("{{ value_json.a | float }}", nil),
            ("{{ value }}%", nil), ("{{ value }}{{ value }}", nil), ("", nil), ("{{ other.a }}", nil),
            ("{% if value %}{{ value }}{% endif %}", nil), ("{{ value_json[value] }}", nil), ("{{ 'a' }}", nil),
        ] as [(String, [String]?)])
    func path(_ source: String, _ path: [String]?) throws {
        #expect(try Template(source).path == path)
    }

    @Test("Templates are equal if their sources are")
    func equality() throws {
        let template = try Template("{{ value }}")
        #expect(template.source == "{{ value }}")
        #expect(template == (try Template("{{ value }}")))
        #expect(template != (try Template("{{value}}")))
        #expect(Set([template, try Template("{{ value }}")]).count == 1)
    }
}
