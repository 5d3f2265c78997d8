/// A request to somebody else's server. Its headers and body may hold secrets: no description shows them.
public struct HTTPClientRequest: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// `GET`, `POST`, …: capital letters.
    public var method: String
    /// Absolute, http or https, without credentials.
    public var url: String
    /// Names and values, in the order in which they are sent.
    public var headers: [(name: String, value: String)]
    /// The bytes to send; nil for no body at all.
    public var body: [UInt8]?
    /// For everything, from the name's look-up to the answer's last byte.
    public var timeout: Duration

    /// - Parameters:
    ///   - method: `GET` unless told.
    ///   - url: absolute, http or https.
    ///   - headers: names and values.
    ///   - body: the bytes to send.
    ///   - timeout: ten seconds unless told.
    public init(
        method: String = "GET", url: String, headers: [(name: String, value: String)] = [], body: [UInt8]? = nil,
        timeout: Duration = .seconds(10)
    ) {
        (self.method, self.url, self.headers, self.body, self.timeout) = (method, url, headers, body, timeout)
    }

    /// The method alone.
    public var description: String { "\(method) request" }
    /// The same.
    public var debugDescription: String { description }
    /// The same.
    public var customMirror: Mirror { Mirror(self, children: ["method": method]) }
}
