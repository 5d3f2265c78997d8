import TestSupport
import Testing

@testable import Wire

@Suite("Pairing")
struct PairingTests {
    @Test("A code survives its text, in either case and with spaces and dashes anywhere")
    func codes() throws {
        var generator = SeededGenerator(seed: 41)
        for _ in 0..<500 {
            let code = try #require(PairingCode(generator.bytes(16)))
            let text = code.text
            #expect(text.utf8.count == 26)
            #expect(!text.contains { "ILOU".contains($0) })
            #expect(PairingCode(text: text)?.bytes == code.bytes)
            var typed = ""
            for letter in text {
                typed += generator.pick(["", "", " ", "-"])
                typed += Bool.random(using: &generator) ? letter.lowercased() : String(letter)
            }
            #expect(PairingCode(text: typed)?.bytes == code.bytes)
        }
    }

    @Test("Each code has one text: a changed letter is another code or none")
    func oneText() throws {
        let code = try #require(PairingCode(Array(0..<16)))
        let letters = Array(code.text)
        for index in letters.indices {
            for other in "0123456789ABCDEFGHJKMNPQRSTVWXYZ" where other != letters[index] {
                var changed = letters
                changed[index] = other
                #expect(PairingCode(text: String(changed))?.bytes != code.bytes)
            }
        }
    }

    @Test("A difference in anything that both sides saw gives another key and other confirmations")
    func transcript() throws {
        var generator = SeededGenerator(seed: 42)
        let right = (0..<5).map { _ in generator.bytes(32) }
        func key(_ parts: [[UInt8]], gateID: ID16) -> Key {
            Pairing.gateKey(
                shared: parts[0], code: Array(parts[1].prefix(16)), hubIdentity: parts[2], gatePublicKey: parts[3],
                hubPublicKey: parts[4], gateID: gateID)
        }
        let gateID = ID16(high: 1, low: 2)
        let agreed = key(right, gateID: gateID).bytes
        for index in right.indices {
            var wrong = right
            wrong[index][0] ^= 1
            #expect(key(wrong, gateID: gateID).bytes != agreed)
        }
        #expect(key(right, gateID: ID16(high: 1, low: 3)).bytes != agreed)
        var swapped = right
        swapped.swapAt(3, 4)
        #expect(key(swapped, gateID: gateID).bytes != agreed)
        let shared = key(right, gateID: gateID)
        let hub = Pairing.hubConfirmation(
            gateKey: shared, hubIdentity: right[2], gatePublicKey: right[3], hubPublicKey: right[4], gateID: gateID)
        let gate = Pairing.gateConfirmation(
            gateKey: shared, hubIdentity: right[2], gatePublicKey: right[3], hubPublicKey: right[4], gateID: gateID)
        #expect(!hub.matches(gate))
    }

    @Test("A pairing frame with a field of the wrong length is not made")
    func frameFields() throws {
        var generator = SeededGenerator(seed: 43)
        let tag = try #require(Tag(generator.bytes(32)))
        let (short, right) = (generator.bytes(31), generator.bytes(32))
        let bad: [PairingFrame] = [
            .gateKey(publicKey: short), .gateKey(publicKey: right + [0]),
            .hubKey(gateID: .zero, hubIdentity: short, publicKey: right, confirmation: tag),
            .hubKey(gateID: .zero, hubIdentity: right, publicKey: short, confirmation: tag),
        ]
        for frame in bad {
            #expect(throws: WireError.badValue) { try frame.encoded() }
        }
        #expect(throws: WireError.tooLong) {
            try PairingFrame.sealed([UInt8](repeating: 0, count: 65_536)).encoded()
        }
    }
}
