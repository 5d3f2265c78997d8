import CCrypto
import System

/// A private key that signs or serves TLS. Shown by no description.
///
/// Unchecked: the key is constant after `init`, and libcrypto counts references and reads keys on any thread.
public final class PrivateKey: @unchecked Sendable, CustomStringConvertible, CustomReflectable {
    /// What scrypt costs (RFC 7914): 16 MiB, five times over, about a third of a second.
    private static let scrypt = (n: UInt64(1 << 14), r: UInt64(8), p: UInt64(5))

    let handle: OpaquePointer

    /// Takes over the key and frees it.
    init(owning handle: OpaquePointer) { self.handle = handle }

    deinit { EVP_PKEY_free(handle) }

    /// A new key on the curve P-256, which every phone knows.
    public static func generate() throws(CertificateError) -> PrivateKey {
        guard let context = EVP_PKEY_CTX_new_from_pkey(nil, P256.curve, nil) else { throw .refused("no curves") }
        defer { EVP_PKEY_CTX_free(context) }
        var handle: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1, EVP_PKEY_generate(context, &handle) == 1, let handle
        else { throw .refused("a new key") }
        return PrivateKey(owning: handle)
    }

    /// Reads a key.
    /// - Parameter passphrase: opens an encrypted one; nil for one that is not.
    /// - Throws: `wrongPassphrase`, also for an encrypted key without one; `notAKey`.
    public init(pem: [UInt8], passphrase: String? = nil) throws(CertificateError) {
        let isEncrypted = pem.firstRange(of: Array("ENCRYPTED".utf8)) != nil
        // Given to the library whatever the file says: without one it would ask at the terminal by itself.
        var secret = Array((passphrase ?? "").utf8CString)
        defer { OPENSSL_cleanse(&secret, secret.count) }
        let handle = pem.withMemoryFile { file in
            secret.withUnsafeMutableBytes { PEM_read_bio_PrivateKey(file, nil, nil, $0.baseAddress) }
        }
        guard let handle else { throw isEncrypted ? .wrongPassphrase : .notAKey }
        self.handle = handle
    }

    /// PKCS#8 in PEM, without a passphrase: for a file of mode 0600.
    public func pem() throws(CertificateError) -> [UInt8] {
        try writtenToMemory("a key as text") { PEM_write_bio_PKCS8PrivateKey($0, handle, nil, nil, 0, nil, nil) == 1 }
    }

    /// PKCS#8 in PEM under a passphrase: AES-256-CBC under a key that scrypt makes, so that guessing is slow.
    public func pem(passphrase: String) throws(CertificateError) -> [UInt8] {
        guard let cipher = EVP_CIPHER_fetch(nil, "AES-256-CBC", nil), let plain = EVP_PKEY2PKCS8(handle) else {
            throw .refused("AES")
        }
        defer {
            EVP_CIPHER_free(cipher)
            PKCS8_PRIV_KEY_INFO_free(plain)
        }
        let salt = Random.bytes(16)
        var mutable = salt
        guard let way = PKCS5_pbe2_set_scrypt(cipher, &mutable, 16, nil, Self.scrypt.n, Self.scrypt.r, Self.scrypt.p)
        else { throw .refused("scrypt") }
        var secret = Array(passphrase.utf8CString)
        defer { OPENSSL_cleanse(&secret, secret.count) }
        guard let sealed = PKCS8_set0_pbe(secret, Int32(secret.count - 1), plain, way) else {
            X509_ALGOR_free(way)
            throw .refused("a key under a passphrase")
        }
        defer { X509_SIG_free(sealed) }
        return try writtenToMemory("a key as text") { PEM_write_bio_PKCS8($0, sealed) == 1 }
    }

    /// Always `PrivateKey(hidden)`.
    public var description: String { "PrivateKey(hidden)" }
    /// Without children.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}

extension [UInt8] {
    /// Lets the library read the bytes as a file.
    func withMemoryFile<Result>(_ body: (OpaquePointer) -> Result?) -> Result? {
        withUnsafeBytes { bytes in
            guard let file = BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count)) else { return nil }
            defer { BIO_free(file) }
            return body(file)
        }
    }
}

/// What the library writes into a file in memory.
func writtenToMemory(
    _ what: String, _ body: (OpaquePointer) -> Bool
) throws(CertificateError) -> [UInt8] {
    guard let file = BIO_new(BIO_s_mem()) else { throw .refused("no memory") }
    defer { BIO_free(file) }
    var start: UnsafeMutableRawPointer?
    guard body(file) else { throw .refused(what) }
    let count = BIO_ctrl(file, BIO_CTRL_INFO, 0, &start)
    guard let start, count > 0 else { throw .refused(what) }
    return Array(UnsafeRawBufferPointer(start: start, count: count))
}
