/// A gate's retained state on the bus: what the hub needs before it can open, send rights or answer the time.
///
/// Layout: version u8 · session 8 · uptime u64 · boot count u32 · journal id 16 · last sequence u64 · rights version u64 ·
/// clock state u8 · time nonce 16 · in version 2: `GateStatus` · tag 32. Tag, domain 12: all fields before it. A gate that
/// says hello in version 1 is older than the hub, and opens all the same.
public struct GateHello: Sendable {

    /// New at each connection: the first half of every bus nonce, 8 bytes.
    public let session: [UInt8]
    /// Milliseconds since the gate started.
    public let uptime: UInt64
    /// How often the gate has started; durable.
    public let bootCount: UInt32
    /// The gate's journal.
    public let journalID: ID16
    /// The journal's last sequence; 0 while it is empty.
    public let lastSequence: UInt64
    /// The rights that the gate holds; 0 for none.
    public let rightsVersion: UInt64
    /// Whether the gate trusts its clock.
    public let clock: ClockState
    /// What the next time answer must hold.
    public let timeNonce: Nonce
    /// How the gate is; nil in version 1.
    public let status: GateStatus?
    /// Domain 12 under the gate's key.
    public let tag: Tag

    /// The version byte.
    public var version: UInt8 { status == nil ? 1 : 2 }

    /// Says hello: the gate's side. Throws `badValue` unless the session is 8 bytes.
    public init(
        session: [UInt8], uptime: UInt64, bootCount: UInt32, journalID: ID16, lastSequence: UInt64,
        rightsVersion: UInt64,
        clock: ClockState, timeNonce: Nonce, status: GateStatus? = nil, gateKey: Key
    ) throws(WireError) {
        guard session.count == 8 else { throw .badValue }
        let untagged = GateHello(
            session: session, uptime: uptime, bootCount: bootCount, journalID: journalID, lastSequence: lastSequence,
            rightsVersion: rightsVersion, clock: clock, timeNonce: timeNonce, status: status, tag: Tag(0, 0, 0, 0))
        self = GateHello(
            session: session, uptime: uptime, bootCount: bootCount, journalID: journalID, lastSequence: lastSequence,
            rightsVersion: rightsVersion, clock: clock, timeNonce: timeNonce, status: status,
            tag: untagged.expectedTag(gateKey, HMACSHA256.tag))
    }

    private init(
        session: [UInt8], uptime: UInt64, bootCount: UInt32, journalID: ID16, lastSequence: UInt64,
        rightsVersion: UInt64,
        clock: ClockState, timeNonce: Nonce, status: GateStatus?, tag: Tag
    ) {
        self.session = session
        self.uptime = uptime
        self.bootCount = bootCount
        self.journalID = journalID
        self.lastSequence = lastSequence
        self.rightsVersion = rightsVersion
        self.clock = clock
        self.timeNonce = timeNonce
        self.status = status
        self.tag = tag
    }

    /// Exactly the bytes of one hello. Throws `truncated`, `trailingBytes`, `unknownVersion`, `badValue` for an unknown clock
    /// state, and what the status throws.
    public init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = Reader(bytes)
        let version = try reader.u8()
        guard version == 1 || version == 2 else { throw .unknownVersion }
        session = try reader.bytes(8)
        uptime = try reader.u64()
        bootCount = try reader.u32()
        journalID = try reader.id()
        lastSequence = try reader.u64()
        rightsVersion = try reader.u64()
        guard let clock = ClockState(rawValue: try reader.u8()) else { throw .badValue }
        self.clock = clock
        timeNonce = try reader.nonce()
        status = version == 2 ? try GateStatus.decode(from: &reader) : nil
        tag = try reader.tag()
        try reader.end()
    }

    /// 102 bytes, and those of the status.
    public func encoded() -> [UInt8] {
        var writer = ByteWriter(capacity: 152)
        write(to: &writer)
        writer.tag(tag)
        return writer.bytes
    }

    /// Whether the gate with this key said it. In constant time. A retained hello may be an old one: what is opened
    /// with its session and uptime is refused by the gate if it is.
    public func verifies(gateKey: Key, mac: MAC = HMACSHA256.tag) -> Bool {
        expectedTag(gateKey, mac).matches(tag)
    }

    private func expectedTag(_ gateKey: Key, _ mac: MAC) -> Tag {
        var writer = ByteWriter(.hello, capacity: 121)
        write(to: &writer)
        return writer.tag(gateKey, by: mac)
    }

    private func write(to writer: inout ByteWriter) {
        writer.u8(version)
        writer.append(session)
        writer.u64(uptime)
        writer.u32(bootCount)
        writer.id(journalID)
        writer.u64(lastSequence)
        writer.u64(rightsVersion)
        writer.u8(clock.rawValue)
        writer.nonce(timeNonce)
        status?.write(to: &writer)
    }
}
