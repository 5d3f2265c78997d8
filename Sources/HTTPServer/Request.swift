/// A request whose head has been checked and whose body is complete.
public struct Request: Sendable {
    /// What is to be done.
    public var method: Method
    /// As sent: it begins with `/` and is still percent-encoded. Decode after splitting, by `parameter` or `segments`.
    public let path: String
    /// What follows the `?`.
    public let query: Query
    /// The header fields.
    public let headers: Headers
    /// At most as many bytes as the route allows.
    public var body: [UInt8]
    /// The IP address of the client; behind a trusted proxy, the one that the proxy names.
    public internal(set) var peerAddress: String
    /// Whether the client came by TLS; behind a trusted proxy, what the proxy says.
    public internal(set) var isSecure: Bool
    /// What a trusted proxy says that the client asked for.
    var forwardedHost: String?
    /// Host and port as the client wrote them; behind a trusted proxy, what the proxy says; nil when there is neither.
    public var host: String? { forwardedHost ?? headers["host"] }
    /// What middleware found out, as the principal. One value; read it with `context(as:)`.
    public var context: (any Sendable)?

    var parameters = PathParameters()

    init(
        method: Method, path: String, query: Query, headers: Headers, peerAddress: String, isSecure: Bool
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.peerAddress = peerAddress
        self.isSecure = isSecure
        body = []
    }

    /// A request by hand: for tests of handlers, which need no socket.
    public init(
        _ method: Method, _ target: String, headers: Headers = Headers(), body: [UInt8] = [],
        peerAddress: String = "127.0.0.1", isSecure: Bool = false
    ) {
        self.method = method
        self.headers = headers
        self.body = body
        self.peerAddress = peerAddress
        self.isSecure = isSecure
        if let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) {
            path = String(target[..<mark])
            query = Query(raw: String(target[target.utf8.index(after: mark)...]))
        } else {
            path = target
            query = Query(raw: nil)
        }
    }

    /// The parts between the slashes, each percent-decoded; nil when one is not valid, or hides a `/`.
    public var segments: [String]? {
        var segments: [String] = []
        for part in path.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard let segment = PercentEncoding.decode(part), !segment.utf8.contains(UInt8(ascii: "/")) else {
                return nil
            }
            segments.append(segment)
        }
        return segments
    }

    /// The context, if it is a `Value`.
    public func context<Value: Sendable>(as type: Value.Type = Value.self) -> Value? { context as? Value }

    /// A parameter of the path, as `{id}`. Throws a 404 problem when the segment is empty, `.` or `..`, when it hides a `/`,
    /// or when it is not a `Parameter`. Traps when the route has no parameter of that name.
    public func parameter<Parameter: PathParameter>(
        _ name: StaticString, as type: Parameter.Type = Parameter.self
    ) throws(Problem) -> Parameter {
        guard let range = parameters.range(of: name) else { preconditionFailure("the route has no parameter \(name)") }
        guard let text = decodedSegment(range), let value = Parameter(pathSegment: text) else { throw .notFound() }
        return value
    }

    /// The rest of the path, as `{file...}`: decoded segments joined by `/`, none of which is empty, `.`, `..` or hides a
    /// `/`. Throws a 404 problem otherwise.
    public func rest(_ name: StaticString) throws(Problem) -> String {
        guard let range = parameters.range(of: name) else { preconditionFailure("the route has no parameter \(name)") }
        var decoded = ""
        var start = range.lowerBound
        while start <= range.upperBound {
            let end = indexOfSlash(from: start, to: range.upperBound)
            guard let segment = decodedSegment(start..<end) else { throw .notFound() }
            if !decoded.isEmpty { decoded += "/" }
            decoded += segment
            start = end + 1
        }
        return decoded
    }

    /// The value of a cookie, without quotes; the first one when several have the name.
    public func cookie(_ name: StaticString) -> String? {
        var found: String?
        headers.forEach("cookie") { field in
            var rest: UnsafeRawBufferPointer? = field
            while found == nil, let current = rest {
                let (pair, following) = current.split(at: UInt8(ascii: ";"))
                rest = following
                let (key, value) = pair.split(at: UInt8(ascii: "="))
                if let value, key.trimmed.equals(name) { found = String(decoding: value.trimmed, as: UTF8.self) }
            }
        }
        return found
    }

    /// The body as a form. Throws a 415 problem when it is not application/x-www-form-urlencoded, 400 when it is malformed.
    /// - Parameter fieldLimit: a form of many check boxes has more fields than others.
    public func form(fieldLimit: Int = Form.fieldLimit) throws(Problem) -> Form {
        try requireContentType("application/x-www-form-urlencoded")
        return try Form(urlEncoded: body, fieldLimit: fieldLimit)
    }

    /// Throws a 415 problem when the body is of another media type (parameters as `charset` do not count).
    public func requireContentType(_ expected: String...) throws(Problem) { try requireContentType(expected) }

    func requireContentType(_ expected: [String]) throws(Problem) {
        let matches = headers.first("content-type") { value -> Bool in
            let type = value.split(at: UInt8(ascii: ";")).before.trimmed
            return expected.contains { name in
                var name = name
                return name.withUTF8 { type.equalsIgnoringCase(UnsafeRawBufferPointer($0)) }
            }
        }
        if matches != true { throw .unsupportedMediaType(expected: expected) }
    }

    private func decodedSegment(_ range: Range<Int>) -> String? {
        let bytes = path.utf8.dropFirst(range.lowerBound).prefix(range.count)
        guard let text = PercentEncoding.decode(bytes), !text.isEmpty, text != ".", text != "..",
            !text.utf8.contains(UInt8(ascii: "/"))
        else { return nil }
        return text
    }

    private func indexOfSlash(from start: Int, to end: Int) -> Int {
        let bytes = path.utf8.dropFirst(start).prefix(end - start)
        guard let slash = bytes.firstIndex(of: UInt8(ascii: "/")) else { return end }
        return start + bytes.distance(from: bytes.startIndex, to: slash)
    }
}
