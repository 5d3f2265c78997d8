import Identity
import Ledger
import Store
import System

/// What a link in a letter lets its reader do, once.
public enum LinkPurpose: String, Sendable, CaseIterable {
    /// Make an account for the address that the letter went to.
    case register
    /// Choose another password.
    case reset
    /// Have this address from now on.
    case address

    /// It holds for so long, in milliseconds: what opens an account 30 minutes, what opens none yet 48 hours.
    public var lifetime: Int64 {
        switch self {
        case .reset: 30 * 60_000
        case .register, .address: 48 * 3_600_000
        }
    }
}

/// A link that works once. Its secret is in the letter alone; here is only the hash of it.
public struct OneTimeLink: Sendable, Equatable {
    /// What it is for.
    public let purpose: LinkPurpose
    /// Whose account it opens; nil for one that is still to be made.
    public let person: PersonID?
    /// Where the letter went, in lower case: whoever shows the link reads that address.
    public let address: String
    /// What somebody said that they are called, who wants an account.
    public let name: String?
    /// In which language they did.
    public let language: String?
    /// From then on it opens nothing.
    public let expires: Timestamp

    /// See the properties.
    public init(
        purpose: LinkPurpose, person: PersonID?, address: String, name: String? = nil, language: String? = nil,
        expires: Timestamp
    ) {
        (self.purpose, self.person, self.address) = (purpose, person, address)
        (self.name, self.language, self.expires) = (name, language, expires)
    }
}

/// The link was used, is too old, was followed by a newer one, or never was: nobody is told which.
public struct LinkIsSpent: Error, Sendable, Equatable {
    /// Without a reason.
    public init() {}
}
