/// A field of a body of which *left out* and *null* mean different things: what is left out stays, what is null is taken away.
public struct JSONPresence<Value: JSONReadable>: JSONReadable {
    /// Whether the document has the field.
    public let isThere: Bool
    /// What it has; nil: nothing, or null.
    public let value: Value?

    public static func schema(_ words: String) -> Schema { .optional(Value.schema(words)) }
    public static var absent: JSONPresence? { JSONPresence(isThere: false, value: nil) }
    public static var null: JSONPresence? { JSONPresence(isThere: true, value: nil) }

    public static func read(_ json: UnsafeRawBufferPointer, at path: String) throws(JSONError) -> JSONPresence {
        JSONPresence(isThere: true, value: try Value.read(json, at: path))
    }

    /// What there is afterwards.
    /// - Parameter known: what there is before.
    public func over(_ known: Value?) -> Value? { isThere ? value : known }
}

extension JSONPresence: Sendable where Value: Sendable {}
