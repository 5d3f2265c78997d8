/// What JSON may hold, and how `/api/openapi.json` describes it.
public protocol JSONDescribed: SendableMetatype {
    /// The shape of a value; the words say what is in it.
    static func schema(_ words: String) -> Schema
}

extension JSONDescribed {
    /// The shape of a value that needs no words.
    public static var schema: Schema { schema("") }
}

/// A value that can be written.
public protocol JSONWritable: JSONDescribed {
    /// Writes it at the end of a document.
    func write(to json: inout JSONWriter)
}

extension JSONWritable {
    /// It alone, as a document.
    /// - Parameter capacity: about so many bytes.
    @inlinable
    public func document(capacity: Int = 256) -> [UInt8] {
        var json = JSONWriter(capacity: capacity)
        write(to: &json)
        return json.bytes
    }
}

/// A value that can be read from outside.
public protocol JSONReadable: JSONDescribed {
    /// What it is where a document does not have it; nil: it has to be there.
    static var absent: Self? { get }
    /// What it is where a document has `null`; nil: it has to be there.
    static var null: Self? { get }

    /// Reads it from the bytes of one valid value.
    /// - Parameter path: where the value is (`items[2].name`), for the error.
    static func read(_ json: UnsafeRawBufferPointer, at path: String) throws(JSONError) -> Self
}

extension JSONReadable {
    /// It has to be there.
    public static var absent: Self? { nil }
    /// The same as where a document does not have it.
    public static var null: Self? { absent }
}

extension JSONReadable where Self: JSONFieldValue {
    /// Throws where the value is of another kind.
    public static func read(_ json: UnsafeRawBufferPointer, at path: String) throws(JSONError) -> Self {
        guard let value = Self(json: json) else { throw .mismatch(path: path, "must be \(Self.jsonKind)") }
        return value
    }
}

extension String: JSONWritable, JSONReadable {
    public static func schema(_ words: String) -> Schema { .text(words) }
    @inlinable
    public func write(to json: inout JSONWriter) { json.value(self) }
}

extension Int: JSONWritable, JSONReadable {
    public static func schema(_ words: String) -> Schema { .integer(words) }
    @inlinable
    public func write(to json: inout JSONWriter) { json.value(self) }
}

extension UInt64: JSONWritable, JSONReadable {
    public static func schema(_ words: String) -> Schema { .integer(words) }
    @inlinable
    public func write(to json: inout JSONWriter) { json.value(self) }
}

extension Double: JSONWritable, JSONReadable {
    public static func schema(_ words: String) -> Schema { .number(words) }
    @inlinable
    public func write(to json: inout JSONWriter) { json.value(self) }
}

extension Bool: JSONWritable, JSONReadable {
    public static func schema(_ words: String) -> Schema { .truth(words) }
    @inlinable
    public func write(to json: inout JSONWriter) { json.value(self) }
}

extension Optional: JSONDescribed where Wrapped: JSONDescribed {
    public static func schema(_ words: String) -> Schema { .optional(Wrapped.schema(words)) }
}

extension Optional: JSONWritable where Wrapped: JSONWritable {
    /// `null` for nil.
    @inlinable
    public func write(to json: inout JSONWriter) {
        if let self { self.write(to: &json) } else { json.null() }
    }
}

extension Optional: JSONReadable where Wrapped: JSONReadable {
    /// Nil.
    public static var absent: Self? { .some(nil) }
    public static func read(_ json: UnsafeRawBufferPointer, at path: String) throws(JSONError) -> Self {
        try Wrapped.read(json, at: path)
    }
}

extension Array: JSONDescribed where Element: JSONDescribed {
    public static func schema(_ words: String) -> Schema { .list(Element.schema(words)) }
}

extension Array: JSONWritable where Element: JSONWritable {
    @inlinable
    public func write(to json: inout JSONWriter) {
        json.array { json in for element in self { element.write(to: &json) } }
    }
}

extension Array: JSONReadable where Element: JSONReadable {
    public static func read(_ json: UnsafeRawBufferPointer, at path: String) throws(JSONError) -> Self {
        guard json.first == UInt8(ascii: "[") else { throw .mismatch(path: path, "must be a list") }
        var values: [Element] = []
        for (index, range) in try JSONScanner.elements(of: json).enumerated() {
            values.append(try Element.read(UnsafeRawBufferPointer(rebasing: json[range]), at: "\(path)[\(index)]"))
        }
        return values
    }
}

/// One of a few words: an enumeration whose cases programs know by their raw values, or by names of their own.
public protocol JSONChoice: JSONWritable, JSONReadable, CaseIterable {
    /// As programs know it.
    var word: String { get }
}

extension JSONChoice where Self: RawRepresentable<String> {
    public var word: String { rawValue }
}

extension JSONChoice {
    public static func schema(_ words: String) -> Schema { .choice(allCases.map(\.word)) }
    @inlinable
    public func write(to json: inout JSONWriter) { json.value(word) }

    /// Throws where the text is none of the words.
    public static func read(_ json: UnsafeRawBufferPointer, at path: String) throws(JSONError) -> Self {
        let text = try String.read(json, at: path)
        guard let value = allCases.first(where: { $0.word == text }) else {
            throw .mismatch(path: path, "must be one of \(allCases.map(\.word).joined(separator: ", "))")
        }
        return value
    }
}
