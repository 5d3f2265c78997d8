/// The word of a hub that was restored from a backup: so far my ledger goes, so far I have your journal. The gate tells again what
/// comes after it, and answers with what it knows (`Witness`).
///
/// Layout, 96 bytes: journal id 16 · after u64 · ledger sequence u64 · ledger head 32 · tag 32. Tag, domain 16: the time
/// nonce of the gate's hello 16 · the fields. The nonce makes it fresh: a replay would have a gate tell a month's journal again.
public struct Recall: Sendable {
    /// The gate's journal.
    public let journalID: ID16
    /// Every record up to this sequence is in the restored ledger; 0 for none.
    public let after: UInt64
    /// The last sequence of the site's chain in the backup.
    public let ledgerSequence: UInt64
    /// The chain's head there, 32 bytes.
    public let ledgerHead: [UInt8]
    /// Domain 16 under the gate's key.
    public let tag: Tag

    /// Asks: the hub's side. Throws `badValue` unless the head is 32 bytes.
    public init(
        journalID: ID16, after: UInt64, ledgerSequence: UInt64, ledgerHead: [UInt8], nonce: Nonce, gateKey: Key
    ) throws(WireError) {
        guard ledgerHead.count == 32 else { throw .badValue }
        (self.journalID, self.after) = (journalID, after)
        (self.ledgerSequence, self.ledgerHead) = (ledgerSequence, ledgerHead)
        tag = Self.tag(journalID, after, ledgerSequence, ledgerHead, nonce, gateKey)
    }

    /// Exactly 96 bytes. Throws `truncated`, `trailingBytes`.
    public init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = Reader(bytes)
        journalID = try reader.id()
        after = try reader.u64()
        ledgerSequence = try reader.u64()
        ledgerHead = try reader.bytes(32)
        tag = try reader.tag()
        try reader.end()
    }

    /// 96 bytes.
    public func encoded() -> [UInt8] {
        var writer = ByteWriter(capacity: 96)
        Self.write(journalID, after, ledgerSequence, ledgerHead, to: &writer)
        writer.tag(tag)
        return writer.bytes
    }

    /// Whether the hub made it for the gate with this key, in answer to that hello. In constant time.
    public func verifies(gateKey: Key, nonce: Nonce) -> Bool {
        Self.tag(journalID, after, ledgerSequence, ledgerHead, nonce, gateKey).matches(tag)
    }

    private static func tag(
        _ journalID: ID16, _ after: UInt64, _ ledgerSequence: UInt64, _ ledgerHead: [UInt8], _ nonce: Nonce,
        _ key: Key
    ) -> Tag {
        var writer = ByteWriter(.recall, capacity: 81)
        writer.nonce(nonce)
        write(journalID, after, ledgerSequence, ledgerHead, to: &writer)
        return HMACSHA256(key: key).authenticate(writer)
    }

    private static func write(
        _ journalID: ID16, _ after: UInt64, _ ledgerSequence: UInt64, _ ledgerHead: [UInt8],
        to writer: inout ByteWriter
    ) {
        writer.id(journalID)
        writer.u64(after)
        writer.u64(ledgerSequence)
        writer.append(ledgerHead)
    }
}
