/// A gate's answer to a restored hub: the newest head of the ledger that it was ever told, and how many records it tells again.
///
/// Layout, 80 bytes: ledger sequence u64 · ledger head 32 · records u64 · tag 32. Tag, domain 17: the tag of the recall 32 ·
/// the fields.
public struct Witness: Sendable {
    /// The highest sequence of the site's chain that an acknowledgement told; 0 when none did.
    public let ledgerSequence: UInt64
    /// The chain's head there, 32 bytes; zeros when there is none.
    public let ledgerHead: [UInt8]
    /// How many records of its journal it tells now.
    public let records: UInt64
    /// Domain 17 under the gate's key.
    public let tag: Tag

    /// Answers: the gate's side. Throws `badValue` unless the head is 32 bytes.
    public init(
        ledgerSequence: UInt64, ledgerHead: [UInt8], records: UInt64, recall: Recall, gateKey: Key
    ) throws(WireError) {
        guard ledgerHead.count == 32 else { throw .badValue }
        (self.ledgerSequence, self.ledgerHead, self.records) = (ledgerSequence, ledgerHead, records)
        tag = Self.tag(ledgerSequence, ledgerHead, records, recall.tag, gateKey)
    }

    /// Exactly 80 bytes. Throws `truncated`, `trailingBytes`.
    public init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = Reader(bytes)
        ledgerSequence = try reader.u64()
        ledgerHead = try reader.bytes(32)
        records = try reader.u64()
        tag = try reader.tag()
        try reader.end()
    }

    /// 80 bytes.
    public func encoded() -> [UInt8] {
        var writer = ByteWriter(capacity: 80)
        Self.write(ledgerSequence, ledgerHead, records, to: &writer)
        writer.tag(tag)
        return writer.bytes
    }

    /// Whether the gate with this key said it in answer to the recall with that tag. In constant time.
    public func verifies(gateKey: Key, recall: Tag) -> Bool {
        Self.tag(ledgerSequence, ledgerHead, records, recall, gateKey).matches(tag)
    }

    private static func tag(
        _ ledgerSequence: UInt64, _ ledgerHead: [UInt8], _ records: UInt64, _ recall: Tag, _ key: Key
    ) -> Tag {
        var writer = ByteWriter(.witness, capacity: 81)
        writer.tag(recall)
        write(ledgerSequence, ledgerHead, records, to: &writer)
        return HMACSHA256(key: key).authenticate(writer)
    }

    private static func write(
        _ ledgerSequence: UInt64, _ ledgerHead: [UInt8], _ records: UInt64, to writer: inout ByteWriter
    ) {
        writer.u64(ledgerSequence)
        writer.append(ledgerHead)
        writer.u64(records)
    }
}
