/// What a route accepts, checked before its body is read.
public struct RouteOptions: Sendable {
    /// The longest body, in bytes; a longer one gets 413.
    public var bodyLimit: Int
    /// The media types of a body; another one gets 415. Nil: any. A request without a body is not asked.
    public var contentTypes: [String]?
    /// Looks at the head before the body is read, and throws what refuses it: for a body so long that nobody who may not send
    /// it should have it kept. It runs on the loop, so it only looks things up. Nil: every body within the limit is read.
    public var admit: (@Sendable (Request) throws -> Void)?

    /// 64 KiB of anything, unless told otherwise.
    public init(
        bodyLimit: Int = 64 << 10, contentTypes: [String]? = nil, admit: (@Sendable (Request) throws -> Void)? = nil
    ) {
        self.bodyLimit = bodyLimit
        self.contentTypes = contentTypes
        self.admit = admit
    }

    /// A JSON document.
    public static func json(bodyLimit: Int = 64 << 10) -> RouteOptions {
        RouteOptions(bodyLimit: bodyLimit, contentTypes: ["application/json"])
    }

    /// A form as browsers send it, without files.
    public static func form(bodyLimit: Int = 64 << 10) -> RouteOptions {
        RouteOptions(bodyLimit: bodyLimit, contentTypes: ["application/x-www-form-urlencoded"])
    }
}
