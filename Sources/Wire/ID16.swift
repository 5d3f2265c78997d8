/// An id of 16 bytes: of a pass, a gate, a journal or an event. It names and is no secret.
public struct ID16: Hashable, Comparable, Sendable {
    /// The first eight bytes, big-endian.
    public let high: UInt64
    /// The last eight bytes, big-endian.
    public let low: UInt64

    /// Sixteen zero bytes.
    public static let zero = ID16(high: 0, low: 0)

    /// Makes it from its two halves, each big-endian.
    @inlinable
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Exactly 16 bytes; nil for any other length.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        (high, low) = bytes.withUnsafeBytes { ($0.bigEndian(at: 0), $0.bigEndian(at: 8)) }
    }

    /// Exactly 32 hexadecimal digits, as ASCII bytes of either case; nil for anything else.
    public init?(hex: some Sequence<UInt8>) {
        guard let bytes = Hex.bytes(hex, count: 16) else { return nil }
        self.init(bytes)
    }

    /// Exactly 32 hexadecimal digits of either case; nil for anything else.
    public init?(hex: String) {
        self.init(hex: hex.utf8)
    }

    /// The 16 bytes.
    public var bytes: [UInt8] {
        var writer = ByteWriter(capacity: 16)
        writer.u64(high)
        writer.u64(low)
        return writer.bytes
    }

    /// 32 lower-case hexadecimal digits.
    public var hex: String { Hex.text(bytes) }

    /// Equal when all 16 bytes are. It takes the same time for all values.
    @inlinable
    public static func == (a: Self, b: Self) -> Bool {
        (a.high ^ b.high) | (a.low ^ b.low) == 0
    }

    /// The order of the bytes.
    @inlinable
    public static func < (a: Self, b: Self) -> Bool {
        a.high != b.high ? a.high < b.high : a.low < b.low
    }

    /// Feeds all 16 bytes.
    @inlinable
    public func hash(into hasher: inout Hasher) {
        hasher.combine(high)
        hasher.combine(low)
    }
}
