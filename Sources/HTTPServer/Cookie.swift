/// A cookie for a browser: the Set-Cookie field (RFC 6265).
public struct Cookie: Sendable {
    /// When a browser sends the cookie with requests that other sites start.
    public enum SameSite: String, Sendable {
        /// Never.
        case strict = "Strict"
        /// Only when a person follows a link.
        case lax = "Lax"
    }

    /// A token (RFC 9110): letters, digits and a few marks. `__Host-` in front binds the cookie to this host.
    public var name: String
    /// No control characters, spaces, quotes, commas, semicolons or backslashes.
    public var value: String
    /// Under which path it is sent.
    public var path = "/"
    /// Seconds to live; nil: until the browser closes; 0: remove it.
    public var maxAge: Int?
    /// Out of reach for scripts.
    public var isHTTPOnly = true
    /// Sent over TLS only.
    public var isSecure: Bool
    /// See `SameSite`.
    public var sameSite: SameSite

    /// A cookie that scripts cannot read.
    public init(_ name: String, _ value: String, maxAge: Int? = nil, isSecure: Bool, sameSite: SameSite = .lax) {
        self.name = name
        self.value = value
        self.maxAge = maxAge
        self.isSecure = isSecure
        self.sameSite = sameSite
    }

    /// The value of the Set-Cookie field.
    var field: String {
        var field = "\(name)=\(value); Path=\(path); SameSite=\(sameSite.rawValue)"
        if let maxAge { field += "; Max-Age=\(maxAge)" }
        if isHTTPOnly { field += "; HttpOnly" }
        if isSecure { field += "; Secure" }
        return field
    }
}

extension Response {
    /// Gives the browser a cookie.
    public func with(_ cookie: Cookie) -> Response { with("Set-Cookie", cookie.field) }
}
