import System

@testable import OpenID

extension Target {
    /// What services say by which people sign in.
    static let signIn: [Target] = [
        .text(
            "id-token",
            seeds: [
                "eyJhbGciOiJSUzI1NiIsImtpZCI6IjEifQ.eyJpc3MiOiJhIn0.AAAA", "eyJhbGciOiJub25lIn0.e30.",
                "eyJhbGciOiJFUzI1NiIsImNyaXQiOltdfQ.e30.AA",
            ]
        ) { text in
            guard let token = try? SignedToken(text) else { return }
            expect(text.utf8.count <= SignedToken.limit, "too long a token")
            expect(text.utf8.starts(with: token.signed), "another signed part than what came")
        },
        Target(
            "id-claims",
            seeds: {
                [
                    #"{"iss":"a","aud":"b","sub":"c","exp":1795262400,"iat":1795262400,"nonce":"n","email_verified":true}"#,
                    #"{"iss":"a","aud":["b","d"],"azp":"b","sub":"c","exp":1e400,"iat":-0.5,"nonce":"n","auth_time":0}"#,
                ].map { Array($0.utf8) }
            }
        ) { bytes in
            let question = IDToken.Question(
                issuers: ["a"], client: "b", nonce: "n", now: Timestamp(seconds: 1_795_262_400))
            guard let token = try? IDToken(bytes, answering: question) else { return }
            expect(IDToken.isSubject(token.subject), "a subject that is none")
        },
        Target(
            "key-set",
            seeds: {
                [
                    #"{"keys":[{"kty":"RSA","kid":"1","n":"AQAB","e":"AQAB"}]}"#,
                    #"{"keys":[{"kty":"EC","crv":"P-256","x":"AA","y":"AA","use":"sig","key_ops":["verify"]},7,{}]}"#,
                ].map { Array($0.utf8) }
            }
        ) { bytes in
            guard let keys = try? KeySet(bytes) else { return }
            expect(keys.count <= KeySet.mostKeys, "too many keys")
        },
        Target(
            "discovery",
            seeds: {
                [
                    #"{"issuer":"https://a.org","authorization_endpoint":"https://a.org/x","token_endpoint":"https://a.org/y","jwks_uri":"https://a.org/z"}"#
                ].map { Array($0.utf8) }
            }
        ) { bytes in
            guard let document = try? ServiceDocument(bytes, of: "https://a.org", allowsLoopback: false) else { return }
            for address in [document.authorization, document.token, document.keys] {
                expect(address.description.hasPrefix("https://"), "an address without TLS")
            }
        },
        .text("signed-request", seeds: ["AAAA.e30", ".", "A.B.C"]) { text in
            expect((try? SignedRequest(text, secret: "s")) == nil, "a signature by chance")
        },
        .text(
            "web-address",
            seeds: ["https://a.org/x?y", "http://localhost:80", "https://[::1]:443/", "https://h?0@c:"]
        ) { text in
            guard let address = WebAddress(text, allowsLoopback: true) else { return }
            expect(address.description == text, "an address is kept as it is")
            expect(text.utf8.allSatisfy { (0x21...0x7e).contains($0) }, "an address with more than printable ASCII")
            let authority = text.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" && $0 != "?" }
            expect(!authority.contains("@"), "credentials before a host")
        },
    ]
}
