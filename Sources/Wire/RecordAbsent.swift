/// The gate's answer that its journal has no record of an event. It is final only if the gate gave it after the
/// opening's not-after: before, the opening may still arrive.
///
/// Layout, 48 bytes: event id 16 · tag 32. Tag, domain 13: event id.
public struct RecordAbsent: Sendable {
    /// The event that was asked for.
    public let eventID: ID16
    /// Domain 13 under the gate's key.
    public let tag: Tag

    /// Answers: the gate's side.
    public init(eventID: ID16, gateKey: Key) {
        self.eventID = eventID
        tag = Self.tag(eventID, gateKey)
    }

    /// Exactly 48 bytes. Throws `truncated`, `trailingBytes`.
    public init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = Reader(bytes)
        eventID = try reader.id()
        tag = try reader.tag()
        try reader.end()
    }

    /// 48 bytes.
    public func encoded() -> [UInt8] {
        var writer = ByteWriter(capacity: 48)
        writer.id(eventID)
        writer.tag(tag)
        return writer.bytes
    }

    /// Whether the gate with this key said it. In constant time.
    public func verifies(gateKey: Key) -> Bool {
        Self.tag(eventID, gateKey).matches(tag)
    }

    private static func tag(_ eventID: ID16, _ gateKey: Key) -> Tag {
        var writer = ByteWriter(.absent, capacity: 17)
        writer.id(eventID)
        return HMACSHA256(key: gateKey).authenticate(writer)
    }
}
