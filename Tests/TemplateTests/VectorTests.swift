import Template
import Testing

/// The variables of a payload: `value_json` only where it is JSON.
func variables(of payload: String) -> [String: TemplateValue] {
    var variables: [String: TemplateValue] = ["value": .text(payload)]
    variables["value_json"] = TemplateValue(json: Array(payload.utf8))
    return variables
}

/// The variables of a command, from an object.
func commandVariables(_ json: String) -> [String: TemplateValue] {
    guard case .object(let members)? = TemplateValue(json: Array(json.utf8)) else { return [:] }
    return members.reduce(into: [:]) { variables, member in
        if case .text(let name) = member.key { variables[name] = member.value }
    }
}

struct VectorTests {
    private func check(
        _ vectors: [(source: String, payload: String, result: String?)],
        given: (String) -> [String: TemplateValue] = variables(of:), _ location: SourceLocation = #_sourceLocation
    ) {
        for vector in vectors {
            do {
                let text = try? Template(vector.source).text(given(vector.payload))
                #expect(
                    text == vector.result, "\(vector.source) with \(vector.payload)", sourceLocation: location)
                _ = try Template(vector.source)
            } catch {
                Issue.record("\(vector.source) is not read: \(error)", sourceLocation: location)
            }
        }
    }

    @Test("Each result that was measured with Home Assistant is the same here")
    func research() { check(ResearchVectors.all) }

    @Test("Templates of zwave-js-ui and zigbee2mqtt give the results of Home Assistant")
    func bridges() { check(BridgeTemplates.values) }

    @Test("Templates of Shelly, WLED, Tasmota and other devices give the results of Home Assistant")
    func devices() { check(DeviceTemplates.values) }

    @Test("Templates of commands write what the device expects")
    func commands() { check(BridgeTemplates.commands, given: commandVariables) }

    @Test("Operators, statements and calls are those of Jinja")
    func language() { check(LanguageVectors.all) }

    @Test("Numbers are read, rounded and written as in Python")
    func numbers() { check(NumberVectors.all) }

    @Test("Texts, lists, objects and JSON are those of Python")
    func sequences() { check(SequenceVectors.all) }

    @Test("At least sixty templates of real projects are among them")
    func enough() {
        let sources = (BridgeTemplates.values + BridgeTemplates.commands + DeviceTemplates.values).map(\.source)
        #expect(Set(sources).count >= 60)
    }

    // Jinja alone, from which the other vectors come, writes JSON and adds as Python 3.11 does.
    @Test(
        "JSON is written as by orjson, sums are those of Python 3.12, and members are no methods",
        arguments: [
            ("{{ value|to_json }}", "1e20", #""1e20""#), ("{{ value_json|to_json }}", "1e20", "1e20"),
            ("{{ value_json|to_json }}", "1e-5", "0.00001"), ("{{ value_json|to_json }}", "0.00012", "0.00012"),
            ("{{ value_json|to_json }}", "1e15", "1000000000000000.0"), ("{{ value_json|to_json }}", "-0.0", "-0.0"),
            ("{{ value|float|to_json }}", "nan", "null"),
            ("{{ value_json|to_json }}", #""è<'\u0001""#, #""è<'\u0001""#),
            ("{{ [0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1]|sum }}", "", "1.0"),
            ("{{ value_json.items }}", #"{"items":3}"#, "3"), ("{{ value_json.keys }}", #"{"keys":"a"}"#, "a"),
            ("{{ value_json.get }}", "{}", ""),
        ])
    func beyond(_ source: String, _ payload: String, _ result: String) throws {
        #expect(try Template(source).text(variables(of: payload)) == result)
    }
}
