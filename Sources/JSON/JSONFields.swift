import FoundationEssentials

/// The fields of a JSON object, read one by one: the same checks as `JSONReader`, at a tenth of the cost of `Decodable`. For
/// the hottest paths.
///
/// ```swift
/// let fields = try request.jsonFields()
/// let major: Int = try fields.require("major")
/// let note: String? = try fields.get("note")
/// ```
public struct JSONFields: Sendable {
    private let bytes: [UInt8]
    private let fields: [(key: UInt64, value: Range<Int>)]
    /// Where the object is; empty: it is the document.
    private let path: String

    /// Reads an object of at most `limit` bytes, nested at most `depth` levels, in which no object has a key twice.
    public init(_ bytes: [UInt8], limit: Int = 1 << 20, depth: Int = 16) throws(JSONError) {
        if bytes.count > limit { throw .tooLarge(limit: limit) }
        try self.init(bytes, depth: depth, path: "")
    }

    /// Reads an object inside a document that was read already.
    init(inside json: UnsafeRawBufferPointer, at path: String) throws(JSONError) {
        try self.init([UInt8](json), depth: .max, path: path)
    }

    private init(_ bytes: [UInt8], depth: Int, path: String) throws(JSONError) {
        (self.bytes, self.path) = (bytes, path)
        fields = try bytes.withUnsafeBufferPointer { bytes throws(JSONError) in
            var scanner = JSONScanner(UnsafeRawBufferPointer(bytes), depth: depth)
            try scanner.scanDocument()
            return scanner.fields
        }
        let first = bytes.first { $0 > 0x20 }
        if first != UInt8(ascii: "{") { throw .mismatch(path: path, "must be an object") }
    }

    /// Whether there is no field at all.
    public var isEmpty: Bool { fields.isEmpty }

    /// The value of a field, or nil when it is absent or null. Throws when it is of another kind.
    public func get<Value: JSONFieldValue>(
        _ name: StaticString, as type: Value.Type = Value.self
    ) throws(JSONError) -> Value? {
        try value(of: FNV1a.hash(name)) { json throws(JSONError) -> Value? in
            if json.equals("null") { return nil }
            guard let decoded = Value(json: json) else {
                throw .mismatch(path: path(of: name), "must be \(Value.jsonKind)")
            }
            return decoded
        }
    }

    /// What is made of the bytes of a field's value; nil when it is absent.
    func value<Value>(
        of key: UInt64, _ read: (UnsafeRawBufferPointer) throws(JSONError) -> Value?
    ) throws(JSONError) -> Value? {
        guard let range = fields.first(where: { $0.key == key })?.value else { return nil }
        return try bytes.withUnsafeBufferPointer { bytes throws(JSONError) in
            try read(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[range])))
        }
    }

    /// Where a field is, for errors.
    func path(of name: StaticString) -> String { path.isEmpty ? name.description : "\(path).\(name)" }

    /// As `get`; throws when the field is absent or null.
    public func require<Value: JSONFieldValue>(
        _ name: StaticString, as type: Value.Type = Value.self
    ) throws(JSONError) -> Value {
        guard let value = try get(name, as: type) else { throw .mismatch(path: path(of: name), "is missing") }
        return value
    }
}

/// What a field of a `JSONFields` may be read as.
public protocol JSONFieldValue {
    /// In words, for errors: "a text".
    static var jsonKind: String { get }

    /// From the bytes of a value, which are valid JSON. Nil: it is of another kind.
    init?(json: UnsafeRawBufferPointer)
}

extension String: JSONFieldValue {
    /// A text.
    public static var jsonKind: String { "a text" }

    /// From a string.
    public init?(json: UnsafeRawBufferPointer) {
        guard json.first == UInt8(ascii: "\"") else { return nil }
        if json.contains(UInt8(ascii: "\\")) {
            guard let text = try? JSONDecoder().decode(String.self, from: Data(json)) else { return nil }
            self = text
        } else {
            self.init(decoding: json.dropFirst().dropLast(), as: UTF8.self)
        }
    }
}

extension Int: JSONFieldValue {
    /// A whole number.
    public static var jsonKind: String { "a whole number" }

    /// From a whole number that fits 64 bits; also one that is written as `30.0` or `3e1`, as many programs do, up to 2^53.
    public init?(json: UnsafeRawBufferPointer) {
        let text = String(decoding: json, as: UTF8.self)
        if let number = Int(text) {
            self = number
        } else if let first = json.first, first == UInt8(ascii: "-") || (0x30...0x39).contains(first),
            let number = Double(text), number.magnitude <= 0x1p53, let whole = Int(exactly: number)
        {
            self = whole
        } else {
            return nil
        }
    }
}

extension UInt64: JSONFieldValue {
    /// A whole number that is not negative.
    public static var jsonKind: String { "a whole number that is not negative" }

    /// From a number without sign, fraction and exponent that fits 64 bits.
    public init?(json: UnsafeRawBufferPointer) { self.init(String(decoding: json, as: UTF8.self)) }
}

extension Double: JSONFieldValue {
    /// A number.
    public static var jsonKind: String { "a number" }

    /// From a finite number.
    public init?(json: UnsafeRawBufferPointer) {
        guard let first = json.first, first == UInt8(ascii: "-") || (0x30...0x39).contains(first),
            let value = Double(String(decoding: json, as: UTF8.self)), value.isFinite
        else { return nil }
        self = value
    }
}

extension Bool: JSONFieldValue {
    /// True or false.
    public static var jsonKind: String { "true or false" }

    /// From `true` or `false`.
    public init?(json: UnsafeRawBufferPointer) {
        if json.equals("true") {
            self = true
        } else if json.equals("false") {
            self = false
        } else {
            return nil
        }
    }
}
