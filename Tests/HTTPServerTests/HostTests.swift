import HTTPServer
import Testing

@Suite("The names of a server")
struct HostTests {
    private func status(_ host: String, settings: (inout ServerSettings) -> Void = { _ in }) async throws -> Int {
        try await withServer(settings: settings) { server in
            let text = "GET /hello HTTP/1.1\r\nHost: \(host.replacing("PORT", with: String(server.port)))\r\n\r\n"
            return await onThread { [port = server.port] in
                let client = RawClient(port: port)
                client.send(text)
                return client.reply().status
            }
        }
    }

    @Test("Its own are answered", arguments: ["localhost:PORT", "LocalHost:PORT", "127.0.0.1:PORT", "[::1]:PORT"])
    func own(_ host: String) async throws {
        #expect(try await status(host) == 200)
    }

    @Test(
        "Others get 421 before anything else",
        arguments: [
            "localhost", "localhost:1", "evil.example", "evil.example:PORT", "localhost.evil.example:PORT", "", "::1",
            "127.0.0.1", "127.1:PORT", "localhost:PORT,evil", "user@localhost:PORT",
        ])
    func others(_ host: String) async throws {
        #expect(try await status(host) == 421)
    }

    @Test("A configured name is answered with and without the port", arguments: ["hub.example", "Hub.Example:PORT"])
    func configured(_ host: String) async throws {
        #expect(try await status(host) { $0.hosts = ["hub.example"] } == 200)
    }

    @Test("Only a trusted proxy is believed about the client")
    func proxies() async throws {
        let routes = { (router: inout Router) in
            router.on(.get, "/who") { .text("\($0.peerAddress) \($0.isSecure)") }
        }
        let fields = ["X-Forwarded-For: 6.6.6.6, 192.0.2.7", "X-Forwarded-Proto: https"].joined(separator: "\r\n")
        try await withServer(routes: routes) { server in
            #expect(await server.ask("GET /who HTTP/1.1", fields).text == "127.0.0.1 false")
        }
        try await withServer(settings: { $0.proxies = ["127.0.0.1"] }, routes: routes) { server in
            let reply = await server.ask("GET /who HTTP/1.1", fields)
            #expect(reply.text == "192.0.2.7 true")
            #expect(reply["Strict-Transport-Security"] != nil)
        }
    }
}
