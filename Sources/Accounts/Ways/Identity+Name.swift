import Crypto
import Wire

extension Identity {
    /// What lists and paths call it, 32 hexadecimal digits: issuers are addresses, and what they call people is nobody's business.
    public var handle: String { Self.handle(issuer: issuer, subject: subject) }

    /// The same, of an identity that is not at hand.
    static func handle(issuer: String, subject: String) -> String {
        Hex.text(Array(Digest.sha256(Array((issuer + "\n" + subject).utf8))[..<16]))
    }
}
