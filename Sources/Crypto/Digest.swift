import CCrypto
import System

/// SHA-256 by libcrypto, which uses the processor's own instructions: several times faster than Wire's where both exist.
public enum Digest {
    /// Libcrypto's SHA-256, looked up once: the look-up costs as much as a hash. Unsafe to the compiler alone: it is constant, and
    /// libcrypto reads it on any thread.
    nonisolated(unsafe) static let algorithm: OpaquePointer = {
        guard let algorithm = EVP_MD_fetch(nil, "SHA256", nil) else { preconditionFailure("libcrypto has no SHA-256") }
        return algorithm
    }()

    /// The 32 bytes of FIPS 180-4's SHA-256.
    public static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 32) { out, count in
            let isDone = EVP_Digest(bytes, bytes.count, out.baseAddress!, nil, algorithm, nil) == 1
            precondition(isDone, "no memory for a hash")
            count = 32
        }
    }
}

/// A secret that its holder shows to be known again: a session, a bearer token. Only its hash is kept.
public struct Token: Sendable {
    /// What the holder keeps: 43 characters of base64url.
    public let text: String

    /// A new one: 32 random bytes.
    public init() { text = Base64.urlText(Random.bytes(32)) }

    /// What is stored of a shown text: SHA-256 of its bytes. A token has 256 bits of chance, so it needs no slow hash.
    public static func hash(_ text: String) -> [UInt8] { Digest.sha256(Array(text.utf8)) }
}
