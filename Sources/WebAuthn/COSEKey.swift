import Crypto

/// A public key as authenticators write it (RFC 9052, section 7; RFC 9053; RFC 8230 for RSA).
public enum COSEKey: Sendable, Equatable {
    /// ECDSA with P-256 and SHA-256.
    case es256(P256PublicKey)
    /// RSASSA-PKCS1-v1_5 with SHA-256, as Windows' own authenticators use it.
    case rs256(RSAPublicKey)

    /// The names of the algorithms that we offer, the one that we like better first (IANA's registry of COSE).
    public static let algorithms = [-7, -257]

    /// Which it is, of `algorithms`.
    public var algorithm: Int {
        switch self {
        case .es256: -7
        case .rs256: -257
        }
    }

    /// - Parameter bytes: a map in the canonical form, without anything optional but the algorithm (WebAuthn, 6.5.1).
    public init(_ bytes: [UInt8]) throws(CeremonyRefusal) {
        guard let map = try? CBOR.read(bytes) else { throw .malformedKey }
        try self.init(map)
    }

    init(_ map: CBOR) throws(CeremonyRefusal) {
        let count = map.asMap?.count
        switch map[3] {
        case .int(-7):
            guard count == 5, map[1] == .int(2), map[-1] == .int(1), let x = map[-2]?.asBytes,
                let y = map[-3]?.asBytes, let key = P256PublicKey(x: x, y: y)
            else { throw .malformedKey }
            self = .es256(key)
        case .int(-257):
            guard count == 4, map[1] == .int(3), let modulus = map[-1]?.asBytes, let exponent = map[-2]?.asBytes,
                let key = RSAPublicKey(modulus: modulus, exponent: exponent)
            else { throw .malformedKey }
            self = .rs256(key)
        case .unsigned, .negative: throw .wrongAlgorithm
        default: throw .malformedKey
        }
    }

    /// Whether the holder of the private half signed the bytes.
    /// - Parameter signature: in the form that WebAuthn gives it (6.5.5): DER for ES256.
    public func isValid(_ signature: [UInt8], over bytes: [UInt8]) -> Bool {
        switch self {
        case .es256(let key): key.isValid(derSignature: signature, over: bytes)
        case .rs256(let key): key.isValid(signature: signature, over: bytes)
        }
    }
}
