import Store
import System

/// How somebody proved who they are.
public enum ProofMethod: String, Sendable {
    /// What they know.
    case password
    /// A key on their own device, which it uses only after it has seen its person's face or finger, or their code.
    case passkey
    /// Another service's word for them.
    case identity
    /// A letter to their address, and the link in it.
    case letter

    /// Whether it is two factors in one: having the device, and being its person.
    public var isStrong: Bool { self == .passkey }
}

/// By which of an account's ways somebody proved who they are: what it opened ends when that way is taken away.
public enum ProofWay: Sendable, Equatable {
    /// The account's one password.
    case password
    /// A letter to the account's address.
    case letter
    /// One of the account's passkeys.
    case passkey(PasskeyID)
    /// One of the account's identities.
    case identity(issuer: String, subject: String)

    /// What kind of way it is.
    public var method: ProofMethod {
        switch self {
        case .password: .password
        case .letter: .letter
        case .passkey: .passkey
        case .identity: .identity
        }
    }

    /// As sessions keep it.
    var stored: String {
        switch self {
        case .password, .letter: method.rawValue
        case .passkey(let id): "\(method.rawValue) \(id.text)"
        case .identity(let issuer, let subject):
            "\(method.rawValue) \(Identity.handle(issuer: issuer, subject: subject))"
        }
    }
}

/// That somebody has proven who they are, in a session.
public struct Proof: Sendable, Equatable {
    /// When it was done last.
    public let at: Timestamp
    /// When a strong way was used last; nil: not since the session began.
    public let strongAt: Timestamp?

    /// Whether a strong way was used since the session began.
    public var isStrong: Bool { strongAt != nil }

    /// A proof is fresh for so long, in milliseconds: ten minutes.
    public static let freshness: Int64 = 600_000

    /// See the properties.
    public init(at: Timestamp, strongAt: Timestamp?) { (self.at, self.strongAt) = (at, strongAt) }

    /// A proof by one way alone.
    public init(at: Timestamp, isStrong: Bool) { self.init(at: at, strongAt: isStrong ? at : nil) }

    /// Whether what must not be done with a session that somebody left open may be done now.
    public func isFresh(at now: Timestamp) -> Bool { Self.isFresh(at, now) }

    /// Whether a strong way was used so lately: a password that was shown since does not make an old passkey fresh.
    public func isFreshlyStrong(at now: Timestamp) -> Bool { strongAt.map { Self.isFresh($0, now) } ?? false }

    private static func isFresh(_ time: Timestamp, _ now: Timestamp) -> Bool {
        let age = now.milliseconds - time.milliseconds
        return age >= 0 && age < freshness
    }
}
