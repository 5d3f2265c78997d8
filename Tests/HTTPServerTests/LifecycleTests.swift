import Glibc
import Testing

@testable import HTTPServer

@Suite("Life of a server")
struct LifecycleTests {
    @Test("One connection carries many requests, also sent at once")
    func pipelining() async throws {
        try await withServer { server in
            let request = server.head("GET /hello HTTP/1.1")
            let post = server.head("POST /echo HTTP/1.1", "Content-Length: 3") + "abc"
            let texts = await onThread { [port = server.port] in
                let client = RawClient(port: port)
                client.send(request + post + request)
                return (0..<3).map { _ in client.reply().text }
            }
            #expect(texts == ["hello", "abc", "hello"])
            let isGone = await eventually { await server.server.openConnections == 0 }
            #expect(isGone)
        }
    }

    @Test("A handler may wait for what lives elsewhere, while others are answered")
    func waiting() async throws {
        let notes = Notes()
        let routes = { (router: inout Router) in
            router.on(.get, "/wait") { _ in
                notes.add("waiting")
                _ = await eventually { notes.all.contains("released") }
                return .text("waited")
            }
            router.on(.get, "/release") { _ in
                notes.add("released")
                return .empty()
            }
        }
        try await withServer(routes: routes) { server in
            async let slow = server.ask("GET /wait HTTP/1.1")
            _ = await eventually { notes.all == ["waiting"] }
            #expect(await server.ask("GET /release HTTP/1.1").status == 204)
            #expect(await slow.text == "waited")
            #expect(notes.all == ["waiting", "released"])
        }
    }

    @Test("A client that leaves cancels its handler, and frees its connection")
    func disconnect() async throws {
        let notes = Notes()
        let routes = { (router: inout Router) in
            router.on(.get, "/slow") { _ in
                notes.add("started")
                do { try await Task.sleep(for: .seconds(3600)) } catch { notes.add("cancelled") }
                return .text("late")
            }
        }
        try await withServer(clock: nil, routes: routes) { server in
            await onThread { [port = server.port, request = server.head("GET /slow HTTP/1.1")] in
                let client = RawClient(port: port)
                client.send(request)
                while notes.all.isEmpty { usleep(10_000) }
            }
            let isCancelled = await eventually { notes.all == ["started", "cancelled"] }
            #expect(isCancelled)
            let isGone = await eventually { await server.server.openConnections == 0 }
            #expect(isGone)
        }
    }

