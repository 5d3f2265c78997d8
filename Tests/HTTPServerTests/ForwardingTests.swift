import HTTPServer
import Testing

@Suite("Behind a proxy")
struct ForwardingTests {
    /// What the server makes of a request that comes from the trusted address, which is ours.
    private func ask(_ fields: String..., settings: (inout ServerSettings) -> Void = { _ in }) async throws -> Reply {
        let routes = { (router: inout Router) in
            router.on(.get, "/who") { .text("\($0.peerAddress) \($0.isSecure) \($0.host ?? "-")") }
        }
        let trusting = { (own: inout ServerSettings) in
            own.proxies = ["127.0.0.1"]
            own.hosts = ["hub.example"]
            settings(&own)
        }
        return try await withServer(settings: trusting, routes: routes) { server in
            await server.ask("GET /who HTTP/1.1", (fields.isEmpty ? ["X-None: 1"] : fields).joined(separator: "\r\n"))
        }
    }

    @Test("Its fields say who the client is, whether it came by TLS, and what it asked for")
    func believed() async throws {
        let text = try await ask(
            "X-Forwarded-For: 192.0.2.7", "X-Forwarded-Proto: https", "X-Forwarded-Host: hub.example"
        ).text
        #expect(text == "192.0.2.7 true hub.example")
        let standard = try await ask("Forwarded: for=192.0.2.7;proto=https;host=hub.example").text
        #expect(standard == "192.0.2.7 true hub.example")
    }

    @Test(
        "Of a list the last entry counts, which our own proxy wrote",
        arguments: [
            ["X-Forwarded-For: 6.6.6.6, 192.0.2.7", "X-Forwarded-Proto: http, https"],
            ["X-Forwarded-For: 6.6.6.6", "X-Forwarded-For: 192.0.2.7", "X-Forwarded-Proto: https"],
            ["Forwarded: for=6.6.6.6;proto=http, for=192.0.2.7;proto=https"],
            ["Forwarded: for=\"6.6.6.6, for=7.7.7.7\";proto=http, for=\"192.0.2.7:4711\" ; proto=HTTPS"],
        ])
    func lists(fields: [String]) async throws {
        #expect(try await ask(fields.joined(separator: "\r\n")).text.hasPrefix("192.0.2.7 true"))
    }

    @Test(
        "An address is read with or without a port, in either family",
        arguments: [
            ("X-Forwarded-For: 192.0.2.7:4711", "192.0.2.7"), ("X-Forwarded-For: 2001:db8::7", "2001:db8::7"),
            ("X-Forwarded-For: [2001:DB8::7]:4711", "2001:db8::7"),
            ("Forwarded: for=\"[2001:db8::7]:4711\"", "2001:db8::7"),
            ("X-Forwarded-For: ::ffff:192.0.2.7", "192.0.2.7"),
        ])
    func addresses(field: String, address: String) async throws {
        #expect(try await ask(field).text.hasPrefix(address + " "))
    }

    @Test(
        "A client that the proxy does not name counts as the proxy",
        arguments: [
            "Forwarded: for=unknown;proto=https;host=hub.example", "Forwarded: for=_hidden; proto=https",
            "Forwarded: for=6.6.6.6, for=Unknown;proto=https", "Forwarded: for=\"_SEVKISEK.x-1:_p\";proto=https",
            "Forwarded: for=\"unknown:4711\";proto=https", "X-Forwarded-For: unknown\r\nX-Forwarded-Proto: https",
        ])
    func hidden(fields: String) async throws {
        #expect(try await ask(fields).text.hasPrefix("127.0.0.1 true "))
    }

    @Test(
        "What cannot be read is refused, not guessed",
        arguments: [
            "X-Forwarded-For: evil", "X-Forwarded-For: 192.0.2", "X-Forwarded-Proto: ftp", "Forwarded: for",
            "Forwarded: for=", "Forwarded: for=\"192.0.2.7", "Forwarded: for=_",
            "Forwarded: for=\"_hid den\"", "Forwarded: for=hidden", "Forwarded: for=unknowns",
            "Forwarded: proto=\"ht\\tps\"", "X-Forwarded-For: ",
        ])
    func malformed(field: String) async throws {
        #expect(try await ask(field).status == 400)
    }

    @Test("Where both kinds of fields are there and differ, the client wrote one of them: refused")
    func disagreement() async throws {
        #expect(try await ask("X-Forwarded-For: 192.0.2.7", "Forwarded: for=6.6.6.6").status == 400)
        #expect(try await ask("X-Forwarded-Proto: http", "Forwarded: proto=https").status == 400)
        #expect(try await ask("X-Forwarded-Host: hub.example", "Forwarded: host=evil.example").status == 400)
        #expect(try await ask("X-Forwarded-For: 6.6.6.6", "Forwarded: for=unknown").status == 400)
        #expect(try await ask("X-Forwarded-For: 192.0.2.7", "Forwarded: for=192.0.2.7").status == 200)
    }

    @Test("Whatever a client makes a proxy pass on, the answer is an answer")
    func anything() async throws {
        let letters = Array("for=proto=host=https;;,,\"\"[]:.127.0.0.1 \t\\hub.example=%_-x")
        let names = ["Forwarded", "X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host"]
        try await withServer(settings: { $0.proxies = ["127.0.0.1"] }) { server in
            for _ in 0..<300 {
                let value = String((0..<Int.random(in: 0...40)).map { _ in letters.randomElement()! })
                let field = "\(names.randomElement()!): \(value)"
                let status = await server.ask("GET /hello HTTP/1.1", field).status
                #expect([200, 400, 421].contains(status), "\(field)")
            }
        }
    }

    @Test("A name that is not ours gets 421, whoever says it")
    func otherHost() async throws {
        #expect(try await ask("X-Forwarded-Host: evil.example").status == 421)
        #expect(try await ask("Forwarded: host=evil.example").status == 421)
    }

    @Test("Another than the proxy is believed nothing")
    func others() async throws {
        let reply = try await ask("X-Forwarded-For: evil", "X-Forwarded-Host: evil.example") {
            $0.proxies = ["127.0.0.9"]
        }
        #expect(reply.status == 200 && reply.text.hasPrefix("127.0.0.1 false localhost"))
    }

    @Test("A server for its proxy alone refuses all others")
    func onlyProxies() async throws {
        #expect(try await ask { $0.isForProxiesOnly = true }.status == 200)
        let reply = try await ask {
            $0.isForProxiesOnly = true
            $0.proxies = ["127.0.0.9"]
        }
        #expect(reply.status == 403)
    }
}
