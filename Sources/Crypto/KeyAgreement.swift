import CSodium
import System

/// X25519 (RFC 7748), by libsodium: two sides that each keep a secret come to share one.
public struct KeyAgreement: Sendable {
    /// 32 bytes that may be shown to anybody.
    public let publicKey: [UInt8]
    private let secret: [UInt8]

    /// A new pair.
    public init() { self.init(secret: Random.bytes(32))! }

    /// - Parameter secret: 32 bytes; nil for any other count.
    public init?(secret: [UInt8]) {
        guard secret.count == 32 else { return nil }
        self.secret = secret
        publicKey = [UInt8](unsafeUninitializedCapacity: 32) { out, count in
            precondition(crypto_scalarmult_base(out.baseAddress!, secret) == 0, "a base point is never of low order")
            count = 32
        }
    }

    /// The secret itself, for the one file that keeps it.
    public var secretBytes: [UInt8] { secret }

    /// The 32 bytes that both sides come to; nil when the other's key is not a key (wrong length, or of low order).
    public func shared(with other: [UInt8]) -> [UInt8]? {
        guard other.count == 32 else { return nil }
        var out = [UInt8](repeating: 0, count: 32)
        return crypto_scalarmult(&out, secret, other) == 0 ? out : nil
    }
}

/// XChaCha20-Poly1305, by libsodium: bytes that only who has the key can read, and nobody can change.
public enum Seal {
    /// Nonce (24 bytes, random) and ciphertext.
    /// - Parameters:
    ///   - bytes: what is sealed.
    ///   - key: 32 bytes.
    public static func close(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        precondition(key.count == 32)
        let nonce = Random.bytes(24)
        var out = [UInt8](repeating: 0, count: bytes.count + 16)
        crypto_aead_xchacha20poly1305_ietf_encrypt(&out, nil, bytes, UInt64(bytes.count), nil, 0, nil, nonce, key)
        return nonce + out
    }

    /// What was sealed; nil when it was changed, cut, or sealed under another key.
    public static func open(_ sealed: [UInt8], key: [UInt8]) -> [UInt8]? {
        guard key.count == 32, sealed.count >= 40 else { return nil }
        let body = Array(sealed[24...])
        var out = [UInt8](repeating: 0, count: body.count - 16)
        let status = crypto_aead_xchacha20poly1305_ietf_decrypt(
            &out, nil, nil, body, UInt64(body.count), nil, 0, Array(sealed[..<24]), key)
        return status == 0 ? out : nil
    }
}
