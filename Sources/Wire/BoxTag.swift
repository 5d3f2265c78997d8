/// What a box keeps of an RFID tag: no number that another reader would take.
public enum BoxTag {
    /// The longest number of a tag, in bytes. ISO 14443 knows 4, 7 and 10.
    public static let maxNumber = 10

    /// `H(K, 22 ‖ length u8 ‖ number)`, 32 bytes. Throws `badValue` for an empty number, `tooLong` above ten bytes.
    public static func digest(of number: [UInt8], boxKey: Key) throws(WireError) -> Tag {
        guard !number.isEmpty else { throw .badValue }
        guard number.count <= maxNumber else { throw .tooLong }
        var writer = ByteWriter(.tag, capacity: 12)
        writer.u8(UInt8(number.count))
        writer.append(number)
        return HMACSHA256(key: boxKey).authenticate(writer)
    }

    /// What a record calls a tag that nobody made known: the first half of its digest.
    public static func name(of digest: Tag) -> ID16 { ID16(high: digest.w0, low: digest.w1) }
}
