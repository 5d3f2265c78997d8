import Crypto
import JSON

/// A JSON Web Token (RFC 7519) in its compact form with a signature (RFC 7515, 3.1), before anybody has believed it.
struct SignedToken: Sendable {
    /// How a token may be signed. Without a signature, and with a shared secret, it may not: those are no algorithms of this list.
    enum Algorithm: String, Sendable {
        /// PKCS #1 v1.5 with SHA-256 (RFC 7518, 3.3).
        case rs256 = "RS256"
        /// ECDSA on P-256 with SHA-256 (RFC 7518, 3.4).
        case es256 = "ES256"
    }

    let algorithm: Algorithm
    /// Which key signed, as its owner calls it.
    let keyName: String?
    /// What it says: JSON.
    let payload: [UInt8]
    /// What the signature is over.
    let signed: [UInt8]
    let signature: [UInt8]

    /// The longest token that is looked at, in bytes.
    static let limit = 16 << 10
    /// The longest name of a key, in bytes.
    static let longestKeyName = 255

    init(_ text: String) throws(ServiceFault) {
        guard text.utf8.count <= Self.limit else { throw .tokenTooLong }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let head = Base64.bytes(urlText: parts[0]),
            let payload = Base64.bytes(urlText: parts[1]), let signature = Base64.bytes(urlText: parts[2]),
            let header = try? JSONReader.decode(Header.self, from: head, depth: 8)
        else { throw .token }
        guard let algorithm = Algorithm(rawValue: header.algorithm) else { throw .algorithm }
        // We know no extension, so none can be understood (RFC 7515, 4.1.11).
        if header.isCritical { throw .criticalExtension }
        guard header.type.map({ $0.lowercased() == "jwt" }) ?? true,
            (header.keyName?.utf8.count ?? 0) <= Self.longestKeyName
        else { throw .token }
        (self.algorithm, keyName) = (algorithm, header.keyName)
        (self.payload, self.signature) = (payload, signature)
        signed = Array((parts[0] + "." + parts[1]).utf8)
    }

    /// What of its header counts. A key that came along in it would prove nothing, and is not read.
    private struct Header: Decodable {
        let algorithm: String
        let keyName: String?
        let type: String?
        let isCritical: Bool

        enum CodingKeys: String, CodingKey {
            case algorithm = "alg"
            case keyName = "kid"
            case type = "typ"
            case critical = "crit"
        }

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            algorithm = try fields.decode(String.self, forKey: .algorithm)
            keyName = try fields.decodeIfPresent(String.self, forKey: .keyName)
            type = try fields.decodeIfPresent(String.self, forKey: .type)
            isCritical = fields.contains(.critical)
        }
    }
}
