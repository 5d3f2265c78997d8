/// How a gate is, for whoever looks after it.
///
/// Layout: utc u64 · waiting u32 · kept u32 · troubles u8 · software length u8 · software.
public struct GateStatus: Hashable, Sendable {
    /// What does not work at a gate.
    public struct Troubles: OptionSet, Hashable, Sendable {
        /// One bit each.
        public let rawValue: UInt8

        /// Takes the bits as they are.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The journal cannot be written: nobody is let in until it can, and everybody is let out.
        public static let journalFull = Troubles(rawValue: 1)
        /// The relay did not move when it was last asked to.
        public static let relayFailed = Troubles(rawValue: 2)
        /// New rights came and could not be kept; the old ones hold.
        public static let rightsNotKept = Troubles(rawValue: 4)
        /// The disk is nearly full: openings are written into the room that is kept for them, refusals are not.
        public static let diskFull = Troubles(rawValue: 8)
    }

    /// The longest name and version of a controller's software, in bytes.
    public static let maxSoftware = 32

    /// What the gate's clock shows, trusted or not; Unix seconds.
    public let utc: UInt64
    /// Records of the journal that the hub has not acknowledged.
    public let waiting: UInt32
    /// Records of the journal altogether.
    public let kept: UInt32
    /// What does not work.
    public let troubles: Troubles
    /// The software and its version, ASCII: `soglia 0.2.0`.
    public let software: [UInt8]

    /// See the properties. Throws `tooLong` for more than 32 bytes of software.
    public init(
        utc: UInt64, waiting: UInt32, kept: UInt32, troubles: Troubles, software: [UInt8]
    ) throws(WireError) {
        guard software.count <= Self.maxSoftware else { throw .tooLong }
        self.utc = utc
        self.waiting = waiting
        self.kept = kept
        self.troubles = troubles
        self.software = software
    }

    static func decode(from reader: inout Reader) throws(WireError) -> GateStatus {
        let utc = try reader.u64()
        let waiting = try reader.u32()
        let kept = try reader.u32()
        let troubles = Troubles(rawValue: try reader.u8())
        let count = Int(try reader.u8())
        guard count <= maxSoftware else { throw .tooLong }
        let software = try reader.bytes(count)
        // It is shown to people: printable ASCII, or nothing of it.
        for byte in software where byte < 0x20 || byte > 0x7e { throw .badValue }
        return try GateStatus(utc: utc, waiting: waiting, kept: kept, troubles: troubles, software: software)
    }

    func write(to writer: inout ByteWriter) {
        writer.u64(utc)
        writer.u32(waiting)
        writer.u32(kept)
        writer.u8(troubles.rawValue)
        writer.u8(UInt8(software.count))
        writer.append(software)
    }
}
