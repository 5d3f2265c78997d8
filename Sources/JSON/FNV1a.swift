/// The hash FNV-1a of 64 bits (Fowler, Noll, Vo; offset basis and prime as published). It protects against nothing: it only
/// tells contents apart.
package struct FNV1a {
    package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    /// Takes one more byte.
    package mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }

    /// The hash of a name.
    package static func hash(_ name: StaticString) -> UInt64 {
        var hash = FNV1a()
        for byte in UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount) { hash.add(byte) }
        return hash.value
    }

    /// The hash of all the bytes, as 16 hexadecimal digits.
    package static func hex(_ bytes: [UInt8]) -> String {
        var hash = FNV1a()
        for byte in bytes { hash.add(byte) }
        let digits = String(hash.value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
