import Glibc
import Synchronization
import Testing

@testable import HTTPServer

@Suite("Limits")
struct LimitTests {
    private func closes(_ server: TestServer, _ pieces: [String], every interval: UInt32 = 50_000) async -> Bool {
        await onThread { [port = server.port] in
            let client = RawClient(port: port)
            for piece in pieces {
                if !client.send(piece) { return true }
                usleep(interval)
            }
            return client.isClosedByServer()
        }
    }

    @Test("A head that comes slowly is cut off at its deadline, however steadily it comes")
    func slowHead() async throws {
        try await withServer(settings: { $0.headTime = .milliseconds(300) }, clock: nil) { server in
            let drops = ["GET /hello HTTP/1.1\r\n"] + (0..<30).map { "X-\($0): a\r\n" }
            #expect(await closes(server, drops))
        }
    }

    @Test("After a rest that is longer than the deadline of the head, the next client is answered")
    func afterRest() async throws {
        let clock = TestClock()
        try await withServer(settings: { $0.headTime = .milliseconds(300) }, clock: clock) { server in
            // Twice: the loop's clock must not stand still from one rest to the next either.
            for _ in 0..<2 {
                #expect(await eventually { await server.server.openConnections == 0 })
                clock.move(milliseconds: 700)
                #expect(await server.ask("GET /hello HTTP/1.1").text == "hello")
            }
        }
    }

    @Test("A request line that never ends is cut off at the deadline of the head")
    func slowLine() async throws {
        try await withServer(settings: { $0.headTime = .milliseconds(300) }, clock: nil) { server in
            #expect(await closes(server, ["GET /"] + Array(repeating: "a", count: 30)))
        }
    }

    @Test("A client that says nothing is cut off at the deadline of the head")
    func silence() async throws {
        try await withServer(settings: { $0.headTime = .milliseconds(300) }, clock: nil) { server in
            #expect(await closes(server, []))
        }
    }

    @Test("A body that comes slowly is cut off at its deadline")
    func slowBody() async throws {
        try await withServer(settings: { $0.bodyTime = .milliseconds(300) }, clock: nil) { server in
            let head = server.head("POST /echo HTTP/1.1", "Content-Length: 1000")
            #expect(await closes(server, [head] + Array(repeating: "a", count: 30)))
        }
    }

    @Test("A connection that has been answered is closed when it stays idle")
    func idle() async throws {
        try await withServer(settings: { $0.idleTime = .milliseconds(300) }, clock: nil) { server in
            let (reply, isClosed) = await onThread {
                [port = server.port, request = server.head("GET /hello HTTP/1.1")] in
                let client = RawClient(port: port)
                client.send(request)
                return (client.reply(), client.isClosedByServer())
            }
            #expect(reply.text == "hello")
            #expect(isClosed)
        }
    }

    @Test("A handler that takes too long is cancelled, and answered for with 503")
    func slowHandler() async throws {
        let notes = Notes()
        let routes = { (router: inout Router) in
            router.on(.get, "/slow") { _ in
                do {
                    try await Task.sleep(for: .seconds(3600))
                } catch {
                    notes.add("cancelled")
                }
                return .text("late")
            }
        }
        try await withServer(settings: { $0.answerTime = .milliseconds(300) }, clock: nil, routes: routes) { server in
            let reply = await server.ask("GET /slow HTTP/1.1")
            #expect(reply.status == 503)
            #expect(reply.text.contains("answer-too-slow"))
            let isCancelled = await eventually { notes.all == ["cancelled"] }
            #expect(isCancelled)
        }
    }

    @Test("An answer that the client does not read is cut off at its deadline")
    func slowReader() async throws {
        let handed = Shared(false)
        let routes = { (router: inout Router) in
            router.on(.get, "/much") { _ in
                handed.change { $0 = true }
                return Response(body: .bytes([UInt8](repeating: 65, count: 20 << 20)))
            }
        }
        let clock = TestClock()
        try await withServer(settings: { $0.answerTime = .milliseconds(400) }, clock: clock, routes: routes) { server in
            let isGone = Shared(false)
            async let reply = onThread { [port = server.port, request = server.head("GET /much HTTP/1.1")] in
                let client = RawClient(port: port)
                client.makeSlow()
                client.send(request)
                while !isGone.value { usleep(10_000) }
                return client.reply()
            }
            // The answer is on its way, as far as there is room for it.
            #expect(await eventually { handed.value })
            clock.move(milliseconds: 401)
            #expect(await eventually { await server.server.openConnections == 0 })
            isGone.change { $0 = true }
            #expect(await !reply.isComplete)
        }
    }

    @Test(
        "A head above the limit is refused with 431, or by the library with an error of its own", arguments: [17, 64])
    func longHead(_ kibibytes: Int) async throws {
        try await withServer { server in
            let reply = await server.ask(
                "GET /hello HTTP/1.1", "X-Long: " + String(repeating: "a", count: kibibytes << 10))
            #expect(reply.status == 431 || (kibibytes > 32 && reply.status == 0))
        }
    }

