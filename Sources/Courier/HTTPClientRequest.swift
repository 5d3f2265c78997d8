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
    /// Where it may go.
    public var reach: Reach

    /// Where a request may go.
    public enum Reach: Sendable {
        /// To any address: for peers that whoever runs the hub has named.
        case anywhere
        /// To the public internet alone, which is looked at when the connection is made: for addresses that came from outside, so that
        /// nobody reaches the hub's own network through it.
        case publicOnly
    }

    /// - Parameters:
    ///   - method: `GET` unless told.
    ///   - url: absolute, http or https.
    ///   - headers: names and values.
    ///   - body: the bytes to send.
    ///   - timeout: ten seconds unless told.
    ///   - reach: anywhere unless told.
    public init(
        method: String = "GET", url: String, headers: [(name: String, value: String)] = [], body: [UInt8]? = nil,
        timeout: Duration = .seconds(10), reach: Reach = .anywhere
    ) {
        (self.method, self.url, self.headers, self.body, self.timeout) = (method, url, headers, body, timeout)
        self.reach = reach
    }

    /// The method alone.
    public var description: String { "\(method) request" }
    /// The same.
    public var debugDescription: String { description }
    /// The same.
    public var customMirror: Mirror { Mirror(self, children: ["method": method]) }
}
