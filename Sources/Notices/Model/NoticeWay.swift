import Accounts
import Identity
import Ledger
import Store
import System

/// A notice on its way to one person.
public struct NoticeDelivery: Sendable {
    /// What.
    public let notice: Notice
    /// To whom.
    public let person: PersonID
    /// In which language they read.
    public let language: Language
    /// Whether they want to see names and places on a lock screen; false: only `publicText` may be shown there.
    public let showsDetails: Bool
    /// What the place is called; nil: it is about their own account, or the place is gone.
    public let place: String?

    /// See the properties.
    public init(
        notice: Notice, person: PersonID, language: Language, showsDetails: Bool, place: String?
    ) {
        (self.notice, self.person, self.language) = (notice, person, language)
        (self.showsDetails, self.place) = (showsDetails, place)
    }

    /// What may stand where anybody looks.
    public var lockScreen: NoticeWords { (showsDetails ? notice.content.text : notice.content.publicText)[language] }

    /// A parcel of this notice for the person: its sender sees what became of it.
    public func parcel(by channel: Channel, _ payload: [UInt8], at now: Timestamp) -> Parcel {
        Parcel(
            id: .new(at: now), channel: channel, person: person, subject: notice.id.raw.bytes, payload: payload,
            created: now, expires: notice.expires)
    }
}

/// A way of reaching people from outside the hub's own pages: it says which parcels reach one person, and a `Carrier` carries them.
///
/// `Notices.use(_:)` says which ways there are, before the hub runs. Whether a way is used for a notice at all is not its business:
/// `NoticePolicy` decides that.
public protocol NoticeWay: Sendable {
    /// By which channel its parcels go.
    var channel: Channel { get }
    /// What reaches the person: a parcel per device, or one letter; none when they have no device, no address. Inside the transaction
    /// that sends the notice, so that it must be short.
    func parcels(for delivery: NoticeDelivery, at now: Timestamp, in database: Database) throws -> [Parcel]
    /// The same from memory alone, for what cannot wait for the database: what it remembers of the person's devices may be a little old.
    func parcelsAtOnce(for delivery: NoticeDelivery, at now: Timestamp) -> [Parcel]
}
