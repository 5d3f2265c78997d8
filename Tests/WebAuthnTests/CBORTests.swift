import Testing

@testable import WebAuthn

@Suite struct CBORTests {
    private func fault(_ bytes: [UInt8]) -> CBOR.Fault? {
        do throws(CBOR.Fault) {
            _ = try CBOR.read(bytes)
            return nil
        } catch { return error }
    }

    @Test func `What authenticators write is read`() throws {
        #expect(try CBOR.read([0x17]) == .unsigned(23))
        #expect(try CBOR.read([0x18, 0x18]) == .unsigned(24))
        #expect(try CBOR.read([0x1b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]) == .unsigned(.max))
        #expect(try CBOR.read([0x39, 0x01, 0x00]) == .int(-257))
        #expect(try CBOR.read([0x43, 1, 2, 3]) == .bytes([1, 2, 3]))
        #expect(try CBOR.read([0x62, 0xc3, 0xa8]) == .text("è"))
        #expect(try CBOR.read([0x83, 0xf4, 0xf5, 0xf6]) == .array([.bool(false), .bool(true), .null]))
        let map = try CBOR.read([0xa2, 0x01, 0x02, 0x20, 0x40])
        #expect(map == .map([.init(key: .int(1), value: .int(2)), .init(key: .int(-1), value: .bytes([]))]))
    }

    @Test func `Bytes that end too early or too late are refused`() {
        for bytes in [[], [0x18], [0x42, 1], [0x82, 1], [0xa1, 1], [0x1b, 1]] as [[UInt8]] {
            #expect(fault(bytes) == .truncated)
        }
        #expect(fault([0x00, 0x00]) == .trailing)
        // A length that no machine could hold is only believed when its bytes are there.
        #expect(fault([0x5b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]) == .truncated)
        #expect(fault([0x9b, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]) == .truncated)
        #expect(fault([0xbb, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]) == .truncated)
    }

    @Test func `Tags, floating point and lengths that are not told before are refused`() {
        for bytes in [
            [0xc0, 0x00], [0xf9, 0, 0], [0xfb, 0, 0, 0, 0, 0, 0, 0, 0], [0x5f, 0xff], [0x9f, 0xff], [0xbf, 0xff],
            [0xf7], [0x1c], [0xff],
        ] as [[UInt8]] {
            #expect(fault(bytes) == .unsupported)
        }
        #expect(fault([0xa1, 0x40, 0x00]) == .unsupported, "bytes as a key")
    }

    @Test func `Only the shortest head is taken, and only keys in their order`() {
        for bytes in [[0x18, 0x17], [0x19, 0, 0xff], [0x1a, 0, 0, 0xff, 0xff], [0x58, 0x01, 0x00]] as [[UInt8]] {
            #expect(fault(bytes) == .notCanonical)
        }
        #expect(fault([0xa2, 0x01, 0x00, 0x01, 0x00]) == .notCanonical, "a key twice")
        #expect(fault([0xa2, 0x20, 0x00, 0x01, 0x00]) == .notCanonical, "numbers below 0 come behind")
        #expect(fault([0xa2, 0x62, 0x61, 0x61, 0x00, 0x61, 0x62, 0x00]) == .notCanonical, "the shorter one first")
        #expect(fault([0xa2, 0x61, 0x62, 0x00, 0x62, 0x61, 0x61, 0x00]) == nil)
    }

    @Test func `Nesting has an end`() {
        #expect(fault([0x81, 0x81, 0x81, 0x81, 0x00]) == nil)
        #expect(fault([0x81, 0x81, 0x81, 0x81, 0x81, 0x00]) == .tooDeep)
        #expect(fault([UInt8](repeating: 0x81, count: 100_000)) == .tooDeep)
    }

    @Test func `A text that is not UTF-8 is refused`() {
        #expect(fault([0x61, 0xff]) == .notText)
    }

    @Test func `No bytes at all bring the reader down`() {
        var state: UInt64 = 42
        for _ in 0..<20_000 {
            var bytes: [UInt8] = []
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            for index in 0..<Int(state >> 59) {
                state = state &* 6_364_136_223_846_793_005 &+ UInt64(index) | 1
                bytes.append(UInt8(truncatingIfNeeded: state >> 33))
            }
            _ = try? CBOR.read(bytes)
            _ = try? AuthenticatorData(bytes)
            _ = try? COSEKey(bytes)
        }
    }
}
