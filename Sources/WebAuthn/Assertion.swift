import Crypto
import Wire

/// The ceremony by which a device shows that it has a key, and its person before it: what we asked for, and every check of the answer
/// (W3C Web Authentication Level 3, section 7.2).
public struct Assertion: Sendable {
    /// What was given to sign.
    let challenge: [UInt8]
    /// Who asked.
    let party: RelyingParty

    /// See the properties.
    public init(challenge: [UInt8], party: RelyingParty) { (self.challenge, self.party) = (challenge, party) }

    /// What the browser sends back.
    public struct Answer: Sendable {
        /// What the device calls the credential.
        public let id: [UInt8]
        /// As the browser wrote it.
        public let clientDataJSON: [UInt8]
        /// What the authenticator says and has signed.
        public let authenticatorData: [UInt8]
        /// Over the authenticator's data and the hash of the client's.
        public let signature: [UInt8]
        /// Whose the authenticator says that it is: what we gave it when the credential was made.
        public let userHandle: [UInt8]?

        /// See the properties.
        public init(
            id: [UInt8], clientDataJSON: [UInt8], authenticatorData: [UInt8], signature: [UInt8], userHandle: [UInt8]?
        ) {
            (self.id, self.clientDataJSON, self.authenticatorData) = (id, clientDataJSON, authenticatorData)
            (self.signature, self.userHandle) = (signature, userHandle)
        }
    }

    /// What is known of the credential that is shown.
    public struct Known: Sendable {
        /// Its public half, as a COSE key.
        let publicKey: [UInt8]
        /// How often it had signed.
        let counter: UInt32
        /// Whether devices may share it.
        let isBackupEligible: Bool
        /// Whose it is: what the authenticator was given.
        let user: [UInt8]

        /// See the properties.
        public init(publicKey: [UInt8], counter: UInt32, isBackupEligible: Bool, user: [UInt8]) {
            (self.publicKey, self.counter, self.isBackupEligible) = (publicKey, counter, isBackupEligible)
            self.user = user
        }
    }

    /// What has changed by it.
    public struct Outcome: Sendable, Equatable {
        /// How often it has signed.
        public let counter: UInt32
        /// Whether devices share it.
        public let isBackedUp: Bool
    }

    /// Checks the answer.
    /// - Parameters:
    ///   - known: what is kept of the credential of that id.
    ///   - isUserNeeded: nobody was signed in: the authenticator itself has to say whose it is.
    public func verify(_ answer: Answer, by known: Known, isUserNeeded: Bool) throws(CeremonyRefusal) -> Outcome {
        if let user = answer.userHandle {
            guard constantTimeEquals(user, known.user) else { throw .wrongUser }
        } else if isUserNeeded {
            throw .wrongUser
        }
        let client = try ClientData(json: answer.clientDataJSON)
        try client.check(.get, challenge: challenge, party)
        let data = try AuthenticatorData(answer.authenticatorData)
        try data.check(party)
        guard data.isBackupEligible == known.isBackupEligible else { throw .otherBackup }
        let key = try COSEKey(known.publicKey)
        guard key.isValid(answer.signature, over: answer.authenticatorData + client.hash) else { throw .wrongSignature }
        guard Self.hasAdvanced(data.counter, since: known.counter) else { throw .counterWentBack }
        return Outcome(counter: data.counter, isBackedUp: data.isBackedUp)
    }

    /// Step 22: a counter only rises. One that does not count stays at 0.
    static func hasAdvanced(_ counter: UInt32, since known: UInt32) -> Bool {
        counter == 0 && known == 0 || counter > known
    }
}
