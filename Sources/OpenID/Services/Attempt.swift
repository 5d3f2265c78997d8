import Crypto
import System

/// A sign-in on its way: somebody was sent to a service and has not come back.
struct Attempt: Sendable {
    /// What the service is given back to us with: 256 random bits, the name of this attempt.
    let state: String
    /// What an ID token must hold, so that it is an answer to this question alone.
    let nonce: String
    /// What proves, when the code is changed for a token, that we are who sent the browser there (RFC 7636): 43 characters.
    let verifier: String
    /// Where the browser comes back to, to the letter.
    let redirect: String
    /// When it was begun.
    let begun: Timestamp
    /// Whether the service is to ask its person anew, also where they are signed in there.
    let isProof: Bool

    init(redirect: String, begun: Timestamp, isProof: Bool) {
        (self.redirect, self.begun, self.isProof) = (redirect, begun, isProof)
        (state, nonce, verifier) = (Token().text, Token().text, Token().text)
    }

    /// S256 of the verifier (RFC 7636, 4.2).
    var challenge: String { Base64.urlText(Digest.sha256(Array(verifier.utf8))) }
}
