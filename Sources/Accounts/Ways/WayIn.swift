import Crypto
import Identity
import Ledger
import Store
import System
import Wire

/// Another service's word for somebody: who they are there. Keyed by issuer and subject, never by an address alone.
public struct Identity: Sendable, Equatable {
    /// Who speaks: the issuer of OpenID Connect, an https address; or the service's own for one without.
    public let issuer: String
    /// Whom it speaks of: at most 255 bytes, which mean nothing to anybody else.
    public let subject: String
    /// What the person is called there, or their address: for the list of ways in.
    public var label: String
    /// When it was linked.
    public let added: Timestamp
    /// When it was last used to sign in; nil: never.
    public var used: Timestamp?

    /// See the properties.
    public init(issuer: String, subject: String, label: String, added: Timestamp, used: Timestamp? = nil) {
        (self.issuer, self.subject, self.label, self.added, self.used) = (issuer, subject, label, added, used)
    }
}

/// A key pair of which the private half never leaves somebody's device (W3C Web Authentication).
public struct Passkey: Sendable, Equatable {
    /// What the device calls it: at most 1,023 bytes.
    public let id: [UInt8]
    /// The host that it belongs to, `rp.id`: it does not work for another.
    public let party: String
    /// What its person calls it.
    public var name: String
    /// Its public half, as a COSE key (RFC 9052, section 7).
    public let publicKey: [UInt8]
    /// How often it has signed, as far as it counts; 0 when it does not.
    public var counter: UInt32
    /// Whether the person's devices may share it; said when it was made, and never another later.
    public let isBackupEligible: Bool
    /// Whether they do.
    public var isBackedUp: Bool
    /// How a browser reaches the device that has it.
    public let transports: [Transport]
    /// When it was added.
    public let added: Timestamp
    /// When it was last used; nil: never.
    public var used: Timestamp?

    /// See the properties.
    public init(
        id: [UInt8], party: String, name: String, publicKey: [UInt8], counter: UInt32, isBackupEligible: Bool = false,
        isBackedUp: Bool, transports: [Transport] = [], added: Timestamp, used: Timestamp? = nil
    ) {
        (self.id, self.party, self.name, self.publicKey) = (id, party, name, publicKey)
        (self.counter, self.isBackupEligible, self.isBackedUp) = (counter, isBackupEligible, isBackedUp)
        (self.transports, self.added, self.used) = (transports, added, used)
    }

    /// What pages and programs call it: a name of its own is up to 1,023 bytes long, so 16 bytes of its SHA-256.
    public var reference: PasskeyID { PasskeyID(ID16(Array(Digest.sha256(id).prefix(16))) ?? .zero) }

    /// How a browser reaches an authenticator (W3C Web Authentication, 5.8.4): a hint for it, and nothing else.
    public enum Transport: String, Sendable, CaseIterable {
        /// Built into the device in one's hand.
        case `internal`
        /// A phone beside the device in one's hand.
        case hybrid
        /// A key to plug in.
        case usb
        /// A key to hold against it.
        case nfc
        /// A key by radio.
        case ble
        /// A card in a reader.
        case smartCard = "smart-card"

        /// As it is stored: names with blanks between them.
        static func text(_ list: [Transport]) -> String { list.map(\.rawValue).joined(separator: " ") }
        /// Of what `text` wrote; what it does not know is left out.
        static func list(_ text: String) -> [Transport] {
            text.split(separator: " ").compactMap { Transport(rawValue: String($0)) }
        }
    }
}

/// The name of a passkey in pages and programs.
public typealias PasskeyID = ID<Passkey>

/// Everything by which somebody gets in.
public struct WaysIn: Sendable, Equatable {
    /// Whether there is a password.
    public var hasPassword: Bool
    /// The first added first.
    public var passkeys: [Passkey]
    /// The first added first.
    public var identities: [Identity]

    /// How many there are. The last one is never removed.
    public var count: Int { (hasPassword ? 1 : 0) + passkeys.count + identities.count }
}

/// Why a way in stays as it is.
public enum WayRefusal: Error, Sendable, Equatable {
    /// It is the only one: without it nobody would get in any more.
    case isLast
    /// It belongs to somebody else's account.
    case belongsToAnother
    /// There are as many as an account may have.
    case tooMany
    /// There is none of that name.
    case unknown
}
