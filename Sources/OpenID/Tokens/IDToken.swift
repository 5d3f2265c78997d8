import JSON
import System
import Wire

/// What an issuer says of somebody who has just signed in there (OpenID Connect Core, 2).
struct IDToken: Sendable, Equatable {
    /// Whom it speaks of: 1 to 255 characters of ASCII.
    let subject: String
    let name: String?
    /// Their address, and whether the issuer made sure that it is theirs.
    let email: String?
    let isEmailVerified: Bool
    /// When they proved there who they are, in seconds since 1970; nil when it is not said.
    let authenticated: Double?

    /// What a token must say to be an answer to a question of ours.
    struct Question: Sendable {
        /// The names of the issuer, any of which will do.
        let issuers: [String]
        /// What the issuer calls us.
        let client: String
        let nonce: String
        let now: Timestamp
        /// Since when they must have proven who they are, where the issuer says it; nil: whenever.
        var since: Timestamp?
    }

    /// Two clocks may differ by so many seconds.
    static let skew: Double = 60

    /// Reads what a token says, whose signature has been found right (OpenID Connect Core, 3.1.3.7).
    init(_ payload: [UInt8], answering question: Question) throws(ServiceFault) {
        guard let claims = try? JSONReader.decode(Claims.self, from: payload, limit: SignedToken.limit) else {
            throw .claims
        }
        guard question.issuers.contains(claims.issuer) else { throw .issuer }
        guard claims.audience.values.contains(question.client) else { throw .audience }
        // Among several that it is for, we must be the one that it was made for.
        if claims.audience.values.count > 1, claims.party == nil { throw .audience }
        if let party = claims.party, party != question.client { throw .audience }
        let now = Double(question.now.milliseconds) / 1000
        guard claims.expires > now - Self.skew else { throw .expired }
        guard claims.issued < now + Self.skew, (claims.notBefore ?? now) < now + Self.skew else { throw .early }
        guard let nonce = claims.nonce, constantTimeEquals(Array(nonce.utf8), Array(question.nonce.utf8)) else {
            throw .nonce
        }
        guard Self.isSubject(claims.subject) else { throw .subject }
        // 0 is said by some that do not know.
        let authenticated = claims.authenticated.flatMap { $0 == 0 ? nil : $0 }
        if let since = question.since, let time = authenticated,
            time < Double(since.milliseconds) / 1000 - Self.skew
        {
            throw .stale
        }
        subject = claims.subject
        (name, email, isEmailVerified) = (claims.name, claims.email, claims.isEmailVerified?.value ?? false)
        self.authenticated = authenticated
    }

    /// Whether a text can stand for somebody: 1 to 255 printable characters of ASCII (OpenID Connect Core, 2, `sub`).
    static func isSubject(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count) && text.utf8.allSatisfy { (0x20...0x7e).contains($0) }
    }

    private struct Claims: Decodable {
        let issuer: String
        let audience: Audience
        let party: String?
        let expires: Double
        let issued: Double
        let notBefore: Double?
        let nonce: String?
        let subject: String
        let authenticated: Double?
        let name: String?
        let email: String?
        let isEmailVerified: Flag?

        enum CodingKeys: String, CodingKey {
            case issuer = "iss"
            case audience = "aud"
            case party = "azp"
            case expires = "exp"
            case issued = "iat"
            case notBefore = "nbf"
            case subject = "sub"
            case authenticated = "auth_time"
            case isEmailVerified = "email_verified"
            case nonce, name, email
        }
    }

    /// One name, or a list of them.
    private struct Audience: Decodable {
        let values: [String]
        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if let one = try? value.decode(String.self) {
                values = [one]
            } else {
                values = try value.decode([String].self)
            }
        }
    }
}

/// `true`, also where it is written as a text, as some issuers do.
struct Flag: Decodable, Sendable {
    let value: Bool
    init(from decoder: any Decoder) throws {
        let found = try decoder.singleValueContainer()
        if let truth = try? found.decode(Bool.self) {
            value = truth
        } else {
            value = try found.decode(String.self) == "true"
        }
    }
}
