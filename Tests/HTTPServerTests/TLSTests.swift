import Glibc
import HTTPServer
import Testing

/// Runs a program and gives back what it wrote.
private func run(_ command: String) async -> String {
    await onThread {
        guard let pipe = popen(command, "re") else { return "" }
        defer { pclose(pipe) }
        var text: [UInt8] = []
        while case let byte = fgetc(pipe), byte != EOF { text.append(UInt8(truncatingIfNeeded: byte)) }
        return String(decoding: text, as: UTF8.self)
    }
}

private let hasTools = access("/usr/bin/openssl", X_OK) == 0 && access("/usr/bin/curl", X_OK) == 0

@Suite("TLS", .enabled(if: hasTools, "needs openssl and curl"))
struct TLSTests {
    @Test("A request over TLS is answered, and knows that it is secure; plain HTTP on that port is not")
    func answers() async throws {
        let pem = await run(
            "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout - -days 1 "
                + "-subj /CN=localhost 2>/dev/null")
        let certificate = try #require(pem.firstRange(of: "-----BEGIN CERTIFICATE-----"))
        let routes = { (router: inout Router) in router.on(.get, "/secure") { .text("secure: \($0.isSecure)") } }
        let settings = { (settings: inout ServerSettings) in
            settings.certificate = Certificate(
                chain: String(pem[certificate.lowerBound...]), key: String(pem[..<certificate.lowerBound]))
        }
        try await withServer(settings: settings, routes: routes) { server in
            let text = await run(
                "curl -sik --max-time \(patience.components.seconds) https://localhost:\(server.port)/secure")
            #expect(text.contains("HTTP/1.1 200"))
            #expect(text.contains("secure: true"))
            #expect(text.contains("Strict-Transport-Security"))
            let old = await run(
                "curl -sik --max-time \(patience.components.seconds) --tls-max 1.1 https://localhost:\(server.port)/secure"
            )
            #expect(old.isEmpty)
            let plain = await server.ask("GET /secure HTTP/1.1")
            #expect(plain.status == 0)
        }
    }

    @Test("A new certificate is met by new connections, and those that are open go on with the old one")
    func replaced() async throws {
        let make = { (name: String) async throws -> Certificate in
            let pem = await run(
                "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout - -days 1 "
                    + "-subj /CN=\(name) 2>/dev/null")
            let start = try #require(pem.firstRange(of: "-----BEGIN CERTIFICATE-----"))
            return Certificate(chain: String(pem[start.lowerBound...]), key: String(pem[..<start.lowerBound]))
        }
        let (old, new) = (try await make("old"), try await make("new"))
        let stream = EventStream()
        let routes = { (router: inout Router) in router.on(.get, "/live") { _ in .events(stream) } }
        try await withServer(settings: { $0.certificate = old }, routes: routes) { server in
            let subject = "curl -svk --max-time 60 https://localhost:\(server.port)/hello 2>&1 | grep subject:"
            let listener = Task {
                await run("curl -sNk --max-time 120 https://localhost:\(server.port)/live")
            }
            #expect(await eventually { await server.server.openConnections == 1 })
            #expect(await run(subject).contains("CN=old"))
            await #expect(throws: ServerError.self) {
                try await server.server.replace(Certificate(chain: new.chain, key: old.key))
            }
            #expect(await run(subject).contains("CN=old"))
            try await server.server.replace(new)
            for _ in 0..<3 { #expect(await run(subject).contains("CN=new")) }
            stream.send(event: "log", data: Array("still here".utf8))
            stream.end()
            #expect(await listener.value.contains("still here"))
        }
    }

    @Test("A server without TLS takes no certificate")
    func withoutTLS() async throws {
        try await withServer { server in
            let error = await #expect(throws: ServerError.self) {
                try await server.server.replace(Certificate(chain: "", key: ""))
            }
            #expect(error == .cannotStart("it serves without TLS"))
        }
    }
}
