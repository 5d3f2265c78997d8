/// What a JSON object consists of, declared once: from it come the schema that programs read and the bytes that they get.
///
/// ```swift
/// extension GateRow: JSONObject {
///     static let shape = Shape<GateRow> {
///         JSONField("id", "the gate's id") { $0.gate.id }
///         JSONField("name", "what people call it") { $0.gate.name }
///         JSONField("retired", "when it was taken out of use") { $0.gate.retired }   // null where nil
///     }
/// }
/// ```
public struct Shape<Value>: Sendable {
    /// In the order in which they are written.
    public let fields: [JSONField<Value>]

    /// Declares the fields. No two have the same name.
    public init(@ShapeBuilder<Value> _ fields: () -> [JSONField<Value>]) {
        self.fields = fields()
        assert(Set(self.fields.map(\.name.description)).count == self.fields.count, "two fields have the same name")
    }

    /// As programs read it.
    public var schema: Schema { .object(fields.map { ($0.name.description, $0.schema) }) }

    /// Writes the fields of a value inside an object that is open.
    @inlinable
    public func writeFields(of value: Value, to json: inout JSONWriter) {
        // By index: a copy of the field would be counted up and down.
        for index in fields.indices { fields[index].write(value, &json) }
    }

    /// Writes a value as an object.
    @inlinable
    public func write(_ value: Value, to json: inout JSONWriter) {
        json.object { json in writeFields(of: value, to: &json) }
    }
}

/// One field of a `Shape`: its name, what is in it, and where its value comes from.
public struct JSONField<Value>: Sendable {
    /// The key.
    public let name: StaticString
    /// What kind of value it has.
    public let schema: Schema
    /// Writes key and value.
    @usableFromInline let write: @Sendable (Value, inout JSONWriter) -> Void

    /// A field whose type says how it is described and written.
    /// - Parameter words: what is in it; of an object or a choice nobody needs them.
    @inlinable
    public init<Content: JSONWritable>(
        _ name: StaticString, _ words: String = "", _ content: @escaping @Sendable (Value) -> Content
    ) {
        let key = JSONWriter.quoted(name)
        self.init(
            name, Content.schema(words),
            whole: { value, json in
                json.key(quoted: key)
                content(value).write(to: &json)
            })
    }

    /// A field that no type describes.
    /// - Parameter write: writes one value.
    public init(
        _ name: StaticString, _ schema: Schema, writing write: @escaping @Sendable (Value, inout JSONWriter) -> Void
    ) {
        let key = JSONWriter.quoted(name)
        self.init(
            name, schema,
            whole: { value, json in
                json.key(quoted: key)
                write(value, &json)
            })
    }

    /// A field that is left out where there is nothing: of what the ledger holds, where an object has no more than it needs.
    @inlinable
    public init<Content: JSONWritable>(
        unlessNil name: StaticString, _ words: String = "", _ content: @escaping @Sendable (Value) -> Content?
    ) {
        let key = JSONWriter.quoted(name)
        self.init(
            name, Content?.schema(words),
            whole: { value, json in
                guard let content = content(value) else { return }
                json.key(quoted: key)
                content.write(to: &json)
            })
    }

    /// A field that is read under the same key.
    @inlinable
    public init<Content: JSONWritable & JSONReadable>(
        _ key: JSONKey<Content>, _ content: @escaping @Sendable (Value) -> Content
    ) {
        self.init(key.name, key.words, content)
    }

    /// A field that is read under the same key, and left out where there is nothing.
    @inlinable
    public init<Content: JSONWritable & JSONReadable>(
        unlessNil key: JSONKey<Content?>, _ content: @escaping @Sendable (Value) -> Content?
    ) {
        self.init(unlessNil: key.name, key.words, content)
    }

    /// - Parameter write: writes key and value.
    @usableFromInline
    init(
        _ name: StaticString, _ schema: Schema, whole write: @escaping @Sendable (Value, inout JSONWriter) -> Void
    ) {
        (self.name, self.schema, self.write) = (name, schema, write)
    }
}

/// Collects the fields of a `Shape`; another shape's fields may be among them.
@resultBuilder
public enum ShapeBuilder<Value> {
    public static func buildExpression(_ field: JSONField<Value>) -> [JSONField<Value>] { [field] }
    public static func buildExpression(_ fields: [JSONField<Value>]) -> [JSONField<Value>] { fields }
    public static func buildBlock(_ fields: [JSONField<Value>]...) -> [JSONField<Value>] { fields.flatMap(\.self) }
}

extension Shape {
    /// The same fields, of a part of another value.
    public func fields<Whole>(of part: @escaping @Sendable (Whole) -> Value) -> [JSONField<Whole>] {
        fields.map { field in
            JSONField<Whole>(field.name, field.schema, whole: { whole, json in field.write(part(whole), &json) })
        }
    }
}

/// A value that is a JSON object.
public protocol JSONObject: JSONWritable {
    /// Its fields.
    static var shape: Shape<Self> { get }
}

extension JSONObject {
    public static func schema(_ words: String) -> Schema { shape.schema }
    @inlinable
    public func write(to json: inout JSONWriter) { Self.shape.write(self, to: &json) }
}

/// A list as answers have it: an object with `items`, so that more can be said beside them later.
public struct JSONItems<Item: JSONWritable>: JSONWritable {
    /// Each in its turn.
    public let items: [Item]

    /// - Parameter items: in the order in which they are told.
    public init(_ items: [Item]) { self.items = items }

    public static func schema(_ words: String) -> Schema { .object([("items", [Item].schema(words))]) }
    @inlinable
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.key("items")
            items.write(to: &json)
        }
    }
}
