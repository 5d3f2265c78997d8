import Crypto
import System
import Testing

@testable import Notices

private func bytes(_ text: String) -> [UInt8] { Base64.bytes(urlText: text)! }

/// A browser: it opens what was sealed for it, by the steps of RFC 8291 and RFC 8188 as a receiver takes them.
struct Browser {
    let key: P256PrivateKey
    let auth: [UInt8]

    init(key: P256PrivateKey = P256PrivateKey(), auth: [UInt8] = Random.bytes(16)) {
        (self.key, self.auth) = (key, auth)
    }

    func open(_ body: [UInt8]) -> [UInt8]? {
        guard body.count > 86, body[20] == 65, let sender = P256PublicKey(bytes: Array(body[21..<86])) else {
            return nil
        }
        let (salt, record) = (Array(body[..<16]), Array(body[86...]))
        let size = body[16..<20].reduce(0) { $0 << 8 | Int($1) }
        guard size >= 18, record.count <= size else { return nil }
        let info = Array("WebPush: info".utf8) + [0] + key.publicBytes + sender.bytes
        let secret = HKDF.sha256(salt: auth, ikm: key.shared(with: sender), info: info, count: 32)
        func derive(_ use: String, _ count: Int) -> [UInt8] {
            HKDF.sha256(salt: salt, ikm: secret, info: Array("Content-Encoding: \(use)".utf8) + [0], count: count)
        }
        guard
            var text = AES128GCM.open(record, key: derive("aes128gcm", 16), nonce: derive("nonce", 12))
        else { return nil }
        while text.last == 0 { text.removeLast() }
        return text.popLast() == 2 ? text : nil
    }
}

@Suite("What only the browser can read")
struct WebPushMessageTests {
    @Test("The example of RFC 8291 comes out byte for byte, and its browser reads it")
    func vector() throws {
        let text = Array("When I grow up, I want to be a watermelon".utf8)
        let key = try #require(
            P256PublicKey(
                bytes: bytes("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"))
        )
        let body = try WebPushMessage.encrypt(
            text, key: key, auth: bytes("BTBZMqHH6r4Tts7J_aSIgg"),
            ephemeral: try #require(P256PrivateKey(secret: bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))),
            salt: bytes("DGv6ra1nlYgDCS1FRnbzlw"))
        #expect(
            Base64.urlText(body)
                == "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6"
                + "PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN")
        let browser = Browser(
            key: try #require(P256PrivateKey(secret: bytes("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"))),
            auth: bytes("BTBZMqHH6r4Tts7J_aSIgg"))
        #expect(browser.open(body) == text)
    }

    @Test("Whatever fits arrives, and fills 4,096 bytes at most", arguments: [0, 1, 15, 16, 17, 1_000, 3_992, 3_993])
    func roundTrip(count: Int) throws {
        let browser = Browser()
        // Its last byte is not zero, which a browser takes for padding.
        let text = (0..<count).map { UInt8(truncatingIfNeeded: $0 % 255 + 1) }
        let body = try WebPushMessage.encrypt(text, key: browser.key.publicKey, auth: browser.auth)
        #expect(body.count == count + 103 && body.count <= 4_096)
        #expect(browser.open(body) == text)
    }

    @Test("A longer one is refused before it is sealed")
    func tooLong() {
        let browser = Browser()
        #expect(throws: WebPushMessage.TooLong()) {
            try WebPushMessage.encrypt(
                [UInt8](repeating: 1, count: 3_994), key: browser.key.publicKey, auth: browser.auth)
        }
    }

    @Test("No other browser reads it, nobody changes it, and no two messages share a key")
    func apart() throws {
        let browser = Browser()
        let text = Array("the door is open".utf8)
        let body = try WebPushMessage.encrypt(text, key: browser.key.publicKey, auth: browser.auth)
        #expect(Browser(key: browser.key).open(body) == nil && Browser(auth: browser.auth).open(body) == nil)
        for index in body.indices where index < 16 || index > 20 {
            var wrong = body
            wrong[index] ^= 1
            #expect(browser.open(wrong) != text)
        }
        let again = try WebPushMessage.encrypt(text, key: browser.key.publicKey, auth: browser.auth)
        #expect(again[..<16] != body[..<16] && again[21..<86] != body[21..<86])
    }
}
