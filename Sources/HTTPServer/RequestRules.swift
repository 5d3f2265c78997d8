/// What every request must keep to before anybody is asked who sent it: the defence against other sites' pages.
public enum RequestRules {
    /// Throws when the request mixes two kinds of credentials (400), or when it would change something and its browser does
    /// not say that it comes from a page of ours (403).
    ///
    /// An unsafe method needs `Origin` equal to this server's own; it may be absent only where no cookie came either, since
    /// then nothing was sent along that a foreign page could abuse.
    public static func check(_ request: Request, sessionCookie: StaticString) throws(Problem) {
        if request.cookie(sessionCookie) != nil, hasBearer(request) {
            throw .badRequest("Send a session cookie or a bearer token, not both.", type: "two-credentials")
        }
        if request.method.isSafe { return }
        if request.headers["sec-fetch-site"] == "cross-site" { throw wrongOrigin }
        let origins = request.headers.all("origin")
        if origins.isEmpty, !request.headers.contains("cookie") { return }
        guard origins.count == 1, isOurs(origins[0], request) else { throw wrongOrigin }
    }

    /// The origin (RFC 6454) of this server as the client of a request sees it; nil when the request has no Host.
    public static func origin(of request: Request) -> String? {
        request.host.map { (request.isSecure ? "https://" : "http://") + $0.lowercased() }
    }

    private static func isOurs(_ origin: String, _ request: Request) -> Bool {
        origin.lowercased() == Self.origin(of: request)
    }

    private static func hasBearer(_ request: Request) -> Bool {
        request.headers.first("authorization") { value in
            value.split(at: 0x20).before.equalsIgnoringCase("bearer")
        } ?? false
    }

    private static var wrongOrigin: Problem {
        .forbidden("Requests that change something must come from a page of this server.", type: "wrong-origin")
    }
}
