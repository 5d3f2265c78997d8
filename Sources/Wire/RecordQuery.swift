/// The hub's question what became of an opening that it sent: it never sends one twice. Layout: event id 16.
///
/// It carries no tag: the answer tells nothing to whoever cannot read the gate's records on the bus anyway.
public struct RecordQuery: Hashable, Sendable {
    /// The event, which under a `hub` header is the pass id.
    public let eventID: ID16

    /// Asks for an event.
    public init(eventID: ID16) {
        self.eventID = eventID
    }

    /// Exactly 16 bytes. Throws `truncated`, `trailingBytes`.
    public init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = Reader(bytes)
        eventID = try reader.id()
        try reader.end()
    }

    /// 16 bytes.
    public func encoded() -> [UInt8] { eventID.bytes }
}
