/// The hub's word, after its commit, that it holds a gate's records up to a sequence. The gate keeps the ledger's head
/// as a witness.
///
/// Layout, 96 bytes: journal id 16 · sequence u64 · ledger sequence u64 · ledger head 32 · tag 32.
public struct Acknowledgement: Sendable {
    /// The gate's journal.
    public let journalID: ID16
    /// The record's sequence there.
    public let sequence: UInt64
    /// The ledger's last sequence.
    public let ledgerSequence: UInt64
    /// The ledger's head at that sequence, 32 bytes.
    public let ledgerHead: [UInt8]
    /// Domain 8 under the gate's key.
    public let tag: Tag

    /// Acknowledges: the hub's side. Throws `badValue` unless the head is 32 bytes.
    public init(
        journalID: ID16, sequence: UInt64, ledgerSequence: UInt64, ledgerHead: [UInt8], gateKey: Key,
        mac: MAC = HMACSHA256.tag
    ) throws(WireError) {
        guard ledgerHead.count == 32 else { throw .badValue }
        self.journalID = journalID
        self.sequence = sequence
        self.ledgerSequence = ledgerSequence
        self.ledgerHead = ledgerHead
        var writer = ByteWriter(.acknowledgement, capacity: 65)
        Self.write(journalID, sequence, ledgerSequence, ledgerHead, to: &writer)
        tag = writer.tag(gateKey, by: mac)
    }

    /// Exactly 96 bytes. Throws `truncated`, `trailingBytes`.
    public init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = Reader(bytes)
        journalID = try reader.id()
        sequence = try reader.u64()
        ledgerSequence = try reader.u64()
        ledgerHead = try reader.bytes(32)
        tag = try reader.tag()
        try reader.end()
    }

    /// 96 bytes.
    public func encoded() -> [UInt8] {
        var writer = ByteWriter(capacity: 96)
        Self.write(journalID, sequence, ledgerSequence, ledgerHead, to: &writer)
        writer.tag(tag)
        return writer.bytes
    }

    /// Whether the hub made it for the gate with this key. In constant time. See also `advances`.
    public func verifies(gateKey: Key) -> Bool {
        var writer = ByteWriter(.acknowledgement, capacity: 65)
        Self.write(journalID, sequence, ledgerSequence, ledgerHead, to: &writer)
        return HMACSHA256(key: gateKey).authenticate(writer).matches(tag)
    }

    /// Whether it says something new to a gate with this journal whose last acknowledged record is `acknowledged` (nil:
    /// none yet). A replay or another journal's changes nothing.
    public func advances(journalID: ID16, acknowledged: UInt64?) -> Bool {
        guard journalID == self.journalID else { return false }
        guard let acknowledged else { return true }
        return sequence > acknowledged
    }

    private static func write(
        _ journalID: ID16, _ sequence: UInt64, _ ledgerSequence: UInt64, _ ledgerHead: [UInt8],
        to writer: inout ByteWriter
    ) {
        writer.id(journalID)
        writer.u64(sequence)
        writer.u64(ledgerSequence)
        writer.append(ledgerHead)
    }
}
