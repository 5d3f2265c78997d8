import Courier
import Crypto
import JSON
import System

/// A service that speaks OpenID Connect: the authorization code flow with PKCE (OpenID Connect Core, 3.1; RFC 7636).
struct OpenIDService: SignInService {
    let settings: ProviderSettings
    private let caller: any WebCaller
    private let clock: WallClock
    private let allowsLoopback: Bool
    private let document: Kept<ServiceDocument>
    private let keys: Kept<KeySet>

    init(
        _ settings: ProviderSettings, caller: any WebCaller, clock: WallClock, allowsLoopback: Bool,
        uptime: @escaping @Sendable () -> UInt64
    ) {
        (self.settings, self.caller, self.clock, self.allowsLoopback) = (settings, caller, clock, allowsLoopback)
        (document, keys) = (Kept(uptime: uptime), Kept(uptime: uptime))
    }

    func namesItself() async throws -> Bool { try await described().namesItself }

    func departure(_ attempt: Attempt) async throws -> WebAddress {
        var fields = [
            ("response_type", "code"), ("client_id", settings.clientID), ("redirect_uri", attempt.redirect),
            ("scope", "openid email profile"), ("state", attempt.state), ("nonce", attempt.nonce),
            ("code_challenge", attempt.challenge), ("code_challenge_method", "S256"),
        ]
        // Google knows no `login`: there somebody is asked at least which of their accounts they mean. With an age asked for, the
        // token has to say when they proved who they are; an age of 0 is refused by some.
        if attempt.isProof { fields += [("prompt", isGoogle ? "select_account" : "login"), ("max_age", "600")] }
        return try await described().authorization.adding(fields)
    }

    func profile(code: String, _ attempt: Attempt) async throws -> Profile {
        let document = try await described()
        let tokens = try await redeem(code, attempt, document)
        guard let text = tokens.identity else { throw ServiceFault.answer }
        let signed = try SignedToken(text)
        try await check(signed, document)
        var question = IDToken.Question(
            issuers: issuers, client: settings.clientID, nonce: attempt.nonce, now: clock.now)
        if attempt.isProof { question.since = attempt.begun }
        let token = try IDToken(signed.payload, answering: question)
        var profile = Profile(issuer: settings.issuer, subject: token.subject, name: token.name)
        profile.take(email: token.email, isVerified: token.isEmailVerified)
        if !attempt.isProof, profile.name == nil || token.email == nil {
            try await complete(&profile, tokens, document)
        }
        return profile
    }

    // MARK: parts

    /// Google's tokens name it with and without the scheme.
    private var issuers: [String] { isGoogle ? [settings.issuer, "accounts.google.com"] : [settings.issuer] }
    private var isGoogle: Bool { settings.issuer == ProviderSettings.google }

    private func described() async throws -> ServiceDocument {
        try await document.get { [caller, settings, allowsLoopback] in
            let answer = try await caller.get(ServiceDocument.address(of: settings.issuer))
            return (
                try ServiceDocument(answer.body, of: settings.issuer, allowsLoopback: allowsLoopback),
                lifetime(of: answer)
            )
        }
    }

    private func redeem(_ code: String, _ attempt: Attempt, _ document: ServiceDocument) async throws -> TokenAnswer {
        var fields = [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", attempt.redirect),
            ("code_verifier", attempt.verifier),
        ]
        var headers: [(name: String, value: String)] = []
        switch document.authentication {
        case .basic:
            // Each is encoded before they are joined (RFC 6749, 2.3.1).
            let pair = FormText.encoded(settings.clientID) + ":" + FormText.encoded(settings.clientSecret)
            headers = [("Authorization", "Basic " + Base64.text(Array(pair.utf8)))]
        case .post: fields += [("client_id", settings.clientID), ("client_secret", settings.clientSecret)]
        }
        return try TokenAnswer.read(try await caller.post(document.token.description, fields, headers: headers))
    }

    /// Checks a token's signature. A key that we do not know may be new: the set is looked at once more, but not at every such token.
    private func check(_ token: SignedToken, _ document: ServiceDocument) async throws {
        let fetch: @Sendable () async throws -> (KeySet, UInt64) = { [caller] in
            let answer = try await caller.get(document.keys.description)
            return (try KeySet(answer.body), lifetime(of: answer))
        }
        do { try await keys.get(fetch).check(token) } catch ServiceFault.unknownKey {
            guard let renewed = try await keys.renew(fetch) else { throw ServiceFault.unknownKey }
            try renewed.check(token)
        }
    }

    /// Asks for name and address where the token holds none (OpenID Connect Core, 5.3). Without an answer it goes without them.
    private func complete(_ profile: inout Profile, _ tokens: TokenAnswer, _ document: ServiceDocument) async throws {
        guard let address = document.profile, let access = tokens.access,
            let answer = try? await caller.get(address.description, headers: [("Authorization", "Bearer " + access)]),
            let claims = try? JSONReader.decode(UserInfo.self, from: answer.body, limit: TokenAnswer.limit)
        else { return }
        guard claims.subject == profile.subject else { throw ServiceFault.otherSubject }
        profile.name = profile.name ?? claims.name
        if profile.address == nil {
            profile.take(email: claims.email, isVerified: claims.isEmailVerified?.value ?? false)
        }
    }

    private struct UserInfo: Decodable {
        let subject: String
        let name: String?
        let email: String?
        let isEmailVerified: Flag?

        enum CodingKeys: String, CodingKey {
            case subject = "sub"
            case isEmailVerified = "email_verified"
            case name, email
        }
    }
}

extension Profile {
    /// An address for which nobody vouches is anybody's: it is not taken.
    fileprivate mutating func take(email: String?, isVerified: Bool) {
        if isVerified { (address, isAddressConfirmed) = (email, email != nil) }
    }
}