    @Test(
        "A head just below the limit is accepted, also where it is a cookie, of which the library keeps a second copy",
        arguments: [("X-Long", 16_300), ("Cookie", 15_000)])
    func longestHead(_ name: String, _ length: Int) async throws {
        try await withServer { server in
            let fields = (1...20).map { "X-Field-\($0): \($0)" }
            let others = server.head((["POST /echo HTTP/1.1"] + fields).joined(separator: "\r\n"), "Content-Length: 5")
            let value = "a=" + String(repeating: "b", count: length - others.utf8.count - name.utf8.count - 6)
            let reply = await server.ask(
                (["POST /echo HTTP/1.1"] + fields + ["\(name): \(value)"]).joined(separator: "\r\n"), body: "hello")
            #expect((reply.status, reply.text) == (200, "hello"))
        }
    }

    @Test("A long target is refused")
    func longTarget() async throws {
        try await withServer { server in
            let reply = await server.ask("GET /hello?a=" + String(repeating: "a", count: 20 << 10) + " HTTP/1.1")
            #expect(reply.status == 431 || reply.status == 414)
        }
    }

    @Test("A body above the limit of its route is refused with 413 and the limit, and the connection stays good")
    func longBody() async throws {
        let routes = { (router: inout Router) in
            router.on(.post, "/small", options: RouteOptions(bodyLimit: 10)) { _ in .empty() }
        }
        try await withServer(routes: routes) { server in
            let post = server.head("POST /small HTTP/1.1", "Content-Length: 11") + "hello world"
            let get = server.head("GET /hello HTTP/1.1")
            let (first, second) = await onThread { [port = server.port] in
                let client = RawClient(port: port)
                client.send(post + get)
                return (client.reply(), client.reply())
            }
            #expect(first.status == 413)
            #expect(first.text.contains("\"limit\":\"10\""))
            #expect(second.text == "hello")
            let fitting = await server.ask("POST /small HTTP/1.1", body: "0123456789")
            #expect(fitting.status == 204)
        }
    }

    @Test("A body of 99 MB is refused by its head alone")
    func hugeBody() async throws {
        try await withServer { server in
            let reply = await server.ask("POST /echo HTTP/1.1", "Content-Length: 99000000")
            #expect(reply.status == 413)
        }
    }

    @Test("A client that waits for 100 Continue hears the refusal instead")
    func expectation() async throws {
        try await withServer { server in
            let refused = await server.ask("POST /nowhere HTTP/1.1", "Content-Length: 5", "Expect: 100-continue")
            #expect(refused.status == 404)
            let request = server.head("POST /echo HTTP/1.1", "Content-Length: 5", "Expect: 100-continue")
            let (go, reply) = await onThread { [port = server.port] in
                let client = RawClient(port: port)
                client.send(request)
                let go = client.line(until: "\r\n\r\n")
                client.send("abcde")
                return (go, client.reply())
            }
            #expect(go?.hasPrefix("HTTP/1.1 100") == true)
            #expect(reply.text == "abcde")
        }
    }

    @Test("A chunked body that outgrows the limit is cut off")
    func longChunks() async throws {
        let routes = { (router: inout Router) in
            router.on(.post, "/small", options: RouteOptions(bodyLimit: 10)) { _ in .empty() }
        }
        try await withServer(routes: routes) { server in
            let reply = await server.ask(
                "POST /small HTTP/1.1", "Transfer-Encoding: chunked", "", "b", "hello world", "0", "")
            #expect(reply.status == 0 || reply.status == 413)
        }
    }

    @Test("A chunked body within the limit is put together")
    func chunks() async throws {
        try await withServer { server in
            let reply = await server.ask(
                "POST /echo HTTP/1.1", "Transfer-Encoding: chunked", "", "5", "hello", "6", " world", "0")
            #expect(reply.text == "hello world")
        }
    }

    @Test("Without descriptors the server waits, without spinning, and goes on when there are some")
    func noDescriptors() async throws {
        let isExhausted = Atomic<Bool>(true)
        let calls = Atomic<Int>(0)
        let notes = Notes()
        var settings = ServerSettings()
        settings.onError = { notes.add($0) }
        var router = Router()
        router.on(.get, "/hello") { _ in .text("hello") }
        let accept: Listener.Accept = { listener in
            calls.add(1, ordering: .relaxed)
            if !isExhausted.load(ordering: .relaxed) { return Glibc.accept(listener, nil, nil) }
            errno = EMFILE
            return -1
        }
        let clock = TestClock()
        let server = try Server(
            on: TestServer.loop, settings: settings, router: router, clock: clock.now, accept: accept)
        let request = "GET /hello HTTP/1.1\r\nHost: localhost:\(server.port)\r\n\r\n"
        async let reply = onThread { [port = server.port] in
            let client = RawClient(port: port)
            client.send(request)
            return client.reply()
        }
        // One look for each pause, however long it really lasts.
        for looks in 1...3 {
            #expect(await eventually { calls.load(ordering: .relaxed) >= looks })
            try await Task.sleep(for: .milliseconds(50))
            #expect(calls.load(ordering: .relaxed) == looks)
            if looks == 3 { isExhausted.store(false, ordering: .relaxed) }
            clock.move(milliseconds: Server.acceptPause)
        }
        #expect(await reply.text == "hello")
        #expect(notes.all.first?.contains("no file descriptors") == true)
        await server.stop(within: .zero)
    }
}
