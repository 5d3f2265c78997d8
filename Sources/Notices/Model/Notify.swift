import Accounts
import Commands
import Crypto
import Identity
import Ledger
import System
import Wire

/// To whom a notice goes.
public struct Recipients: Sendable, Equatable {
    /// At most so many at once.
    public static let most = 5_000
    /// At most so many one after the other.
    public static let mostInTurn = 32

    /// Who, in order; each once.
    public let people: [PersonID]
    /// One after the other, so many minutes apart, until somebody acknowledges; nil: all at once.
    public let minutesBetween: Int?

    /// All at once; beyond `most` they are cut off.
    public static func all(_ people: [PersonID]) -> Recipients {
        Recipients(people: Array(each(people).prefix(most)), minutesBetween: nil)
    }

    /// One after the other, until somebody acknowledges; beyond `mostInTurn` they are cut off.
    /// - Parameter minutes: 1 to 1,440 between two of them.
    public static func inTurn(_ people: [PersonID], minutes: Int) -> Recipients {
        Recipients(people: Array(each(people).prefix(mostInTurn)), minutesBetween: min(max(minutes, 1), 1_440))
    }

    private static func each(_ people: [PersonID]) -> [PersonID] {
        var seen: Set<PersonID> = []
        return people.filter { seen.insert($0).inserted }
    }
}

/// Tells people something, by whichever ways they want to be told.
public struct Notify: Command {
    /// The notice's name: a new one, or that of the notice that said the same a moment ago.
    public typealias Outcome = NoticeID

    /// Once: the same key within the window is the same notice, whoever asks and however often.
    public static let manifest = Manifest(
        name: "notices.notify", effect: .once, capability: "tell people something",
        inputs: [
            Pin("people", .person), Pin("title", .text), Pin("body", .text, optional: true),
            Pin("urgency", .text, optional: true), Pin("key", .text, optional: true),
        ], outputs: [Pin("notice", .notice)])

    /// The longest that a notice matters, in milliseconds: 30 days.
    public static let longestLifetime: Int64 = 30 * 86_400_000

    /// The place that it is about; nil: the persons' own accounts.
    public var site: SiteID?
    /// What it says.
    public var content: NoticeContent
    /// To whom it goes.
    public var recipients: Recipients
    /// Whom it tells of, so that it goes when they are erased; nil: nobody but its recipients.
    public var about: PersonID?
    /// What makes two notices of one kind and site the same; nil: each is new. Not a word that names somebody.
    public var key: String?
    /// For so long, in milliseconds, the same key is the same notice.
    public var window: Int64
    /// For so long, in milliseconds, it matters.
    public var lifetime: Int64

    /// See the properties.
    public init(
        site: SiteID?, content: NoticeContent, to recipients: Recipients, about: PersonID? = nil, key: String? = nil,
        window: Int64 = 86_400_000, lifetime: Int64 = 7 * 86_400_000
    ) {
        (self.site, self.content, self.recipients, self.about) = (site, content, recipients, about)
        self.key = key.map(Self.short)
        (self.window, self.lifetime) = (max(window, 0), min(max(lifetime, 1_000), Self.longestLifetime))
    }
}

extension Notify {
    /// So many bytes a key has at most as it is kept.
    static let longestKey = 128

    /// A longer key is kept as its digest: what makes it long may come from outside.
    private static func short(_ key: String) -> String {
        key.utf8.count <= longestKey ? key : Hex.text(Digest.sha256(Array(key.utf8)))
    }
}

/// Somebody takes care of it: nobody else is told any more.
public struct AcknowledgeNotice: Command {
    /// Whether this was the first acknowledgement; false: somebody had taken care before.
    public typealias Outcome = Bool

    /// Twice is as good as once.
    public static let manifest = Manifest(
        name: "notices.acknowledge", effect: .idempotent, capability: "answer notices of one's own",
        inputs: [Pin("notice", .notice), Pin("person", .person)], outputs: [Pin("first", .truth)])

    /// Which.
    public let notice: NoticeID
    /// Who takes care: somebody who received it.
    public let person: PersonID

    /// See the properties.
    public init(_ notice: NoticeID, by person: PersonID) { (self.notice, self.person) = (notice, person) }
}

/// Why something about notices is not done.
public enum NoticeRefusal: Error, Sendable, Equatable {
    /// There is no such notice, or it was not for who asks.
    case unknown
    /// It mattered until a while ago.
    case over
    /// It has no such action, or nobody answers it.
    case noSuchAction
    /// An action was taken already.
    case alreadyActed
    /// Whoever sends it may not, or not to all of those people.
    case notAllowed
    /// So much was sent that the next has to wait.
    case tooMany(retryAfterSeconds: Int)
    /// A field that will not do.
    case invalid(field: String)
}
