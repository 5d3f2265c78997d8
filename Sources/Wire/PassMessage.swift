/// An opening on its way to the gate, over whichever carrier. Decoding says only that the bytes are well formed.
///
/// Layout, at most 512 bytes: header · caveat count u8 · caveats · opener's nonce 16 · intent length u16 · intent ·
/// open 32.
public struct PassMessage: Sendable {
    /// The longest message, in bytes.
    public static let maxLength = 512

    /// What the hub granted.
    public let header: PassHeader
    /// What holders took away from it, in order.
    public let caveats: [Caveat]
    /// The opener's own nonce: it makes the receipt fresh.
    public let openerNonce: Nonce
    /// What is asked for.
    public let intent: Intent
    /// The proof that the opener has the key.
    public let open: Tag

    /// Throws `tooLong` above 512 bytes, and what the caveats throw.
    init(
        header: PassHeader, caveats: [Caveat], openerNonce: Nonce, intent: Intent, open: Tag
    ) throws(WireError) {
        try CaveatList.validate(caveats, under: header)
        self.header = header
        self.caveats = caveats
        self.openerNonce = openerNonce
        self.intent = intent
        self.open = open
        guard encoded().count <= Self.maxLength else { throw .tooLong }
    }

    /// Exactly the bytes of one message. Throws `tooLong` above 512 bytes, `truncated`, `trailingBytes`, `unknownType`
    /// and what the header and the caveats throw.
    public init(decoding bytes: [UInt8]) throws(WireError) {
        guard bytes.count <= Self.maxLength else { throw .tooLong }
        var reader = Reader(bytes)
        header = try PassHeader.decode(from: &reader)
        caveats = try CaveatList.read(from: &reader)
        openerNonce = try reader.nonce()
        intent = try Intent.read(from: &reader)
        open = try reader.tag()
        try reader.end()
        try CaveatList.validate(caveats, under: header)
    }

    /// The bytes.
    public func encoded() -> [UInt8] {
        var writer = ByteWriter(capacity: 256)
        header.write(to: &writer)
        CaveatList.write(caveats, to: &writer)
        writer.nonce(openerNonce)
        intent.write(to: &writer)
        writer.tag(open)
        return writer.bytes
    }

    /// The key after the last caveat, computed as the gate does it.
    public func passKey(gateKey: Key) -> Key {
        caveats.reduce(header.passKey(gateKey: gateKey)) { key, caveat in caveat.narrowing(key) }
    }

    /// Whether `open` was made with this pass's key, for the gate that the header names, this carrier and this nonce of
    /// the gate's. In constant time. Whether that gate is one's own is a question of its own: see `GateCheck`.
    public func verifies(gateKey: Key, carrier: Carrier, gateNonce: Nonce) -> Bool {
        let input = Self.openInput(
            carrier: carrier, gateID: header.gateID, gateNonce: gateNonce, openerNonce: openerNonce, intent: intent)
        return HMACSHA256(key: passKey(gateKey: gateKey)).authenticate(input).matches(open)
    }

    /// The gate's answer; call it only for a message that verifies. `gateTime` is in Unix seconds by the gate's own
    /// clock.
    public func receipt(
        gateKey: Key, outcome: Outcome, reason: UInt16, gateTime: UInt64, clock: ClockState, journalID: ID16,
        sequence: UInt64, eventID: ID16
    ) -> Receipt {
        Receipt(
            outcome: outcome, reason: reason, gateTime: gateTime, clock: clock, journalID: journalID,
            sequence: sequence,
            eventID: eventID, key: passKey(gateKey: gateKey), open: open)
    }

    /// The input of `open`: 3 · carrier u8 · gate id · gate nonce · opener's nonce · length u16 · intent.
    static func openInput(
        carrier: Carrier, gateID: ID16, gateNonce: Nonce, openerNonce: Nonce, intent: Intent
    ) -> ByteWriter {
        var writer = ByteWriter(.open, capacity: 64)
        writer.u8(carrier.rawValue)
        writer.id(gateID)
        writer.nonce(gateNonce)
        writer.nonce(openerNonce)
        intent.write(to: &writer)
        return writer
    }
}
