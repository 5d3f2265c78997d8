/// The code that a person carries from the hub's screen to a gate: 128 random bits, good for ten minutes and one use.
///
/// As text: 26 letters of Crockford's base 32 (no I, L, O or U), the first bits first, two zero bits at the end.
public struct PairingCode: Sendable {
    /// The 16 bytes.
    public let bytes: [UInt8]

    /// Exactly 16 bytes; nil for any other length.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// From the text as people type it: either case, spaces and dashes anywhere, O for 0, I and L for 1. Nil for
    /// anything else, for another length, and for end bits that are not zero.
    public init?(text: some Sequence<UInt8>) {
        var bytes: [UInt8] = []
        var pending: UInt32 = 0
        var bits = 0
        var letters = 0
        for letter in text {
            if letter == 0x20 || letter == 0x2d { continue }
            guard let value = Self.value(letter), letters < 26 else { return nil }
            letters += 1
            pending = pending << 5 | UInt32(value)
            bits += 5
            if bits >= 8, bytes.count < 16 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: pending >> UInt32(bits)))
                pending &= (1 << UInt32(bits)) - 1
            }
        }
        guard letters == 26, pending == 0 else { return nil }
        self.bytes = bytes
    }

    /// From the text as people type it.
    public init?(text: String) {
        self.init(text: text.utf8)
    }

    /// 26 letters.
    public var text: String {
        var letters: [UInt8] = []
        var pending: UInt32 = 0
        var bits = 0
        for byte in bytes + [0] where letters.count < 26 {
            pending = pending << 8 | UInt32(byte)
            bits += 8
            while bits >= 5, letters.count < 26 {
                bits -= 5
                letters.append(Self.letter(UInt8(truncatingIfNeeded: pending >> UInt32(bits)) & 31))
                pending &= (1 << UInt32(bits)) - 1
            }
        }
        return String(decoding: letters, as: UTF8.self)
    }

    /// 0 to 9, then A to Z without I, L, O, U.
    private static func letter(_ value: UInt8) -> UInt8 {
        switch value {
        case 0..<10: 0x30 + value
        case 10..<18: 0x41 + value - 10  // A to H
        case 18..<20: 0x4a + value - 18  // J, K
        case 20..<22: 0x4d + value - 20  // M, N
        case 22..<27: 0x50 + value - 22  // P to T
        default: 0x56 + value - 27  // V to Z
        }
    }

    private static func value(_ letter: UInt8) -> UInt8? {
        let upper = letter >= 0x61 && letter <= 0x7a ? letter - 0x20 : letter
        return switch upper {
        case 0x30...0x39: upper - 0x30
        case 0x41...0x48: upper - 0x41 + 10
        case 0x4a...0x4b: upper - 0x4a + 18
        case 0x4d...0x4e: upper - 0x4d + 20
        case 0x50...0x54: upper - 0x50 + 22
        case 0x56...0x5a: upper - 0x56 + 27
        case 0x4f: 0  // O
        case 0x49, 0x4c: 1  // I, L
        default: nil
        }
    }
}

extension PairingCode: CustomStringConvertible, CustomDebugStringConvertible {
    /// Always `PairingCode(hidden)`: it is a secret while it lives.
    public var description: String { "PairingCode(hidden)" }
    /// Always `PairingCode(hidden)`.
    public var debugDescription: String { "PairingCode(hidden)" }
}

#if !hasFeature(Embedded)
    extension PairingCode: CustomReflectable {
        /// Without children: `dump` and failed expectations would show them.
        public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
    }
#endif
