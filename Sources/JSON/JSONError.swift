/// Why bytes are not the JSON that was asked for. The words name places and kinds, never contents.
public enum JSONError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Longer than that many bytes.
    case tooLarge(limit: Int)
    /// More objects and arrays inside one another than that.
    case tooDeep(limit: Int)
    /// Not JSON (RFC 8259), from that byte on.
    case malformed(offset: Int)
    /// An object has the same key twice; the key ends at that byte.
    case duplicateKey(offset: Int)
    /// JSON, but of another shape: where (`items[2].name`) and what is wrong.
    case mismatch(path: String, String)

    /// In words.
    public var description: String {
        switch self {
        case .tooLarge(let limit): "The JSON is longer than \(limit) bytes."
        case .tooDeep(let limit): "The JSON is nested deeper than \(limit) levels."
        case .malformed(let offset): "The body is not JSON: see byte \(offset)."
        case .duplicateKey(let offset): "An object has the same key twice: see byte \(offset)."
        case .mismatch(let path, let words): path.isEmpty ? "The document \(words)." : "\(path) \(words)."
        }
    }
}
