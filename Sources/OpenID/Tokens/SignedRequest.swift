import Crypto
import JSON
import System
import Wire

/// What Facebook posts when somebody asks it to have their data erased: a signature, a point, and JSON, both in base64url.
public struct SignedRequest: Sendable, Equatable {
    /// Of whom it speaks, as the service calls them.
    public let subject: String
    /// When it was made.
    public let issued: Timestamp

    /// The longest one that is looked at, in bytes.
    public static let limit = 4 << 10

    /// - Parameters:
    ///   - text: as it was posted.
    ///   - secret: what the service and this hub share.
    init(_ text: String, secret: String) throws(ServiceFault) {
        guard text.utf8.count <= Self.limit else { throw .request }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let signature = Base64.bytes(urlText: parts[0]) else { throw .request }
        let right = HMACSHA256(key: Array(secret.utf8)).authenticate(Array(parts[1].utf8)).bytes
        guard constantTimeEquals(signature, right) else { throw .requestSignature }
        guard let payload = Base64.bytes(urlText: parts[1]),
            let fields = try? JSONReader.decode(Fields.self, from: payload, limit: Self.limit),
            fields.algorithm.uppercased() == "HMAC-SHA256", IDToken.isSubject(fields.subject),
            (0...Double(1 << 40)).contains(fields.issued)
        else { throw .request }
        (subject, issued) = (fields.subject, Timestamp(seconds: UInt64(fields.issued)))
    }

    private struct Fields: Decodable {
        let algorithm: String
        let subject: String
        let issued: Double

        enum CodingKeys: String, CodingKey {
            case algorithm
            case subject = "user_id"
            case issued = "issued_at"
        }
    }
}
