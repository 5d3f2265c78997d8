import Crypto
import Testing

@Suite("A token")
struct TokenTests {
    @Test("It is 43 letters of 32 bytes, and no two are the same")
    func form() {
        var seen: Set<String> = []
        for _ in 0..<500 {
            let token = Token()
            #expect(token.text.utf8.count == 43)
            #expect(Base64.bytes(urlText: token.text)?.count == 32)
            #expect(seen.insert(token.text).inserted)
        }
    }

    @Test("What is stored is the hash of the text, from which nobody comes back")
    func hash() {
        let token = Token()
        #expect(Token.hash(token.text) == Digest.sha256(Array(token.text.utf8)))
        #expect(Token.hash(token.text) != Token.hash(Token().text))
    }
}
