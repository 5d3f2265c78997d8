import Courier

/// What is wrong with what another service says. The texts are for the log of whoever runs the hub.
public enum ServiceFault: String, Error, Sendable, CaseIterable {
    // Its description of itself.
    case document = "its description is not one"
    case documentIssuer = "its description is another issuer's"
    case documentAddress = "its description names an address that is not https"
    case documentSecret = "it takes the client's secret in no way that we know"

    // Its keys.
    case keys = "its key set is not one"
    case tooManyKeys = "its key set has too many keys"

    // What it answers.
    case status = "it answered with another status than it should"
    case answer = "its answer is not what it should be"
    case client = "it does not accept the client's id or secret"

    // How somebody comes back.
    case returnedIssuer = "somebody came back with the word of another issuer"
    case returnedNothing = "somebody came back without a code"
    case usedCode = "it does not accept the code that somebody came back with"

    // The token.
    case token = "its token is not one"
    case tokenTooLong = "its token is too long"
    case algorithm = "its token is signed in a way that is not accepted"
    case criticalExtension = "its token must be understood in a way that we do not know"
    case unknownKey = "its token is signed with a key that is not in its key set"
    case signature = "its token's signature is wrong"
    case claims = "its token lacks something, or has it in another form"
    case issuer = "its token is another issuer's"
    case audience = "its token is for somebody else"
    case expired = "its token is over"
    case early = "its token is of a time that has not come"
    case nonce = "its token answers another question"
    case subject = "its token speaks of nobody that can be told from others"
    case stale = "it did not ask its person anew"
    case otherSubject = "its profile is another person's than its token"

    // A request that it signed.
    case request = "its request is not one"
    case requestSignature = "its request's signature is wrong"
}

/// Why nobody was signed in by another service.
public enum SignInRefusal: Error, Sendable, Equatable {
    /// No such service is set up here.
    case unknownService
    /// The sign-in was not begun in this browser, is over, or was used already.
    case notBegun
    /// The person, or the service, said no.
    case declined
    /// The service cannot be reached.
    case unreachable(CourierError)
    /// Too many are being signed in by it at this moment.
    case busy
    /// What it says is not to be believed.
    case untrusted(ServiceFault)

    init(_ error: any Error) {
        self =
            switch error {
            case let refusal as SignInRefusal: refusal
            case let fault as ServiceFault: .untrusted(fault)
            case let error as CourierError: .unreachable(error)
            default: .untrusted(.answer)
            }
    }
}
