import JSON

extension Request {
    /// The body as JSON. Throws a 415 problem when it is not application/json, 400 when it is not JSON (or deeper than 16,
    /// or with a key twice), 422 when it is of another shape than `Value`.
    public func json<Value: Decodable>(_ type: Value.Type = Value.self) throws(Problem) -> Value {
        try requireContentType("application/json")
        do {
            return try JSONReader.decode(type, from: body, limit: .max)
        } catch {
            throw error.refusal
        }
    }

    /// The body as the fields of a JSON object. Throws as `json` does.
    public func jsonFields() throws(Problem) -> JSONFields {
        try requireContentType("application/json")
        do {
            return try JSONFields(body, limit: .max)
        } catch {
            throw error.refusal
        }
    }
}

extension Request {
    /// What the body says, by its declaration. Throws as `json` does.
    public func json<each Value: JSONReadable>(
        _ body: JSONBody<repeat each Value>
    ) throws(Problem) -> (repeat each Value) {
        let fields = try jsonFields()
        do {
            return try body.read(fields)
        } catch {
            throw error.refusal
        }
    }
}

extension Response {
    /// A value as JSON.
    /// - Parameter capacity: about so many bytes, where they are many.
    @inlinable
    public static func json(_ value: some JSONWritable, status: Int = 200, capacity: Int = 512) -> Response {
        var json = JSONWriter(capacity: capacity)
        value.write(to: &json)
        return .json(json.bytes, status: status)
    }
}

extension JSONError: ProblemConvertible {
    /// As a refusal: 413, 400 or 422.
    public var problem: Problem? { refusal }

    var refusal: Problem {
        switch self {
        case .tooLarge(let limit): .tooLarge(limit: limit)
        case .tooDeep, .malformed, .duplicateKey: .badRequest(description, type: "malformed-json")
        case .mismatch(let path, _):
            Problem(
                status: 422, type: "wrong-shape", title: "The content does not fit", detail: description,
                extra: [("path", path)])
        }
    }
}
