import Courier
import Crypto
import JSON
import Wire

/// How a service that speaks OAuth 2.0, but not OpenID Connect, says who somebody is. One value for each such service.
struct OAuthDialect: Sendable {
    /// Where a browser is sent.
    let dialog: String
    /// Where a code is changed for a token.
    let token: String
    /// What is asked for.
    let scope: String
    /// Whether it knows PKCE (RFC 7636).
    let usesPKCE: Bool
    /// What is added to the dialog so that its person is asked anew.
    let proof: [(String, String)]
    /// Where it says whose a token is.
    let profile: @Sendable (_ token: String, _ secret: String) -> String
    /// Reads that answer.
    let read: @Sendable (_ body: [UInt8]) throws(ServiceFault) -> (subject: String, name: String?, email: String?)
}

extension OAuthDialect {
    /// The version of Facebook's interface.
    private static let version = "v23.0"

    /// Facebook Login for the web, by hand.
    /// - Parameter issuer: `https://www.facebook.com`; a test's own stands for the graph too.
    static func facebook(_ issuer: String) -> OAuthDialect {
        let graph = issuer == ProviderSettings.facebook ? "https://graph.facebook.com" : issuer
        return OAuthDialect(
            dialog: "\(issuer)/\(version)/dialog/oauth", token: "\(graph)/\(version)/oauth/access_token",
            scope: "public_profile,email", usesPKCE: false, proof: [("auth_type", "reauthenticate")],
            profile: { token, secret in
                // Shows that the token is used by the app itself, and was not taken from somebody's browser.
                let proof = HMACSHA256(key: Array(secret.utf8)).authenticate(Array(token.utf8)).bytes
                return "\(graph)/\(version)/me?"
                    + FormText.encoded([("fields", "id,name,email"), ("appsecret_proof", Hex.text(proof))])
            },
            read: { body throws(ServiceFault) in
                struct Me: Decodable {
                    let id: String
                    let name: String?
                    let email: String?
                }
                guard let me = try? JSONReader.decode(Me.self, from: body, limit: TokenAnswer.limit) else {
                    throw .answer
                }
                return (me.id, me.name, me.email)
            })
    }
}

/// A service that speaks OAuth 2.0 (RFC 6749), and says by a call of its own who somebody is.
struct OAuthService: SignInService {
    let settings: ProviderSettings
    private let dialect: OAuthDialect
    private let caller: any WebCaller

    init(_ settings: ProviderSettings, _ dialect: OAuthDialect, caller: any WebCaller) {
        (self.settings, self.dialect, self.caller) = (settings, dialect, caller)
    }

    func namesItself() -> Bool { false }

    func departure(_ attempt: Attempt) throws -> WebAddress {
        guard let dialog = WebAddress(dialect.dialog, allowsLoopback: true) else { throw ServiceFault.documentAddress }
        var fields = [
            ("response_type", "code"), ("client_id", settings.clientID), ("redirect_uri", attempt.redirect),
            ("scope", dialect.scope), ("state", attempt.state),
        ]
        if dialect.usesPKCE { fields += [("code_challenge", attempt.challenge), ("code_challenge_method", "S256")] }
        if attempt.isProof { fields += dialect.proof }
        return dialog.adding(fields)
    }

    func profile(code: String, _ attempt: Attempt) async throws -> Profile {
        var fields = [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", attempt.redirect),
            ("client_id", settings.clientID), ("client_secret", settings.clientSecret),
        ]
        if dialect.usesPKCE { fields.append(("code_verifier", attempt.verifier)) }
        let tokens = try TokenAnswer.read(try await caller.post(dialect.token, fields))
        guard let access = tokens.access else { throw ServiceFault.answer }
        let answer = try await caller.get(
            dialect.profile(access, settings.clientSecret), headers: [("Authorization", "Bearer " + access)])
        let found = try dialect.read(answer.body)
        guard IDToken.isSubject(found.subject) else { throw ServiceFault.subject }
        // Such a service says nothing of whether it made sure of an address.
        return Profile(issuer: settings.issuer, subject: found.subject, name: found.name, address: found.email)
    }
}
