/// Sixteen bytes that are used once: by a gate, by an opener, or on the bus (an 8-byte session and a counter).
public struct Nonce: Hashable, Comparable, Sendable {
    /// The first eight bytes, big-endian.
    public let high: UInt64
    /// The last eight bytes, big-endian.
    public let low: UInt64

    /// Sixteen zero bytes.
    public static let zero = Nonce(high: 0, low: 0)

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

extension Nonce {
    /// The nonce of firmware without a true random source: the first 16 bytes of domain 11 · boot count u32 · n u64
    /// under the gate's key. The boot count is durable and grows before the first nonce of a boot; `n` grows with each
    /// nonce.
    public init(gateKey: Key, bootCount: UInt32, n: UInt64) {
        var writer = ByteWriter(.nonce, capacity: 13)
        writer.u32(bootCount)
        writer.u64(n)
        let tag = HMACSHA256(key: gateKey).authenticate(writer)
        self.init(high: tag.w0, low: tag.w1)
    }
}
