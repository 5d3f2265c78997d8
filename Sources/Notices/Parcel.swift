import Crypto
import Identity
import JSON
import Ledger
import Store
import System
import Wire

/// The ways by which something leaves the hub and may take a while.
public enum Channel: String, Sendable, JSONChoice {
    /// A letter, by SMTP.
    case mail
    /// To a browser or an installed app (RFC 8030).
    case push
    /// A call to somebody's own server.
    case webhook
    /// To a native app, by Apple's service.
    case apns
}

/// The kinds of lanes of a channel. Of calls to servers each has threads of its own, of messages to devices alarms have.
public enum LaneKind: Sendable, CaseIterable {
    /// The outbox's.
    case ordinary
    /// For what cannot wait for the database: see `FairLanes`.
    case atOnce
    /// For tests whose answer a person waits for: see `Outbox.tryOut`.
    case trial
}

/// Something that has to leave the hub, kept until it has arrived, was refused, or is too old to matter.
public struct Parcel: Sendable, Equatable {
    /// The kind of id that names parcels.
    public enum Name {}
    /// The kind of id that names shares.
    public enum Share {}
    /// Its name in tables.
    public let id: ID<Name>
    /// By which way it goes.
    public let channel: Channel
    /// For whom; nil for nobody whom we know.
    public let person: PersonID?
    /// What it is part of, so that its sender can see what became of it; nil for a letter on its own.
    public let subject: [UInt8]?
    /// What its carrier reads: which form that is, only the carrier knows. Gone once it has arrived or was given up.
    public let payload: [UInt8]
    /// When it was handed in.
    public let created: Timestamp
    /// After this it matters no more.
    public let expires: Timestamp
    /// Whose share of the channel's lanes it takes: the site's whose server is called or that writes to many, else the recipient's.
    public let share: ShareID
    /// How often it was tried before.
    public var attempts: Int

    /// The most bytes of a payload.
    public static let longest = 256 << 10

    /// See the properties.
    /// - Parameter share: the person's unless told; of what is for no person, the subject's or its own.
    public init(
        id: ID<Name>, channel: Channel, person: PersonID?, subject: [UInt8]? = nil, payload: [UInt8],
        created: Timestamp, expires: Timestamp, share: ShareID? = nil, attempts: Int = 0
    ) {
        self.share = share ?? ShareID(person?.raw ?? subject.flatMap { ID16($0) } ?? id.raw)
        (self.id, self.channel, self.person, self.subject, self.payload) = (id, channel, person, subject, payload)
        (self.created, self.expires, self.attempts) = (created, expires, attempts)
    }
}

/// The name of a parcel in tables.
public typealias ParcelID = ID<Parcel.Name>
/// Whose share of a channel's lanes a parcel takes.
public typealias ShareID = ID<Parcel.Share>

/// What became of an attempt.
public enum Carried: Sendable, Equatable {
    /// It has arrived, as far as the other side says.
    case delivered
    /// Not now: the other side does not answer, or asks to wait so many seconds.
    case again(afterSeconds: Int?, why: String)
    /// Never: the other side will not have it. The reason is for people, without secrets or addresses.
    case refused(why: String)

    /// Whether it is to be tried again.
    var isAgain: Bool { if case .again = self { true } else { false } }
}

/// Whoever brings parcels of one channel to where they belong. It waits on threads of its own, never on the cooperative pool.
public protocol Carrier: Sendable {
    /// How many parcels it carries at a time, in each kind of lanes but those for what cannot wait.
    var lanes: Int { get }
    /// How many that cannot wait.
    var lanesAtOnce: Int { get }
    /// Tries once.
    func carry(_ parcel: Parcel) async -> Carried
    /// Tries once, in the lanes of a kind. In those for what cannot wait, it waits for no commit.
    func carry(_ parcel: Parcel, in kind: LaneKind) async -> Carried
    /// Notes what became of an attempt, in the transaction in which the outbox does.
    func note(_ outcome: Carried, of parcel: Parcel, in database: Database) throws
}

extension Carrier {
    /// As many.
    public var lanesAtOnce: Int { lanes }

    /// As any other.
    public func carry(_ parcel: Parcel, in kind: LaneKind) async -> Carried { await carry(parcel) }

    /// Nothing beside what the outbox keeps.
    public func note(_ outcome: Carried, of parcel: Parcel, in database: Database) throws {}
}

extension ID<Parcel.Share> {
    /// Of a letter of which nobody knows yet whose it is: it tells two addresses apart, and is gone with the letter.
    init?(address: String) {
        guard let digest = ID16(Array(Digest.sha256(Array(address.utf8)).prefix(16))) else { return nil }
        self.init(digest)
    }
}
