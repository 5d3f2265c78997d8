import Crypto
import Testing

/// The bytes of hexadecimal digits.
func hex(_ text: String) -> [UInt8] {
    let digits = text.lowercased().utf8.map { UInt8($0 < 0x3a ? $0 - 0x30 : $0 - 0x57) }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

private let order = hex("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")

/// The key of RFC 6979, A.2.5, and its signatures with SHA-256.
private enum RFC6979 {
    static let secret = hex("C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721")
    static let x = hex("60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6")
    static let y = hex("7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299")
    static let sample = hex(
        "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716"
            + "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8")
    /// Its s begins with 01: DER has it in 31 bytes and a half.
    static let test = hex(
        "F1ABB023518351CD71D881567B1EA663ED3EFCF6C5132B354F28D3B0B7D38367"
            + "019F4113742A2B14BD25926B49C649155F267E60D3814B4C0CC84250E46F0083")
}

/// A signature in DER, each number as short as DER wants it, without the library.
private func der(_ raw: [UInt8]) -> [UInt8] {
    func number(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let short = Array(bytes.drop { $0 == 0 })
        let whole = (short.first ?? 0x80) >= 0x80 ? [0] + short : short
        return [2, UInt8(whole.count)] + whole
    }
    let both = number(raw[..<32]) + number(raw[32...])
    return [0x30, UInt8(both.count)] + both
}

@Suite("Keys on the curve P-256")
struct P256Tests {
    private let key = P256PublicKey(x: RFC6979.x, y: RFC6979.y)!

    @Test("The signatures of RFC 6979 hold, raw and in DER")
    func signatures() {
        for (text, raw) in [("sample", RFC6979.sample), ("test", RFC6979.test)] {
            let bytes = Array(text.utf8)
            #expect(key.isValid(signature: raw, over: bytes))
            #expect(key.isValid(derSignature: der(raw), over: bytes))
            #expect(!key.isValid(signature: raw, over: bytes + [0]))
            #expect(!key.isValid(derSignature: der(raw), over: []))
        }
    }

    @Test("The example of RFC 7515, A.3, holds, and signing with its key makes another that does")
    func jws() throws {
        func bytes(_ text: String) -> [UInt8] { Base64.bytes(urlText: text)! }
        let input = Array(
            ("eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290I"
                + "jp0cnVlfQ").utf8)
        let signature = bytes("DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q")
        let key = try #require(
            P256PublicKey(
                x: bytes("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"),
                y: bytes("x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0")))
        #expect(key.isValid(signature: signature, over: input))
        let secret = try #require(P256PrivateKey(secret: bytes("jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI")))
        #expect(secret.publicKey == key)
        let own = secret.sign(input)
        #expect(own != signature && key.isValid(signature: own, over: input))
    }

    @Test("A signature with any bit turned, cut, grown, or out of its range holds no more")
    func wrongSignatures() {
        let bytes = Array("sample".utf8)
        for bit in stride(from: 0, to: 512, by: 7) {
            var raw = RFC6979.sample
            raw[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!key.isValid(signature: raw, over: bytes))
            #expect(!key.isValid(derSignature: der(raw), over: bytes))
        }
        let (r, s) = (Array(RFC6979.sample[..<32]), Array(RFC6979.sample[32...]))
        let zero = [UInt8](repeating: 0, count: 32)
        for raw in [
            zero + s, r + zero, zero + zero, order + s, r + order, r, r + s + [0], Array((r + s).dropFirst()), [],
        ] {
            #expect(!key.isValid(signature: raw, over: bytes))
        }
        #expect(!key.isValid(derSignature: der(zero + s), over: bytes))
        #expect(!key.isValid(derSignature: der(r + zero), over: bytes))
    }

    @Test("What is nearly DER is refused")
    func strictDER() {
        let bytes = Array("test".utf8)
        let whole = der(RFC6979.test)
        #expect(key.isValid(derSignature: whole, over: bytes))
        for count in 0..<whole.count { #expect(!key.isValid(derSignature: Array(whole[..<count]), over: bytes)) }
        var looseNumber = whole
        // The second number begins with 01: a zero before it is one too many.
        let second = 2 + 2 + Int(whole[3])
        looseNumber.replaceSubrange(second..<second + 2, with: [2, whole[second + 1] + 1, 0])
        looseNumber[1] += 1
        let longForm = [0x30, 0x81, whole[1]] + whole[2...]
        let endless = [0x30, 0x80] + whole[2...] + [0, 0]
        for wrong in [whole + [0], looseNumber, longForm, endless, RFC6979.test] {
            #expect(!key.isValid(derSignature: wrong, over: bytes))
        }
    }

    @Test("What is no point of the curve is no key")
    func points() {
        let good = key.bytes
        #expect(good.count == 65 && P256PublicKey(bytes: good) == key)
        for bit in stride(from: 8, to: 520, by: 5) {
            var wrong = good
            wrong[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(P256PublicKey(bytes: wrong) == nil)
        }
        let zeros = [UInt8](repeating: 0, count: 64)
        // Compressed (2, 3), hybrid (6, 7), at infinity (0), and numbers beyond the field.
        for first in [0, 2, 3, 5, 6, 7] as [UInt8] { #expect(P256PublicKey(bytes: [first] + good[1...]) == nil) }
        let others: [[UInt8]] = [
            [], [0], [4], [4] + zeros, Array(good.dropLast()), good + [0], [2 | good[64] & 1] + good[1...32],
            [4] + [UInt8](repeating: 0xff, count: 64),
        ]
        for wrong in others { #expect(P256PublicKey(bytes: wrong) == nil) }
        #expect(P256PublicKey(x: Array(RFC6979.x.dropFirst()), y: RFC6979.y + [0]) == nil)
        #expect(P256PublicKey(x: RFC6979.y, y: RFC6979.x) == nil)
    }

    @Test("A key goes into SubjectPublicKeyInfo and back, and nothing else does")
    func spki() {
        #expect(key.spki.count == 91 && P256PublicKey(spki: key.spki) == key)
        #expect(P256PublicKey(spki: key.spki + [0]) == nil)
        #expect(P256PublicKey(spki: Array(key.spki.dropLast())) == nil)
        // secp256k1, 1.3.132.0.10.
        #expect(P256PublicKey(spki: hex("3056301006072a8648ce3d020106052b8104000a034200") + key.bytes) == nil)
        #expect(P256PublicKey(spki: []) == nil)
    }

    @Test("A secret of 32 bytes is kept and found again; 0 and what is beyond the order are none")
    func secrets() throws {
        let own = try #require(P256PrivateKey(secret: RFC6979.secret))
        #expect(own.publicKey == key && own.secretBytes == RFC6979.secret)
        let one = try #require(P256PrivateKey(secret: [UInt8](repeating: 0, count: 31) + [1]))
        #expect(
            one.publicBytes[1...32] == hex("6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296")[...])
        #expect(one.secretBytes == [UInt8](repeating: 0, count: 31) + [1])
        var last = order
        last[31] -= 1
        #expect(P256PrivateKey(secret: last) != nil)
        for wrong in [[], order, [UInt8](repeating: 0, count: 32), [UInt8](repeating: 0xff, count: 32), [0] + last] {
            #expect(P256PrivateKey(secret: wrong) == nil)
        }
    }

    @Test("Fresh keys sign 64 bytes each time, whatever zeros a number begins with")
    func fresh() {
        let own = P256PrivateKey()
        #expect(own.publicBytes != P256PrivateKey().publicBytes)
        #expect(P256PrivateKey(secret: own.secretBytes)?.publicBytes == own.publicBytes)
        // One in 128 has a number that begins with a zero byte.
        for round in 0..<600 as Range<Int> {
            let bytes = Array("\(round)".utf8)
            let signature = own.sign(bytes)
            guard signature.count == 64, own.publicKey.isValid(signature: signature, over: bytes) else {
                Issue.record("round \(round): \(signature)")
                return
            }
        }
    }

    @Test("Two sides agree: NIST's first vector of ECDH, and the one of RFC 8291")
    func agreement() throws {
        let nist = try #require(
            P256PrivateKey(secret: hex("7d7dc5f71eb29ddaf80d6214632eeae03d9058af1fb6d22ed80badb62bc1a534")))
        let peer = try #require(
            P256PublicKey(
                x: hex("700c48f77f56584c5cc632ca65640db91b6bacce3a4df6b42ce7cc838833d287"),
                y: hex("db71e509e3fd9b060ddb20ba5c51dcc5948d46fbf640dfe0441782cab85fa4ac")))
        #expect(nist.shared(with: peer) == hex("46fc62106420ff012e54a434fbdd2d25ccc5852060561e68040dd7778997bd7b"))
        func key(_ text: String) -> P256PrivateKey { P256PrivateKey(secret: Base64.bytes(urlText: text)!)! }
        let sender = key("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")
        let receiver = key("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94")
        let expected = Base64.bytes(urlText: "kyrL1jIIOHEzg3sM2ZWRHDRB62YACZhhSlknJ672kSs")
        #expect(sender.shared(with: receiver.publicKey) == expected)
        #expect(receiver.shared(with: sender.publicKey) == expected)
    }

    @Test("A secret is in no description")
    func hidden() {
        let own = P256PrivateKey()
        var dumped = ""
        dump(own, to: &dumped)
        #expect("\(own)" == "P256PrivateKey(hidden)" && dumped.utf8.count < 60)
    }
}
