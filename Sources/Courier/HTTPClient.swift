import CCurl
import System

/// Sends requests to other servers, by libcurl on threads of its own.
///
/// A client sends as many requests at once as it has lanes, over connections that stay open. Redirects are answers, not
/// followed; no proxy and no cookie is used; nothing is logged.
public final class HTTPClient: Sendable {
    private let lanes: Lanes
    private let limit: Int

    /// One lane, on a thread that it may share with other clients: for who waits for the answer anyway.
    /// - Parameter limit: the longest body of an answer in bytes, 1 MiB unless told; its head counts apart, up to 64 KiB.
    public init(limit: Int = 1 << 20) { (lanes, self.limit) = (.shared(), limit) }

    /// Lanes on threads of their own, which live as long as the process: nobody else waits when the other side hangs.
    /// - Parameters:
    ///   - name: what the threads are called; at most 12 bytes.
    ///   - lanes: how many requests at once; the others wait their turn.
    ///   - limit: as above.
    public init(name: String, lanes: Int, limit: Int = 1 << 20) {
        (self.lanes, self.limit) = (Lanes(name: name, count: lanes), limit)
    }

    /// Sends a request and waits for the whole answer, whatever its status.
    public func send(_ request: HTTPClientRequest) async throws(CourierError) -> HTTPClientResponse {
        try Self.check(request)
        let limit = limit
        return try await lanes.run { Self.perform(request, limit, by: $0) }.get()
    }

    private static func check(_ request: HTTPClientRequest) throws(CourierError) {
        let url = request.url.utf8
        let isKnown = request.url.hasPrefix("http://") || request.url.hasPrefix("https://")
        guard isKnown, url.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else { throw .badURL }
        let authority = request.url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)[2]
            .prefix { !"/?#".contains($0) }
        guard !authority.isEmpty, !authority.contains("@"), !authority.contains("\\") else { throw .badURL }
        let isMethod =
            !request.method.isEmpty
            && request.method.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
        // RFC 9110, section 5.6.2: the bytes of a name.
        let punctuation = Set("!#$%&'*+-.^_`|~".utf8)
        let areHeaders = request.headers.allSatisfy { name, value in
            !name.isEmpty
                && name.utf8.allSatisfy { byte in
                    (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
                        || punctuation.contains(byte)
                } && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
        }
        guard isMethod, areHeaders, request.method != "HEAD" || request.body == nil else { throw .badRequest }
    }

    private static func perform(
        _ request: HTTPClientRequest, _ limit: Int, by handle: UnsafeMutableRawPointer
    ) -> Result<HTTPClientResponse, CourierError> {
        let answer = Answer(limit: limit)
        // libcurl writes a header without value as `Name;`. `Content-Type:` and `Expect:` without value take out its own.
        var lines = request.headers.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
        for own in ["content-type", "expect"] where !request.headers.contains(where: { $0.name.lowercased() == own }) {
            lines.append("\(own):")
        }
        var status = 0
        let outcome = withCStrings(lines) { headers in
            (request.body ?? []).withUnsafeBytes { body in
                // An empty array has no address, and no address means no body.
                let empty: StaticString = ""
                let start = body.baseAddress ?? UnsafeRawPointer(empty.utf8Start)
                return ccurl_send(
                    handle, request.method, request.url, headers.baseAddress, Int32(headers.count),
                    request.body == nil ? nil : start.assumingMemoryBound(to: CChar.self), UInt(body.count),
                    request.timeout.milliseconds, request.reach == .publicOnly ? isPublic : nil, takeHeader, takeBody,
                    Unmanaged.passUnretained(answer).toOpaque(),
                    &status)
            }
        }
        // The pointer that libcurl had was not retained: here ends its use.
        return withExtendedLifetime(answer) {
            switch Int(outcome) {
            case Int(ccurl_done):
                .success(HTTPClientResponse(status: status, headers: answer.headers, body: answer.body))
            case Int(ccurl_timed_out): .failure(.timedOut)
            case Int(ccurl_unknown_host): .failure(.unknownHost)
            case Int(ccurl_not_allowed): .failure(.notPublic)
            case Int(ccurl_no_connection): .failure(.noConnection)
            case Int(ccurl_no_trust): .failure(.noTrust)
            case Int(ccurl_too_large): .failure(.tooLarge)
            case Int(ccurl_bad_url): .failure(.badURL)
            default: .failure(.broken)
            }
        }
    }
}
