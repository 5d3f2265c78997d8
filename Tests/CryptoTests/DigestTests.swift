import Crypto
import Testing
import Wire

@Suite("SHA-256 of the library")
struct DigestTests {
    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    @Test(
        "The examples of FIPS 180-4 come out",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ])
    func vectors(text: String, expected: String) { #expect(hex(Digest.sha256(Array(text.utf8))) == expected) }

    @Test("A million letters come out")
    func million() {
        let expected = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        #expect(hex(Digest.sha256([UInt8](repeating: 0x61, count: 1_000_000))) == expected)
    }

    @Test("It is the same as Wire's own, for every length around the blocks")
    func sameAsWire() {
        for count in 0..<200 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ count) }
            #expect(Digest.sha256(bytes) == SHA256.hash(bytes))
        }
    }
}
