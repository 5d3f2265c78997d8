import Crypto
import Testing

@testable import OpenID

@Suite struct TokenTests {
    private let key = TokenKey(name: "1")
    private func set(_ keys: String...) throws -> KeySet {
        try KeySet(Array(#"{"keys":[\#(keys.joined(separator: ","))]}"#.utf8))
    }
    private let rsa = #"{"kty":"RSA","n":"\#(RFC7515.modulus)","e":"AQAB"}"#

    // MARK: form

    @Test func `A token of three parts in base64url is read`() throws {
        let token = try SignedToken(key.token(Claims()))
        #expect(token.algorithm == .es256 && token.keyName == "1" && token.payload == Claims().bytes)
    }

    @Test(arguments: [
        "", ".", "..", "a.b", "a.b.c.d", "eyJhbGciOiJSUzI1NiJ9.e30", "eyJhbGciOiJSUzI1NiJ9.e30=.AA",
        "e30.e30.AA", "W10.e30.AA", "eyJhbGciOiJSUzI1NiJ9 .e30.AA", "eyJhbGciOiJSUzI1NiJ9.e30.A",
    ])
    func `What is no token is none`(_ text: String) { #expect(throws: ServiceFault.token) { try SignedToken(text) } }

    @Test func `A token that is too long is not looked at`() {
        let text = "eyJhbGciOiJSUzI1NiJ9." + String(repeating: "A", count: SignedToken.limit) + ".AA"
        #expect(throws: ServiceFault.tokenTooLong) { try SignedToken(text) }
    }

    @Test(arguments: [
        "none", "nOnE", "NONE", "", "HS256", "HS512", "RS1", "RS384", "PS256", "ES384", "EdDSA", "rs256", "RS256 ",
    ])
    func `Another way to sign is refused before any key is looked for`(_ name: String) {
        for signature in ["", ".AA"] {
            let text =
                #"{"alg":"\#(name)","kid":"1"}"#.base64url + "." + Claims().json.base64url
                + (signature.isEmpty ? "." : signature)
            #expect(throws: ServiceFault.algorithm) { try SignedToken(text) }
        }
    }

    @Test(arguments: ["[]", #"["b64"]"#, #"["exp"]"#, #""x""#, "null"])
    func `A token that must be understood in an unknown way is refused`(_ extensions: String) {
        let text = key.token(Claims(), header: #"{"alg":"ES256","kid":"1","crit":\#(extensions)}"#)
        #expect(throws: ServiceFault.criticalExtension) { try SignedToken(text) }
    }

    @Test func `Tokens of other kinds, and names of keys without end, are refused`() {
        for more in [#""typ":"at+jwt""#, #""typ":"logout+jwt""#, #""kid":"\#(String(repeating: "k", count: 256))""#] {
            #expect(throws: ServiceFault.token) {
                try SignedToken(key.token(Claims(), header: #"{"alg":"ES256",\#(more)}"#))
            }
        }
    }

    // MARK: keys

    @Test func `The example of RFC 7515 is signed with its key and with no other`() throws {
        let token = try SignedToken(RFC7515.token)
        try set(rsa).check(token)
        try set(key.json, rsa).check(token)
        let other = RFC7515.modulus.replacing("ofgW", with: "ofgX")
        #expect(throws: ServiceFault.signature) { try set(#"{"kty":"RSA","n":"\#(other)","e":"AQAB"}"#).check(token) }
    }

    @Test func `A signature of ES256 holds, and that of another key of the same name does not`() throws {
        let token = try SignedToken(key.token(Claims()))
        try set(rsa, key.json).check(token)
        #expect(throws: ServiceFault.signature) { try set(TokenKey(name: "1").json).check(token) }
        #expect(throws: ServiceFault.unknownKey) { try set(TokenKey(name: "2").json).check(token) }
        #expect(throws: ServiceFault.unknownKey) { try set().check(token) }
    }

    @Test func `A token that was changed, or has no signature, is not signed`() throws {
        let parts = key.token(Claims()).split(separator: ".").map(String.init)
        var claims = Claims()
        claims["sub"] = #""somebody-else""#
        for text in [parts[0] + "." + claims.json.base64url + "." + parts[2], parts[0] + "." + parts[1] + "."] {
            #expect(throws: ServiceFault.signature) { try set(key.json).check(SignedToken(text)) }
        }
    }

    @Test func `A key in the token's own header proves nothing`() throws {
        let own = TokenKey(name: "1")
        let token = try SignedToken(own.token(Claims(), header: #"{"alg":"ES256","kid":"1","jwk":\#(own.json)}"#))
        #expect(throws: ServiceFault.signature) { try set(key.json).check(token) }
    }

    @Test func `Without a name only the one key of its kind is meant`() throws {
        let token = try SignedToken(key.token(Claims(), header: #"{"alg":"ES256"}"#))
        try set(rsa, key.json).check(token)
        #expect(throws: ServiceFault.unknownKey) { try set(key.json, TokenKey(name: "2").json).check(token) }
    }

    @Test(arguments: [
        (#""use":"sig""#, #""use":"enc""#), (#""alg":"ES256""#, #""alg":"RS256""#),
        (#""alg":"ES256""#, #""key_ops":["sign"]"#),
        (#""crv":"P-256""#, #""crv":"P-384""#), (#""kty":"EC""#, #""kty":"oct""#), (#""kty":"EC""#, #""kty":7"#),
        (#""x":""#, #""x":"A"#),
    ])
    func `A key for something else is passed over, and its neighbours are not`(_ old: String, _ new: String) throws {
        let found = try set(key.json.replacing(old, with: new), rsa)
        #expect(found.count == 1)
        #expect(throws: ServiceFault.unknownKey) { try found.check(SignedToken(key.token(Claims()))) }
    }

    @Test func `Short RSA keys are passed over, and a set without end is refused`() throws {
        #expect(try set(#"{"kty":"RSA","n":"\#(RFC7515.modulus.prefix(170))","e":"AQAB"}"#).count == 0)
        #expect(throws: ServiceFault.tooManyKeys) {
            try set(Array(repeating: key.json, count: KeySet.mostKeys + 1).joined(separator: ","))
        }
        #expect(throws: ServiceFault.keys) {
            try set(#"{"kty":"oct","k":"\#(String(repeating: "A", count: KeySet.limit))"}"#)
        }
    }

    @Test(arguments: ["", "{}", "[]", #"{"keys":7}"#, #"{"keys":[],"keys":[]}"#, "<html>"])
    func `What is no key set is none`(_ text: String) {
        #expect(throws: ServiceFault.keys) { try KeySet(Array(text.utf8)) }
    }

    // MARK: claims

    private func read(since: Int64? = nil, _ change: (inout Claims) -> Void = { _ in }) throws(ServiceFault) -> IDToken
    {
        var claims = Claims()
        change(&claims)
        return try IDToken(
            claims.bytes,
            answering: .init(
                issuers: ["https://id.example.org"], client: "soglia", nonce: "n-0S6", now: noon,
                since: since.map { noon.adding(milliseconds: $0) }))
    }

    @Test func `A token that says all that it must is believed`() throws {
        let token = try read()
        #expect(token.subject == "248289761001" && token.name == "Giulia Ferri" && token.isEmailVerified)
        #expect(try read { $0["aud"] = #"["soglia"]"# } == token)
        #expect(try read { ($0["aud"], $0["azp"]) = (#"["other","soglia"]"#, #""soglia""#) } == token)
        #expect(try read { $0["email_verified"] = #""true""# } == token)
        #expect(try read { $0["exp"] = "\(seconds + 3600).25" } == token)
        #expect(try !read { $0["email_verified"] = nil }.isEmailVerified)
    }

    static let wrong: [(name: String, value: String?, fault: ServiceFault)] = [
        ("iss", #""https://other.example.org""#, .issuer), ("iss", #""https://id.example.org/""#, .issuer),
        ("iss", #""http://id.example.org""#, .issuer), ("iss", nil, .claims),
        ("aud", #""other""#, .audience), ("aud", #"["other","another"]"#, .audience), ("aud", "[]", .audience),
        ("aud", #"["soglia","other"]"#, .audience), ("aud", #""Soglia""#, .audience), ("aud", nil, .claims),
        ("aud", "7", .claims),
        ("azp", #""other""#, .audience), ("azp", "7", .claims),
        ("exp", "\(seconds - 60)", .expired), ("exp", "0", .expired), ("exp", "-1e300", .expired),
        ("exp", nil, .claims),
        ("exp", #""tomorrow""#, .claims), ("iat", "\(seconds + 60)", .early), ("iat", "1e300", .early),
        ("iat", nil, .claims),
        ("nbf", "\(seconds + 60)", .early), ("nonce", #""n-0S7""#, .nonce), ("nonce", #""""#, .nonce),
        ("nonce", nil, .nonce),
        ("sub", #""""#, .subject), ("sub", nil, .claims), ("sub", #""è""#, .subject), ("sub", #""a\n""#, .subject),
        ("sub", "\"\(String(repeating: "9", count: 256))\"", .subject), ("sub", "7", .claims),
    ]

    @Test(arguments: wrong.indices)
    func `A token that says something else is not`(_ index: Int) {
        let (name, value, fault) = Self.wrong[index]
        #expect(throws: fault, "\(name)") { try read { $0[name] = value } }
    }

    @Test func `Two clocks may differ by a minute`() throws {
        _ = try read { $0["exp"] = "\(seconds - 59)" }
        _ = try read { ($0["iat"], $0["nbf"]) = ("\(seconds + 59)", "\(seconds + 59)") }
    }

    @Test func `Where somebody must prove anew who they are, an older proof will not do`() throws {
        _ = try read(since: -1_000) { $0["auth_time"] = "\(seconds)" }
        _ = try read(since: -1_000)
        #expect(try read(since: -1_000) { $0["auth_time"] = "0" }.authenticated == nil)
        #expect(throws: ServiceFault.stale) { try read(since: -1_000) { $0["auth_time"] = "\(seconds - 120)" } }
        _ = try read { $0["auth_time"] = "\(seconds - 86_400)" }
    }

    @Test(arguments: ["", "[]", "{", #"{"iss":"a","iss":"b"}"#, String(repeating: "[", count: 10_000)])
    func `Claims that are no object are none`(_ text: String) {
        #expect(throws: ServiceFault.claims) {
            try IDToken(Array(text.utf8), answering: .init(issuers: [], client: "", nonce: "", now: noon))
        }
    }
}
