/// Named values of a form or of a query string: application/x-www-form-urlencoded, as the WHATWG URL standard writes it,
/// but read strictly.
public struct Form: Sendable {
    /// No form has more fields, unless its page says so; more are refused with 400.
    public static let fieldLimit = 256

    /// The decoded pairs, in the order in which they came.
    public let fields: [(name: String, value: String)]

    /// Decodes. Throws a 400 problem for a broken percent-encoding, bytes that are not UTF-8, a NUL, or too many fields.
    public init(urlEncoded bytes: some Collection<UInt8>, fieldLimit: Int = Form.fieldLimit) throws(Problem) {
        var fields: [(String, String)] = []
        for pair in bytes.split(separator: UInt8(ascii: "&")) {
            if fields.count == fieldLimit { throw .badRequest("There are more than \(fieldLimit) fields.") }
            let end = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            let value = pair[end...].dropFirst()
            guard let name = PercentEncoding.decode(pair[..<end], plusIsSpace: true),
                let value = PercentEncoding.decode(value, plusIsSpace: true)
            else { throw .badRequest("A field is not valid percent-encoded UTF-8.") }
            fields.append((name, value))
        }
        self.fields = fields
    }

    /// The value of a field, or nil when it is absent. Empty text counts as absent, except where a `String` is asked for.
    ///
    /// Throws a 400 problem when the field is there twice, 422 when its text is not a `Value`.
    public func get<Value: LosslessStringConvertible>(
        _ name: String, as type: Value.Type = Value.self
    ) throws(Problem) -> Value? {
        let values = all(name)
        guard let text = values.first else { return nil }
        if values.count > 1 { throw .badRequest("The field \(name) is there more than once.") }
        if text.isEmpty, type != String.self { return nil }
        guard let value = Value(text) else { throw .unprocessable("The field \(name) has a value that does not fit.") }
        return value
    }

    /// As `get`; throws a 422 problem when the field is absent.
    public func require<Value: LosslessStringConvertible>(
        _ name: String, as type: Value.Type = Value.self
    ) throws(Problem) -> Value {
        guard let value = try get(name, as: type) else { throw .unprocessable("The field \(name) is missing.") }
        return value
    }

    /// All values of a field: check boxes, multiple choices.
    public func all(_ name: String) -> [String] {
        fields.filter { $0.name == name }.map(\.value)
    }
}
