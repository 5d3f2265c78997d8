import Crypto
import HTTPServer
import System
import Wire

/// Who may read the figures: a program on this machine that came straight to us, or whoever brings the token of the folder.
struct MetricsDoor: Sendable {
    /// The file of the token in the folder of data, mode 0600.
    static let file = "metrics-token"

    private let hash: [UInt8]
    /// Behind a proxy everything comes from loopback: then only the token counts.
    private let isBehindProxy: Bool

    /// Reads the token; makes it when it is not there.
    init(folder: String, isBehindProxy: Bool) throws {
        let path = folder + "/" + Self.file
        if !Files.exists(path) { try Files.replace(path, with: Array((Token().text + "\n").utf8)) }
        let text = String(decoding: try Files.read(path, limit: 256), as: UTF8.self)
        let token = text.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
        guard token.utf8.count >= 32 else {
            throw SystemError("\(path) holds no token: remove the file, and a new one is made")
        }
        (hash, self.isBehindProxy) = (Token.hash(token), isBehindProxy)
    }

    /// What only a proxy writes.
    private static let proxyHeaders: [StaticString] = [
        "forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via",
    ]

    /// Whether a request may read the figures.
    func admits(_ request: Request) -> Bool {
        if let authorization = request.headers["authorization"] {
            guard authorization.lowercased().hasPrefix("bearer ") else { return false }
            return constantTimeEquals(Token.hash(String(authorization.dropFirst(7))), hash)
        }
        return !isBehindProxy && Self.isLoopback(request.peerAddress)
            && !Self.proxyHeaders.contains { request.headers.contains($0) }
    }

    private static func isLoopback(_ address: String) -> Bool {
        switch ClientNetwork(address) {
        case .ipv4(let number): UInt32(bigEndian: number) >> 24 == 127
        case .ipv6, .other: address == "::1"
        }
    }
}
