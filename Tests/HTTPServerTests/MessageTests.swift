import HTTPServer
import Testing

@Suite("Requests and responses")
struct MessageTests {
    @Test("A cookie is found among others, and not by a part of its name")
    func cookies() {
        let headers = Headers([("Cookie", "xsession=1; session=abc=; Session=2"), ("Cookie", "other=3")])
        let request = Request(.get, "/", headers: headers)
        #expect(request.cookie("session") == "abc=")
        #expect(request.cookie("Session") == "2")
        #expect(request.cookie("other") == "3")
        #expect(request.cookie("sess") == nil)
        #expect(Request(.get, "/").cookie("session") == nil)
    }

    @Test("Segments are decoded after splitting")
    func segments() {
        #expect(Request(.get, "/a%20b/c/").segments == ["a b", "c", ""])
        #expect(Request(.get, "/a%2Fb").segments == nil)
        #expect(Request(.get, "/%ff").segments == nil)
    }

    @Test("A redirect leads to a path of ours", arguments: ["/", "/gates/7?a=b#c", "/a//b"])
    func redirects(_ path: String) {
        #expect(Response.redirect(to: path).headers.first?.1 == path)
    }

    @Test(
        "A redirect never leads away",
        arguments: [
            "", "gates", "//evil.example", "/\\evil.example", "http://evil.example", "javascript:alert(1)", "/a\r\nb",
            "/a b", "/\t/evil.example", "/\u{e8}", "\\\\evil.example",
        ])
    func redirectsStay(_ path: String) {
        #expect(Response.redirect(to: path).headers.first?.1 == "/")
    }

    @Test("A cookie is given with its attributes")
    func setCookie() {
        let response = Response.empty().with(Cookie("__Host-s", "v", maxAge: 60, isSecure: true, sameSite: .strict))
        let field = "__Host-s=v; Path=/; SameSite=Strict; Max-Age=60; HttpOnly; Secure"
        #expect(response.headers.first { $0.0 == "Set-Cookie" }?.1 == field)
    }

    @Test("A problem is a document with its own members and fields")
    func problems() {
        var problem = Problem.tooManyRequests(retryAfter: 5)
        problem.extra = [("wait", "5 \"s\"")]
        let response = problem.response
        #expect(response.status == 429)
        #expect(response.contentType == "application/problem+json")
        #expect(response.headers.contains { $0 == ("Retry-After", "5") })
        guard case .bytes(let bytes) = response.body else { return }
        let text = String(decoding: bytes, as: UTF8.self)
        let expected =
            #"{"type":"/problems/too-many-requests","title":"Too many requests","status":429,"#
            + #""detail":"Try again in 5 seconds.","wait":"5 \"s\""}"#
        #expect(text == expected)
    }

    @Test("Browsers are told what an answer may do; a handler's own word counts")
    func securityHeaders() async throws {
        let routes = { (router: inout Router) in
            router.on(.get, "/page") { _ in .html([]) }
            router.on(.get, "/json") { _ in .json(Array("{}".utf8)) }
            router.on(.get, "/own") { _ in
                Response.html([]).with("content-security-policy", "default-src 'none'").with(
                    "Cache-Control", "no-cache"
                )
                .with("X-Split", "a\r\nX-Injected: b")
            }
        }
        try await withServer(routes: routes) { server in
            let page = await server.ask("GET /page HTTP/1.1")
            #expect(page["Content-Security-Policy"]?.contains("frame-ancestors 'none'") == true)
            #expect(page["X-Content-Type-Options"] == "nosniff")
            #expect(page["Referrer-Policy"] == "same-origin")
            #expect(page["Cross-Origin-Opener-Policy"] == "same-origin")
            #expect(page["Permissions-Policy"]?.contains("camera=(self)") == true)
            #expect(page["Cache-Control"] == "no-store")
            #expect(page["Strict-Transport-Security"] == nil)
            let json = await server.ask("GET /json HTTP/1.1")
            #expect(json["X-Content-Type-Options"] == "nosniff")
            #expect(json["Cache-Control"] == "no-store")
            let own = await server.ask("GET /own HTTP/1.1")
            #expect(own.headers.filter { $0.name.lowercased() == "content-security-policy" }.count == 1)
            #expect(own["Content-Security-Policy"] == "default-src 'none'")
            #expect(own["Cache-Control"] == "no-cache")
            #expect(own["X-Injected"] == nil)
        }
    }
}
