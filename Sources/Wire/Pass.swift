/// A right to open one gate, as its holder has it: the header, the caveats and the key that only the hub, the gate and
/// the holders know. A pass is a bearer: whoever has the key has the right.
///
/// Stored or handed on: header · caveat count u8 · caveats · key 32.
public struct Pass: Sendable {
    /// What the hub granted.
    public let header: PassHeader
    /// What holders took away from it, in order.
    public let caveats: [Caveat]
    /// The key after the last caveat.
    public let key: Key

    /// A new pass: the hub's side.
    public init(header: PassHeader, gateKey: Key, mac: MAC = HMACSHA256.tag) {
        self.header = header
        caveats = []
        key = header.passKey(gateKey: gateKey, mac: mac)
    }

    /// A pass that was received. Throws `notNarrowable`, `tooManyCaveats`, `afterLast`, `badValue`.
    public init(header: PassHeader, caveats: [Caveat], key: Key) throws(WireError) {
        try CaveatList.validate(caveats, under: header)
        self.header = header
        self.caveats = caveats
        self.key = key
    }

    /// Exactly the bytes of one pass. Throws what the header and the caveats throw, `truncated` and `trailingBytes`.
    public init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = Reader(bytes)
        let header = try PassHeader.decode(from: &reader)
        let caveats = try CaveatList.read(from: &reader)
        let key = try reader.key()
        try reader.end()
        try self.init(header: header, caveats: caveats, key: key)
    }

    /// The whole pass with its key: a secret.
    public func encoded() -> [UInt8] {
        var writer = ByteWriter(capacity: 256)
        header.write(to: &writer)
        CaveatList.write(caveats, to: &writer)
        writer.key(key)
        return writer.bytes
    }

    /// The same pass with one more condition; it needs no server. Throws `notNarrowable`, `tooManyCaveats`,
    /// `afterLast`, `badValue`.
    public func narrowed(by caveat: Caveat) throws(WireError) -> Pass {
        try Pass(header: header, caveats: caveats + [caveat], key: caveat.checkedNarrowing(key))
    }

    /// An opening at the pass's gate. `openerNonce` is fresh from the system's random source. Throws `tooLong` when the
    /// message would exceed 512 bytes (8 intervals and long labels).
    public func message(
        carrier: Carrier, gateNonce: Nonce, openerNonce: Nonce, intent: Intent, mac: MAC = HMACSHA256.tag
    ) throws(WireError) -> PassMessage {
        let input = PassMessage.openInput(
            carrier: carrier, gateID: header.gateID, gateNonce: gateNonce, openerNonce: openerNonce, intent: intent)
        return try PassMessage(
            header: header, caveats: caveats, openerNonce: openerNonce, intent: intent,
            open: input.tag(key, by: mac))
    }

    /// Whether the receipt is the gate's fresh answer to this message of this pass. In constant time.
    public func verifies(receipt: Receipt, for message: PassMessage) -> Bool {
        receipt.verifies(key: key, open: message.open)
    }
}

extension Caveat {
    /// Checks before it computes: a caveat out of range has no bytes.
    fileprivate func checkedNarrowing(_ key: Key) throws(WireError) -> Key {
        try validate()
        return narrowing(key)
    }
}
