/// SHA-1 (FIPS 180-4), for HMAC-SHA1 in formats that were fixed before us. Never for anything new.
public struct SHA1: Sendable {
    /// Bytes in a digest.
    public static let digestCount = 20
    /// Bytes in a block.
    public static let blockCount = 64

    private var h: InlineArray<5, UInt32> = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0]
    private var block = InlineArray<64, UInt8>(repeating: 0)
    private var filled = 0
    private var total: UInt64 = 0

    /// The hash of nothing, so far.
    public init() {}

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
            Self.compress(&h, &block)
            filled = 0
        }
        while left >= 64 {
            Self.compress(&h, source)
            source += 64
            left -= 64
        }
        if left > 0 { copy(source, left) }
    }

    /// The digest, 20 bytes. Afterwards the value is as new.
    public mutating func finish() -> [UInt8] {
        let bits = total &* 8
        let used = filled
        withUnsafeMutableBytes(of: &block) { bytes in
            bytes[used] = 0x80
            for index in used + 1..<64 { bytes[index] = 0 }
        }
        if used > 55 {
            Self.compress(&h, &block)
            block = InlineArray(repeating: 0)
        }
        withUnsafeMutableBytes(of: &block) { $0.storeBytes(of: bits.bigEndian, toByteOffset: 56, as: UInt64.self) }
        Self.compress(&h, &block)
        var writer = ByteWriter(capacity: Self.digestCount)
        for index in 0..<5 { writer.u32(h[index]) }
        self = SHA1()
        return writer.bytes
    }

    /// The digest of `bytes`, 20 bytes.
    public static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var hash = SHA1()
        hash.update(bytes)
        return hash.finish()
    }

    private mutating func copy(_ source: UnsafeRawPointer, _ count: Int) {
        let offset = filled
        withUnsafeMutableBytes(of: &block) { target in
            UnsafeMutableRawBufferPointer(rebasing: target[offset..<offset + count])
                .copyMemory(from: UnsafeRawBufferPointer(start: source, count: count))
        }
        filled = offset + count
    }

    private static func compress(_ h: inout InlineArray<5, UInt32>, _ block: inout InlineArray<64, UInt8>) {
        withUnsafeBytes(of: &block) { bytes in
            guard let base = bytes.baseAddress else { return }
            compress(&h, base)
        }
    }

    private static func compress(_ h: inout InlineArray<5, UInt32>, _ block: UnsafeRawPointer) {
        var w = InlineArray<16, UInt32>(repeating: 0)
        for index in 0..<16 {
            w[unchecked: index] = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self))
        }
        var (a, b, c, d, e) = (h[0], h[1], h[2], h[3], h[4])
        for t in 0..<80 {
            let slot = t & 15
            if t >= 16 {
                let mixed =
                    w[unchecked: (t &+ 13) & 15] ^ w[unchecked: (t &+ 8) & 15] ^ w[unchecked: (t &+ 2) & 15]
                    ^ w[unchecked: slot]
                w[unchecked: slot] = rotate(mixed, 1)
            }
            let (f, k): (UInt32, UInt32) =
                switch t {
                case 0..<20: (d ^ (b & (c ^ d)), 0x5a82_7999)
                case 20..<40: (b ^ c ^ d, 0x6ed9_eba1)
                case 40..<60: ((b & c) | (d & (b | c)), 0x8f1b_bcdc)
                default: (b ^ c ^ d, 0xca62_c1d6)
                }
            let next = rotate(a, 5) &+ f &+ e &+ k &+ w[unchecked: slot]
            (e, d, c, b, a) = (d, c, rotate(b, 30), a, next)
        }
        h[0] &+= a
        h[1] &+= b
        h[2] &+= c
        h[3] &+= d
        h[4] &+= e
    }

    @inline(__always)
    private static func rotate(_ x: UInt32, _ n: UInt32) -> UInt32 {
        (x &<< n) | (x &>> (32 &- n))
    }
}