    @Test("Stopping lets a request in flight end, and refuses the next")
    func gracefulStop() async throws {
        let notes = Notes()
        let routes = { (router: inout Router) in
            router.on(.get, "/wait") { _ in
                notes.add("started")
                _ = await eventually { notes.all.contains("stopping") }
                return .text("waited")
            }
        }
        try await withServer(clock: TestClock(), routes: routes) { server in
            async let slow = server.ask("GET /wait HTTP/1.1")
            #expect(await eventually { notes.all == ["started"] })
            // The clock stands still: who waited for the five seconds would wait for ever.
            async let stopped: Void = server.server.stop(within: .seconds(5))
            #expect(await eventually { await server.server.stopDeadline != nil })
            notes.add("stopping")
            let reply = await slow
            #expect(reply.text == "waited")
            #expect(reply["Connection"]?.lowercased() == "close")
            await stopped
            #expect(notes.all == ["started", "stopping"])
            #expect(throws: Never.self) {
                try Server(on: TestServer.loop, settings: ServerSettings(), router: Router())
            }
        }
    }

    @Test("Stopping cuts short what does not end in time, with 503")
    func hardStop() async throws {
        let notes = Notes()
        let routes = { (router: inout Router) in
            router.on(.get, "/slow") { _ in
                notes.add("started")
                do { try await Task.sleep(for: .seconds(3600)) } catch { notes.add("cancelled") }
                return .text("late")
            }
        }
        let clock = TestClock()
        try await withServer(clock: clock, routes: routes) { server in
            async let slow = server.ask("GET /slow HTTP/1.1")
            #expect(await eventually { notes.all == ["started"] })
            async let stopped: Void = server.server.stop(within: .milliseconds(200))
            #expect(await eventually { await server.server.stopDeadline != nil })
            clock.move(milliseconds: 200)
            await stopped
            #expect(await slow.status == 503)
            let isCancelled = await eventually { notes.all == ["started", "cancelled"] }
            #expect(isCancelled)
        }
    }

    @Test("Stopping closes idle connections at once, and twice is as good as once")
    func idleStop() async throws {
        try await withServer(clock: TestClock()) { server in
            let request = server.head("GET /hello HTTP/1.1")
            let isAnswered = Shared(false)
            async let isClosed = onThread { [port = server.port] in
                let client = RawClient(port: port)
                client.send(request)
                _ = client.reply()
                isAnswered.change { $0 = true }
                return client.isClosedByServer()
            }
            #expect(await eventually { isAnswered.value })
            // The clock stands still: who waited for the five seconds would wait for ever.
            async let first: Void = server.server.stop(within: .seconds(5))
            async let second: Void = server.server.stop(within: .seconds(5))
            _ = await (first, second)
            #expect(await isClosed)
        }
    }

    @Test("An error that nobody expected is a 500 without detail, reported without the request")
    func unknownError() async throws {
        struct Broken: Error {}
        let notes = Notes()
        let routes = { (router: inout Router) in router.on(.get, "/broken/{token}") { _ in throw Broken() } }
        try await withServer(settings: { $0.onError = { notes.add($0) } }, routes: routes) { server in
            let reply = await server.ask("GET /broken/secret HTTP/1.1", "X-Secret: secret")
            #expect(reply.status == 500)
            #expect(!reply.text.contains("Broken"))
            #expect(notes.all == ["GET /broken/{token}: Broken()"])
        }
    }

    @Test("An answer that cannot be sent ends the connection, and runs no handler twice")
    func impossibleStatus() async throws {
        let notes = Notes()
        let routes = { (router: inout Router) in
            router.on(.get, "/at-once") { _ in
                notes.add("at once")
                return .empty(42)
            }
            router.on(.get, "/later") { _ in
                notes.add("later")
                try await Task.sleep(for: .milliseconds(50))
                return .empty(42)
            }
        }
        try await withServer(clock: TestClock(), routes: routes) { server in
            #expect(await server.ask("GET /at-once HTTP/1.1").status == 0)
            #expect(await server.ask("GET /later HTTP/1.1").status == 0)
            #expect(notes.all == ["at once", "later"])
        }
    }

    @Test("A page of problems is made where the settings say so")
    func problemPage() async throws {
        let page: @Sendable (Problem, Request) -> Response? = { problem, request in
            request.path.hasPrefix("/api")
                ? nil : .html(Array("<h1>\(problem.title)</h1>".utf8), status: problem.status)
        }
        try await withServer(settings: { $0.problemPage = page }) { server in
            let forPeople = await server.ask("GET /nothing HTTP/1.1")
            #expect(forPeople.status == 404)
            #expect(forPeople.text == "<h1>Not found</h1>")
            #expect(await server.ask("GET /api/nothing HTTP/1.1").text.hasPrefix("{"))
        }
    }

    @Test("A server that cannot listen says why")
    func cannotListen() async throws {
        try await withServer { server in
            var settings = ServerSettings()
            settings.port = server.port
            #expect(throws: ServerError.self) { try Server(on: TestServer.loop, settings: settings, router: Router()) }
            settings.address = "localhost"
            #expect(throws: ServerError.notAnAddress("localhost")) {
                try Server(on: TestServer.loop, settings: settings, router: Router())
            }
            settings.address = "127.0.0.1"
            settings.port = 0
            settings.certificate = Certificate(chain: "no", key: "certificate")
            #expect(throws: ServerError.self) { try Server(on: TestServer.loop, settings: settings, router: Router()) }
        }
    }
}
