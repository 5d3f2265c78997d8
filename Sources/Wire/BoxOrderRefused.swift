/// A box's answer to an order that it does not obey. One that the hub did not make is answered by nothing.
///
/// Layout, 49 bytes: order id 16 · why u8 · tag 32. Tag, domain 23: all fields before it.
public struct BoxOrderRefused: Sendable {
    /// Of the order.
    public let id: ID16
    /// Why; a number that only a newer box knows is none of ours.
    public let why: BoxOrder.Refusal?
    private let number: UInt8
    /// Domain 23 under the box's key.
    public let tag: Tag

    /// Refuses: the box's side.
    public init(_ id: ID16, _ why: BoxOrder.Refusal, boxKey: Key) {
        (self.id, self.why, number) = (id, why, why.rawValue)
        tag = Self.tag(id, why.rawValue, boxKey)
    }

    /// Exactly 49 bytes. Throws `truncated`, `trailingBytes`.
    public init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = Reader(bytes)
        id = try reader.id()
        number = try reader.u8()
        why = BoxOrder.Refusal(rawValue: number)
        tag = try reader.tag()
        try reader.end()
    }

    /// 49 bytes.
    public func encoded() -> [UInt8] {
        var writer = ByteWriter(capacity: 49)
        writer.id(id)
        writer.u8(number)
        writer.tag(tag)
        return writer.bytes
    }

    /// Whether the box with this key said it. In constant time.
    public func verifies(boxKey: Key) -> Bool { Self.tag(id, number, boxKey).matches(tag) }

    private static func tag(_ id: ID16, _ number: UInt8, _ boxKey: Key) -> Tag {
        var writer = ByteWriter(.boxOrderRefused, capacity: 18)
        writer.id(id)
        writer.u8(number)
        return HMACSHA256(key: boxKey).authenticate(writer)
    }
}
