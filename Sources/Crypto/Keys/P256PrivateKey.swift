import CCrypto

/// A private key on NIST's curve P-256: signs (ES256) and agrees on a secret (ECDH). Shown by no description.
public struct P256PrivateKey: Sendable, CustomStringConvertible, CustomReflectable {
    /// The point of its public key, uncompressed: 65 bytes.
    public let publicBytes: [UInt8]
    private let key: PrivateKey

    /// A new pair. Never fails while there is memory.
    public init() {
        guard let key = try? PrivateKey.generate(), let point = Self.point(of: key.handle) else {
            preconditionFailure("libcrypto makes no key")
        }
        (self.key, publicBytes) = (key, point)
    }

    /// - Parameter secret: the scalar in 32 bytes, the largest first. Nil for another count, for 0, and from the curve's order on.
    public init?(secret: [UInt8]) {
        let isScalar = secret.contains { $0 != 0 } && secret.lexicographicallyPrecedes(P256.order)
        guard secret.count == 32, isScalar else { return nil }
        // An ECPrivateKey (RFC 5915) without its point, which the library finds.
        var der = Self.derHead + secret + Self.derCurve
        defer { OPENSSL_cleanse(&der, der.count) }
        let handle = der.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            return d2i_PrivateKey(EVP_PKEY_EC, nil, &next, bytes.count)
        }
        guard let handle, let point = Self.point(of: handle) else { preconditionFailure("a scalar has a point") }
        (key, publicBytes) = (PrivateKey(owning: handle), point)
    }

    /// SEQUENCE of 49 bytes, version 1, 32 bytes.
    private static let derHead: [UInt8] = [0x30, 0x31, 0x02, 0x01, 0x01, 0x04, 0x20]
    /// [0] prime256v1.
    private static let derCurve: [UInt8] = [0xa0, 0x0a, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07]

    /// The scalar itself, 32 bytes, for the one place that keeps it.
    public var secretBytes: [UInt8] {
        var scalar: OpaquePointer?
        guard EVP_PKEY_get_bn_param(key.handle, OSSL_PKEY_PARAM_PRIV_KEY, &scalar) == 1, let scalar else {
            preconditionFailure("a private key has a scalar")
        }
        defer { BN_clear_free(scalar) }
        return P256.bytes(scalar)
    }

    /// The public half.
    public var publicKey: P256PublicKey { P256PublicKey(bytes: publicBytes)! }

    /// ES256 (RFC 7518, 3.4): r and s, 64 bytes. Another one each time.
    public func sign(_ bytes: [UInt8]) -> [UInt8] {
        guard let context = EVP_MD_CTX_new() else { preconditionFailure("no memory for a signature") }
        defer { EVP_MD_CTX_free(context) }
        var der = [UInt8](repeating: 0, count: 72)
        var count = der.count
        guard EVP_DigestSignInit(context, nil, Digest.algorithm, nil, key.handle) == 1,
            EVP_DigestSign(context, &der, &count, bytes, bytes.count) == 1,
            let raw = P256.raw(der: Array(der[..<count])), raw.count == 64
        else { preconditionFailure("libcrypto does not sign") }
        return raw
    }

    /// ECDH (NIST SP 800-56A, 5.7.1.2): the 32 bytes that both sides come to.
    public func shared(with other: P256PublicKey) -> [UInt8] {
        guard let context = EVP_PKEY_CTX_new_from_pkey(nil, key.handle, nil) else {
            preconditionFailure("no memory to agree on a key")
        }
        defer { EVP_PKEY_CTX_free(context) }
        return other.key.withHandle { peer in
            [UInt8](unsafeUninitializedCapacity: 32) { out, count in
                count = 32
                // 0: the peer's point was looked at when its key was made, and once more would cost as much as the rest.
                let isDone =
                    EVP_PKEY_derive_init(context) == 1 && EVP_PKEY_derive_set_peer_ex(context, peer, 0) == 1
                    && EVP_PKEY_derive(context, out.baseAddress!, &count) == 1
                precondition(isDone && count == 32, "two keys of a curve agree")
            }
        }
    }

    /// Always `P256PrivateKey(hidden)`.
    public var description: String { "P256PrivateKey(hidden)" }
    /// Without children.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }

    private static func point(of handle: OpaquePointer) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 65)
        var count = 0
        let isDone = EVP_PKEY_get_octet_string_param(handle, OSSL_PKEY_PARAM_PUB_KEY, &bytes, bytes.count, &count) == 1
        return isDone && count == 65 && bytes[0] == 4 ? bytes : nil
    }
}
