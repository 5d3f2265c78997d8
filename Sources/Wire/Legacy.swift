/// The original system's badge cipher, for gates that are set to it and for badge codes that are valid nowhere else.
/// One sniffed write gives such a badge away.
public enum Legacy {
    /// `badge ⊕ key`, the key cycling over the badge's bytes; as long as the badge, and its own inverse. Throws
    /// `emptyKey`.
    public static func cipher(badge: [UInt8], key: [UInt8]) throws(WireError) -> [UInt8] {
        guard !key.isEmpty else { throw .emptyKey }
        var result = badge
        for index in result.indices { result[index] ^= key[index % key.count] }
        return result
    }
}
