/// What answers one method at one pattern.
final class Route: Sendable {
    let method: Method
    let pattern: RoutePattern
    let options: RouteOptions
    let handler: Handler

    init(method: Method, pattern: RoutePattern, options: RouteOptions, handler: @escaping Handler) {
        self.method = method
        self.pattern = pattern
        self.options = options
        self.handler = handler
    }
}
