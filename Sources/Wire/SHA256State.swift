/// The eight words of SHA-256 between two blocks.
struct SHA256State: Sendable {
    private var h0: UInt32 = 0x6a09_e667
    private var h1: UInt32 = 0xbb67_ae85
    private var h2: UInt32 = 0x3c6e_f372
    private var h3: UInt32 = 0xa54f_f53a
    private var h4: UInt32 = 0x510e_527f
    private var h5: UInt32 = 0x9b05_688c
    private var h6: UInt32 = 0x1f83_d9ab
    private var h7: UInt32 = 0x5be0_cd19

    init() {}

    /// The words as a digest.
    var tag: Tag {
        Tag(Self.pair(h0, h1), Self.pair(h2, h3), Self.pair(h4, h5), Self.pair(h6, h7))
    }

    /// Takes in 64 bytes at any alignment.
    mutating func compress(_ block: UnsafeRawPointer) {
        var words = InlineArray<16, UInt32>(repeating: 0)
        for index in 0..<16 {
            words[unchecked: index] = UInt32(
                bigEndian: block.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self))
        }
        compress(&words)
    }

    /// Takes in one block that is a digest with its padding, `count` bytes having gone before: the outer half of an
    /// HMAC.
    mutating func compress(digest: SHA256State, after count: UInt32) {
        var words = InlineArray<16, UInt32>(repeating: 0)
        words[0] = digest.h0
        words[1] = digest.h1
        words[2] = digest.h2
        words[3] = digest.h3
        words[4] = digest.h4
        words[5] = digest.h5
        words[6] = digest.h6
        words[7] = digest.h7
        words[8] = 0x8000_0000
        words[15] = (count &+ 32) &* 8
        compress(&words)
    }

    /// Takes in one block of a 32-byte key, each byte mixed with `pad`, and 32 bytes of `pad`.
    mutating func compress(key: Key, pad: UInt8) {
        let mask = UInt32(pad) &* 0x0101_0101
        var words = InlineArray<16, UInt32>(repeating: mask)
        words[0] ^= UInt32(truncatingIfNeeded: key.w0 >> 32)
        words[1] ^= UInt32(truncatingIfNeeded: key.w0)
        words[2] ^= UInt32(truncatingIfNeeded: key.w1 >> 32)
        words[3] ^= UInt32(truncatingIfNeeded: key.w1)
        words[4] ^= UInt32(truncatingIfNeeded: key.w2 >> 32)
        words[5] ^= UInt32(truncatingIfNeeded: key.w2)
        words[6] ^= UInt32(truncatingIfNeeded: key.w3 >> 32)
        words[7] ^= UInt32(truncatingIfNeeded: key.w3)
        compress(&words)
    }

    // Sixteen rounds at a time over a ring of sixteen words: the schedule stays in registers and on the stack, the code
    // stays small enough for firmware.
    private mutating func compress(_ w: inout InlineArray<16, UInt32>) {
        var (a, b, c, d, e, f, g, h) = (h0, h1, h2, h3, h4, h5, h6, h7)
        var first = 0
        while true {
            var step = 0
            while step < 16 {
                let t = first &+ step
                Self.round(a, b, c, &d, e, f, g, &h, w[unchecked: step], Self.k[unchecked: t])
                Self.round(h, a, b, &c, d, e, f, &g, w[unchecked: step &+ 1], Self.k[unchecked: t &+ 1])
                Self.round(g, h, a, &b, c, d, e, &f, w[unchecked: step &+ 2], Self.k[unchecked: t &+ 2])
                Self.round(f, g, h, &a, b, c, d, &e, w[unchecked: step &+ 3], Self.k[unchecked: t &+ 3])
                Self.round(e, f, g, &h, a, b, c, &d, w[unchecked: step &+ 4], Self.k[unchecked: t &+ 4])
                Self.round(d, e, f, &g, h, a, b, &c, w[unchecked: step &+ 5], Self.k[unchecked: t &+ 5])
                Self.round(c, d, e, &f, g, h, a, &b, w[unchecked: step &+ 6], Self.k[unchecked: t &+ 6])
                Self.round(b, c, d, &e, f, g, h, &a, w[unchecked: step &+ 7], Self.k[unchecked: t &+ 7])
                step &+= 8
            }
            first &+= 16
            if first == 64 { break }
            for index in 0..<16 {
                let x = w[unchecked: (index &+ 1) & 15]
                let y = w[unchecked: (index &+ 14) & 15]
                let s0 = Self.rotate(x, 7) ^ Self.rotate(x, 18) ^ (x &>> 3)
                let s1 = Self.rotate(y, 17) ^ Self.rotate(y, 19) ^ (y &>> 10)
                w[unchecked: index] = w[unchecked: index] &+ s0 &+ w[unchecked: (index &+ 9) & 15] &+ s1
            }
        }
        h0 &+= a
        h1 &+= b
        h2 &+= c
        h3 &+= d
        h4 &+= e
        h5 &+= f
        h6 &+= g
        h7 &+= h
    }

    @inline(__always)
    private static func round(
        _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32, _ e: UInt32, _ f: UInt32, _ g: UInt32,
        _ h: inout UInt32, _ w: UInt32, _ k: UInt32
    ) {
        let t1 = h &+ (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) &+ (g ^ (e & (f ^ g))) &+ k &+ w
        let t2 = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) &+ ((a & b) | (c & (a | b)))
        d = d &+ t1
        h = t1 &+ t2
    }

    @inline(__always)
    private static func rotate(_ x: UInt32, _ n: UInt32) -> UInt32 {
        (x &>> n) | (x &<< (32 &- n))
    }

    private static func pair(_ high: UInt32, _ low: UInt32) -> UInt64 {
        UInt64(high) << 32 | UInt64(low)
    }

    private static let k: InlineArray<64, UInt32> = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}
