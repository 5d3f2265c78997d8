import Crypto
import System

/// The certificate by which gates know a hub's private broker.
///
/// It signs itself, and its fingerprint travels in the pairing exchange, under the pairing code. It is made once and never
/// ends: gates know this one and no other, so whoever loses it has to reset and pair every gate again.
public struct BrokerIdentity: Sendable {
    /// The name of the file in the broker's folder.
    static let file = "identity.pem"

    /// The file with certificate and key, of mode 0600.
    public let path: String
    /// SHA-256 of the certificate, 32 bytes.
    public let fingerprint: [UInt8]

    /// Reads it, or makes it when there is none.
    /// - Parameter folder: the broker's, which exists.
    public init(folder: String, now: Timestamp) throws {
        path = try Files.absolute(folder) + "/" + Self.file
        if !Files.exists(path) {
            let (certificate, key) = try CertificateAuthority.selfSigned(subject: "Soglia bus", now: now)
            try Files.replace(path, with: key.pem() + certificate.pem())
        }
        fingerprint = try ServedCertificate(certificate: path, key: path).leaf.fingerprint
    }
}
