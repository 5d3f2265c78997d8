import Crypto
import Identity
import Store
import System

/// Something that happened, as it is about to be written.
public struct NewEvent: Sendable {
    /// Its name; new unless something outside already knows it by one.
    public var id: EventID
    /// Whose chain it lengthens.
    public var site: SiteID
    /// What happened, `opening.granted`: at most 32 bytes of lower case, dots between words.
    public var kind: String
    /// When the hub wrote it down. What happened elsewhere and earlier has its own time in the payload.
    public var at: Timestamp
    /// Whom it is about; goes with the payload when that person is erased.
    public var person: PersonID?
    /// A JSON object: everything that could name somebody is here and not in the header.
    public var payload: [UInt8]

    /// See the properties.
    public init(id: EventID, site: SiteID, kind: String, at: Timestamp, person: PersonID? = nil, payload: [UInt8]) {
        (self.id, self.site, self.kind, self.at, self.person, self.payload) = (id, site, kind, at, person, payload)
    }
}

/// An entry of the ledger.
public struct Event: Sendable {
    /// Its name.
    public let id: EventID
    /// Whose chain it is in.
    public let site: SiteID
    /// Its place in that chain, from 1, without gaps.
    public let sequence: UInt64
    /// Its place among all events of this hub; grows, and is what followers keep.
    public let position: Int64
    /// What happened.
    public let kind: String
    /// When the hub wrote it down.
    public let at: Timestamp
    /// Whom it is about; nil when nobody, or when erased.
    public let person: PersonID?
    /// A JSON object; nil when erased.
    public let payload: [UInt8]?
}

/// The fixed-width part of an event, which its chain covers and which names nobody.
///
/// Layout, big-endian: version u8 (1) · site 16 · sequence u64 · event id 16 · time u64 (ms since the epoch) · kind 32, zero-filled.
struct Header {
    static let size = 81
    var site: SiteID
    var sequence: UInt64
    var id: EventID
    var at: Timestamp
    var kind: String

    var bytes: [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(Self.size)
        out.append(1)
        out += site.raw.bytes
        out += sequence.bigEndianBytes
        out += id.raw.bytes
        out += at.milliseconds.bigEndianBytes
        out += kind.utf8
        out += repeatElement(0, count: Self.size - out.count)
        return out
    }

    /// The next link: `SHA-256(previous ‖ header ‖ SHA-256(salt ‖ payload))`.
    func hash(after previous: [UInt8], payloadHash: [UInt8]) -> [UInt8] {
        Digest.sha256(previous + bytes + payloadHash)
    }
}
