/// HMAC-SHA256 under a key: `HMACSHA256.tag`, or that of a library which has the processor's own instructions. A hub, whose openings cost
/// several of them each, names one; firmware has none.
public typealias MAC = (_ key: Key, _ bytes: UnsafeRawBufferPointer) -> Tag

extension ByteWriter {
    /// The tag of what was written.
    func tag(_ key: Key, by mac: MAC) -> Tag { bytes.withUnsafeBytes { mac(key, $0) } }
}

/// HMAC-SHA256 (RFC 2104, FIPS 198-1) under one key. The value holds the key's two midstates, not the key: made once
/// and kept, it saves two of the blocks of every use.
public struct HMACSHA256: Sendable {
    private let inner: SHA256State
    private let outer: SHA256State

    /// A key of any length.
    public init(key: [UInt8]) {
        let short = key.count > SHA256.blockCount ? SHA256.hash(key) : key
        inner = Self.midstate(short, pad: 0x36)
        outer = Self.midstate(short, pad: 0x5c)
    }

    /// A key of 32 bytes.
    public init(key: Key) {
        var (inner, outer) = (SHA256State(), SHA256State())
        inner.compress(key: key, pad: 0x36)
        outer.compress(key: key, pad: 0x5c)
        self.inner = inner
        self.outer = outer
    }

    /// The tag of the parts, one after another without lengths between them.
    public func authenticate(_ parts: [UInt8]...) -> Tag {
        var run = begin()
        for part in parts { run.update(part) }
        return run.finish()
    }

    /// The tag of the bytes where they lie.
    public func authenticate(_ bytes: UnsafeRawBufferPointer) -> Tag {
        var run = begin()
        run.update(bytes)
        return run.finish()
    }

    /// The tag of bytes under a key: a `MAC` without a library.
    public static func tag(_ key: Key, _ bytes: UnsafeRawBufferPointer) -> Tag {
        HMACSHA256(key: key).authenticate(bytes)
    }

    /// The tag of what was written, without an array around it.
    func authenticate(_ writer: ByteWriter) -> Tag {
        writer.bytes.withUnsafeBytes { authenticate($0) }
    }

    /// A tag that is computed piece by piece.
    public func begin() -> Run {
        Run(hash: SHA256(resuming: inner, after: UInt64(SHA256.blockCount)), outer: outer)
    }

    /// A tag on its way.
    public struct Run: Sendable {
        private var hash: SHA256
        private let outer: SHA256State

        init(hash: SHA256, outer: SHA256State) {
            self.hash = hash
            self.outer = outer
        }

        /// Adds bytes.
        public mutating func update(_ bytes: [UInt8]) {
            hash.update(bytes)
        }

        /// Adds bytes where they lie.
        public mutating func update(_ bytes: UnsafeRawBufferPointer) {
            hash.update(bytes)
        }

        /// The tag of all that was added. Afterwards the value is spent: begin another.
        public mutating func finish() -> Tag {
            var state = outer
            state.compress(digest: hash.finishState(), after: UInt32(SHA256.blockCount))
            return state.tag
        }
    }

    private static func midstate(_ key: [UInt8], pad: UInt8) -> SHA256State {
        var block = InlineArray<64, UInt8>(repeating: pad)
        for index in key.indices { block[index] ^= key[index] }
        var state = SHA256State()
        withUnsafeBytes(of: &block) { bytes in
            guard let base = bytes.baseAddress else { return }
            state.compress(base)
        }
        return state
    }
}
