import Template

extension Target {
    /// Templates that devices send, with payloads that they send as well: the first line is the source, the rest the payload.
    static let templates: [Target] = [
        Target("template", seeds: { templateSeeds.map { Array($0.utf8) } }) { bytes in
            let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
            let payload = Array(bytes.dropFirst(line.count + 1))
            guard let source = String(validating: line, as: UTF8.self), let template = try? Template(source) else {
                return
            }
            expect(source.utf8.count <= 656, "a source that is too long")
            let again = try? Template(template.source)
            expect(again == template && again?.names == template.names, "read twice, it is another template")
            var variables: [String: TemplateValue] = [:]
            variables["value"] = String(validating: payload, as: UTF8.self).map(TemplateValue.text)
            variables["value_json"] = TemplateValue(json: payload)
            guard let text = try? template.text(variables) else { return }
            expect(text.utf8.count <= 4096, "a text that is too long")
            expect((try? template.text(variables)) == text, "rendered twice, it gives another text")
        },
        Target("template-json", seeds: { jsonSeeds.map { Array($0.utf8) } }) { bytes in
            guard let value = TemplateValue(json: bytes) else { return }
            // Nil: longer than a rendering may be.
            guard let text = try? Template("{{ value|to_json }}").text(["value": value]) else { return }
            expect(TemplateValue(json: Array(text.utf8)) == value, "JSON is written otherwise than it was read")
        },
    ]

    private static let templateSeeds = [
        "{{ value_json.temperature | float | round(1) }}\n{\"temperature\":21.37}",
        "{% if value in ['mild','heavy'] %}ON{% elif not value %}{% else %}OFF{% endif %}\nmild",
        "{{ {0:'off',1:'on'}[value_json.v] | default('?') }}\n{\"v\":1}",
        "{% set a = value.split(',')[0:2] %}{{- a|join('-') -}}{# c #}\n1,2,3",
        "{{ '%03d %.1f %g %x' % (value|int, 1.25, 2, 255) }}\n7",
        "{{ value[::-1]|upper ~ (2 ** 3 // 7 % 5 - -1.5e3) }}\nabc",
        "{{ 'a' if 0 <= value_json.a.0.b < 9 and value_json is mapping else value_json|tojson }}\n{\"a\":[{\"b\":4}]}",
        "{{ value_json.get('a', none)|iif(1, 2, 3) }} {{ min([3, 1]) }} {{ value_json|length is odd }}\n{\"b\":null}",
        "{{ value.replace('a', 'b')|title|trim('b')|int(0, 16)|bitwise_and(3)|multiply(0.5)|round(1, 'floor') }}\na1",
        "{{ ('{\\\"a\\\": [1]}'|from_json).a|sum|bool|string|first|default('x', true)|to_json }}\n",
    ]

    private static let jsonSeeds = [
        "{\"a\":[1,-2.5e-3,true,null,\"\\u00e8\\ud83d\\ude00\"],\"b\":{}}", "[[[[]]]]", "9223372036854775808",
        "\"\\\\\"",
    ]
}
