/// Answers a request. It runs on the server's loop until it awaits something that lives elsewhere: what takes long by
/// computing must be `@concurrent` or stand on a thread of its own. A thrown `Problem` is the answer, and a
/// `JSONError` its problem (catch it where the JSON is not the client's); any other error becomes a 500 without detail.
public typealias Handler = nonisolated(nonsending) @Sendable (Request) async throws -> Response

/// Stands before handlers: may refuse, change the request, or change the answer of `next`.
public typealias Middleware = nonisolated(nonsending) @Sendable (Request, _ next: Handler) async throws -> Response
