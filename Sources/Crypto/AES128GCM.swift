import CCrypto

/// AES-128-GCM (NIST SP 800-38D), for formats that others have fixed: bytes that only who has the key can read, and nobody can
/// change. Under one key a nonce is used once.
public enum AES128GCM {
    /// What the sealed bytes have more than their text.
    public static let overhead = 16

    /// Libcrypto's cipher, looked up once. Unsafe to the compiler alone: it is constant, and libcrypto reads it on any thread.
    private nonisolated(unsafe) static let cipher: OpaquePointer = {
        guard let cipher = EVP_CIPHER_fetch(nil, "AES-128-GCM", nil) else {
            preconditionFailure("libcrypto has no AES")
        }
        return cipher
    }()

    /// Ciphertext and tag.
    /// - Parameters:
    ///   - bytes: what is sealed.
    ///   - key: 16 bytes.
    ///   - nonce: 12 bytes.
    public static func seal(_ bytes: [UInt8], key: [UInt8], nonce: [UInt8]) -> [UInt8] {
        precondition(key.count == 16 && nonce.count == 12)
        var out = [UInt8](repeating: 0, count: bytes.count + overhead)
        let isSealed = out.withUnsafeMutableBufferPointer { out in
            withContext { context in
                var count: Int32 = 0
                let tag = out.baseAddress! + bytes.count
                return EVP_EncryptInit_ex2(context, cipher, key, nonce, nil) == 1
                    && EVP_EncryptUpdate(context, out.baseAddress!, &count, bytes, Int32(bytes.count)) == 1
                    && EVP_EncryptFinal_ex(context, tag, &count) == 1
                    && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(overhead), tag) == 1
            }
        }
        precondition(isSealed, "libcrypto does not seal")
        return out
    }

    /// What was sealed; nil when it was changed, cut, or sealed under another key or nonce.
    public static func open(_ sealed: [UInt8], key: [UInt8], nonce: [UInt8]) -> [UInt8]? {
        guard key.count == 16, nonce.count == 12, sealed.count >= overhead else { return nil }
        let length = sealed.count - overhead
        var tag = Array(sealed[length...])
        // A byte more: an empty array has no address.
        var out = [UInt8](repeating: 0, count: length + 1)
        let isOpen = withContext { context in
            var count: Int32 = 0
            return EVP_DecryptInit_ex2(context, cipher, key, nonce, nil) == 1
                && EVP_DecryptUpdate(context, &out, &count, sealed, Int32(length)) == 1
                && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(overhead), &tag) == 1
                && EVP_DecryptFinal_ex(context, &tag, &count) == 1
        }
        return isOpen ? Array(out[..<length]) : nil
    }

    private static func withContext(_ body: (OpaquePointer) -> Bool) -> Bool {
        guard let context = EVP_CIPHER_CTX_new() else { return false }
        defer { EVP_CIPHER_CTX_free(context) }
        return body(context)
    }
}
