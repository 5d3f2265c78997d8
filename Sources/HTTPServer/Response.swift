/// The answer to a request.
public struct Response: Sendable {
    /// What follows the head.
    public enum Body: Sendable {
        /// Bytes made for this answer.
        case bytes([UInt8])
        /// Bytes that many answers share: they are not copied.
        case shared(SharedBytes)
        /// Server-sent events, until one of the two sides ends the stream.
        case events(EventStream)
    }

    /// The HTTP status.
    public var status: Int
    /// The Content-Type field; nil leaves it out.
    public var contentType: String?
    /// All other header fields. Names and values with CR, LF or NUL are left out of the answer. Where `Cache-Control` is
    /// not among them, the server adds `no-store`.
    public var headers: [(String, String)]
    /// What follows the head.
    public var body: Body

    /// Any answer; the factories below give the common ones.
    public init(
        status: Int = 200, contentType: String? = nil, headers: [(String, String)] = [], body: Body = .bytes([])
    ) {
        self.status = status
        self.contentType = contentType
        self.headers = headers
        self.body = body
    }

    /// A JSON document, already encoded.
    public static func json(_ bytes: [UInt8], status: Int = 200) -> Response {
        Response(status: status, contentType: "application/json", body: .bytes(bytes))
    }

    /// A page, in UTF-8.
    public static func html(_ bytes: [UInt8], status: Int = 200) -> Response {
        Response(status: status, contentType: "text/html; charset=utf-8", body: .bytes(bytes))
    }

    /// Plain text.
    public static func text(_ text: String, status: Int = 200) -> Response {
        Response(status: status, contentType: "text/plain; charset=utf-8", body: .bytes(Array(text.utf8)))
    }

    /// Nothing to say (204 unless told otherwise).
    public static func empty(_ status: Int = 204) -> Response { Response(status: status) }

    /// See there instead (303): the browser reads the other page by GET.
    ///
    /// Only a path of this server is a destination. Anything that a browser could read as another host (`//host`, `/\host`,
    /// a scheme) or that would break the header leads to `/`, so that a path taken from a request is safe to pass on.
    public static func redirect(to path: String) -> Response {
        Response(status: 303, headers: [("Location", isLocal(path) ? path : "/")])
    }

    /// Server-sent events (WHATWG HTML, section 9.2).
    public static func events(_ stream: EventStream) -> Response {
        Response(contentType: "text/event-stream", body: .events(stream))
    }

    /// Adds a header field.
    public func with(_ name: String, _ value: String) -> Response {
        var copy = self
        copy.headers.append((name, value))
        return copy
    }

    /// Whether the answer has a header field of that name (compared without case).
    public func hasHeader(_ name: String) -> Bool {
        headers.contains { $0.0.utf8.count == name.utf8.count && $0.0.lowercased() == name.lowercased() }
    }

    /// Whether a browser could show it as a document.
    var isDocument: Bool {
        switch contentType {
        case "application/json", "application/problem+json", "text/event-stream": false
        default: true
        }
    }

    private static func isLocal(_ path: String) -> Bool {
        let bytes = path.utf8
        guard bytes.first == UInt8(ascii: "/"), bytes.dropFirst().first != UInt8(ascii: "/") else { return false }
        return bytes.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "\\") }
    }
}
