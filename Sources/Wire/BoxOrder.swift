/// What the hub wants of a home's box. Nothing that disarms or opens comes to a box in any other way.
///
/// Layout, 97 bytes: session 8 · counter u64 · not after u64 · kind u8 · mode u8 · bypass u64 · `PanelStanding` 15 · id 16 · tag 32.
///
/// Tag, domain 20: all fields before it.
public struct BoxOrder: Sendable {
    /// What is wanted.
    public enum Kind: UInt8, Sendable, CaseIterable {
        case arm = 1
        case disarm = 2
        /// The noise ends, the alarm stays.
        case silence = 3
        /// The alarm ends; the panel stands as it did before.
        case reset = 4
        /// Somebody calls for help.
        case trigger = 5
        /// Siren and lights, for a moment.
        case test = 6
        case openValve = 7
        /// The next unknown tag is to be made known.
        case learnTag = 8
        /// Stand as the hub's panel does.
        case follow = 9
    }

    /// Why a box does not do it.
    public enum Refusal: UInt8, Sendable, CaseIterable {
        /// The hub did not make it for this box, or somebody changed it.
        case notValid = 1
        /// For another connection.
        case otherSession = 2
        /// Of this connection, and used.
        case used = 3
        /// The box does not know what time it is.
        case clockUntrusted = 4
        /// Too long on its way.
        case late = 5
        /// It does not fit how the box stands.
        case unfit = 6
    }

    /// Of the box's latest hello, 8 bytes.
    public let session: [UInt8]
    /// Rises within a session.
    public let counter: UInt64
    /// Unix seconds: afterwards it is void.
    public let notAfter: UInt64
    /// What is wanted.
    public let kind: Kind
    /// For what to arm; 0: for nothing.
    public let mode: UInt8
    /// The sensors that do not count until it is disarmed, one bit each by their place in the settings.
    public let bypass: UInt64
    /// How the hub's panel stands after it.
    public let panel: PanelStanding
    /// The act's id in the hub.
    public let id: ID16
    /// Domain 20 under the box's key.
    public let tag: Tag

    /// Gives an order: the hub's side. Throws `badValue` unless the session is 8 bytes.
    public init(
        session: [UInt8], counter: UInt64, notAfter: UInt64, kind: Kind, mode: UInt8 = 0, bypass: UInt64 = 0,
        panel: PanelStanding, id: ID16, boxKey: Key
    ) throws(WireError) {
        guard session.count == 8 else { throw .badValue }
        let untagged = BoxOrder(session, counter, notAfter, kind, mode, bypass, panel, id, Tag(0, 0, 0, 0))
        self = BoxOrder(
            session, counter, notAfter, kind, mode, bypass, panel, id, untagged.expectedTag(boxKey))
    }

    private init(
        _ session: [UInt8], _ counter: UInt64, _ notAfter: UInt64, _ kind: Kind, _ mode: UInt8, _ bypass: UInt64,
        _ panel: PanelStanding, _ id: ID16, _ tag: Tag
    ) {
        self.session = session
        self.counter = counter
        self.notAfter = notAfter
        self.kind = kind
        self.mode = mode
        self.bypass = bypass
        self.panel = panel
        self.id = id
        self.tag = tag
    }

    /// Exactly 97 bytes. Throws `truncated`, `trailingBytes`, `unknownType` for an unknown kind, `badValue`.
    public init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = Reader(bytes)
        session = try reader.bytes(8)
        counter = try reader.u64()
        notAfter = try reader.u64()
        guard let kind = Kind(rawValue: try reader.u8()) else { throw .unknownType }
        self.kind = kind
        mode = try reader.u8()
        bypass = try reader.u64()
        panel = try PanelStanding.decode(from: &reader)
        id = try reader.id()
        tag = try reader.tag()
        try reader.end()
    }

    /// 97 bytes.
    public func encoded() -> [UInt8] {
        var writer = ByteWriter(capacity: 97)
        write(to: &writer)
        writer.tag(tag)
        return writer.bytes
    }

    /// Why the box with this key does not do it; nil: it does.
    /// - Parameters:
    ///   - session: of its own latest hello.
    ///   - counter: of the order that it took last in that session; 0: none.
    ///   - utc: Unix seconds; nil while its clock is not trusted, since nobody knows then how long it was on its way.
    public func refusal(boxKey: Key, session: [UInt8], after counter: UInt64, utc: UInt64?) -> Refusal? {
        guard expectedTag(boxKey).matches(tag) else { return .notValid }
        guard session == self.session else { return .otherSession }
        guard self.counter > counter else { return .used }
        guard let utc else { return .clockUntrusted }
        return utc > notAfter ? .late : nil
    }

    private func expectedTag(_ boxKey: Key) -> Tag {
        var writer = ByteWriter(.boxOrder, capacity: 66)
        write(to: &writer)
        return HMACSHA256(key: boxKey).authenticate(writer)
    }

    private func write(to writer: inout ByteWriter) {
        writer.append(session)
        writer.u64(counter)
        writer.u64(notAfter)
        writer.u8(kind.rawValue)
        writer.u8(mode)
        writer.u64(bypass)
        panel.write(to: &writer)
        writer.id(id)
    }
}
