/// What answers one method at one pattern.
final class Route: Sendable {
    /// Its place among the routes, from 0: its row in the counts.
    let number: Int
    let method: Method
    let pattern: RoutePattern
    let options: RouteOptions
    let handler: Handler

    init(number: Int, method: Method, pattern: RoutePattern, options: RouteOptions, handler: @escaping Handler) {
        self.number = number
        self.method = method
        self.pattern = pattern
        self.options = options
        self.handler = handler
    }
}
