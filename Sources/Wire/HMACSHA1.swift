/// HMAC-SHA1 (RFC 2104) under one key, for formats that were fixed before us. The value holds the key's two midstates.
public struct HMACSHA1: Sendable {
    private let inner: SHA1
    private let outer: SHA1

    /// A key of any length.
    public init(key: [UInt8]) {
        let short = key.count > SHA1.blockCount ? SHA1.hash(key) : key
        inner = Self.midstate(short, pad: 0x36)
        outer = Self.midstate(short, pad: 0x5c)
    }

    /// The tag of the parts, one after another without lengths between them: 20 bytes.
    public func authenticate(_ parts: [UInt8]...) -> [UInt8] {
        var run = begin()
        for part in parts { run.update(part) }
        return run.finish()
    }

    /// The tag of the bytes where they lie: 20 bytes.
    public func authenticate(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var run = begin()
        run.update(bytes)
        return run.finish()
    }

    /// A tag that is computed piece by piece.
    public func begin() -> Run {
        Run(inner: inner, outer: outer)
    }

    /// A tag on its way.
    public struct Run: Sendable {
        private var inner: SHA1
        private var outer: SHA1

        init(inner: SHA1, outer: SHA1) {
            self.inner = inner
            self.outer = outer
        }

        /// Adds bytes.
        public mutating func update(_ bytes: [UInt8]) {
            inner.update(bytes)
        }

        /// Adds bytes where they lie.
        public mutating func update(_ bytes: UnsafeRawBufferPointer) {
            inner.update(bytes)
        }

        /// The tag of all that was added, 20 bytes. Afterwards the value is spent: begin another.
        public mutating func finish() -> [UInt8] {
            outer.update(inner.finish())
            return outer.finish()
        }
    }

    private static func midstate(_ key: [UInt8], pad: UInt8) -> SHA1 {
        var block = [UInt8](repeating: pad, count: SHA1.blockCount)
        for index in key.indices { block[index] ^= key[index] }
        var hash = SHA1()
        hash.update(block)
        return hash
    }
}
