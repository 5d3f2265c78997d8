import Template
import TestSupport
import Testing

struct BoundTests {
    private func rendered(_ source: String, _ variables: [String: TemplateValue] = [:]) throws -> String {
        try Template(source).text(variables)
    }

    @Test("A source has at most 656 bytes")
    func source() throws {
        #expect(try rendered(String(repeating: "a", count: 656)).utf8.count == 656)
        #expect(throws: TemplateFault.tooLong) { try Template(String(repeating: "a", count: 657)) }
        #expect(throws: TemplateFault.tooLong) { try Template(String(repeating: "è", count: 329)) }
    }

    @Test("A source has at most 90 parts")
    func nodes() throws {
        #expect(try rendered("{{ 1" + String(repeating: "+1", count: 44) + " }}") == "45")
        #expect(throws: TemplateFault.tooManyNodes) {
            try Template("{{ 1" + String(repeating: "+1", count: 45) + " }}")
        }
        for repeated in ["not ", "-", "1 if 0 else ", "a.", "1~", "1<", "1 or ", "1,"] {
            let source = "{{ [" + String(repeating: repeated, count: 640 / repeated.utf8.count) + "1] }}"
            #expect(throws: TemplateFault.self, "\(repeated)") { try Template(String(source.prefix(656))) }
        }
    }

    @Test("Brackets and statements nest ten deep at most")
    func depth() throws {
        func nested(_ open: String, _ close: String, _ count: Int) -> String {
            String(repeating: open, count: count) + "1" + String(repeating: close, count: count)
        }
        #expect(try rendered("{{ " + nested("(", ")", 10) + " }}") == "1")
        #expect(try rendered(nested("{% if 1 %}", "{% endif %}", 10)) == "1")
        for (open, close) in [("(", ")"), ("[", "]"), ("{1:", "}"), ("float(", ")"), ("a[", "]")] {
            let source = "{{ " + nested(open, close, 11) + " }}"
            #expect(throws: TemplateFault.tooDeep, "\(source)") { try Template(source) }
        }
        #expect(throws: TemplateFault.tooDeep) { try Template(nested("{% if 1 %}", "{% endif %}", 11)) }
    }

    @Test("A chain of choices is no deeper than one")
    func chain() throws {
        let links = (0..<20).map { "'\($0)' if value == '\($0)' else " }.joined()
        #expect(throws: TemplateFault.tooManyNodes) { try Template("{{ \(links)'' }}") }
        let fewer = (0..<14).map { "'\($0)' if value == '\($0)' else " }.joined()
        #expect(try rendered("{{ \(fewer)'' }}", ["value": .text("13")]) == "13")
    }

    @Test(
        "A value that grows beyond its bound ends the rendering with a reason",
        arguments: [
            ("{{ 'a' * 10**9 }}", TemplateFailure.tooLong), ("{{ 'a' * 9223372036854775807 }}", .tooLong),
            ("{{ [1] * 10**9 }}", .tooLong), ("{{ [1] * 9223372036854775807 * 2 }}", .tooLong),
            ("{{ 'a' * 4097 }}", .tooLong), ("{{ '%999999999d' % 1 }}", .tooLong),
            ("{{ '%.999999999f' % 1 }}", .tooLong),
            ("{{ 2 ** 100000 }}", .outOfRange), ("{{ 2.0 ** 100000 }}", .outOfRange),
            ("{{ 2 ** 9223372036854775807 }}", .outOfRange),
            ("{{ 9223372036854775807 + 1 }}", .outOfRange), ("{{ (-9223372036854775807 - 1) // -1 }}", .outOfRange),
            ("{{ -(-9223372036854775807 - 1) }}", .outOfRange), ("{{ (-9223372036854775807 - 1)|abs }}", .outOfRange),
            ("{{ 3037000500 * 3037000500 }}", .outOfRange), ("{{ '9223372036854775808'|int }}", .outOfRange),
            ("{{ 1e300|int }}", .outOfRange), ("{{ 1e308|round(1, 'ceil') }}", .outOfRange),
            ("{{ 1|round(400) }}", .outOfRange),
            ("{{ '1e999'|float|int }}", .outOfRange), ("{{ 1 / 0 }}", .outOfRange), ("{{ 1 % 0.0 }}", .outOfRange),
            ("{{ 0 ** -1 }}", .outOfRange), ("{{ value[::0] }}", .outOfRange), ("{{ value.split('') }}", .outOfRange),
            ("{% set a = 'aaaaaaaaaa' * 30 %}{{ a.replace('', a)|length }}", .tooLong),
            ("{% set a = 'a' * 60000 %}{{ (a ~ a)|length }}", .tooLong),
            ("{% set a = 'a' * 60000 %}{{ [a, a]|join|length }}", .tooLong),
            ("{% set a = 'a' * 60000 %}{{ a|list|join(a)|length }}", .tooManySteps),
            ("{% set a = [1,2,3,4] * 9000 %}{{ a == a and a == a }}", .tooManySteps),
        ])
    func growth(_ source: String, _ failure: TemplateFailure) {
        #expect(throws: failure, "\(source)") { try rendered(source, ["value": .text("abc")]) }
    }

    @Test(
        "The greatest values are no trap",
        arguments: [
            ("{{ -9223372036854775807 - 1 }}", "-9223372036854775808"), ("{{ (-9223372036854775807 - 1) % -1 }}", "0"),
            ("{{ '-9223372036854775808'|int }}", "-9223372036854775808"), ("{{ (-2) ** 63 }}", "-9223372036854775808"),
            ("{{ value[9223372036854775807] }}", ""), ("{{ value[-9223372036854775807:9223372036854775807] }}", "abc"),
            ("{{ value[::9223372036854775807] }}", "a"), ("{{ value[::-9223372036854775807] }}", "c"),
            ("{{ 'a' * -9223372036854775807 }}", ""), ("{{ 9223372036854775807 == 9223372036854775807.0 }}", "False"),
            ("{{ 9223372036854775807 < 1e19 }}", "True"), ("{{ 1|round(-9223372036854775807) }}", "0.0"),
        ] as [(String, String?)])
    func greatest(_ source: String, _ result: String?) {
        #expect((try? rendered(source, ["value": .text("abc")])) == result, "\(source)")
    }

    @Test("Lists inside one another, doubled again and again, end with a reason")
    func doubling() {
        let sets = (0..<17).map { _ in "{% set a = [a,a] %}" }.joined()
        for last in ["{{ a }}", "{{ a == a }}", "{{ a|to_json }}", "{{ a < a }}", "{{ a in [a] }}"] {
            #expect(throws: TemplateFailure.self, "\(last)") { try rendered("{% set a = [] %}" + sets + last) }
        }
    }

    @Test("A result has at most 4,096 bytes, and a long payload can still be cut")
    func output() throws {
        let long = TemplateValue.text(String(repeating: "a", count: 15_000))
        #expect(try rendered("{{ value[:4096] }}", ["value": long]).utf8.count == 4096)
        #expect(throws: TemplateFailure.tooLong) { try rendered("{{ value }}", ["value": long]) }
        #expect(throws: TemplateFailure.tooLong) { try rendered("{{ value[:4096] }}.", ["value": long]) }
        #expect(try rendered("{{ value|trim|lower|length }}", ["value": long]) == "15000")
    }

    @Test("What is written before it is cut, and a long key that is looked for, count")
    func hiddenCosts() {
        let long = TemplateValue.text(String(repeating: "é", count: 8_000))
        let values = [String](repeating: "value", count: 40).joined(separator: ",")
        #expect(throws: TemplateFailure.tooManySteps) {
            try rendered("{{ '%.0s' * 40 % (\(values)) }}", ["value": long])
        }
        let digits = [String](repeating: "5e-324", count: 60).joined(separator: ",")
        #expect(throws: TemplateFailure.tooManySteps) { try rendered("{{ '%.0f' * 60 % (\(digits)) }}", [:]) }
        let object = TemplateValue.object([.init(key: long, value: .null)])
        let places = [String](repeating: "k in o", count: 6).joined(separator: " and ")
        #expect(throws: TemplateFailure.tooManySteps) { try rendered("{{ \(places) }}", ["k": long, "o": object]) }
    }

    @Test("A search that fails late again and again is linear")
    func search() throws {
        let text = TemplateValue.text(String(repeating: "a", count: 15_000))
        let part = TemplateValue.text(String(repeating: "a", count: 7_000) + "b")
        #expect(try rendered("{{ part in value }}", ["value": text, "part": part]) == "False")
        #expect(try rendered("{{ value.split(part)|length }}", ["value": text, "part": part]) == "1")
    }

    @Test("A long text among many short ones is compared in linear time")
    func extremes() throws {
        let long = TemplateValue.text(String(repeating: "Z", count: 10_000))
        let list = TemplateValue.list([long] + [TemplateValue](repeating: .text("a"), count: 1000))
        #expect(try rendered("{{ (list|max)|length }} {{ list|min }}", ["list": list]) == "10000 a")
    }

    @Test("Sources that are cut, doubled and mixed never trap, and read the same twice")
    func mutations() {
        let seeds = (BridgeTemplates.values + DeviceTemplates.values + LanguageVectors.all).map(\.source)
        let payloads = (BridgeTemplates.values + SequenceVectors.all).map(\.payload)
        var random = SeededGenerator(seed: 656)
        for _ in 0..<4000 {
            var bytes = Array((seeds.randomElement(using: &random) ?? "").utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let other = Array((seeds.randomElement(using: &random) ?? "").utf8)
                let place = Int.random(in: 0...bytes.count, using: &random)
                let end = Int.random(in: place...bytes.count, using: &random)
                let from = Int.random(in: 0...other.count, using: &random)
                bytes.replaceSubrange(place..<end, with: other[from...].prefix(Int.random(in: 0...12, using: &random)))
            }
            let source = String(decoding: bytes, as: UTF8.self)
            guard let template = try? Template(source) else { continue }
            #expect((try? Template(template.source)) == template)
            let text = try? template.text(variables(of: payloads.randomElement(using: &random) ?? ""))
            #expect((text?.utf8.count ?? 0) <= 4096)
        }
    }
}
