/// An answer. Its headers and body may hold secrets: no description shows them.
public struct HTTPClientResponse: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// 200 to 599.
    public let status: Int
    /// Names in small letters and values, in the order in which they came.
    public let headers: [(name: String, value: String)]
    /// The whole body.
    public let body: [UInt8]

    /// An answer by hand, for tests of what reads answers.
    public init(status: Int, headers: [(name: String, value: String)], body: [UInt8]) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }

    /// The first header of that name, nil when there is none.
    /// - Parameter name: in small letters.
    public func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    /// The status alone.
    public var description: String { "response \(status)" }
    /// The same.
    public var debugDescription: String { description }
    /// The same.
    public var customMirror: Mirror { Mirror(self, children: ["status": status]) }
}
