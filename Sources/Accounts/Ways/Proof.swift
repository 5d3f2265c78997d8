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

/// That somebody has proven who they are, in a session.
public struct Proof: Sendable, Equatable {
    /// When it was done last.
    public let at: Timestamp
    /// Whether a strong way was used since the session began.
    public let isStrong: Bool

    /// A proof is fresh for so long, in milliseconds: ten minutes.
    public static let freshness: Int64 = 600_000

    /// See the properties.
    public init(at: Timestamp, isStrong: Bool) { (self.at, self.isStrong) = (at, isStrong) }

    /// Whether what must not be done with a session that somebody left open may be done now.
    public func isFresh(at now: Timestamp) -> Bool {
        let age = now.milliseconds - at.milliseconds
        return age >= 0 && age < Self.freshness
    }
}
