import Crypto
import JSON

/// The public keys of an issuer (RFC 7517), as far as they are for signatures that we accept.
struct KeySet: Sendable {
    /// A key with which tokens are signed.
    private enum PublicKey: Sendable {
        case rsa(RSAPublicKey)
        case p256(P256PublicKey)

        var algorithm: SignedToken.Algorithm {
            switch self {
            case .rsa: .rs256
            case .p256: .es256
            }
        }

        func signed(_ token: SignedToken) -> Bool {
            switch self {
            case .rsa(let key): key.isValid(signature: token.signature, over: token.signed)
            case .p256(let key): key.isValid(signature: token.signature, over: token.signed)
            }
        }
    }

    /// The longest document that is looked at, in bytes.
    static let limit = SignInServices.longestAnswer
    /// The most keys of a set.
    static let mostKeys = 100

    private let keys: [(name: String?, key: PublicKey)]

    /// How many keys of it are of use.
    var count: Int { keys.count }

    /// Keys that we have no use for are passed over (RFC 7517, 5).
    init(_ bytes: [UInt8]) throws(ServiceFault) {
        guard let document = try? JSONReader.decode(Document.self, from: bytes, limit: Self.limit) else {
            throw .keys
        }
        guard document.keys.count <= Self.mostKeys else { throw .tooManyKeys }
        keys = document.keys.compactMap { entry in entry.key.flatMap { Self.read($0) } }
    }

    /// Whether one of these keys signed a token.
    /// - Throws: `unknownKey` when the one that it names is not here, `signature`.
    func check(_ token: SignedToken) throws(ServiceFault) {
        let fitting = keys.filter { $0.key.algorithm == token.algorithm }
        // Without a name only the one key that there is can be meant (OpenID Connect Core, 10.1).
        let meant =
            token.keyName.map { name in fitting.filter { $0.name == name } } ?? (fitting.count == 1 ? fitting : [])
        if meant.isEmpty { throw .unknownKey }
        if !meant.contains(where: { $0.key.signed(token) }) { throw .signature }
    }

    private static func read(_ key: JSONKey) -> (name: String?, key: PublicKey)? {
        guard key.use ?? "sig" == "sig", key.operations?.contains("verify") ?? true else { return nil }
        func number(_ text: String?) -> [UInt8]? { text.flatMap { Base64.bytes(urlText: $0) } }
        let found: PublicKey? =
            switch key.kind {
            case "RSA":
                number(key.modulus).flatMap { modulus in
                    number(key.exponent).flatMap { RSAPublicKey(modulus: modulus, exponent: $0) }
                }.map { .rsa($0) }
            case "EC" where key.curve == "P-256":
                number(key.x).flatMap { x in number(key.y).flatMap { P256PublicKey(x: x, y: $0) } }.map { .p256($0) }
            default: nil
            }
        guard let found, key.algorithm.map({ $0 == found.algorithm.rawValue }) ?? true else { return nil }
        return (key.name, found)
    }

    private struct Document: Decodable { let keys: [Entry] }

    /// A key that is not even of the usual form spoils none of its neighbours.
    private struct Entry: Decodable {
        let key: JSONKey?
        init(from decoder: any Decoder) { key = try? JSONKey(from: decoder) }
    }

    private struct JSONKey: Decodable {
        let kind: String
        let name: String?
        let use: String?
        let operations: [String]?
        let algorithm: String?
        let modulus: String?
        let exponent: String?
        let curve: String?
        let x: String?
        let y: String?

        enum CodingKeys: String, CodingKey {
            case kind = "kty"
            case name = "kid"
            case use, x, y
            case operations = "key_ops"
            case algorithm = "alg"
            case modulus = "n"
            case exponent = "e"
            case curve = "crv"
        }
    }
}
