/// Numbers in the order of the network and of most formats: the largest byte first.
extension FixedWidthInteger {
    /// All its bytes, the largest first.
    @inlinable public var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }

    /// What bytes say, the largest first: fewer than it has are the lowest ones, and of more only the last count.
    @inlinable public init(bigEndianBytes bytes: some Sequence<UInt8>) {
        self = 0
        for byte in bytes { self = self << 8 | Self(truncatingIfNeeded: byte) }
    }
}
