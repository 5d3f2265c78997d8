import System
import Testing

@Suite("Numbers as bytes")
struct BigEndianTests {
    @Test("The largest byte comes first")
    func written() {
        #expect(UInt32(0x0102_0304).bigEndianBytes == [1, 2, 3, 4])
        #expect(Int64(-2).bigEndianBytes == [255, 255, 255, 255, 255, 255, 255, 254])
        #expect(UInt8(7).bigEndianBytes == [7])
    }

    @Test("What is written is read as it was", arguments: [Int64.min, -1, 0, 1, 0x0102_0304_0506_0708, .max])
    func read(_ number: Int64) {
        #expect(Int64(bigEndianBytes: number.bigEndianBytes) == number)
        #expect(UInt64(bigEndianBytes: number.bigEndianBytes) == UInt64(bitPattern: number))
    }

    @Test("Fewer bytes are the lowest; of more the last count")
    func otherLengths() {
        #expect(UInt64(bigEndianBytes: [] as [UInt8]) == 0)
        #expect(Int(bigEndianBytes: [1, 0] as [UInt8]) == 256)
        #expect(UInt16(bigEndianBytes: [9, 1, 2] as [UInt8]) == 0x0102)
        #expect(UInt32(bigEndianBytes: [1, 2, 3, 4].reversed() as [UInt8]) == 0x0403_0201)
    }
}
