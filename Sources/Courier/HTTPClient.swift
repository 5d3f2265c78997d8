import CCurl
import Glibc
import System

/// Sends requests to other servers, by libcurl on threads of its own.
///
/// One client sends one request after another over connections that stay open; who wants several at once takes several
/// clients, which share four threads. Redirects are answers, not followed; no proxy and no cookie is used; nothing is logged.
public final class HTTPClient: @unchecked Sendable {
    // Unchecked: `handle` is used on `executor`'s thread alone, and freed by `deinit`, when no request holds the client.
    private let handle: UnsafeMutableRawPointer
    private let executor: ThreadExecutor
    private let limit: Int

    /// libcurl waits, for names too, so never on the cooperative pool. The array is made once; `ccurl_start` before it.
    private static let executors: [ThreadExecutor] = {
        ccurl_start()
        return (1...4).map { ThreadExecutor(name: "courier \($0)") }
    }()

    /// - Parameter limit: the longest body of an answer in bytes, 1 MiB unless told; its head counts apart, up to 64 KiB.
    public init(limit: Int = 1 << 20) {
        executor = Self.executors.randomElement()!
        guard let handle = ccurl_make() else { preconditionFailure("no memory for an HTTP client") }
        (self.handle, self.limit) = (handle, limit)
    }

    deinit { ccurl_end(handle) }

    /// Sends a request and waits for the whole answer, whatever its status.
    public func send(_ request: HTTPClientRequest) async throws(CourierError) -> HTTPClientResponse {
        try Self.check(request)
        let result: Result<HTTPClientResponse, CourierError> = await Task(executorPreference: executor) {
            self.perform(request)
        }.value
        return try result.get()
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

    private func perform(_ request: HTTPClientRequest) -> Result<HTTPClientResponse, CourierError> {
        let answer = Answer(limit: limit)
        // libcurl writes a header without value as `Name;`. `Content-Type:` and `Expect:` without value take out its own.
        var lines = request.headers.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
        for own in ["content-type", "expect"] where !request.headers.contains(where: { $0.name.lowercased() == own }) {
            lines.append("\(own):")
        }
        let pointers = lines.map { strdup($0) }
        defer { for pointer in pointers { free(pointer) } }
        let (seconds, attoseconds) = request.timeout.components
        let milliseconds = max(1, seconds * 1000 + attoseconds / 1_000_000_000_000_000)
        var status = 0
        let outcome = pointers.map { UnsafePointer($0) }.withUnsafeBufferPointer { headers in
            (request.body ?? []).withUnsafeBytes { body in
                // An empty array has no address, and no address means no body.
                let empty: StaticString = ""
                let start = body.baseAddress ?? UnsafeRawPointer(empty.utf8Start)
                return ccurl_send(
                    handle, request.method, request.url, headers.baseAddress, Int32(headers.count),
                    request.body == nil ? nil : start.assumingMemoryBound(to: CChar.self), UInt(body.count),
                    Int(clamping: milliseconds), takeHeader, takeBody, Unmanaged.passUnretained(answer).toOpaque(),
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
            case Int(ccurl_no_connection): .failure(.noConnection)
            case Int(ccurl_no_trust): .failure(.noTrust)
            case Int(ccurl_too_large): .failure(.tooLarge)
            case Int(ccurl_bad_url): .failure(.badURL)
            default: .failure(.broken)
            }
        }
    }
}
