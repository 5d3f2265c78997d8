import Synchronization

@testable import HTTPServer
// Exported: every file of these tests sees it.
@_exported import TestSupport

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

/// A clock that stands still until the test moves it: deadlines pass when the test says so, and at no other time.
final class TestClock: Sendable {
    private let milliseconds = Atomic(1_000_000)

    var now: @Sendable () -> Int { { self.milliseconds.load(ordering: .sequentiallyConsistent) } }

    func move(milliseconds count: Int) { milliseconds.add(count, ordering: .sequentiallyConsistent) }
}

/// Runs a server with a few routes, and stops it. No deadline passes, however slow the machine, unless the test moves its clock; nil: the
/// machine's.
func withServer<Result>(
    settings adjust: (inout ServerSettings) -> Void = { _ in }, clock: TestClock? = TestClock(),
    routes: (inout Router) -> Void = { _ in }, _ body: (TestServer) async throws -> Result
) async throws -> Result {
    var settings = ServerSettings()
    settings.perAddress = 1000
    adjust(&settings)
    var router = Router()
    router.on(.get, "/hello") { _ in .text("hello") }
    router.on(.post, "/echo") { request in .text(String(decoding: request.body, as: UTF8.self)) }
    routes(&router)
    let server = try Server(
        on: TestServer.loop, settings: settings, router: router, clock: clock?.now ?? Server.monotonicMilliseconds,
        accept: Server.acceptNext)
    do {
        let result = try await body(TestServer(server: server, port: server.port))
        await server.stop(within: .zero)
        return result
    } catch {
        await server.stop(within: .zero)
        throw error
    }
}

/// A list that handlers of a test write.
final class Notes: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
}
