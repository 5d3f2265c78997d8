/// The original system's badge cipher, for gates that are set to it and for badge codes that are valid nowhere else.
///
/// One sniffed write gives such a badge away.
public enum Legacy {
    /// The longest badge, in bytes: what one write carries at the smallest MTU of Bluetooth, 23.
    public static let maxBadge = 20
    /// The longest key, in bytes: what one read carries then.
    public static let maxKey = 22

    /// `badge ⊕ key`, the key cycling over the badge's bytes; as long as the badge, and its own inverse. Throws
    /// `emptyKey`.
    public static func cipher(badge: [UInt8], key: [UInt8]) throws(WireError) -> [UInt8] {
        guard !key.isEmpty else { throw .emptyKey }
        var result = badge
        for index in result.indices { result[index] ^= key[index % key.count] }
        return result
    }

    /// The badge's code out of what a phone wrote, for the key that this gate gave it: the gate's side. Throws `emptyKey`,
    /// `truncated` for an empty write, `tooLong` above 20 bytes of write or 22 of key.
    public static func badge(written: [UInt8], key: [UInt8]) throws(WireError) -> [UInt8] {
        guard !key.isEmpty else { throw .emptyKey }
        guard !written.isEmpty else { throw .truncated }
        guard written.count <= maxBadge, key.count <= maxKey else { throw .tooLong }
        return try cipher(badge: written, key: key)
    }

    /// What a journal's record holds in place of a pass's `open`: `H(K, 15 ‖ key length u8 ‖ key ‖ written)`, so that the record stands for
    /// one write and gives nothing of it away.
    public static func open(written: [UInt8], key: [UInt8], gateKey: Key) -> Tag {
        var writer = ByteWriter(.write, capacity: 2 + key.count + written.count)
        writer.u8(UInt8(truncatingIfNeeded: key.count))
        writer.append(key)
        writer.append(written)
        return HMACSHA256(key: gateKey).authenticate(writer)
    }
}

/// What a gate speaks over Bluetooth: one or the other, never both, and never guessed from what a phone writes.
public enum GateMode: Sendable {
    /// The opening protocol: passes.
    case pass
    /// The original system's: badge ⊕ key.
    case legacy
}
