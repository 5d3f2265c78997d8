/// The gate's answer to an opening. Fresh, since its tag covers `open`, which covers the opener's nonce: it proves the
/// gate to the opener. It is no evidence to third parties.
///
/// Layout, always 84 bytes: outcome u8 · reason u16 · gate time u64 · clock state u8 · journal id 16 · sequence u64 ·
/// event id 16 · tag 32.
public struct Receipt: Sendable {
    /// The length of every receipt, in bytes.
    public static let encodedCount = 84

    /// What the gate did.
    public let outcome: Outcome
    /// Why: a `GateReason` or a code that only a newer build knows.
    public let reason: UInt16
    /// Unix seconds by the gate's own clock; what they are worth says `clock`.
    public let gateTime: UInt64
    /// Whether the gate trusts its clock.
    public let clock: ClockState
    /// The journal that holds the record.
    public let journalID: ID16
    /// The record's sequence there.
    public let sequence: UInt64
    /// The event's id.
    public let eventID: ID16
    /// Domain 4 under the pass's last key; random where the message did not verify.
    public let tag: Tag

    /// Takes the fields and the tag as they are.
    public init(
        outcome: Outcome, reason: UInt16, gateTime: UInt64, clock: ClockState, journalID: ID16, sequence: UInt64,
        eventID: ID16, tag: Tag
    ) {
        self.outcome = outcome
        self.reason = reason
        self.gateTime = gateTime
        self.clock = clock
        self.journalID = journalID
        self.sequence = sequence
        self.eventID = eventID
        self.tag = tag
    }

    /// Computes the tag.
    init(
        outcome: Outcome, reason: UInt16, gateTime: UInt64, clock: ClockState, journalID: ID16, sequence: UInt64,
        eventID: ID16, key: Key, open: Tag
    ) {
        let blank = Receipt(
            outcome: outcome, reason: reason, gateTime: gateTime, clock: clock, journalID: journalID,
            sequence: sequence,
            eventID: eventID, tag: open)
        self.init(
            outcome: outcome, reason: reason, gateTime: gateTime, clock: clock, journalID: journalID,
            sequence: sequence,
            eventID: eventID, tag: HMACSHA256(key: key).authenticate(blank.input(open: open)))
    }

    /// Exactly 84 bytes. Throws `truncated`, `trailingBytes`, `badValue` for an unknown outcome or clock state.
    public init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = Reader(bytes)
        self = try Receipt.readFields(from: &reader)
        try reader.end()
    }

    /// The answer to a message that does not verify: `notValid`, every other field zero, and a tag that nobody can tell
    /// from a right one. `random` is 32 fresh bytes or more; they are hashed, so that no length can go wrong.
    public static func invalid(random: [UInt8]) -> Receipt {
        var hash = SHA256()
        hash.update(random)
        return Receipt(
            outcome: .refused, reason: GateReason.notValid.rawValue, gateTime: 0, clock: .untrusted, journalID: .zero,
            sequence: 0, eventID: .zero, tag: hash.finishTag())
    }

    /// The reason, if this build knows it.
    public var gateReason: GateReason? { GateReason(rawValue: reason) }

    /// 84 bytes.
    public func encoded() -> [UInt8] {
        var writer = ByteWriter(capacity: Self.encodedCount)
        writeFields(to: &writer)
        writer.tag(tag)
        return writer.bytes
    }

    func verifies(key: Key, open: Tag) -> Bool {
        HMACSHA256(key: key).authenticate(input(open: open)).matches(tag)
    }

    /// The input of the tag: 4 · open 32 · the fields, 85 bytes.
    func input(open: Tag) -> ByteWriter {
        var writer = ByteWriter(.receipt, capacity: 85)
        writer.tag(open)
        writeFields(to: &writer)
        return writer
    }

    /// The 52 bytes before the tag; a journal record holds the same.
    func writeFields(to writer: inout ByteWriter) {
        writer.u8(outcome.rawValue)
        writer.u16(reason)
        writer.u64(gateTime)
        writer.u8(clock.rawValue)
        writer.id(journalID)
        writer.u64(sequence)
        writer.id(eventID)
    }

    /// The 52 bytes and the tag or proof behind them.
    static func readFields(from reader: inout Reader) throws(WireError) -> Receipt {
        guard let outcome = Outcome(rawValue: try reader.u8()) else { throw .badValue }
        let reason = try reader.u16()
        let gateTime = try reader.u64()
        guard let clock = ClockState(rawValue: try reader.u8()) else { throw .badValue }
        let journalID = try reader.id()
        let sequence = try reader.u64()
        let eventID = try reader.id()
        return Receipt(
            outcome: outcome, reason: reason, gateTime: gateTime, clock: clock, journalID: journalID,
            sequence: sequence,
            eventID: eventID, tag: try reader.tag())
    }
}
