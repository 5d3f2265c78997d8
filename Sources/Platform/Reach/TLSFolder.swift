import Crypto
import System

/// `DIR/tls`: the hub's own authority and what it issued. Every file is of mode 0600.
///
/// `authority.pem` is the authority's certificate, `authority-key.pem` its key under a passphrase, which the hub does not
/// know; `hub.pem` holds the certificate that the hub serves with, and its key: one file, so that no reader meets half
/// of a change.
public struct TLSFolder: Sendable {
    /// What an administrator reads when something is not there.
    public struct Missing: Error, Sendable, CustomStringConvertible {
        /// A whole sentence.
        public let description: String
    }

    /// Where the parts lie in the hub's folder of data.
    static let authorityFile = "tls/authority.pem"
    static let authorityKeyFile = "tls/authority-key.pem"
    static let servedFile = "tls/hub.pem"

    private let data: String

    /// - Parameter data: the hub's folder of data.
    public init(data: String) { self.data = data }

    private var path: String { data + "/tls" }
    private var authorityPath: String { data + "/" + Self.authorityFile }
    private var authorityKeyPath: String { data + "/" + Self.authorityKeyFile }
    /// Where the certificate and the key lie that the hub serves with.
    public var servedPath: String { data + "/" + Self.servedFile }

    /// The authority's certificate; nil when none was made.
    public func authority() throws -> X509Certificate? {
        guard Files.exists(authorityPath) else { return nil }
        return try X509Certificate(pem: Files.read(authorityPath))
    }

    /// What the hub serves with; nil when there is nothing.
    public func served() throws -> ServedCertificate? {
        guard Files.exists(servedPath) else { return nil }
        return try ServedCertificate(certificate: servedPath, key: servedPath)
    }

    /// Makes an authority for these names, and the first certificate.
    /// - Throws: when there is an authority already: it is never replaced, since phones trust it.
    public func makeAuthority(
        names: [ServedName], passphrase: String, now: Timestamp
    ) throws -> X509Certificate {
        guard try authority() == nil else {
            throw Missing(description: "there is an authority already: move \(path) away to make another one")
        }
        let made = try CertificateAuthority(names: names, now: now)
        let key = try made.keyPEM(passphrase: passphrase)
        try Files.makeFolder(path)
        try Files.replace(authorityKeyPath, with: key)
        try issue(made, now)
        // Last: with it the authority exists.
        try Files.replace(authorityPath, with: made.certificate.pem())
        return made.certificate
    }

    /// Issues a new certificate in the place of the one before. A hub that runs finds it by itself.
    public func renew(passphrase: String, now: Timestamp) throws {
        guard Files.exists(authorityPath) else {
            throw Missing(description: "there is no authority yet: make one with --names")
        }
        try issue(
            CertificateAuthority(
                certificatePEM: Files.read(authorityPath), keyPEM: Files.read(authorityKeyPath), passphrase: passphrase),
            now)
    }

    private func issue(_ authority: CertificateAuthority, _ now: Timestamp) throws {
        let (certificate, key) = try authority.issue(now: now)
        try Files.replace(servedPath, with: key.pem() + certificate.pem())
    }
}
