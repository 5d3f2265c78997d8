import Crypto
import Testing

@Suite("Base64")
struct Base64Tests {
    @Test(
        "The examples of RFC 4648 come out, without padding",
        arguments: [
            ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
            ("foobar", "Zm9vYmFy"),
        ])
    func vectors(text: String, expected: String) {
        #expect(Base64.urlText(Array(text.utf8)) == expected)
        #expect(Base64.bytes(urlText: expected) == Array(text.utf8))
    }

    @Test("Whatever bytes there are come back, in the letters of URLs alone")
    func roundTrip() {
        var generator = SystemRandomNumberGenerator()
        for count in 0..<300 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let text = Base64.urlText(bytes)
            #expect(text.utf8.count == (count * 4 + 2) / 3)
            #expect(text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
            #expect(Base64.bytes(urlText: text) == bytes)
        }
        #expect(Base64.urlText([0xfb, 0xff]) == "-_8")
    }

    @Test(
        "Padding, other alphabets, lengths that no bytes have and loose bits are refused",
        arguments: ["Zg==", "Zm8=", "+_8", "-/8", "Z", "Zm9vY", "Zh", "Zm9", "Zm 9v", "Zm9v\n", "Zé", "Zm9v="])
    func refused(text: String) { #expect(Base64.bytes(urlText: text) == nil) }

    @Test("No two texts stand for the same bytes")
    func unique() {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        var seen: Set<[UInt8]> = []
        for a in alphabet {
            for b in alphabet {
                if let bytes = Base64.bytes(urlText: "\(a)\(b)") { #expect(seen.insert(bytes).inserted) }
            }
        }
        #expect(seen.count == 256)
    }

    @Test(
        "The examples of RFC 4648 come out with padding",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ])
    func paddedVectors(text: String, expected: String) {
        #expect(Base64.text(Array(text.utf8)) == expected)
        #expect(Base64.bytes(text: expected) == Array(text.utf8))
    }

    @Test("Bytes come back from padded base64, in its own letters")
    func paddedRoundTrip() {
        for count in 0..<100 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + count) }
            #expect(Base64.bytes(text: Base64.text(bytes)) == bytes)
        }
        #expect(Base64.text([0xfb, 0xff]) == "+/8=" && Base64.bytes(text: "+/8=") == [0xfb, 0xff])
    }

    @Test(
        "Padding that lacks or is too much, the letters of URLs, line breaks and loose bits are refused",
        arguments: [
            "Zg", "Zg=", "Zg===", "Zm8", "Zm9v====", "Zm9v=", "=", "==", "====", "Z===", "=Zg=", "Zg=a", "-_8=", "Zh==",
            "Zm9=", "Zm9v\n", "Zm9v\r\nZm9v", "Zm 9", "Zé==",
        ])
    func paddedRefused(text: String) { #expect(Base64.bytes(text: text) == nil) }
}
