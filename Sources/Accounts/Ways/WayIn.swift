import Ledger
import Store
import System

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
    /// Whether the person's devices share it.
    public var isBackedUp: Bool
    /// When it was added.
    public let added: Timestamp
    /// When it was last used; nil: never.
    public var used: Timestamp?

    /// See the properties.
    public init(
        id: [UInt8], party: String, name: String, publicKey: [UInt8], counter: UInt32, isBackedUp: Bool,
        added: Timestamp, used: Timestamp? = nil
    ) {
        (self.id, self.party, self.name, self.publicKey) = (id, party, name, publicKey)
        (self.counter, self.isBackedUp, self.added, self.used) = (counter, isBackedUp, added, used)
    }
}

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
