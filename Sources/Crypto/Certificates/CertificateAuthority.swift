import CCrypto
import System

/// An authority of our own: makes the certificate that a hub serves with, for the hub's names and no others.
///
/// What it may vouch for stands in its own certificate as critical name constraints: whoever steals its key can
/// impersonate this hub to those who trust the authority, and no other site of the web.
public struct CertificateAuthority: Sendable {
    /// So long an authority holds, in days: ten years. Phones have to trust a new one by hand.
    public static let lifetime = 3_650
    /// So long a certificate of a hub holds, in days; phones take 398 at most.
    public static let leafLifetime = 397
    /// The shortest passphrase of an authority's key, in characters.
    public static let shortestPassphrase = 12
    /// The most names of an authority.
    public static let mostNames = 32
    /// A phone's clock may be behind ours by so much, in milliseconds: an hour.
    private static let leeway: Int64 = 3_600_000
    private static let day: Int64 = 86_400_000
    /// Loopback is always the hub itself. It also keeps either kind of name from being without constraint: a kind that has
    /// none is open (RFC 5280, 4.2.1.10).
    private static let always = ["localhost", "127.0.0.1", "::1"].compactMap { ServedName($0) }

    /// Its certificate, which clients trust.
    public let certificate: X509Certificate
    private let key: PrivateKey

    /// Makes a new authority.
    /// - Parameters:
    ///   - names: what it may vouch for; loopback is added.
    ///   - now: it holds from an hour before.
    public init(names: [ServedName], now: Timestamp) throws(CertificateError) {
        guard (1...Self.mostNames).contains(names.count), let first = names.first else {
            throw .names(Self.mostNames)
        }
        let key = try PrivateKey.generate()
        let all = Self.withLoopback(names)
        let from = now.adding(milliseconds: -Self.leeway)
        self.key = key
        certificate = try Self.sign(
            subject: "Soglia \(first.description.prefix(48))", key: key, issuer: nil, from: from,
            until: from.adding(milliseconds: Int64(Self.lifetime) * Self.day),
            extensions: [
                (NID_basic_constraints, "critical,CA:TRUE,pathlen:0"),
                (NID_key_usage, "critical,keyCertSign,cRLSign"),
                (NID_ext_key_usage, "serverAuth"),
                (
                    NID_name_constraints,
                    "critical," + all.map { "permitted;" + Self.constraint($0) }.joined(separator: ",")
                ),
                (NID_subject_key_identifier, "hash"),
            ])
    }

    /// An authority that was made before.
    /// - Throws: `wrongPassphrase`, `notAPair`, `notACertificate`.
    public init(certificatePEM: [UInt8], keyPEM: [UInt8], passphrase: String) throws(CertificateError) {
        certificate = try X509Certificate(pem: certificatePEM)
        key = try PrivateKey(pem: keyPEM, passphrase: passphrase)
        guard certificate.belongs(to: key) else { throw .notAPair }
    }

    /// The authority's key under a passphrase, in PEM form.
    public func keyPEM(passphrase: String) throws(CertificateError) -> [UInt8] {
        guard passphrase.count >= Self.shortestPassphrase else { throw .passphraseTooShort(Self.shortestPassphrase) }
        return try key.pem(passphrase: passphrase)
    }

    /// Makes a certificate for all names of the authority, with a key of its own.
    /// - Parameter now: it holds from an hour before, and never longer than the authority.
    public func issue(now: Timestamp) throws(CertificateError) -> (certificate: X509Certificate, key: PrivateKey) {
        let own = try PrivateKey.generate()
        let names = certificate.permitted
        let from = max(now.adding(milliseconds: -Self.leeway), certificate.notBefore)
        let until = min(from.adding(milliseconds: Int64(Self.leafLifetime) * Self.day), certificate.notAfter)
        let leaf = try Self.sign(
            subject: names.first.map { "\($0)" } ?? "localhost", key: own, issuer: (certificate, key), from: from,
            until: until,
            extensions: [
                (NID_basic_constraints, "critical,CA:FALSE"),
                (NID_key_usage, "critical,digitalSignature"),
                (NID_ext_key_usage, "serverAuth"),
                (NID_subject_alt_name, names.map(Self.alternative).joined(separator: ",")),
                (NID_subject_key_identifier, "hash"),
                (NID_authority_key_identifier, "keyid:always"),
            ])
        return (leaf, own)
    }

