import HTTPServer
import Synchronization
import System
import Wire

/// Keeps other users of this machine away from the demo's page: whoever comes in shows the token that stands in `demo.json`.
///
/// A browser shows it once, and has a cookie from then on. The cookie is no copy of the token: browsers send it to every port of this
/// machine.
final class DemoDoor: Sendable {
    /// So many browsers are known at a time; the oldest makes room.
    static let most = 32
    static let cookie: StaticString = "soglia_demo"

    private let token: [UInt8]
    private let browsers = Mutex<[[UInt8]]>([])

    /// - Parameter token: of `demo.json`.
    init(token: String) { self.token = Array(token.utf8) }

    /// A new token: 128 bits, in hexadecimal digits.
    static func makeToken() -> String { hexadecimal(Random.bytes(16)) }

    /// Lets a browser in that shows the token; nil: it shows another.
    func enter(_ shown: String) -> Cookie? {
        guard constantTimeEquals(Array(shown.utf8), token) else { return nil }
        let own = Self.hexadecimal(Random.bytes(16))
        browsers.withLock { browsers in
            if browsers.count == Self.most { browsers.removeFirst() }
            browsers.append(Array(own.utf8))
        }
        return Cookie("\(Self.cookie)", own, isSecure: false, sameSite: .strict)
    }

    /// Whether a request is of a browser that was let in, or of a program that shows the token.
    func admits(_ request: Request) -> Bool {
        if let shown = request.cookie(Self.cookie) {
            let bytes = Array(shown.utf8)
            return browsers.withLock { $0.contains { constantTimeEquals($0, bytes) } }
        }
        guard let field = request.headers["authorization"], field.hasPrefix("Bearer ") else { return false }
        return constantTimeEquals(Array(field.dropFirst(7).utf8), token)
    }

    /// - Throws: 401 unless it admits the request, 403 when another site's page sends it.
    func check(_ request: Request) throws(Problem) {
        try RequestRules.check(request, sessionCookie: Self.cookie)
        guard admits(request) else {
            throw .unauthorized("The demo's page asks for the token that stands in demo.json.", type: "no-token")
        }
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
