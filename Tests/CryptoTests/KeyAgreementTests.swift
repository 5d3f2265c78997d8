import Crypto
import Testing

@Suite("Two sides that agree on a key")
struct KeyAgreementTests {
    private func bytes(_ hex: String) -> [UInt8] {
        let digits = hex.utf8.map { UInt8($0 < 0x3a ? $0 - 0x30 : $0 - 0x57) }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    @Test("The example of RFC 7748 comes out for both sides")
    func vector() throws {
        let alice = try #require(
            KeyAgreement(secret: bytes("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a")))
        let bob = try #require(
            KeyAgreement(secret: bytes("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb")))
        #expect(alice.publicKey == bytes("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a"))
        #expect(bob.publicKey == bytes("de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f"))
        let shared = bytes("4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742")
        #expect(alice.shared(with: bob.publicKey) == shared)
        #expect(bob.shared(with: alice.publicKey) == shared)
    }

    @Test("Fresh pairs agree, and a third comes to something else")
    func fresh() {
        let (a, b, c) = (KeyAgreement(), KeyAgreement(), KeyAgreement())
        #expect(a.publicKey != b.publicKey)
        #expect(a.shared(with: b.publicKey) == b.shared(with: a.publicKey))
        #expect(a.shared(with: b.publicKey) != c.shared(with: b.publicKey))
        #expect(KeyAgreement(secret: a.secretBytes)?.publicKey == a.publicKey)
    }

    @Test("Keys of low order, which would make the secret known to everybody, are refused")
    func lowOrder() {
        let own = KeyAgreement()
        let zero = [UInt8](repeating: 0, count: 32)
        let one = [1] + [UInt8](repeating: 0, count: 31)
        let minusOne = [0xec] + [UInt8](repeating: 0xff, count: 30) + [0x7f]
        let eight = bytes("e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800")
        for point in [zero, one, minusOne, eight] { #expect(own.shared(with: point) == nil) }
    }

    @Test("What is not 32 bytes is no key", arguments: [0, 31, 33, 64])
    func lengths(count: Int) {
        #expect(KeyAgreement(secret: [UInt8](repeating: 1, count: count)) == nil)
        #expect(KeyAgreement().shared(with: [UInt8](repeating: 1, count: count)) == nil)
    }
}
