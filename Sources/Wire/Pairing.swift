/// The pure parts of pairing: how hub and gate get their key out of an X25519 secret and the code that a person carried
/// from one to the other. X25519 itself is the crypto library's.
public enum Pairing {
    /// The gate's key: `HKDF-SHA256` without salt, material `shared 32 · code 16`, info `hub identity 32 · gate's
    /// public key 32 · hub's public key 32 · gate id 16`. Whoever stood between both sides without the code has another
    /// one.
    public static func gateKey(
        shared: [UInt8], code: [UInt8], hubIdentity: [UInt8], gatePublicKey: [UInt8], hubPublicKey: [UInt8],
        gateID: ID16
    ) -> Key {
        let material = HKDFSHA256.extract(salt: [], inputKeyMaterial: shared + code)
        return HKDFSHA256.expandKey(
            material,
            info: transcript(
                hubIdentity: hubIdentity, gatePublicKey: gatePublicKey, hubPublicKey: hubPublicKey, gateID: gateID))
    }

    /// The hub's confirmation that it has the key: domain 9 · transcript (the info above).
    public static func hubConfirmation(
        gateKey: Key, hubIdentity: [UInt8], gatePublicKey: [UInt8], hubPublicKey: [UInt8], gateID: ID16
    ) -> Tag {
        confirmation(
            .pairingHub, gateKey,
            transcript(
                hubIdentity: hubIdentity, gatePublicKey: gatePublicKey, hubPublicKey: hubPublicKey, gateID: gateID))
    }

    /// The gate's confirmation that it has the key: domain 10 · transcript (the info above).
    public static func gateConfirmation(
        gateKey: Key, hubIdentity: [UInt8], gatePublicKey: [UInt8], hubPublicKey: [UInt8], gateID: ID16
    ) -> Tag {
        confirmation(
            .pairingGate, gateKey,
            transcript(
                hubIdentity: hubIdentity, gatePublicKey: gatePublicKey, hubPublicKey: hubPublicKey, gateID: gateID))
    }

    /// Hub identity · gate's public key · hub's public key · gate id.
    public static func transcript(
        hubIdentity: [UInt8], gatePublicKey: [UInt8], hubPublicKey: [UInt8], gateID: ID16
    ) -> [UInt8] {
        hubIdentity + gatePublicKey + hubPublicKey + gateID.bytes
    }

    private static func confirmation(_ domain: Domain, _ key: Key, _ transcript: [UInt8]) -> Tag {
        HMACSHA256(key: key).authenticate([domain.rawValue], transcript)
    }
}
