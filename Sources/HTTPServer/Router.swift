import JSON

/// Which handler answers which request.
///
/// A pattern is a path in which a whole segment may be a parameter (`{id}`) and the last one may take all that remains
/// (`{file...}`). A trailing slash is another path. HEAD is answered by the route of GET; a path without a route for the
/// method gets 405 with Allow.
public struct Router: Sendable {
    /// The routes, in the order in which they were registered.
    public var routes: [(method: Method, pattern: String)] { registered.map { ($0.method, $0.pattern.text) } }

    private var registered: [Route] = []
    private var tree = RouteTree()
    private var prefix = ""
    private var middleware: [Middleware] = []

    /// Without routes, all is 404.
    public init() {}

    /// Registers a handler. Traps when the pattern is malformed, or has a route for this method already.
    public mutating func on(
        _ method: Method, _ pattern: String, options: RouteOptions = RouteOptions(), _ handler: @escaping Handler
    ) {
        precondition(method != .other && method != .head, "no route can have this method: \(pattern)")
        let route = Route(
            number: registered.count, method: method, pattern: RoutePattern(prefix + pattern), options: options,
            handler: middleware.reversed().reduce(handler, Self.wrap))
        registered.append(route)
        tree.insert(route)
    }

    /// Registers routes below a prefix (`/api`; empty for none), behind middleware, the first outermost. Groups nest.
    public mutating func group(
        _ prefix: String, middleware: [Middleware] = [], _ routes: (inout Router) throws -> Void
    ) rethrows {
        let outside = (self.prefix, self.middleware)
        self.prefix += prefix
        self.middleware += middleware
        defer { (self.prefix, self.middleware) = outside }
        try routes(&self)
    }

    /// Answers a request without a server, for tests of handlers: the server's limits and rules are not applied.
    public func respond(to request: Request) async -> Response {
        var request = request
        do throws(Problem) {
            let route = try find(request.method, request.path, &request.parameters)
            return try await Self.run(route, request) { _ in }
        } catch {
            return error.response
        }
    }

    /// The route of a request. Throws 404 and 405.
    func find(_ method: Method, _ path: String, _ parameters: inout PathParameters) throws(Problem) -> Route {
        var path = path
        guard let (routes, found) = path.withUTF8({ tree.find(UnsafeRawBufferPointer($0)) }) else {
            throw .notFound("There is nothing at this address.")
        }
        let wanted = method == .head ? .get : method
        guard let route = routes.first(where: { $0.method == wanted }) else {
            throw .methodNotAllowed(Self.allowed(routes))
        }
        parameters = found
        parameters.names = route.pattern.names
        return route
    }

    /// Runs a handler. Whatever it throws ends as a problem; what is not one is reported.
    static func run(
        _ route: Route, _ request: Request, report: @Sendable (String) -> Void
    ) async throws(Problem) -> Response {
        do {
            return try await route.handler(request)
        } catch let problem as Problem {
            throw problem
        } catch is CancellationError {
            throw .unavailable("The request was cut short.", type: "cancelled")
        } catch {
            let problem = (error as? any ProblemConvertible)?.problem ?? .internalError()
            // What a caller did wrong, or did while much is going on, is theirs to hear alone: it fills no log.
            if problem.status == 500 || problem.status == 507 {
                report("\(route.method.rawValue) \(route.pattern.text): \(error)")
            }
            throw problem
        }
    }

    private static func allowed(_ routes: [Route]) -> [Method] {
        let methods = Set(routes.map(\.method))
        return Method.allCases.filter { methods.contains($0 == .head ? .get : $0) }
    }

    private static func wrap(_ next: @escaping Handler, in middleware: @escaping Middleware) -> Handler {
        { request in try await middleware(request, next) }
    }
}
