import CCrypto

/// A public key on NIST's curve P-256: for ES256 (RFC 7518, 3.4), passkeys and web push.
public struct P256PublicKey: Sendable, Hashable, CustomStringConvertible {
    /// The point, uncompressed (SEC 1, 2.3.3): 4, x in 32 bytes, y in 32 bytes.
    public let bytes: [UInt8]
    let key: PublicKeyHandle

    /// - Parameter bytes: 65 bytes, the first of them 4. Nil for anything else, and for a point that is not on the curve.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 65, bytes[0] == 4, let handle = EVP_PKEY_dup(P256.curve) else { return nil }
        key = PublicKeyHandle(owning: handle)
        // A point on the curve is one of its group: the cofactor is 1.
        guard EVP_PKEY_set1_encoded_public_key(handle, bytes, bytes.count) == 1 else {
            ERR_clear_error()
            return nil
        }
        self.bytes = bytes
    }

    /// - Parameters:
    ///   - x: 32 bytes, the largest first.
    ///   - y: 32 bytes, the largest first. Nil for another count, and for a point that is not on the curve.
    public init?(x: [UInt8], y: [UInt8]) {
        guard x.count == 32, y.count == 32 else { return nil }
        self.init(bytes: [4] + x + y)
    }

    /// What stands before the point in a SubjectPublicKeyInfo (RFC 5480, 2.1.1): ecPublicKey, prime256v1, 66 bytes of bits.
    private static let spkiHead: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48,
        0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
    ]

    /// - Parameter spki: a SubjectPublicKeyInfo in DER with an uncompressed point. Nil for anything else.
    public init?(spki: [UInt8]) {
        guard spki.starts(with: Self.spkiHead) else { return nil }
        self.init(bytes: Array(spki[Self.spkiHead.count...]))
    }

    /// The key as SubjectPublicKeyInfo in DER: 91 bytes.
    public var spki: [UInt8] { Self.spkiHead + bytes }

    /// ES256: whether the holder of the private key signed the bytes.
    /// - Parameter signature: r and s, 64 bytes, as RFC 7518 (3.4) has it. False for anything else.
    public func isValid(signature: [UInt8], over bytes: [UInt8]) -> Bool {
        P256.der(raw: signature).map { key.isValid($0, over: bytes) } ?? false
    }

    /// ES256 with the signature that passkeys give (WebAuthn, 6.5.5).
    /// - Parameter derSignature: strict DER. False for anything else, also for bytes behind it.
    public func isValid(derSignature: [UInt8], over bytes: [UInt8]) -> Bool {
        (8...72).contains(derSignature.count) && key.isValid(derSignature, over: bytes)
    }

    /// The same point.
    public static func == (a: P256PublicKey, b: P256PublicKey) -> Bool { a.bytes == b.bytes }
    /// By the point.
    public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
    /// The point in base64url.
    public var description: String { "P256PublicKey(\(Base64.urlText(bytes)))" }
}
