import Crypto
import Testing
import Wire

@Suite("Keys out of a secret")
struct HKDFTests {
    @Test("The examples of RFC 5869, appendix A, come out")
    func vectors() {
        let first = HKDF.sha256(
            salt: Array(0...12), ikm: [UInt8](repeating: 0x0b, count: 22), info: Array(0xf0...0xf9), count: 42)
        #expect(
            first
                == hex("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"))
        let long = HKDF.sha256(
            salt: Array(0x60...0xaf), ikm: Array(0...0x4f), info: Array(0xb0...0xff), count: 82)
        #expect(
            long
                == hex(
                    "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09"
                        + "da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87"))
        let bare = HKDF.sha256(salt: [], ikm: [UInt8](repeating: 0x0b, count: 22), info: [], count: 42)
        #expect(
            bare == hex("8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"))
    }

    @Test("It says the same as Wire's, for every length of salt, secret and output")
    func sameAsWire() throws {
        for count in [0, 1, 31, 32, 33, 63, 64, 65, 100, 200] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }
            let key = HKDFSHA256.extract(salt: bytes, inputKeyMaterial: bytes)
            let expected = try HKDFSHA256.expand(key, info: bytes, length: count)
            #expect(HKDF.sha256(salt: bytes, ikm: bytes, info: bytes, count: count) == expected)
        }
        #expect(HKDF.sha256(salt: [], ikm: [1], info: [], count: 8_160).count == 8_160)
    }
}

@Suite("AES-128-GCM")
struct AES128GCMTests {
    private let zeros = (key: [UInt8](repeating: 0, count: 16), nonce: [UInt8](repeating: 0, count: 12))

    @Test("The first vectors of its authors come out")
    func vectors() {
        #expect(
            AES128GCM.seal([], key: zeros.key, nonce: zeros.nonce) == hex("58e2fccefa7e3061367f1d57a4e7455a"))
        let sealed = AES128GCM.seal([UInt8](repeating: 0, count: 16), key: zeros.key, nonce: zeros.nonce)
        #expect(sealed == hex("0388dace60b6a392f328c2b971b2fe78ab6e47d42cec13bdf53a67b21257bddf"))
        #expect(AES128GCM.open(sealed, key: zeros.key, nonce: zeros.nonce) == [UInt8](repeating: 0, count: 16))
        #expect(
            AES128GCM.open(AES128GCM.seal([], key: zeros.key, nonce: zeros.nonce), key: zeros.key, nonce: zeros.nonce)
                == [])
    }

    @Test("What was changed, cut, or sealed under another key or nonce does not open")
    func changed() {
        let text = Array("the door is open".utf8)
        let sealed = AES128GCM.seal(text, key: zeros.key, nonce: zeros.nonce)
        for bit in 0..<sealed.count * 8 {
            var wrong = sealed
            wrong[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(AES128GCM.open(wrong, key: zeros.key, nonce: zeros.nonce) == nil)
        }
        for count in 0..<sealed.count {
            #expect(AES128GCM.open(Array(sealed[..<count]), key: zeros.key, nonce: zeros.nonce) == nil)
        }
        let other = [UInt8](repeating: 1, count: 16)
        #expect(AES128GCM.open(sealed, key: other, nonce: zeros.nonce) == nil)
        #expect(AES128GCM.open(sealed, key: zeros.key, nonce: Array(other[..<12])) == nil)
        #expect(AES128GCM.open(sealed, key: [], nonce: zeros.nonce) == nil)
        #expect(AES128GCM.open(sealed, key: zeros.key, nonce: other) == nil)
    }
}
