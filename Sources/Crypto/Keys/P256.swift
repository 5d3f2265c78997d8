import CCrypto

/// What keys on NIST's curve P-256 share: libcrypto's own values, looked up once, and the form of signatures.
enum P256 {
    /// A key without a key: the curve alone. Copies of it are quick to make, the curve by its name is not. Unsafe to the compiler
    /// alone: it is constant, and libcrypto reads it on any thread.
    nonisolated(unsafe) static let curve: OpaquePointer = {
        var handle: OpaquePointer?
        let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil)
        defer { EVP_PKEY_CTX_free(context) }
        guard EVP_PKEY_paramgen_init(context) == 1, EVP_PKEY_CTX_set_group_name(context, "P-256") == 1,
            EVP_PKEY_paramgen(context, &handle) == 1, let handle
        else { preconditionFailure("libcrypto has no P-256") }
        return handle
    }()

    /// How many points there are (SEC 2, 2.4.2), in 32 bytes. A private key is less.
    static let order: [UInt8] = [
        0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xbc, 0xe6,
        0xfa,
        0xad, 0xa7, 0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51,
    ]

    /// A signature of 64 bytes, r and s, in DER (RFC 3279, 2.2.3); nil for another count.
    static func der(raw: [UInt8]) -> [UInt8]? {
        guard raw.count == 64, let signature = ECDSA_SIG_new() else { return nil }
        defer { ECDSA_SIG_free(signature) }
        let (r, s) = (BN_bin2bn(raw, 32, nil), BN_bin2bn(Array(raw[32...]), 32, nil))
        guard ECDSA_SIG_set0(signature, r, s) == 1 else { return nil }
        var start: UnsafeMutablePointer<UInt8>?
        let count = i2d_ECDSA_SIG(signature, &start)
        guard count > 0, let start else { return nil }
        defer { CRYPTO_free(start, nil, 0) }
        return Array(UnsafeBufferPointer(start: start, count: Int(count)))
    }

    /// The 64 bytes of a signature in DER: r and s, each with zeros on its left up to 32.
    static func raw(der: [UInt8]) -> [UInt8]? {
        der.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            guard let signature = d2i_ECDSA_SIG(nil, &next, bytes.count) else { return nil }
            defer { ECDSA_SIG_free(signature) }
            return [ECDSA_SIG_get0_r(signature), ECDSA_SIG_get0_s(signature)]
                .map { $0.map { P256.bytes($0) } ?? [] }
                .reduce([], +)
        }
    }

    /// A number of the curve in 32 bytes, the largest first; empty when it has more.
    static func bytes(_ number: OpaquePointer) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 32) { out, count in
            count = BN_bn2binpad(number, out.baseAddress!, 32) == 32 ? 32 : 0
        }
    }
}
