import JSON
import Testing

@Suite("One declaration per shape")
struct ShapeTests {
    private enum State: String, JSONChoice { case open, shut }

    private struct Door: JSONObject {
        var name: String
        var pulse: Int?
        var state: State
        var tags: [String] = []

        static let shape = Shape<Door> {
            JSONField("name", "what people call it") { $0.name }
            JSONField("pulse", "in milliseconds") { $0.pulse }
            JSONField("state") { $0.state }
            JSONField("tags", "words") { $0.tags }
        }
    }

    private struct Entry: JSONObject {
        var door: Door
        var weight: Double

        static let shape = Shape<Entry> {
            Door.shape.fields { (entry: Entry) in entry.door }
            JSONField("weight", "in kilograms") { $0.weight }
            JSONField("doors") { [$0.door] }
            JSONField("raw", .scalar("anything")) { _, json in json.value(true) }
        }
    }

    private func text(_ value: some JSONWritable) -> String {
        var json = JSONWriter()
        value.write(to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private func text(_ schema: Schema) -> String {
        var json = JSONWriter()
        schema.write(to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    @Test("A value is written field by field, in order, with null for what there is not")
    func writing() {
        let door = Door(name: "North \"1\"", pulse: nil, state: .shut, tags: ["a", "b"])
        #expect(text(door) == #"{"name":"North \"1\"","pulse":null,"state":"shut","tags":["a","b"]}"#)
        #expect(text(JSONItems([door, door])) == "{\"items\":[\(text(door)),\(text(door))]}")
    }

    @Test("Another shape's fields stand among one's own")
    func nested() {
        let entry = Entry(door: Door(name: "A", pulse: 3, state: .open), weight: 0.5)
        #expect(
            text(entry)
                == #"{"name":"A","pulse":3,"state":"open","tags":[],"weight":0.5,"#
                + #""doors":[{"name":"A","pulse":3,"state":"open","tags":[]}],"raw":true}"#)
    }

    @Test("The schema names every field that is written, with its type and its words")
    func schema() {
        let expected = Schema.object([
            ("name", .text("what people call it")), ("pulse", .optional(.integer("in milliseconds"))),
            ("state", .choice(["open", "shut"])), ("tags", .list(.text("words"))),
        ])
        #expect(text(Door.shape.schema) == text(expected))
        #expect(text(JSONItems<Door>.schema("")) == text(.object([("items", .list(expected))])))
    }

    private enum Floor: Int, JSONChoice {
        case cellar = -1
        case ground = 0

        var word: String { self == .cellar ? "down" : "up" }
    }

    private struct Told: JSONObject {
        static let doorKey = JSONKey<String>("door", "its name")
        static let byKey = JSONKey<String?>("by", "who")

        var door: String
        var by: String?
        var why: String??

        static let shape = Shape<Told> {
            JSONField(doorKey) { $0.door }
            JSONField(unlessNil: byKey) { $0.by }
            JSONField(unlessNil: "why", "as people say it") { $0.why }
        }
    }

    @Test("What is left out where there is nothing, also among another shape's fields")
    func leftOut() {
        #expect(text(Told(door: "A")) == #"{"door":"A"}"#)
        #expect(text(Told(door: "A", why: .some(nil))) == #"{"door":"A","why":null}"#)
        #expect(text(Told(door: "A", by: "B", why: "C")) == #"{"door":"A","by":"B","why":"C"}"#)
        let whole = Shape<(Told, Int)> {
            Told.shape.fields { $0.0 }
            JSONField("count", "how often") { $0.1 }
        }
        var json = JSONWriter()
        whole.write((Told(door: "A"), 2), to: &json)
        #expect(String(decoding: json.bytes, as: UTF8.self) == #"{"door":"A","count":2}"#)
    }

    private struct Marked: JSONObject {
        var first: Bool?
        var last: Int

        static let shape = Shape<Marked> {
            JSONField(unlessNil: "a\"b") { $0.first }
            JSONField("tab\tback\\", "a number") { $0.last }
            JSONField("", .scalar("anything")) { value, json in json.object { $0.field("c", value.last) } }
        }
    }

    @Test("Names are escaped like texts, and a comma is only between fields")
    func names() {
        #expect(text(Marked(first: true, last: 1)) == #"{"a\"b":true,"tab\tback\\":1,"":{"c":1}}"#)
        #expect(text(Marked(first: nil, last: 2)) == #"{"tab\tback\\":2,"":{"c":2}}"#)
        #expect(
            text([Marked(last: 1), Marked(last: 2)])
                == #"[{"tab\tback\\":1,"":{"c":1}},{"tab\tback\\":2,"":{"c":2}}]"#)
    }

    @Test("What is written is read back under the same keys")
    func readBack() throws {
        for told in [Told(door: "A"), Told(door: "A", by: "B")] {
            let (door, by) = try JSONBody(Told.doorKey, Told.byKey).read(JSONFields(told.document()))
            #expect(door == told.door)
            #expect(by == told.by)
        }
    }

    @Test("The words of a choice need not be its raw values")
    func words() throws {
        #expect(text(Floor.schema) == text(.choice(["down", "up"])))
        #expect(text(Floor.cellar) == #""down""#)
        let floor = try JSONFields(Array(#"{"floor":"up"}"#.utf8)).require(JSONKey<Floor>("floor"))
        #expect(floor == .ground)
    }

    private static let body = JSONBody(
        JSONKey<String>("name", "1 to 80 characters"), JSONKey<Int?>("pulse", "500 to 30000"),
        JSONKey<[State]>("states"), JSONKey<[Rule]?>("rules"))

    private struct Rule: JSONReadable, Equatable {
        var fan: String
        var most: Double?

        static let body = JSONBody(JSONKey<String>("fan", "its id"), JSONKey<Double?>("most", "a level"))
        static func schema(_ words: String) -> Schema { body.schema }
        static func read(_ json: UnsafeRawBufferPointer, at path: String) throws(JSONError) -> Rule {
            let (fan, most) = try body.read(json, at: path)
            return Rule(fan: fan, most: most)
        }
    }

    @Test("A body is read as it is declared, also lists of objects")
    func reading() throws {
        let document =
            #"{"states":["shut","open"],"rules":[ {"fan":"\u0061","most":1.5} , {"fan":"b"} ],"name":"x","more":1}"#
        let (name, pulse, states, rules) = try Self.body.read(JSONFields(Array(document.utf8)))
        #expect(name == "x")
        #expect(pulse == nil)
        #expect(states == [.shut, .open])
        #expect(rules == [Rule(fan: "a", most: 1.5), Rule(fan: "b", most: nil)])
        let (_, _, none, absent) = try Self.body.read(JSONFields(Array(#"{"name":"","states":[],"rules":null}"#.utf8)))
        #expect(none.isEmpty)
        #expect(absent == nil)
    }

    @Test(
        "A whole number may be written with a point or an exponent, and is exact",
        arguments: [
            ("30.0", 30), ("3e1", 30), ("-1.50e2", -150), ("9007199254740992.0", 9_007_199_254_740_992),
            ("9223372036854775807", Int.max), ("1.5", nil), ("1e-1", nil), ("1e400", nil), ("9007199254740994.0", nil),
            ("92233720368547758080", nil), ("\"1\"", nil), ("true", nil),
        ] as [(String, Int?)])
    func wholeNumbers(_ text: String, _ expected: Int?) throws {
        let fields = try JSONFields(Array("{\"n\":\(text)}".utf8))
        #expect((try? fields.require(JSONKey<Int>("n"))) == expected)
    }

    @Test("The schema of a body says the same as what is read")
    func bodySchema() {
        let rule = Schema.object([("fan", .text("its id")), ("most", .optional(.number("a level")))])
        let expected = Schema.object([
            ("name", .text("1 to 80 characters")), ("pulse", .optional(.integer("500 to 30000"))),
            ("states", .list(.choice(["open", "shut"]))), ("rules", .optional(.list(rule))),
        ])
        #expect(text(Self.body.schema) == text(expected))
    }

    @Test("A field may tell what is left out from what is null")
    func presence() throws {
        let body = JSONBody(
            JSONKey<JSONPresence<Double>>("low", "the lower end"), JSONKey<JSONPresence<State>>("state"))
        #expect(
            text(body.schema)
                == text(.object([("low", .optional(.number("the lower end"))), ("state", .optional(State.schema))])))
        let (low, state) = try body.read(JSONFields(Array(#"{"low":null}"#.utf8)))
        #expect(low.isThere && low.value == nil && low.over(1) == nil)
        #expect(!state.isThere && state.value == nil && state.over(.open) == .open)
        let (high, shut) = try body.read(JSONFields(Array(#"{"state":"shut","low":2}"#.utf8)))
        #expect(high.isThere && high.over(nil) == 2 && high.over(1) == 2)
        #expect(shut.over(.open) == .shut)
        #expect(throws: JSONError.mismatch(path: "low", "must be a number")) {
            try body.read(JSONFields(Array(#"{"low":"2"}"#.utf8)))
        }
    }

    @Test(
        "What does not fit is refused with its place",
        arguments: [
            (#"{"states":[]}"#, "name is missing."),
            (#"{"name":null,"states":[]}"#, "name is missing."),
            (#"{"name":1,"states":[]}"#, "name must be a text."),
            (#"{"name":"","states":{}}"#, "states must be a list."),
            (#"{"name":"","states":["open","ajar"]}"#, "states[1] must be one of open, shut."),
            (#"{"name":"","states":[null]}"#, "states[0] must be a text."),
            (#"{"name":"","states":[],"pulse":1.5}"#, "pulse must be a whole number."),
            (#"{"name":"","states":[],"rules":[{"fan":"a"},{"most":1}]}"#, "rules[1].fan is missing."),
            (#"{"name":"","states":[],"rules":[{"fan":"a","most":"b"}]}"#, "rules[0].most must be a number."),
            (#"{"name":"","states":[],"rules":[7]}"#, "rules[0] must be an object."),
        ])
    func refusing(_ document: String, _ words: String) throws {
        let fields = try JSONFields(Array(document.utf8))
        do throws(JSONError) {
            _ = try Self.body.read(fields)
            Issue.record("it was read")
        } catch {
            #expect(error.description == words)
        }
    }
}
