/// What the hub grants: to whom is not said, the pass id stands for it. Its bytes are the input of the pass's key, so
/// it is fixed once made. A value always satisfies the protocol's rules.
///
/// Layout, big-endian, 63 bytes and 16 for each interval: version u8 · flags u8 · epoch u32 · pass id 16 · gate id 16 ·
/// issued u64 · not-before u64 · not-after u64 · interval count u8 · (start u64 · end u64) each.
public struct PassHeader: Hashable, Sendable {
    /// The only version of this format.
    public static let version: UInt8 = 1
    /// The longest life: 24 hours from `issued`, in seconds.
    public static let maxLifetime: UInt64 = 86_400
    /// The most intervals.
    public static let maxIntervals = 8

    /// What kind of pass it is.
    public let flags: PassFlags
    /// The gate's epoch must not be above it.
    public let epoch: UInt32
    /// Names the pass, for the deny list; under `hub` it is the event's id.
    public let passID: ID16
    /// The one gate that it is for.
    public let gateID: ID16
    /// When the hub made it; Unix seconds, under `hub` seconds of the gate's uptime, as for all times here.
    public let issued: UInt64
    /// The first second of its validity.
    public let notBefore: UInt64
    /// The first second after its validity.
    public let notAfter: UInt64
    /// Inside which intervals it opens; empty: the whole validity.
    public let intervals: [Interval]

    /// The version byte.
    public var version: UInt8 { Self.version }

    /// Makes a header. Throws `unknownFlag`; `badTimes` unless not-before and issued are before not-after and that is
    /// at most 24 hours after issued; `tooLong` for more than 8 intervals; `unsortedIntervals` when one is empty or
    /// starts before its predecessor's end.
    public init(
        flags: PassFlags, epoch: UInt32, passID: ID16, gateID: ID16, issued: UInt64, notBefore: UInt64,
        notAfter: UInt64,
        intervals: [Interval] = []
    ) throws(WireError) {
        guard flags.subtracting(.known).isEmpty else { throw .unknownFlag }
        guard notBefore < notAfter, issued < notAfter, notAfter - issued <= Self.maxLifetime else { throw .badTimes }
        guard intervals.count <= Self.maxIntervals else { throw .tooLong }
        var previousEnd: UInt64 = 0
        for interval in intervals {
            guard interval.start < interval.end, interval.start >= previousEnd else { throw .unsortedIntervals }
            previousEnd = interval.end
        }
        self.flags = flags
        self.epoch = epoch
        self.passID = passID
        self.gateID = gateID
        self.issued = issued
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.intervals = intervals
    }

    /// Reads one header and leaves the reader behind it. Throws `unknownVersion`, `truncated` and what `init` throws.
    public static func decode(from reader: inout Reader) throws(WireError) -> PassHeader {
        guard try reader.u8() == version else { throw .unknownVersion }
        let flags = PassFlags(rawValue: try reader.u8())
        guard flags.subtracting(.known).isEmpty else { throw .unknownFlag }
        let epoch = try reader.u32()
        let passID = try reader.id()
        let gateID = try reader.id()
        let issued = try reader.u64()
        let notBefore = try reader.u64()
        let notAfter = try reader.u64()
        let count = Int(try reader.u8())
        guard count <= maxIntervals else { throw .tooLong }
        var intervals: [Interval] = []
        intervals.reserveCapacity(count)
        for _ in 0..<count {
            let start = try reader.u64()
            intervals.append(Interval(start: start, end: try reader.u64()))
        }
        return try PassHeader(
            flags: flags, epoch: epoch, passID: passID, gateID: gateID, issued: issued, notBefore: notBefore,
            notAfter: notAfter, intervals: intervals)
    }

    /// Exactly the bytes of one header. Throws what `decode` throws, and `trailingBytes`.
    public init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = Reader(bytes)
        self = try PassHeader.decode(from: &reader)
        try reader.end()
    }

    /// The bytes, 63 to 191.
    public func encoded() -> [UInt8] {
        var writer = ByteWriter(capacity: 63 + 16 * intervals.count)
        write(to: &writer)
        return writer.bytes
    }

    func write(to writer: inout ByteWriter) {
        writer.u8(version)
        writer.u8(flags.rawValue)
        writer.u32(epoch)
        writer.id(passID)
        writer.id(gateID)
        writer.u64(issued)
        writer.u64(notBefore)
        writer.u64(notAfter)
        writer.u8(UInt8(intervals.count))
        for interval in intervals {
            writer.u64(interval.start)
            writer.u64(interval.end)
        }
    }

    /// The key that the hub gives with this header and the gate computes again.
    func passKey(gateKey: Key, mac: MAC = HMACSHA256.tag) -> Key {
        keyInput().tag(gateKey, by: mac).asKey
    }

    /// The input of the pass's key: 1 · header.
    func keyInput() -> ByteWriter {
        var writer = ByteWriter(.pass, capacity: 192)
        write(to: &writer)
        return writer
    }
}
