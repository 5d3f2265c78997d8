import Crypto

/// The ceremony by which a device makes a key for this hub: what we asked for, and every check of the answer (W3C Web Authentication
/// Level 3, section 7.1).
public struct Registration: Sendable {
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
        /// CBOR: format, statement, authenticator data.
        public let attestationObject: [UInt8]

        /// See the properties.
        public init(id: [UInt8], clientDataJSON: [UInt8], attestationObject: [UInt8]) {
            (self.id, self.clientDataJSON, self.attestationObject) = (id, clientDataJSON, attestationObject)
        }
    }

    /// What is kept of it (4, "credential record").
    public struct Credential: Sendable, Equatable {
        /// What the device calls it.
        public let id: [UInt8]
        /// Its public half, as a COSE key.
        public let publicKey: [UInt8]
        /// How often it has signed.
        public let counter: UInt32
        /// Whether devices may share it.
        public let isBackupEligible: Bool
        /// Whether they do.
        public let isBackedUp: Bool
    }

    /// Checks the answer. That no account has the credential yet (step 26) is for whoever keeps it.
    public func verify(_ answer: Answer) throws(CeremonyRefusal) -> Credential {
        let client = try ClientData(json: answer.clientDataJSON)
        try client.check(.create, challenge: challenge, party)
        guard let object = try? CBOR.read(answer.attestationObject), let format = object["fmt"]?.asText,
            let statement = object["attStmt"], statement.asMap != nil, let bytes = object["authData"]?.asBytes
        else { throw .malformedAttestation }
        let data = try AuthenticatorData(bytes)
        try data.check(party)
        guard let credential = data.credential else { throw .noCredential }
        guard credential.id == answer.id else { throw .otherID }
        try Self.check(format, statement, signed: bytes + client.hash, by: credential.key)
        return Credential(
            id: credential.id, publicKey: credential.publicKey, counter: data.counter,
            isBackupEligible: data.isBackupEligible, isBackedUp: data.isBackedUp)
    }

    /// Steps 21 to 24. We ask for no attestation: which make a device is, is none of our business. What may come then is none, or the key's
    /// signature over itself (5.1.3, "packed" without x5c), which is checked; anything else was not asked for, and is refused.
    private static func check(
        _ format: String, _ statement: CBOR, signed: [UInt8], by key: COSEKey
    ) throws(CeremonyRefusal) {
        switch format {
        case "none":
            guard statement.asMap?.isEmpty == true else { throw .wrongAttestation }
        case "packed":
            guard statement.asMap?.count == 2, statement["alg"] == .int(key.algorithm),
                let signature = statement["sig"]?.asBytes
            else { throw .wrongAttestation }
            guard key.isValid(signature, over: signed) else { throw .wrongAttestationSignature }
        default: throw .wrongAttestation
        }
    }
}
