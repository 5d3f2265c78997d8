/// What a gate keeps of an opening until the hub has acknowledged it.
///
/// Layout: pass id 16 · carrier u8 · intent length u16 · intent · caveat count u8 · caveats · open 32 · outcome u8 ·
/// reason u16 · gate time u64 · clock state u8 · journal id 16 · sequence u64 · event id 16 · proof 32.
public struct JournalRecord: Sendable {
    /// Whose pass.
    public let passID: ID16
    /// How it came.
    public let carrier: Carrier
    /// What was asked for.
    public let intent: Intent
    /// The pass's caveats, in order.
    public let caveats: [Caveat]
    /// The opening's own tag.
    public let open: Tag
    /// What the gate did.
    public let outcome: Outcome
    /// Why: a `GateReason` or a code that only a newer build knows.
    public let reason: UInt16
    /// Unix seconds by the gate's own clock.
    public let gateTime: UInt64
    /// Whether the gate trusted its clock.
    public let clock: ClockState
    public let journalID: ID16
    /// This record's place in it.
    public let sequence: UInt64
    /// The event's id; under a `hub` header the pass id.
    public let eventID: ID16
    /// Domain 5 under the gate's key.
    public let proof: Tag

    /// A new record, with its proof. Throws `tooManyCaveats`, `afterLast`, `badValue`.
    public init(
        passID: ID16, carrier: Carrier, intent: Intent, caveats: [Caveat], open: Tag, outcome: Outcome, reason: UInt16,
        gateTime: UInt64, clock: ClockState, journalID: ID16, sequence: UInt64, eventID: ID16, gateKey: Key,
        gateID: ID16
    ) throws(WireError) {
        try CaveatList.validate(caveats)
        let fields = Receipt(
            outcome: outcome, reason: reason, gateTime: gateTime, clock: clock, journalID: journalID,
            sequence: sequence,
            eventID: eventID, tag: open)
        let unproven = JournalRecord(
            passID: passID, carrier: carrier, intent: intent, caveats: caveats, open: open, fields: fields)
        self = JournalRecord(
            passID: passID, carrier: carrier, intent: intent, caveats: caveats, open: open,
            fields: fields.with(tag: HMACSHA256(key: gateKey).authenticate(unproven.input(gateID: gateID))))
    }

    /// The record of a message and of the receipt that answers it.
    public init(message: PassMessage, carrier: Carrier, receipt: Receipt, gateKey: Key) {
        let unproven = JournalRecord(
            passID: message.header.passID, carrier: carrier, intent: message.intent, caveats: message.caveats,
            open: message.open, fields: receipt)
        let proof = HMACSHA256(key: gateKey).authenticate(unproven.input(gateID: message.header.gateID))
        self = JournalRecord(
            passID: unproven.passID, carrier: carrier, intent: unproven.intent, caveats: unproven.caveats,
            open: unproven.open, fields: receipt.with(tag: proof))
    }

    /// Exactly the bytes of one record. Throws `truncated`, `trailingBytes`, `unknownType`, `badValue` and what the
    /// caveats throw.
    public init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = Reader(bytes)
        let passID = try reader.id()
        guard let carrier = Carrier(rawValue: try reader.u8()) else { throw .badValue }
        let intent = try Intent.read(from: &reader)
        let caveats = try CaveatList.read(from: &reader)
        let open = try reader.tag()
        let fields = try Receipt.readFields(from: &reader)
        try reader.end()
        self.init(passID: passID, carrier: carrier, intent: intent, caveats: caveats, open: open, fields: fields)
    }

    private init(
        passID: ID16, carrier: Carrier, intent: Intent, caveats: [Caveat], open: Tag, fields: Receipt
    ) {
        self.passID = passID
        self.carrier = carrier
        self.intent = intent
        self.caveats = caveats
        self.open = open
        outcome = fields.outcome
        reason = fields.reason
        gateTime = fields.gateTime
        clock = fields.clock
        journalID = fields.journalID
        sequence = fields.sequence
        eventID = fields.eventID
        proof = fields.tag
    }

    /// The reason, if this build knows it.
    public var gateReason: GateReason? { GateReason(rawValue: reason) }

    /// The bytes.
    public func encoded() -> [UInt8] {
        var writer = ByteWriter(capacity: 192)
        write(to: &writer)
        writer.tag(proof)
        return writer.bytes
    }

    /// Whether this gate wrote the record. In constant time.
    public func verifies(gateKey: Key, gateID: ID16, mac: MAC = HMACSHA256.tag) -> Bool {
        input(gateID: gateID).tag(gateKey, by: mac).matches(proof)
    }

    /// The input of the proof: 5 · gate id · the record without its proof.
    func input(gateID: ID16) -> ByteWriter {
        var writer = ByteWriter(.proof)
        writer.id(gateID)
        write(to: &writer)
        return writer
    }

    private func write(to writer: inout ByteWriter) {
        writer.id(passID)
        writer.u8(carrier.rawValue)
        intent.write(to: &writer)
        CaveatList.write(caveats, to: &writer)
        writer.tag(open)
        Receipt(
            outcome: outcome, reason: reason, gateTime: gateTime, clock: clock, journalID: journalID,
            sequence: sequence,
            eventID: eventID, tag: proof
        ).writeFields(to: &writer)
    }
}

extension Receipt {
    /// The same fields under another tag.
    fileprivate func with(tag: Tag) -> Receipt {
        Receipt(
            outcome: outcome, reason: reason, gateTime: gateTime, clock: clock, journalID: journalID,
            sequence: sequence,
            eventID: eventID, tag: tag)
    }
}
