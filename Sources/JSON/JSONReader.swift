import FoundationEssentials

/// Reads JSON from outside: first a scan that refuses what is not plain JSON, too long, too deep or ambiguous, then
/// `Decodable`.
public enum JSONReader {
    /// Decodes a document of at most `limit` bytes, nested at most `depth` levels, in which no object has a key twice.
    ///
    /// Dates are ISO 8601 texts.
    public static func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, from bytes: [UInt8], limit: Int = 1 << 20, depth: Int = 16
    ) throws(JSONError) -> Value {
        if bytes.count > limit { throw .tooLarge(limit: limit) }
        try bytes.withUnsafeBufferPointer { bytes throws(JSONError) in
            var scanner = JSONScanner(UnsafeRawBufferPointer(bytes), depth: depth)
            try scanner.scanDocument()
        }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        do {
            return try decoder.decode(type, from: Data(bytes))
        } catch {
            throw mismatch(error)
        }
    }

    private static func mismatch(_ error: any Error) -> JSONError {
        guard let error = error as? DecodingError else { return .mismatch(path: "", "does not fit") }
        return switch error {
        case .keyNotFound(let key, let context): .mismatch(path: path(context.codingPath + [key]), "is missing")
        case .valueNotFound(_, let context): .mismatch(path: path(context.codingPath), "must not be null")
        case .typeMismatch(let type, let context):
            .mismatch(path: path(context.codingPath), "must be \(name(of: type))")
        case .dataCorrupted(let context): .mismatch(path: path(context.codingPath), "has a value that does not fit")
        @unknown default: .mismatch(path: "", "does not fit")
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        var path = ""
        for key in keys {
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += path.isEmpty ? key.stringValue : "." + key.stringValue
            }
        }
        return path
    }

    private static func name(of type: Any.Type) -> String {
        switch type {
        case is String.Type: "a text"
        case is Bool.Type: "true or false"
        case is any BinaryInteger.Type: "a whole number"
        case is any BinaryFloatingPoint.Type: "a number"
        case is [Any].Type: "a list"
        case is [String: Any].Type: "an object"
        default: "of another kind"
        }
    }
}
