/// Immutable bytes at a fixed address, for answers that are given many times.
///
/// `@unchecked Sendable`: written once, in the initialiser.
public final class SharedBytes: @unchecked Sendable {
    let buffer: UnsafeRawBufferPointer

    /// How many bytes.
    public var count: Int { buffer.count }

    /// Copies the bytes, once.
    public init(_ bytes: [UInt8]) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        copy.copyBytes(from: bytes)
        buffer = UnsafeRawBufferPointer(copy)
    }

    deinit { buffer.deallocate() }
}
