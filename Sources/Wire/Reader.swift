/// Reads big-endian fields one after another out of bytes from outside. Every read is checked against the end; none
/// traps, whatever the bytes are.
public struct Reader: Sendable {
    private let bytes: [UInt8]
    private var position = 0

    /// Starts at the first byte.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// How many bytes are left.
    public var remaining: Int { bytes.count - position }

    /// One byte. Throws `truncated`.
    public mutating func u8() throws(WireError) -> UInt8 {
        bytes[try take(1)]
    }

    /// Two bytes, big-endian. Throws `truncated`.
    public mutating func u16() throws(WireError) -> UInt16 {
        let start = try take(2)
        return UInt16(bytes[start]) << 8 | UInt16(bytes[start + 1])
    }

    /// Four bytes, big-endian. Throws `truncated`.
    public mutating func u32() throws(WireError) -> UInt32 {
        let start = try take(4)
        return bytes.withUnsafeBytes { $0.bigEndian(at: start) }
    }

    /// Eight bytes, big-endian. Throws `truncated`.
    public mutating func u64() throws(WireError) -> UInt64 {
        let start = try take(8)
        return bytes.withUnsafeBytes { $0.bigEndian(at: start) }
    }

    /// The next `count` bytes. Throws `truncated`; also for a negative count.
    public mutating func bytes(_ count: Int) throws(WireError) -> [UInt8] {
        let start = try take(count)
        return [UInt8](bytes[start..<start + count])
    }

    /// Bytes behind their own two-byte length. Throws `truncated`.
    public mutating func lengthPrefixed() throws(WireError) -> [UInt8] {
        let count = try u16()
        return try bytes(Int(count))
    }

    /// All bytes that are left.
    public mutating func rest() -> [UInt8] {
        defer { position = bytes.count }
        return [UInt8](bytes[position...])
    }

    /// An id of 16 bytes. Throws `truncated`.
    public mutating func id() throws(WireError) -> ID16 {
        let high = try u64()
        return ID16(high: high, low: try u64())
    }

    /// A nonce of 16 bytes. Throws `truncated`.
    public mutating func nonce() throws(WireError) -> Nonce {
        let high = try u64()
        return Nonce(high: high, low: try u64())
    }

    /// A tag of 32 bytes. Throws `truncated`.
    public mutating func tag() throws(WireError) -> Tag {
        let (w0, w1, w2, w3) = (try u64(), try u64(), try u64(), try u64())
        return Tag(w0, w1, w2, w3)
    }

    /// A key of 32 bytes. Throws `truncated`.
    public mutating func key() throws(WireError) -> Key {
        try tag().asKey
    }

    /// Throws `trailingBytes` unless everything was read.
    public func end() throws(WireError) {
        guard remaining == 0 else { throw .trailingBytes }
    }

    private mutating func take(_ count: Int) throws(WireError) -> Int {
        guard count >= 0, count <= remaining else { throw .truncated }
        defer { position += count }
        return position
    }
}

extension UnsafeRawBufferPointer {
    /// A big-endian integer at any alignment. The caller has checked the end.
    @inline(__always)
    func bigEndian<Value: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Value {
        Value(bigEndian: loadUnaligned(fromByteOffset: offset, as: Value.self))
    }
}
