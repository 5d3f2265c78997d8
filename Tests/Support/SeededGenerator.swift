/// The same random numbers on every run: a failure can be repeated (SplitMix64; Steele, Lea, Flood).
public struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    /// Of one seed they are the same.
    public init(seed: UInt64) { state = seed }

    /// The next one.
    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }

    /// So many bytes.
    public mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next() >> 24) }
    }
}
