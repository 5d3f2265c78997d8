import TestSupport
import Testing

@testable import Wire

@Suite("SHA, HMAC and HKDF")
struct HashTests {
    @Test("SHA-256 gives the digests of FIPS 180-4's examples")
    func sha256() {
        #expect(
            hex(SHA256.hash([])) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(
            hex(SHA256.hash(Array("abc".utf8))) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(
            hex(SHA256.hash(Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8)))
                == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
        #expect(
            hex(SHA256.hash([UInt8](repeating: 0x61, count: 1_000_000)))
                == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test("SHA-1 gives the digests of FIPS 180-4's examples")
    func sha1() {
        #expect(hex(SHA1.hash([])) == "da39a3ee5e6b4b0d3255bfef95601890afd80709")
        #expect(hex(SHA1.hash(Array("abc".utf8))) == "a9993e364706816aba3e25717850c26c9cd0d89d")
        #expect(
            hex(SHA1.hash(Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8)))
                == "84983e441c3bd26ebaae4aa1f95129e5e54670f1")
        #expect(
            hex(SHA1.hash([UInt8](repeating: 0x61, count: 1_000_000)))
                == "34aa973cd4c4daa4f61eeb2bdbad27316534016f")
    }

    @Test("A digest does not depend on how the bytes were cut into pieces", arguments: 0...200)
    func pieces(count: Int) {
        var generator = SeededGenerator(seed: UInt64(count))
        let bytes = generator.bytes(count)
        let mac256 = HMACSHA256(key: [1, 2, 3])
        let mac1 = HMACSHA1(key: [1, 2, 3])
        for _ in 0..<8 {
            var (sha256, sha1, run256, run1) = (SHA256(), SHA1(), mac256.begin(), mac1.begin())
            var position = 0
            while position < count {
                let end = Int.random(in: position...min(count, position + 80), using: &generator)
                let piece = Array(bytes[position..<end])
                sha256.update(piece)
                sha1.update(piece)
                run256.update(piece)
                run1.update(piece)
                position = end
            }
            #expect(sha256.finish() == SHA256.hash(bytes))
            #expect(sha1.finish() == SHA1.hash(bytes))
            #expect(run256.finish().matches(mac256.authenticate(bytes)))
            #expect(run1.finish() == mac1.authenticate(bytes))
        }
    }

    @Test("After its digest a hash is as new")
    func reuse() {
        var sha256 = SHA256()
        sha256.update([1, 2, 3])
        _ = sha256.finish()
        sha256.update(Array("abc".utf8))
        #expect(sha256.finish() == SHA256.hash(Array("abc".utf8)))
        var sha1 = SHA1()
        sha1.update([UInt8](repeating: 9, count: 70))
        _ = sha1.finish()
        #expect(sha1.finish() == SHA1.hash([]))
    }

    @Test("A Key and the same 32 bytes make the same HMAC state")
    func keyOfBytes() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<50 {
            let bytes = generator.bytes(32)
            let data = generator.bytes(90)
            #expect(
                HMACSHA256(key: Key(bytes)!).authenticate(data).matches(HMACSHA256(key: bytes).authenticate(data)))
        }
    }

    // RFC 5869, appendix A.1 to A.3 (SHA-256).
    static let rfc5869: [(material: String, salt: String, info: String, prk: String, output: String)] = [
        (
            "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b", "000102030405060708090a0b0c", "f0f1f2f3f4f5f6f7f8f9",
            "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5",
            "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
        ),
        (
            hex(Array(0x00...0x4f)), hex(Array(0x60...0xaf)), hex(Array(0xb0...0xff)),
            "06a6b88c5853361a06104c9ceb35b45cef760014904671014a193f40c15fc244",
            "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09"
                + "da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87"
        ),
        (
            "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b", "", "",
            "19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04",
            "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
        ),
    ]

    @Test("HKDF gives the keys of RFC 5869", arguments: 0..<3)
    func hkdf(index: Int) throws {
        let vector = Self.rfc5869[index]
        let prk = HKDFSHA256.extract(salt: try unhex(vector.salt), inputKeyMaterial: try unhex(vector.material))
        #expect(hex(prk.bytes) == vector.prk)
        let output = try unhex(vector.output)
        #expect(try HKDFSHA256.expand(prk, info: try unhex(vector.info), length: output.count) == output)
        #expect(Array(output.prefix(32)) == HKDFSHA256.expandKey(prk, info: try unhex(vector.info)).bytes)
    }

    @Test("HKDF gives at most 8,160 bytes")
    func hkdfLength() throws {
        let key = Key([UInt8](repeating: 1, count: 32))!
        #expect(try HKDFSHA256.expand(key, info: [], length: 8160).count == 8160)
        #expect(throws: WireError.badValue) { try HKDFSHA256.expand(key, info: [], length: 8161) }
        #expect(throws: WireError.badValue) { try HKDFSHA256.expand(key, info: [], length: -1) }
    }
}
