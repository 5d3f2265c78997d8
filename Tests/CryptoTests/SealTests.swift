import Crypto
import Testing

@Suite("Sealed bytes")
struct SealTests {
    private let key = [UInt8](repeating: 5, count: 32)

    @Test("They open under their key, whatever they are")
    func roundTrip() {
        for count in [0, 1, 15, 16, 17, 1000] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
            let sealed = Seal.close(bytes, key: key)
            #expect(sealed.count == count + 40)
            #expect(Seal.open(sealed, key: key) == bytes)
        }
    }

    @Test("Every single changed bit, every cut, every byte more and another key are refused")
    func tampered() {
        let sealed = Seal.close(Array("site and name".utf8), key: key)
        for index in sealed.indices {
            for bit in 0..<8 {
                var changed = sealed
                changed[index] ^= 1 << UInt8(bit)
                #expect(Seal.open(changed, key: key) == nil)
            }
            #expect(Seal.open(Array(sealed[..<index]), key: key) == nil)
        }
        #expect(Seal.open(sealed + [0], key: key) == nil)
        var other = key
        other[31] ^= 1
        #expect(Seal.open(sealed, key: other) == nil)
        #expect(Seal.open(sealed, key: Array(key.dropLast())) == nil)
    }

    @Test("The same bytes look different each time")
    func fresh() { #expect(Seal.close([1, 2, 3], key: key) != Seal.close([1, 2, 3], key: key)) }
}
