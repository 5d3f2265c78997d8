/// A request method (RFC 9110, section 9; PATCH: RFC 5789).
public enum Method: String, Sendable, Hashable, CaseIterable {
    /// Read.
    case get = "GET"
    /// Read, headers only; answered from the route of `get`.
    case head = "HEAD"
    /// Do.
    case post = "POST"
    /// Replace.
    case put = "PUT"
    /// Change in part.
    case patch = "PATCH"
    /// Remove.
    case delete = "DELETE"
    /// Ask what is possible. No route answers it by itself.
    case options = "OPTIONS"
    /// Any other token. No route answers it.
    case other = ""

    /// Whether the method only reads (RFC 9110, section 9.2.1).
    public var isSafe: Bool { self == .get || self == .head || self == .options }

    /// Methods are case-sensitive: `get` is `other`.
    init(token: UnsafePointer<CChar>) {
        self = Method(rawValue: String(cString: token)) ?? .other
    }
}
