/// SHA-256 (FIPS 180-4). Whole blocks are read where they lie; at most 63 bytes are copied.
public struct SHA256: Sendable {
    /// Bytes in a digest.
    public static let digestCount = 32
    /// Bytes in a block.
    public static let blockCount = 64

    private var state: SHA256State
    private var block: InlineArray<64, UInt8>
    private var filled = 0
    private var total: UInt64

    /// The hash of nothing, so far.
    public init() {
        self.init(resuming: SHA256State(), after: 0)
    }

    /// Goes on after `count` bytes, a multiple of 64, whose state is known: the halves of an HMAC key.
    init(resuming state: SHA256State, after count: UInt64) {
        self.state = state
        block = InlineArray(repeating: 0)
        total = count
    }

    /// Adds bytes.
    public mutating func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { update($0) }
    }

    /// Adds bytes where they lie.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress else { return }
        total &+= UInt64(bytes.count)
        var source = base
        var left = bytes.count
        if filled > 0 {
            let count = min(left, 64 - filled)
            copy(source, count)
            source += count
            left -= count
            guard filled == 64 else { return }
            Self.compress(&state, &block)
            filled = 0
        }
        while left >= 64 {
            state.compress(source)
            source += 64
            left -= 64
        }
        if left > 0 { copy(source, left) }
    }

    /// The digest, 32 bytes. Afterwards the value is as new.
    public mutating func finish() -> [UInt8] {
        finishTag().bytes
    }

    /// The digest of `bytes`, 32 bytes.
    public static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finish()
    }

    /// The digest without an allocation.
    mutating func finishTag() -> Tag {
        let digest = finishState()
        return digest.tag
    }

    mutating func finishState() -> SHA256State {
        Self.pad(&block, from: filled)
        if filled > 55 {
            Self.compress(&state, &block)
            block = InlineArray(repeating: 0)
        }
        Self.store(total &* 8, in: &block)
        Self.compress(&state, &block)
        let digest = state
        self = SHA256()
        return digest
    }

    private mutating func copy(_ source: UnsafeRawPointer, _ count: Int) {
        let offset = filled
        withUnsafeMutableBytes(of: &block) { target in
            UnsafeMutableRawBufferPointer(rebasing: target[offset..<offset + count])
                .copyMemory(from: UnsafeRawBufferPointer(start: source, count: count))
        }
        filled = offset + count
    }

    private static func pad(_ block: inout InlineArray<64, UInt8>, from filled: Int) {
        withUnsafeMutableBytes(of: &block) { bytes in
            bytes[filled] = 0x80
            for index in filled + 1..<64 { bytes[index] = 0 }
        }
    }

    private static func store(_ bits: UInt64, in block: inout InlineArray<64, UInt8>) {
        withUnsafeMutableBytes(of: &block) { $0.storeBytes(of: bits.bigEndian, toByteOffset: 56, as: UInt64.self) }
    }

    private static func compress(_ state: inout SHA256State, _ block: inout InlineArray<64, UInt8>) {
        withUnsafeBytes(of: &block) { bytes in
            guard let base = bytes.baseAddress else { return }
            state.compress(base)
        }
    }
}
