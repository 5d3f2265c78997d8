import Identity
import Ledger
import Store
import System

/// How an invitation comes to whom it is for.
public enum InvitationWay: String, Sendable, CaseIterable {
    /// By a letter: whoever shows its code reads the address.
    case letter
    /// On paper or a screen, from hand to hand: whoever shows its code was given it, and says which address is theirs.
    case paper
}

/// Lets whoever holds its code take the place of somebody whom a site expects, once.
///
/// A site never makes a member of an account that it only knows an address of. It adds a *stand-in*: a person with the name that the
/// site uses, and without a way in. So it learns nothing of an account that may have that address, and rights begin when its holder takes
/// the place.
public struct Invitation: Sendable, Equatable {
    /// The stand-in.
    public let person: PersonID
    /// Where they are expected.
    public let site: SiteID
    /// How the code travels.
    public let way: InvitationWay
    /// Who invites; nil: the hub, or somebody who is gone.
    public let by: PersonID?
    /// From then on the code opens nothing.
    public let expires: Timestamp
    /// The newest letter with it; nil: it goes by no letter, or by one of an older hub.
    public let letter: LetterID?
    /// What keeps that letter; nil: nothing that the hub knows of.
    public let trouble: LetterTrouble?

    /// How it stands with somebody's invitations.
    public enum State: String, Sendable, CaseIterable {
        /// One is good, and may reach them.
        case open
        /// One is good, and the mail server refused its letter.
        case refused
    }

    /// The kind of id that names its letters.
    public enum LetterName {}
    /// The name of a letter with it.
    public typealias LetterID = ID<LetterName>

    /// Why a letter is not there.
    public enum LetterTrouble: String, Sendable {
        /// The mail server does not take it now; it is tried again.
        case held
        /// The mail server will not have it, most often because the address does not exist.
        case refused
    }

    /// A code holds for so long, in milliseconds: a week.
    public static let lifetime: Int64 = 7 * 86_400_000

    /// See the properties.
    public init(
        person: PersonID, site: SiteID, way: InvitationWay, by: PersonID?, expires: Timestamp,
        letter: LetterID? = nil, trouble: LetterTrouble? = nil
    ) {
        (self.person, self.site, self.way, self.by, self.expires) = (person, site, way, by, expires)
        (self.letter, self.trouble) = (letter, trouble)
    }
}

/// What a feature does about its own tables when an account takes the place of a stand-in at a site: what named the one names the other.
public struct Handover: Sendable {
    /// Runs inside the caller's transaction.
    public let run: @Sendable (_ standIn: PersonID, _ person: PersonID, _ site: SiteID, Database) throws -> Void

    /// See the property.
    public init(
        _ run: @escaping @Sendable (_ standIn: PersonID, _ person: PersonID, _ site: SiteID, Database) throws -> Void
    ) {
        self.run = run
    }
}