    /// A certificate that signs itself and vouches for nobody: for those who know it by its fingerprint. It never ends.
    public static func selfSigned(
        subject: String, now: Timestamp
    ) throws(CertificateError) -> (certificate: X509Certificate, key: PrivateKey) {
        let key = try PrivateKey.generate()
        // RFC 5280, 4.1.2.5: "no well-defined expiration date" is the last second of the year 9999.
        let never = Timestamp(iso8601: "9999-12-31T23:59:59.000Z")!
        let certificate = try sign(
            subject: subject, key: key, issuer: nil, from: now.adding(milliseconds: -Self.day), until: never,
            extensions: [
                (NID_basic_constraints, "critical,CA:FALSE"),
                (NID_key_usage, "critical,digitalSignature"),
                (NID_ext_key_usage, "serverAuth"),
            ])
        return (certificate, key)
    }

    private static func withLoopback(_ names: [ServedName]) -> [ServedName] {
        var all: [ServedName] = []
        for name in names + always where !all.contains(name) { all.append(name) }
        return all
    }

    // MARK: The library's language for extensions (x509v3_config). Names hold letters, digits, dots, dashes and colons alone.

    private static func alternative(_ name: ServedName) -> String {
        switch name {
        case .host(let host): "DNS:\(host)"
        case .address: "IP:\(name)"
        }
    }

    private static func constraint(_ name: ServedName) -> String {
        switch name {
        case .host: alternative(name)
        case .address(let bytes):
            alternative(name)
                + (bytes.count == 4
                    ? "/255.255.255.255" : "/" + [String](repeating: "ffff", count: 8).joined(separator: ":"))
        }
    }

    private static func sign(
        subject: String, key: PrivateKey, issuer: (certificate: X509Certificate, key: PrivateKey)?, from: Timestamp,
        until: Timestamp, extensions: [(Int32, String)]
    ) throws(CertificateError) -> X509Certificate {
        let issuerPEM = try issuer?.certificate.pem()
        guard let made = X509_new() else { throw .refused("no memory") }
        defer { X509_free(made) }
        let parent = issuerPEM.flatMap { pem in pem.withMemoryFile { PEM_read_bio_X509($0, nil, nil, nil) } }
        defer { X509_free(parent) }
        guard issuer == nil || parent != nil else { throw .notACertificate }

        // Version 3 is written as 2. A serial number is positive and hard to guess (RFC 5280, 4.1.2.2).
        var serial = Random.bytes(16)
        serial[0] = serial[0] & 0x7f | 0x40
        let number = BN_bin2bn(serial, 16, nil)
        defer { BN_free(number) }
        let isBegun =
            X509_set_version(made, 2) == 1 && BN_to_ASN1_INTEGER(number, X509_get_serialNumber(made)) != nil
            && ASN1_TIME_set(X509_getm_notBefore(made), Int(from.seconds)) != nil
            && ASN1_TIME_set(X509_getm_notAfter(made), Int(until.seconds)) != nil
            && X509_set_pubkey(made, key.handle) == 1
        guard isBegun, setSubject(of: made, to: subject) else { throw .refused("a certificate's head") }
        guard X509_set_issuer_name(made, X509_get_subject_name(parent ?? made)) == 1 else {
            throw .refused("an issuer's name")
        }
        for (kind, value) in extensions {
            var context = X509V3_CTX()
            X509V3_set_ctx(&context, parent ?? made, made, nil, nil, 0)
            guard let one = X509V3_EXT_conf_nid(nil, &context, kind, value) else { throw .refused("an extension") }
            defer { X509_EXTENSION_free(one) }
            guard X509_add_ext(made, one, -1) == 1 else { throw .refused("an extension") }
        }
        guard X509_sign(made, (issuer?.key ?? key).handle, EVP_sha256()) > 0 else { throw .refused("a signature") }
        return try X509Certificate(made)
    }

    private static func setSubject(of certificate: OpaquePointer, to common: String) -> Bool {
        let name = X509_get_subject_name(certificate)
        let utf8: Int32 = 0x1000  // MBSTRING_UTF8, which Swift does not import
        func add(_ field: String, _ value: String) -> Bool {
            X509_NAME_add_entry_by_txt(name, field, utf8, Array(value.utf8), Int32(value.utf8.count), -1, 0) == 1
        }
        return add("O", "Soglia") && add("CN", common)
    }
}
