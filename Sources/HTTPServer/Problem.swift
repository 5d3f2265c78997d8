import JSON

/// A refusal in words: a problem document (RFC 9457), thrown by handlers and middleware.
public struct Problem: Error, Sendable {
    /// The HTTP status, 400 to 599.
    public var status: Int
    /// Which problem it is, as a slug (`not-signed-in`); the document says `/problems/` followed by it.
    public var type: String
    /// The same for every problem of the type.
    public var title: String
    /// About this one. It goes to the client: nothing secret, nothing internal.
    public var detail: String
    /// Further members of the document. Their names must be others than those of RFC 9457.
    public var extra: [(String, String)]
    /// Header fields of the answer.
    public var headers: [(String, String)]

    /// A problem of any kind; the factories below give the common ones.
    public init(
        status: Int, type: String, title: String, detail: String, extra: [(String, String)] = [],
        headers: [(String, String)] = []
    ) {
        self.status = status
        self.type = type
        self.title = title
        self.detail = detail
        self.extra = extra
        self.headers = headers
    }

    /// The problem as an `application/problem+json` answer.
    public var response: Response {
        var json = JSONWriter(capacity: 256)
        json.object { json in
            json.field("type", "/problems/" + type)
            json.field("title", title)
            json.field("status", status)
            json.field("detail", detail)
            for (name, value) in extra { json.field(name, value) }
        }
        return Response(
            status: status, contentType: "application/problem+json", headers: headers, body: .bytes(json.bytes))
    }
}

extension Problem {
    /// 400: the request is malformed.
    public static func badRequest(_ detail: String, type: String = "bad-request") -> Problem {
        Problem(status: 400, type: type, title: "The request is malformed", detail: detail)
    }

    /// 401: nobody is signed in, or not well enough.
    public static func unauthorized(
        _ detail: String = "Sign in first.", type: String = "not-signed-in"
    ) -> Problem {
        Problem(
            status: 401, type: type, title: "Not signed in", detail: detail, headers: [("WWW-Authenticate", "Bearer")])
    }

    /// 403: signed in, but not allowed.
    public static func forbidden(_ detail: String, type: String = "forbidden") -> Problem {
        Problem(status: 403, type: type, title: "Not allowed", detail: detail)
    }

    /// 404: there is no such thing, or nothing that this caller may know of.
    public static func notFound(_ detail: String = "There is nothing here.", type: String = "not-found") -> Problem {
        Problem(status: 404, type: type, title: "Not found", detail: detail)
    }

    /// 405: the path is right, the method is not.
    public static func methodNotAllowed(_ allowed: [Method]) -> Problem {
        let list = allowed.map(\.rawValue).joined(separator: ", ")
        return Problem(
            status: 405, type: "method-not-allowed", title: "Method not allowed",
            detail: "This address answers to \(list).", headers: [("Allow", list)])
    }

    /// 409: it does not fit the present state.
    public static func conflict(_ detail: String, type: String = "conflict") -> Problem {
        Problem(status: 409, type: type, title: "Conflict", detail: detail)
    }

    /// 413: the body is longer than allowed (bytes).
    public static func tooLarge(limit: Int) -> Problem {
        Problem(
            status: 413, type: "too-large", title: "Too large", detail: "The limit is \(limit) bytes.",
            extra: [("limit", String(limit))])
    }

    /// 415: the body is of another media type than the one that is understood here.
    public static func unsupportedMediaType(expected: [String]) -> Problem {
        Problem(
            status: 415, type: "unsupported-media-type", title: "Unsupported media type",
            detail: "Content-Type must be \(expected.joined(separator: " or ")).")
    }

    /// 421: the request names a host that this server is not (RFC 9110, section 15.5.20).
    public static func misdirected(_ detail: String = "This server does not go by that name.") -> Problem {
        Problem(status: 421, type: "misdirected", title: "Not this server", detail: detail)
    }

    /// 422: well-formed, but the content does not fit.
    public static func unprocessable(_ detail: String, type: String = "unprocessable") -> Problem {
        Problem(status: 422, type: type, title: "The content does not fit", detail: detail)
    }

    /// 422: a field of the content will not do.
    /// - Parameter field: as forms call it.
    public static func refused(_ detail: String, type: String, field: String) -> Problem {
        Problem(
            status: 422, type: type, title: "The content does not fit", detail: detail, extra: [("field", field)])
    }

    /// 429: too often; again after that many seconds.
    public static func tooManyRequests(retryAfter seconds: Int) -> Problem {
        Problem(
            status: 429, type: "too-many-requests", title: "Too many requests",
            detail: "Try again in \(seconds) seconds.", headers: [("Retry-After", String(seconds))])
    }

    /// 431: the head of the request is longer than allowed (bytes).
    static func headTooLarge(limit: Int) -> Problem {
        Problem(
            status: 431, type: "head-too-large", title: "Head too large", detail: "The limit is \(limit) bytes.")
    }

    /// 500: our fault.
    public static func internalError() -> Problem {
        Problem(
            status: 500, type: "internal-error", title: "Something went wrong here",
            detail: "The request could not be answered. It has been noted.")
    }

    /// 507: no room to write it down; nothing was done.
    public static func diskFull() -> Problem {
        Problem(
            status: 507, type: "disk-full", title: "The disk is full",
            detail: "Nothing was changed: there is no room to write it down. Reading still works.")
    }

    /// 503: not now; perhaps after that many seconds.
    public static func unavailable(
        _ detail: String, type: String = "unavailable", retryAfter seconds: Int? = nil
    ) -> Problem {
        Problem(
            status: 503, type: type, title: "Not available now", detail: detail,
            headers: seconds.map { [("Retry-After", String($0))] } ?? [])
    }
}

/// An error that has words for whoever asked. The one way from a refusal to a problem document: it is thrown, and the router turns it into
/// one; no handler does.
public protocol ProblemConvertible: Error {
    /// The words; nil when it is our fault alone.
    var problem: Problem? { get }
}
