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
}
