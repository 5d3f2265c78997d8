/// Why a ceremony was not accepted: one case per check (W3C Web Authentication Level 3, sections 7.1 and 7.2).
public enum CeremonyRefusal: Error, Sendable, Equatable, CaseIterable {
    /// What the browser says that it did is no JSON, or lacks something.
    case malformedClientData
    /// The other ceremony: a registration where a sign-in was asked for, or the other way round.
    case wrongType
    /// Not the challenge that we gave.
    case wrongChallenge
    /// Made on a page of somebody else.
    case wrongOrigin
    /// Made in a frame inside somebody else's page.
    case crossOrigin
    /// The attestation object is not what authenticators write.
    case malformedAttestation
    /// The authenticator's data is not what authenticators write.
    case malformedAuthenticatorData
    /// Made for another relying party.
    case wrongParty
    /// Nobody touched the device.
    case notPresent
    /// The device did not see its person's face, finger or code.
    case notVerified
    /// It says that it is shared among devices, and that it cannot be.
    case inconsistentBackup
    /// Whether it can be shared among devices has changed since it was made, which never happens.
    case otherBackup
    /// A registration without a credential.
    case noCredential
    /// The key is no public key, or not as COSE writes it.
    case malformedKey
    /// A key of an algorithm that we did not offer.
    case wrongAlgorithm
    /// The credential's name has more than 1,023 bytes, or none.
    case wrongIDLength
    /// The credential's name inside is another than outside.
    case otherID
    /// An attestation that we did not ask for.
    case wrongAttestation
    /// The attestation's signature is not the key's own.
    case wrongAttestationSignature
    /// None of the credentials that we asked for.
    case notAllowed
    /// The authenticator did not say whose it is, or says somebody else.
    case wrongUser
    /// The signature is not the key's.
    case wrongSignature
    /// It has signed more often than it says now: possibly there is a copy of it.
    case counterWentBack
}
