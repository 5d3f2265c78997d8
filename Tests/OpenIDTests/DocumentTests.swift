import Crypto
import System
import Testing
import Wire

@testable import OpenID

@Suite struct DocumentTests {
    private func read(_ text: String, loopback: Bool = false) throws(ServiceFault) -> ServiceDocument {
        try ServiceDocument(Array(text.utf8), of: "https://id.example.org", allowsLoopback: loopback)
    }

    @Test func `A description says where things are`() throws {
        let document = try read(FakeService.document())
        #expect(document.keys.description == "https://id.example.org/keys" && document.authentication == .basic)
        #expect(!document.namesItself && document.profile != nil)
        #expect(try read(FakeService.document(named: true)).namesItself)
        #expect(ServiceDocument.address(of: "https://a.org/x/") == "https://a.org/x/.well-known/openid-configuration")
        #expect(ServiceDocument.address(of: "https://a.org/x") == "https://a.org/x/.well-known/openid-configuration")
    }

    @Test(arguments: ["https://id.example.org/", "https://ID.example.org", "http://id.example.org", ""])
    func `A description of another issuer is refused, to the letter`(_ issuer: String) {
        #expect(throws: ServiceFault.documentIssuer) { try read(FakeService.document(issuer: issuer)) }
    }

    @Test(arguments: ["", "{}", "[]", "<!doctype html>", String(repeating: "[", count: 100_000)])
    func `What is no description is none`(_ text: String) { #expect(throws: ServiceFault.document) { try read(text) } }

    @Test func `Addresses that are not https are refused; on this machine http will do where it is allowed`() throws {
        for address in [
            "http://id.example.org/keys", "javascript:alert(1)", "//id.example.org", "https://a@b.org/", "keys",
        ] {
            let text = FakeService.document().replacing("https://id.example.org/keys", with: address)
            #expect(throws: ServiceFault.documentAddress) { try read(text, loopback: true) }
        }
        let near = FakeService.document().replacing("https://id.example.org/keys", with: "http://localhost:8081/keys")
        #expect(throws: ServiceFault.documentAddress) { try read(near) }
        _ = try read(near, loopback: true)
    }

    @Test func `The secret is shown as the issuer says, in the header first`() throws {
        func methods(_ list: String) -> String {
            FakeService.document(more: #","token_endpoint_auth_methods_supported":\#(list)"#)
        }
        #expect(try read(methods(#"["client_secret_post","client_secret_basic"]"#)).authentication == .basic)
        #expect(try read(methods(#"["private_key_jwt","client_secret_post"]"#)).authentication == .post)
        #expect(throws: ServiceFault.documentSecret) { try read(methods(#"["private_key_jwt"]"#)) }
    }

    @Test(arguments: [
        "https://", "https:///x", "https://a.org:x/", "https://a.org:99999/", "https://a.org\\@b.org/",
        "https://a.org/#x",
        "https://a b.org", "https://[::1/", "HTTPS://a.org", "ftp://a.org", "https://a.org/\u{e8}",
        "http://localhost@evil.org/",
        "https://a.org/<script>", "https://a.org/;url=x", "https://" + String(repeating: "a", count: 2_048),
    ])
    func `What is no address is none`(_ text: String) { #expect(WebAddress(text, allowsLoopback: true) == nil) }

    @Test func `More is added behind what an address has already`() throws {
        let plain = try #require(WebAddress("https://a.org/x")), asking = try #require(WebAddress("https://a.org?x=1"))
        #expect(plain.adding([("a b", "&=è")]).description == "https://a.org/x?a%20b=%26%3D%C3%A8")
        #expect(asking.adding([("a", "b")]).description == "https://a.org?x=1&a=b")
    }

    // MARK: what a service posts

    private func signed(_ payload: String, secret: String = "s3cret") -> String {
        let text = payload.base64url
        return Base64.urlText(HMACSHA256(key: Array(secret.utf8)).authenticate(Array(text.utf8)).bytes) + "." + text
    }

    @Test func `A request that the service signed says of whom it speaks`() throws {
        let text = signed(#"{"algorithm":"HMAC-SHA256","issued_at":\#(seconds),"user_id":"218471"}"#)
        let request = try SignedRequest(text, secret: "s3cret")
        #expect(request.subject == "218471" && request.issued == Timestamp(seconds: UInt64(seconds)))
        #expect(throws: ServiceFault.requestSignature) { try SignedRequest(text, secret: "another") }
    }

    @Test func `Anything else is refused`() {
        let good = signed(#"{"algorithm":"HMAC-SHA256","issued_at":1,"user_id":"1"}"#)
        let parts = good.split(separator: ".").map(String.init)
        let other = #"{"algorithm":"HMAC-SHA256","issued_at":1,"user_id":"2"}"#.base64url
        for text in [
            parts[0] + "." + other, "." + parts[1], Base64.urlText([UInt8](repeating: 0, count: 32)) + "." + parts[1],
        ] {
            #expect(throws: ServiceFault.requestSignature) { try SignedRequest(text, secret: "s3cret") }
        }
        for text in [
            "", ".", parts[0], good + ".", "=" + good, String(repeating: "A", count: SignedRequest.limit + 1),
            signed("[not JSON"), signed(#"{"algorithm":"HMAC-SHA1","issued_at":1,"user_id":"1"}"#),
            signed(#"{"algorithm":"HMAC-SHA256","issued_at":1}"#),
            signed(#"{"algorithm":"HMAC-SHA256","issued_at":1,"user_id":""}"#),
            signed(#"{"algorithm":"HMAC-SHA256","issued_at":-1,"user_id":"1"}"#),
            signed(#"{"algorithm":"HMAC-SHA256","issued_at":1e300,"user_id":"1"}"#),
        ] where text != "." {
            #expect(throws: ServiceFault.request) { try SignedRequest(text, secret: "s3cret") }
        }
    }
}
