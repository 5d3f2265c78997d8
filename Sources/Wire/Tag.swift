/// An HMAC-SHA256 of 32 bytes. It has no `==`: `matches` compares in constant time.
public struct Tag: Sendable {
    // Four big-endian words, inline: no allocation, and a comparison without branches.
    let w0: UInt64
    let w1: UInt64
    let w2: UInt64
    let w3: UInt64

    /// Exactly 32 bytes; nil for any other length.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        (w0, w1, w2, w3) = bytes.withUnsafeBytes {
            ($0.bigEndian(at: 0), $0.bigEndian(at: 8), $0.bigEndian(at: 16), $0.bigEndian(at: 24))
        }
    }

    init(_ w0: UInt64, _ w1: UInt64, _ w2: UInt64, _ w3: UInt64) {
        self.w0 = w0
        self.w1 = w1
        self.w2 = w2
        self.w3 = w3
    }

    /// The 32 bytes.
    public var bytes: [UInt8] {
        var writer = ByteWriter(capacity: 32)
        writer.u64(w0)
        writer.u64(w1)
        writer.u64(w2)
        writer.u64(w3)
        return writer.bytes
    }

    /// Whether both are the same 32 bytes, in constant time.
    public func matches(_ other: Tag) -> Bool {
        (w0 ^ other.w0) | (w1 ^ other.w1) | (w2 ^ other.w2) | (w3 ^ other.w3) == 0
    }
}

extension Tag {
    /// The tag's bytes as the key of the next step of a chain.
    var asKey: Key { Key(w0, w1, w2, w3) }
}
