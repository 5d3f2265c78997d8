import CCrypto

/// A public RSA key (RFC 8017), as the keys of sign-in providers and of older passkeys are.
public struct RSAPublicKey: Sendable, Hashable, CustomStringConvertible {
    /// Shorter ones are broken too easily, longer ones take too long for a key from outside: 2,048 to 8,192 bits.
    public static let bits = 2_048...8_192
    /// The largest public exponent that is taken; nearly all are 65,537.
    public static let largestExponent = UInt32.max

    /// Without zeros before it.
    private let modulus: [UInt8]
    /// Without zeros before it.
    private let exponent: [UInt8]
    private let key: PublicKeyHandle

    /// Nil for a modulus of another length or even, and for an exponent that is even, less than 3 or above the largest.
    /// - Parameters:
    ///   - modulus: n, the largest byte first.
    ///   - exponent: e, the largest byte first.
    public init?(modulus: [UInt8], exponent: [UInt8]) {
        let n = Array(modulus.drop { $0 == 0 })
        let e = Array(exponent.drop { $0 == 0 })
        guard let first = n.first, Self.bits.contains(n.count * 8 - first.leadingZeroBitCount), n.last! & 1 == 1,
            (1...4).contains(e.count), e.last! & 1 == 1, e != [1]
        else { return nil }
        guard let handle = Self.handle(n, e) else {
            ERR_clear_error()
            return nil
        }
        (self.modulus, self.exponent, key) = (n, e, PublicKeyHandle(owning: handle))
    }

    /// RS256: whether the holder of the private key signed the bytes (RFC 7518, 3.3: PKCS #1 v1.5 over SHA-256).
    /// - Parameter signature: as long as the modulus. False for anything else.
    public func isValid(signature: [UInt8], over bytes: [UInt8]) -> Bool {
        signature.count == modulus.count && key.isValid(signature, over: bytes)
    }

    /// The same numbers.
    public static func == (a: RSAPublicKey, b: RSAPublicKey) -> Bool {
        a.modulus == b.modulus && a.exponent == b.exponent
    }
    /// By the modulus.
    public func hash(into hasher: inout Hasher) { hasher.combine(modulus) }
    /// How long it is.
    public var description: String { "RSAPublicKey(\(modulus.count * 8) bits)" }

    private static func handle(_ modulus: [UInt8], _ exponent: [UInt8]) -> OpaquePointer? {
        let parts: [[UInt8]] = [modulus, exponent]
        let numbers = parts.map { BN_bin2bn($0, Int32($0.count), nil) }
        defer { for number in numbers { BN_free(number) } }
        guard let builder = OSSL_PARAM_BLD_new() else { return nil }
        defer { OSSL_PARAM_BLD_free(builder) }
        // The names stay where they are: the library keeps their addresses.
        let names: [StaticString] = ["n", "e"]
        for (name, number) in zip(names, numbers) {
            let isAdded = name.utf8Start.withMemoryRebound(to: CChar.self, capacity: 2) {
                OSSL_PARAM_BLD_push_BN(builder, $0, number) == 1
            }
            guard isAdded else { return nil }
        }
        guard let parameters = OSSL_PARAM_BLD_to_param(builder) else { return nil }
        defer { OSSL_PARAM_free(parameters) }
        guard let context = EVP_PKEY_CTX_new_from_name(nil, "RSA", nil) else { return nil }
        defer { EVP_PKEY_CTX_free(context) }
        var handle: OpaquePointer?
        // EVP_PKEY_PUBLIC_KEY, a macro that Swift does not import.
        let selection =
            OSSL_KEYMGMT_SELECT_DOMAIN_PARAMETERS | OSSL_KEYMGMT_SELECT_OTHER_PARAMETERS
            | OSSL_KEYMGMT_SELECT_PUBLIC_KEY
        let isMade =
            EVP_PKEY_fromdata_init(context) == 1 && EVP_PKEY_fromdata(context, &handle, selection, parameters) == 1
        return isMade ? handle : nil
    }
}
