import Crypto
import JSON
import Wire

/// What the browser says of the ceremony that it held (W3C Web Authentication, 5.8.1, `CollectedClientData`).
public struct ClientData: Sendable, Equatable {
    /// Which ceremony it was.
    public enum Kind: String, Sendable {
        /// A new credential.
        case create = "webauthn.create"
        /// A signature by one that is there.
        case get = "webauthn.get"
    }

    /// As the browser wrote it.
    public let type: String
    /// What we gave it to sign.
    public let challenge: [UInt8]
    /// On whose page.
    public let origin: String
    /// Whether that page stood in a frame of another origin.
    public let isCrossOrigin: Bool
    /// SHA-256 of the bytes, which the authenticator has signed.
    public let hash: [UInt8]

    /// The longest that is looked at, in bytes. Browsers write two hundred; extensions of theirs may come.
    public static let longest = 4096

    private struct Content: Decodable {
        let type: String
        let challenge: String
        let origin: String
        let crossOrigin: Bool?
        let topOrigin: String?
    }

    /// - Parameter json: exactly as the browser sent it. Members that we do not know are passed over, as the specification asks.
    public init(json: [UInt8]) throws(CeremonyRefusal) {
        guard let content = try? JSONReader.decode(Content.self, from: json, limit: Self.longest, depth: 8),
            let challenge = Base64.bytes(urlText: content.challenge)
        else { throw .malformedClientData }
        (type, origin) = (content.type, content.origin)
        self.challenge = challenge
        isCrossOrigin = content.crossOrigin ?? false || content.topOrigin != nil
        hash = Digest.sha256(json)
    }

    /// Steps 7 to 11 of a registration (7.1), 10 to 14 of an assertion (7.2). Nobody may hold our ceremonies in a frame.
    func check(_ kind: Kind, challenge: [UInt8], _ party: RelyingParty) throws(CeremonyRefusal) {
        guard type == kind.rawValue else { throw .wrongType }
        guard constantTimeEquals(self.challenge, challenge) else { throw .wrongChallenge }
        guard origin == party.origin else { throw .wrongOrigin }
        guard !isCrossOrigin else { throw .crossOrigin }
    }
}
