import TestSupport
import Testing

@testable import Wire

@Suite("Ids, nonces, keys and tags")
struct ValueTests {
    @Test("An id is 16 bytes and its text is 32 lower-case digits")
    func idText() throws {
        let bytes = Array(UInt8(0xf0)...0xff)
        let id = try #require(ID16(bytes))
        #expect(id.bytes == bytes)
        #expect(id.hex == "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff")
        #expect(ID16(hex: id.hex) == id)
        #expect(ID16(hex: id.hex.uppercased()) == id)
        #expect(ID16(hex: id.hex.utf8) == id)
        #expect(ID16.zero.bytes == [UInt8](repeating: 0, count: 16))
    }

    @Test(
        "A text that is not exactly 32 hexadecimal digits is no id",
        arguments: [
            "", "0", "f0f1f2f3f4f5f6f7f8f9fafbfcfdfef", "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff0",
            "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff00", "g0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
            "f0f1f2f3 4f5f6f7f8f9fafbfcfdfeff",
        ])
    func badText(text: String) {
        #expect(ID16(hex: text) == nil)
        #expect(Nonce(hex: text) == nil)
    }

    @Test("Values of the wrong length are not made", arguments: [0, 1, 15, 17, 31, 33, 64])
    func lengths(count: Int) {
        let bytes = [UInt8](repeating: 1, count: count)
        #expect(ID16(bytes) == nil)
        #expect(Nonce(bytes) == nil)
        #expect(Key(bytes) == nil)
        #expect(Tag(bytes) == nil)
        #expect(PairingCode(bytes) == nil)
    }

    @Test("Ids sort as their bytes do")
    func order() {
        var generator = SeededGenerator(seed: 1)
        let ids = (0..<300).map { _ in ID16(generator.bytes(16))! }
        #expect(ids.sorted().map(\.bytes) == ids.map(\.bytes).sorted { $0.lexicographicallyPrecedes($1) })
    }

    @Test("A tag matches itself and no tag that differs in one bit")
    func tagBits() {
        var generator = SeededGenerator(seed: 2)
        let bytes = generator.bytes(32)
        let tag = Tag(bytes)!
        #expect(tag.matches(Tag(bytes)!))
        for bit in 0..<256 {
            var other = bytes
            other[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!tag.matches(Tag(other)!))
            #expect(!constantTimeEquals(bytes, other))
        }
        #expect(constantTimeEquals(bytes, bytes))
        #expect(constantTimeEquals([], []))
        #expect(!constantTimeEquals(bytes, Array(bytes.dropLast())))
    }

    @Test("Neither text nor dump shows a key")
    func hidden() {
        let bytes = [UInt8](repeating: 0xab, count: 32)
        var dumped = ""
        dump(Key(bytes)!, to: &dumped)
        let texts = ["\(Key(bytes)!)", String(reflecting: Key(bytes)!), dumped, "\([Key(bytes)!])"]
        for text in texts {
            #expect(text.contains("Key(hidden)"))
            #expect(
                !text.contains("171") && !text.lowercased().contains("abab") && !text.contains("12370169555311111083"))
        }
        var code = ""
        dump(PairingCode(Array(bytes.prefix(16)))!, to: &code)
        #expect(!code.contains("171"))
        #expect(code.contains("PairingCode(hidden)"))
    }

    @Test("A reader never reads past the end")
    func reader() throws {
        var reader = Reader([1, 2, 3])
        #expect(try reader.u8() == 1)
        #expect(throws: WireError.trailingBytes) { try reader.end() }
        #expect(throws: WireError.truncated) { try reader.u32() }
        #expect(throws: WireError.truncated) { try reader.bytes(3) }
        #expect(throws: WireError.truncated) { try reader.bytes(-1) }
        #expect(try reader.u16() == 0x0203)
        try reader.end()
        #expect(reader.rest() == [])
        #expect(throws: WireError.truncated) { try reader.u8() }
        var empty = Reader([])
        #expect(throws: WireError.truncated) { try empty.lengthPrefixed() }
        #expect(try empty.bytes(0) == [])
    }

    @Test("A writer's fields are big-endian and a reader reads them back")
    func writer() throws {
        var writer = ByteWriter()
        writer.u8(1)
        writer.u16(0x0203)
        writer.u32(0x0405_0607)
        writer.u64(0x0809_0a0b_0c0d_0e0f)
        #expect(writer.bytes == Array(1...15))
        var reader = Reader(writer.bytes)
        #expect(try reader.u8() == 1)
        #expect(try reader.u16() == 0x0203)
        #expect(try reader.u32() == 0x0405_0607)
        #expect(try reader.u64() == 0x0809_0a0b_0c0d_0e0f)
    }
}
