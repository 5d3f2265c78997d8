/// The shape of a JSON value, for `/api/openapi.json` (OpenAPI 3.1, which is JSON Schema).
public indirect enum Schema: Sendable {
    /// A string; the text says what is in it.
    case text(String)
    /// A string that is one of these.
    case choice([String])
    /// A whole number; the text says of what.
    case integer(String)
    /// A number; the text says of what.
    case number(String)
    /// True or false.
    case truth(String)
    /// This or null.
    case optional(Schema)
    /// A list of these.
    case list(Schema)
    /// An object with these members, all of them always there.
    case object([(String, Schema)])
    /// A number, true or false, or a text; the text says which of them when.
    case scalar(String)
    /// An object of any members; the text says what.
    case anything(String)

    /// Writes it as JSON Schema.
    public func write(to json: inout JSONWriter) {
        json.object { json in members(&json) }
    }

    private func members(_ json: inout JSONWriter) {
        switch self {
        case .text(let words): typed("string", words, &json)
        case .integer(let words): typed("integer", words, &json)
        case .number(let words): typed("number", words, &json)
        case .truth(let words): typed("boolean", words, &json)
        case .anything(let words): typed("object", words, &json)
        case .scalar(let words):
            json.key("type")
            json.array { json in for type in ["number", "boolean", "string"] { json.value(type) } }
            json.field("description", words)
        case .choice(let values):
            json.field("type", "string")
            json.key("enum")
            json.array { json in for value in values { json.value(value) } }
        case .optional(let schema):
            json.key("anyOf")
            json.array { json in
                schema.write(to: &json)
                json.object { $0.field("type", "null") }
            }
        case .list(let schema):
            json.field("type", "array")
            json.key("items")
            schema.write(to: &json)
        case .object(let members):
            json.field("type", "object")
            json.key("required")
            json.array { json in for (name, _) in members { json.value(name) } }
            json.key("properties")
            json.object { json in
                for (name, schema) in members {
                    json.key(name)
                    schema.write(to: &json)
                }
            }
        }
    }

    private func typed(_ type: String, _ words: String, _ json: inout JSONWriter) {
        json.field("type", type)
        json.field("description", words)
    }
}
