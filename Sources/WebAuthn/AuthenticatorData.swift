import Crypto
import Wire

/// What the authenticator itself says and signs (W3C Web Authentication, 6.1).
///
/// Layout: SHA-256 of `rp.id` 32 · flags 1 · counter u32 · with the flag AT: AAGUID 16, length u16, the credential's name, its key in COSE ·
/// with the flag ED: extensions, a map in CBOR.
public struct AuthenticatorData: Sendable, Equatable {
    /// A credential that was just made.
    public struct Credential: Sendable, Equatable {
        /// What the authenticator calls it: 1 to 1,023 bytes.
        public let id: [UInt8]
        /// Its public half, as COSE writes it.
        public let publicKey: [UInt8]
        /// The same, read.
        public let key: COSEKey
    }

    /// SHA-256 of the relying party's id.
    public let partyHash: [UInt8]
    /// UP: somebody touched it.
    public let isPresent: Bool
    /// UV: it saw its person's face, finger or code.
    public let isVerified: Bool
    /// BE: whether devices may share it.
    public let isBackupEligible: Bool
    /// BS: whether they do.
    public let isBackedUp: Bool
    /// How often it has signed; 0 when it does not count.
    public let counter: UInt32
    /// With a registration alone.
    public let credential: Credential?

    /// The longest name of a credential, in bytes (7.1, step 25).
    public static let longestID = 1023

    /// - Parameter bytes: all of it; nothing may be left over.
    public init(_ bytes: [UInt8]) throws(CeremonyRefusal) {
        var reader = Reader(bytes)
        guard let hash = try? reader.bytes(32), let flags = try? reader.u8(), let counter = try? reader.u32() else {
            throw .malformedAuthenticatorData
        }
        (partyHash, self.counter) = (hash, counter)
        isPresent = flags & 0x01 != 0
        isVerified = flags & 0x04 != 0
        isBackupEligible = flags & 0x08 != 0
        isBackedUp = flags & 0x10 != 0
        var position = bytes.count - reader.remaining
        credential = flags & 0x40 == 0 ? nil : try Self.credential(bytes, &position)
        if flags & 0x80 != 0 {
            // Extensions that nobody asked for are passed over (7.1, step 20), but they are a map.
            guard try Self.value(bytes, &position).asMap != nil else { throw .malformedAuthenticatorData }
        }
        guard position == bytes.count else { throw .malformedAuthenticatorData }
    }

    private static func credential(
        _ bytes: [UInt8], _ position: inout Int
    ) throws(CeremonyRefusal) -> Credential {
        var reader = Reader(Array(bytes[position...]))
        guard (try? reader.bytes(16)) != nil, let count = try? reader.u16() else { throw .malformedAuthenticatorData }
        guard (1...longestID).contains(Int(count)) else { throw .wrongIDLength }
        guard let id = try? reader.bytes(Int(count)) else { throw .malformedAuthenticatorData }
        position = bytes.count - reader.remaining
        let start = position
        let key = try COSEKey(value(bytes, &position))
        return Credential(id: id, publicKey: Array(bytes[start..<position]), key: key)
    }

    private static func value(_ bytes: [UInt8], _ position: inout Int) throws(CeremonyRefusal) -> CBOR {
        var reader = CBORReader(bytes, from: position)
        guard let value = try? reader.value() else { throw .malformedAuthenticatorData }
        position = reader.position
        return value
    }

    /// Steps 14 to 17 of a registration (7.1), 15 to 18 of an assertion (7.2). We always ask for the person, not only for a touch.
    func check(_ party: RelyingParty) throws(CeremonyRefusal) {
        guard constantTimeEquals(partyHash, Digest.sha256(Array(party.id.utf8))) else { throw .wrongParty }
        guard isPresent else { throw .notPresent }
        guard isVerified else { throw .notVerified }
        guard isBackupEligible || !isBackedUp else { throw .inconsistentBackup }
    }
}
