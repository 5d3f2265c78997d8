import Crypto
import JSON
import Synchronization
import System

/// Who sends, told to a push service: RFC 8292. One signature serves for hours.
public final class VAPID: Sendable {
    /// So long a token holds, in milliseconds: 12 hours. Services take 24 at most.
    static let lifetime: Int64 = 12 * 3_600_000
    /// A token is used until so long before its end, in milliseconds: an hour, for clocks that differ.
    static let leeway: Int64 = 3_600_000
    /// So many services are remembered: there are few makers of browsers.
    /// - Key: hub
    static let mostOrigins = 64

    /// The public key that browsers subscribe with (`applicationServerKey`): 65 bytes.
    public var publicBytes: [UInt8] { key.publicBytes }

    private let key: P256PrivateKey
    private let publicText: String
    private let subject: String
    private let clock: WallClock
    private let kept = Mutex<[String: (text: String, end: Timestamp)]>([:])

    /// - Parameters:
    ///   - secret: the hub's key, 32 bytes. Browsers subscribe with its public half: another key ends all subscriptions.
    ///   - subject: whom the service may write to: `mailto:…@…` or `https://…`, with a host that others can reach. Nil for anything else.
    public init?(secret: [UInt8], subject: String, clock: WallClock) {
        guard let key = P256PrivateKey(secret: secret), Self.isSubject(subject) else { return nil }
        (self.key, self.subject, self.clock) = (key, subject, clock)
        publicText = Base64.urlText(key.publicBytes)
    }

    /// A new key: the 32 bytes to keep.
    public static func newSecret() -> [UInt8] { P256PrivateKey().secretBytes }

    /// The value of `Authorization` for a service.
    /// - Parameter origin: as `PushSubscription.origin` has it.
    public func authorization(for origin: String) -> String {
        let now = clock.now
        let text = kept.withLock { kept -> String? in
            guard let (text, end) = kept[origin], now < end.adding(milliseconds: -Self.leeway),
                // A clock that was put back makes a token that ends too late.
                end <= now.adding(milliseconds: Self.lifetime)
            else { return nil }
            return text
        }
        if let text { return text }
        let end = now.adding(milliseconds: Self.lifetime)
        let new = "vapid t=\(token(origin, until: end)), k=\(publicText)"
        kept.withLock { kept in
            if kept.count >= Self.mostOrigins { kept = [:] }
            kept[origin] = (new, end)
        }
        return new
    }

    /// What a token claims (RFC 8292, 2).
    private struct Claims: JSONObject {
        let audience: String
        let end: UInt64
        let subject: String

        static let shape = Shape<Claims> {
            JSONField("aud", "whose server it is for") { $0.audience }
            JSONField("exp", "when it ends, in seconds since 1970") { $0.end }
            JSONField("sub", "whom the service may write to") { $0.subject }
        }
    }

    private func token(_ origin: String, until end: Timestamp) -> String {
        let claims = Claims(audience: origin, end: end.seconds, subject: subject).document(capacity: 128)
        let head = Base64.urlText(Array(#"{"typ":"JWT","alg":"ES256"}"#.utf8))
        let text = head + "." + Base64.urlText(claims)
        return text + "." + Base64.urlText(key.sign(Array(text.utf8)))
    }

    /// Some services refuse senders whom nobody could reach: `localhost`, `.invalid`, no `mailto:`.
    static func isSubject(_ text: String) -> Bool {
        guard text.utf8.count <= 254, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else { return false }
        let host: Substring
        if text.hasPrefix("mailto:"), let at = text.lastIndex(of: "@"), at > text.index(text.startIndex, offsetBy: 7) {
            host = text[text.index(after: at)...]
        } else if text.hasPrefix("https://") {
            host = text.dropFirst(8).prefix { !"/:?#".contains($0) }
        } else {
            return false
        }
        let labels = host.lowercased().split(separator: ".", omittingEmptySubsequences: false)
        return labels.count > 1 && !labels.contains("") && labels.last != "invalid" && labels.last != "localhost"
    }
}
