/// What a route accepts, checked before its body is read.
public struct RouteOptions: Sendable {
    /// The longest body, in bytes; a longer one gets 413.
    public var bodyLimit: Int
    /// The media types of a body; another one gets 415. Nil: any. A request without a body is not asked.
    public var contentTypes: [String]?

    /// 64 KiB of anything, unless told otherwise.
    public init(bodyLimit: Int = 64 << 10, contentTypes: [String]? = nil) {
        self.bodyLimit = bodyLimit
        self.contentTypes = contentTypes
    }

    /// A JSON document.
    public static func json(bodyLimit: Int = 64 << 10) -> RouteOptions {
        RouteOptions(bodyLimit: bodyLimit, contentTypes: ["application/json"])
    }

    /// A form.
    public static func form(bodyLimit: Int = 64 << 10) -> RouteOptions {
        RouteOptions(bodyLimit: bodyLimit, contentTypes: ["application/x-www-form-urlencoded"])
    }
}
