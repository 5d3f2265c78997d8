import CCrypto

/// Libcrypto's public key.
///
/// Unchecked: the key is constant after `init`, and libcrypto counts references and reads keys on any thread.
final class PublicKeyHandle: @unchecked Sendable {
    private let handle: OpaquePointer

    /// Takes over the key and frees it.
    init(owning handle: OpaquePointer) { self.handle = handle }

    deinit { EVP_PKEY_free(handle) }

    /// Whether the holder of the private key signed SHA-256 of the bytes.
    func isValid(_ signature: [UInt8], over bytes: [UInt8]) -> Bool {
        guard let context = EVP_MD_CTX_new() else { return false }
        defer { EVP_MD_CTX_free(context) }
        let isValid =
            EVP_DigestVerifyInit(context, nil, Digest.algorithm, nil, handle) == 1
            && EVP_DigestVerify(context, signature, signature.count, bytes, bytes.count) == 1
        // What a wrong signature leaves behind would be taken for a fault of the next connection on this thread.
        if !isValid { ERR_clear_error() }
        return isValid
    }

    /// Lets libcrypto read the key.
    func withHandle<Result>(_ body: (OpaquePointer) -> Result) -> Result { body(handle) }
}
