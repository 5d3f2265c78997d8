import HTTPServer
import Synchronization

/// A real server on a real port, for the time of a test.
struct TestServer: Sendable {
    /// All servers of the tests share it, as several may in the product.
    static let loop = EventLoop()

    let server: Server
    let port: UInt16

    /// The lines of a request, with a Host unless one is among them, and the empty line.
    func head(_ lines: String..., host: Bool = true) -> String {
        var lines = lines
        if host { lines.insert("Host: localhost:\(port)", at: 1) }
        return lines.joined(separator: "\r\n") + "\r\n\r\n"
    }

    /// One request on a connection of its own.
    func ask(_ lines: String..., body: String = "") async -> Reply {
        var lines = lines
        lines.insert("Host: localhost:\(port)", at: 1)
        if !body.isEmpty { lines.append("Content-Length: \(body.utf8.count)") }
        let request = lines.joined(separator: "\r\n") + "\r\n\r\n" + body
        let isHead = request.hasPrefix("HEAD ")
        return await onThread { [port] in
            let client = RawClient(port: port)
            client.send(request)
            return client.reply(toHead: isHead)
        }
    }
}

/// Runs a server with a few routes, and stops it.
func withServer<Result>(
    settings adjust: (inout ServerSettings) -> Void = { _ in }, routes: (inout Router) -> Void = { _ in },
    _ body: (TestServer) async throws -> Result
) async throws -> Result {
    var settings = ServerSettings()
    settings.perAddress = 1000
    adjust(&settings)
    var router = Router()
    router.on(.get, "/hello") { _ in .text("hello") }
    router.on(.post, "/echo") { request in .text(String(decoding: request.body, as: UTF8.self)) }
    routes(&router)
    let server = try Server(on: TestServer.loop, settings: settings, router: router)
    do {
        let result = try await body(TestServer(server: server, port: server.port))
        await server.stop(within: .milliseconds(200))
        return result
    } catch {
        await server.stop(within: .zero)
        throw error
    }
}

/// Waits until something becomes true, at most five seconds.
func eventually(_ condition: () async -> Bool) async throws -> Bool {
    for _ in 0..<500 {
        if await condition() { return true }
        try await Task.sleep(for: .milliseconds(10))
    }
    return false
}

/// A list that handlers of a test write.
final class Notes: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
}
