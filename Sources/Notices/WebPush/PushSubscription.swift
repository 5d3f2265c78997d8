import Courier
import Crypto

/// Where a browser wants its messages, and who alone can read them (Push API, `PushSubscription`). The endpoint is a capability: whoever
/// knows it may try to send. No description shows it.
public struct PushSubscription: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The push service's URL for this browser.
    public let endpoint: String
    /// `https://host[:port]`, as RFC 6454 writes it.
    public let origin: String
    /// The browser's key (`p256dh`).
    public let key: P256PublicKey
    /// The browser's 16 bytes (`auth`).
    public let auth: [UInt8]
    /// Whether the service is on this machine: tests and the demo alone.
    public let isLoopback: Bool

    /// The longest endpoint, in bytes; those of the browsers' makers have 100 to 500.
    public static let longestEndpoint = 1024

    /// Why a subscription was not taken.
    public enum Refusal: Error, Sendable, Equatable, CustomStringConvertible {
        /// Not `https://…`, too long, or with a user in it.
        case endpoint
        /// `p256dh` is no point on P-256 in 65 bytes of base64url.
        case key
        /// `auth` is not 16 bytes of base64url.
        case auth

        /// A sentence for people.
        public var description: String {
            switch self {
            case .endpoint: "the address of the push service is not one that messages can be sent to"
            case .key: "the browser's key is not one that messages can be sealed with"
            case .auth: "the browser's secret does not have 16 bytes"
            }
        }
    }

    /// What a browser gave, checked.
    /// - Parameters:
    ///   - p256dh: base64url without padding, as the browser's `toJSON` gives it.
    ///   - auth: the same.
    ///   - allowsLoopback: also a service on this machine, http too: for tests and the demo.
    public init(endpoint: String, p256dh: String, auth: String, allowsLoopback: Bool = false) throws(Refusal) {
        guard let bytes = Base64.bytes(urlText: p256dh), bytes.count == 65 else { throw .key }
        guard let secret = Base64.bytes(urlText: auth), secret.count == 16 else { throw .auth }
        try self.init(endpoint: endpoint, key: bytes, auth: secret, allowsLoopback: allowsLoopback)
    }

    /// What was kept.
    /// - Parameters:
    ///   - key: 65 bytes.
    ///   - auth: 16 bytes.
    public init(endpoint: String, key: [UInt8], auth: [UInt8], allowsLoopback: Bool = false) throws(Refusal) {
        guard let place = Place(endpoint) else { throw .endpoint }
        guard place.isLoopback ? allowsLoopback : place.scheme == "https" else { throw .endpoint }
        guard let key = P256PublicKey(bytes: key) else { throw .key }
        guard auth.count == 16 else { throw .auth }
        (self.endpoint, origin, self.key, self.auth) = (endpoint, place.origin, key, auth)
        isLoopback = place.isLoopback
    }

    /// The parts of an endpoint that matter.
    private struct Place {
        let scheme: Substring
        let host: String
        let port: UInt16?

        init?(_ url: String) {
            guard url.utf8.count <= PushSubscription.longestEndpoint,
                url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }), !url.utf8.contains(UInt8(ascii: "#")),
                let mark = url.firstRange(of: "://")
            else { return nil }
            scheme = url[..<mark.lowerBound]
            guard scheme == "https" || scheme == "http" else { return nil }
            let authority = url[mark.upperBound...].prefix { !"/?".contains($0) }
            let isV6 = authority.hasPrefix("[")
            let end =
                isV6 ? authority.firstIndex(of: "]").map { authority.index(after: $0) } : authority.firstIndex(of: ":")
            guard let end = end ?? (isV6 ? nil : authority.endIndex) else { return nil }
            host = authority[..<end].lowercased()
            let inner = isV6 ? String(host.dropFirst().dropLast()) : host
            let isName = host.utf8.allSatisfy {
                (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2d || $0 == 0x2e
            }
            guard isV6 ? InternetAddress(inner) != nil : isName && !host.isEmpty else { return nil }
            let rest = authority[end...]
            guard rest.isEmpty || rest.first == ":" && rest.dropFirst().utf8.allSatisfy({ (0x30...0x39).contains($0) })
            else { return nil }
            port = rest.isEmpty ? nil : UInt16(rest.dropFirst())
            guard rest.isEmpty || (port ?? 0) > 0 else { return nil }
        }

        var origin: String {
            let usual: UInt16 = scheme == "https" ? 443 : 80
            return "\(scheme)://\(host)" + (port == nil || port == usual ? "" : ":\(port!)")
        }

        var isLoopback: Bool {
            host == "localhost" || InternetAddress(host.filter { $0 != "[" && $0 != "]" })?.isLoopback == true
        }
    }

    /// The service alone.
    public var description: String { "PushSubscription(\(origin))" }
    /// The same.
    public var customMirror: Mirror { Mirror(self, children: ["origin": origin]) }
}
