/// The retained state of a home's box on the bus: what the hub needs before it can send an order, settings or the time.
///
/// Layout, 117 bytes: version u8 = 1 · session 8 · uptime u64 · boot count u32 · journal id 16 · last sequence u64 · settings
/// version u64 · clock state u8 · time nonce 16 · `PanelStanding` 15 · tag 32. Tag, domain 18: all fields before it.
public struct BoxHello: Sendable {
    /// The only version.
    public static let version: UInt8 = 1

    /// New every few seconds, 8 bytes: an order is good for one session.
    public let session: [UInt8]
    /// Milliseconds since the box started.
    public let uptime: UInt64
    /// How often the box has started; durable.
    public let bootCount: UInt32
    /// The box's journal.
    public let journalID: ID16
    /// The journal's last sequence; 0 while it is empty.
    public let lastSequence: UInt64
    /// The settings that the box holds; 0 for none.
    public let settingsVersion: UInt64
    /// Whether the box trusts its clock.
    public let clock: ClockState
    /// What the next time answer must hold.
    public let timeNonce: Nonce
    /// How the box's panel stands.
    public let panel: PanelStanding
    /// Domain 18 under the box's key.
    public let tag: Tag

    /// Says hello: the box's side. Throws `badValue` unless the session is 8 bytes.
    public init(
        session: [UInt8], uptime: UInt64, bootCount: UInt32, journalID: ID16, lastSequence: UInt64,
        settingsVersion: UInt64, clock: ClockState, timeNonce: Nonce, panel: PanelStanding, boxKey: Key
    ) throws(WireError) {
        guard session.count == 8 else { throw .badValue }
        let untagged = BoxHello(
            session: session, uptime: uptime, bootCount: bootCount, journalID: journalID, lastSequence: lastSequence,
            settingsVersion: settingsVersion, clock: clock, timeNonce: timeNonce, panel: panel, tag: Tag(0, 0, 0, 0))
        self = BoxHello(
            session: session, uptime: uptime, bootCount: bootCount, journalID: journalID, lastSequence: lastSequence,
            settingsVersion: settingsVersion, clock: clock, timeNonce: timeNonce, panel: panel,
            tag: untagged.expectedTag(boxKey))
    }

    private init(
        session: [UInt8], uptime: UInt64, bootCount: UInt32, journalID: ID16, lastSequence: UInt64,
        settingsVersion: UInt64, clock: ClockState, timeNonce: Nonce, panel: PanelStanding, tag: Tag
    ) {
        self.session = session
        self.uptime = uptime
        self.bootCount = bootCount
        self.journalID = journalID
        self.lastSequence = lastSequence
        self.settingsVersion = settingsVersion
        self.clock = clock
        self.timeNonce = timeNonce
        self.panel = panel
        self.tag = tag
    }

    /// Exactly 117 bytes. Throws `truncated`, `trailingBytes`, `unknownVersion`, and `badValue` for an unknown clock state.
    public init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = Reader(bytes)
        guard try reader.u8() == Self.version else { throw .unknownVersion }
        session = try reader.bytes(8)
        uptime = try reader.u64()
        bootCount = try reader.u32()
        journalID = try reader.id()
        lastSequence = try reader.u64()
        settingsVersion = try reader.u64()
        guard let clock = ClockState(rawValue: try reader.u8()) else { throw .badValue }
        self.clock = clock
        timeNonce = try reader.nonce()
        panel = try PanelStanding.decode(from: &reader)
        tag = try reader.tag()
        try reader.end()
    }

    /// 117 bytes.
    public func encoded() -> [UInt8] {
        var writer = ByteWriter(capacity: 117)
        write(to: &writer)
        writer.tag(tag)
        return writer.bytes
    }

    /// Whether the box with this key said it. In constant time. A retained hello may be an old one: what is sent into its
    /// session is refused by the box if it is.
    public func verifies(boxKey: Key) -> Bool { expectedTag(boxKey).matches(tag) }

    private func expectedTag(_ boxKey: Key) -> Tag {
        var writer = ByteWriter(.boxHello, capacity: 86)
        write(to: &writer)
        return HMACSHA256(key: boxKey).authenticate(writer)
    }

    private func write(to writer: inout ByteWriter) {
        writer.u8(Self.version)
        writer.append(session)
        writer.u64(uptime)
        writer.u32(bootCount)
        writer.id(journalID)
        writer.u64(lastSequence)
        writer.u64(settingsVersion)
        writer.u8(clock.rawValue)
        writer.nonce(timeNonce)
        panel.write(to: &writer)
    }
}
