/// A field of a body: its name, its type, what is in it.
public struct JSONKey<Value: JSONReadable>: Sendable {
    /// The key.
    public let name: StaticString
    /// What is in it.
    public let words: String
    let hash: UInt64

    /// - Parameter words: what is in it, with its bounds and what it is where it is left out.
    public init(_ name: StaticString, _ words: String = "") {
        (self.name, self.words) = (name, words)
        hash = FNV1a.hash(name)
    }
}

/// What a body may say, declared once: from it come the schema that programs read and the values that a handler gets.
///
/// ```swift
/// static let body = JSONBody(
///     JSONKey<String>("name", "1 to 80 characters"),
///     JSONKey<Int?>("pulseMilliseconds", "500 to 30000; 3000"))
///
/// let (name, pulse) = try request.json(Self.body)
/// ```
public struct JSONBody<each Value: JSONReadable>: Sendable {
    private let keys: (repeat JSONKey<each Value>)

    /// Declares the fields.
    public init(_ keys: repeat JSONKey<each Value>) { self.keys = (repeat each keys) }

    /// As programs read it.
    public var schema: Schema {
        var members: [(String, Schema)] = []
        for (key, type) in repeat (each keys, (each Value).self) {
            members.append((key.name.description, type.schema(key.words)))
        }
        return .object(members)
    }

    /// The values, in the order of the keys. Fields that are not declared are passed over.
    public func read(_ fields: JSONFields) throws(JSONError) -> (repeat each Value) {
        (repeat try fields.require(each keys))
    }
}

extension JSONBody {
    /// The values of an object inside a body.
    /// - Parameter path: where it is, for errors.
    public func read(_ json: UnsafeRawBufferPointer, at path: String) throws(JSONError) -> (repeat each Value) {
        try read(JSONFields(inside: json, at: path))
    }
}

extension JSONFields {
    /// The value of a field; what its type has for that when it is absent or null. Throws where it has to be there, and where
    /// it is of another kind.
    public func require<Value: JSONReadable>(_ key: JSONKey<Value>) throws(JSONError) -> Value {
        let path = path(of: key.name)
        let value = try value(of: key.hash) { json throws(JSONError) -> Value? in
            json.equals("null") ? Value.null : try Value.read(json, at: path)
        }
        guard let value = value ?? Value.absent else { throw .mismatch(path: path, "is missing") }
        return value
    }
}
