/// Writes big-endian fields one after another.
public struct ByteWriter: Sendable {
    /// What has been written.
    public private(set) var bytes: [UInt8]

    /// An empty writer; `capacity` bytes are reserved at once.
    public init(capacity: Int = 64) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    /// The input of a MAC: every use of a key begins with the byte of its domain.
    public init(_ domain: Domain, capacity: Int = 192) {
        self.init(capacity: capacity)
        u8(domain.rawValue)
    }

    /// One byte.
    public mutating func u8(_ value: UInt8) {
        bytes.append(value)
    }

    /// Two bytes.
    public mutating func u16(_ value: UInt16) {
        integer(value)
    }

    /// Four bytes.
    public mutating func u32(_ value: UInt32) {
        integer(value)
    }

    /// Eight bytes.
    public mutating func u64(_ value: UInt64) {
        integer(value)
    }

    /// The bytes as they are.
    public mutating func append(_ more: [UInt8]) {
        bytes.append(contentsOf: more)
    }

    /// Sixteen bytes.
    public mutating func id(_ id: ID16) {
        u64(id.high)
        u64(id.low)
    }

    /// Sixteen bytes.
    public mutating func nonce(_ nonce: Nonce) {
        u64(nonce.high)
        u64(nonce.low)
    }

    /// Thirty-two bytes.
    public mutating func tag(_ tag: Tag) {
        u64(tag.w0)
        u64(tag.w1)
        u64(tag.w2)
        u64(tag.w3)
    }

    /// Thirty-two bytes; for sealed storage and for the phone that a pass is meant for, never for a log.
    public mutating func key(_ key: Key) {
        tag(Tag(key.w0, key.w1, key.w2, key.w3))
    }

    private mutating func integer<Value: FixedWidthInteger>(_ value: Value) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }
}
