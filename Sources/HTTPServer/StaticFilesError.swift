/// Why files cannot be served.
public enum StaticFilesError: Error, Sendable, Equatable, CustomStringConvertible {
    /// There is no such folder or file, or it cannot be read.
    case unreadable(path: String, reason: String)
    /// Larger than files that are kept in memory may be (bytes).
    case tooLarge(path: String, limit: Int)
    /// Two files would have the same address.
    case duplicate(String)

    /// In words.
    public var description: String {
        switch self {
        case .unreadable(let path, let reason): "cannot read \(path): \(reason)"
        case .tooLarge(let path, let limit): "\(path) is larger than \(limit) bytes"
        case .duplicate(let name): "two files for \(name)"
        }
    }
}
