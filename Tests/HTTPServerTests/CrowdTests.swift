import Synchronization
import Testing

@testable import HTTPServer

/// More connections than the limits allow: idle ones make room, those at work do not.
@Suite("Crowds")
struct CrowdTests {
    @Test(
        "At the limit, the connections that have been idle for longest make room for new ones",
        arguments: ["of an address", "of all"])
    func idleMakeRoom(limit: String) async throws {
        let settings = { (own: inout ServerSettings) in
            if limit == "of all" { own.connections = 3 } else { own.perAddress = 3 }
        }
        let clock = TestClock()
        try await withServer(settings: settings, clock: clock) { server in
            let first = await server.answeredClient()
            clock.move(milliseconds: 100)
            let second = await server.answeredClient()
            clock.move(milliseconds: 100)
            let third = await server.answeredClient()
            clock.move(milliseconds: 100)
            // What was idle for longest is now the second.
            #expect(await first.status("/hello") == 200)
            #expect(await server.ask("GET /hello HTTP/1.1").status == 200)
            #expect(await second.isClosedByServer())
            #expect(await first.status("/hello") == 200)
            #expect(await third.status("/hello") == 200)
        }
    }

    @Test("A connection that has not sent a whole head goes before one that was answered and is idle")
    func silentGoFirst() async throws {
        let clock = TestClock()
        try await withServer(settings: { $0.perAddress = 3 }, clock: clock) { server in
            let answered = await server.answeredClient()
            let silent = await server.client()
            let half = await server.client("GET /hello HTTP/1.1\r\nHost: local")
            #expect(await eventually { await server.server.begun == 1 })
            clock.move(milliseconds: Server.newcomerTime)
            let newcomers = [await server.answeredClient(), await server.answeredClient()]
            #expect(await answered.status("/hello") == 200)
            #expect(await silent.isClosedByServer())
            #expect(await half.isClosedByServer())
            #expect(await newcomers[1].status("/hello") == 200)
        }
    }

    @Test("Newcomers do not push each other out while an older connection is idle")
    func newcomersAreLeftTime() async throws {
        let clock = TestClock()
        try await withServer(settings: { $0.perAddress = 3 }, clock: clock) { server in
            let idle = [await server.answeredClient(), await server.answeredClient(), await server.answeredClient()]
            let newcomers = [await server.client(), await server.client(), await server.client()]
            for newcomer in newcomers { #expect(await newcomer.status("/hello") == 200) }
            for client in idle { #expect(await client.isClosedByServer()) }
        }
    }

    @Test("A flood of connections that say nothing does not keep a request out")
    func flood() async throws {
        try await withServer(settings: { $0.perAddress = 8 }, clock: TestClock()) { server in
            let silent = await server.clients(24)
            for _ in 0..<20 { #expect(await server.ask("GET /hello HTTP/1.1").status == 200) }
            for client in silent.prefix(16) { #expect(await client.isClosedByServer()) }
        }
    }

    @Test("A request in work and a live stream are not closed to make room: the newcomer is")
    func workIsNotClosed() async throws {
        let (gate, open) = AsyncStream<Void>.makeStream()
        let streams = Notes()
        let routes = { (router: inout Router) in
            router.on(.get, "/slow") { _ in
                for await _ in gate { break }
                return .text("done")
            }
            router.on(.get, "/live") { _ in
                let stream = EventStream()
                stream.onClose { streams.add("closed") }
                return .events(stream)
            }
        }
        let clock = TestClock()
        try await withServer(settings: { $0.perAddress = 3 }, clock: clock, routes: routes) { server in
            let slow = await server.client(server.head("GET /slow HTTP/1.1"))
            let live = await server.client(server.head("GET /live HTTP/1.1"))
            let other = await server.client(server.head("GET /slow HTTP/1.1"))
            #expect(await eventually { await server.server.inWork == 3 })
            #expect(await server.ask("GET /hello HTTP/1.1").status == 0)
            open.finish()
            #expect(await slow.reply().text == "done")
            #expect(streams.all.isEmpty)
            withExtendedLifetime((live, other)) {}
        }
    }

    @Test(
        "When all connections are in use, the network that has most gives one that is answered or a stream, and no work"
    )
    func fullest() async throws {
        let (gate, open) = AsyncStream<Void>.makeStream()
        let routes = { (router: inout Router) in
            router.on(.get, "/large") { _ in .text(String(repeating: "o", count: 32 << 20)) }
            router.on(.get, "/live") { _ in .events(EventStream()) }
            router.on(.get, "/slow") { _ in
                for await _ in gate { break }
                return .text("done")
            }
        }
        try await withServer(settings: { $0.connections = 4 }, clock: TestClock(), routes: routes) { server in
            func begin(_ path: String, from source: UInt8) async -> Client {
                let before = await server.server.inWork
                let client = await server.client(server.head("GET \(path) HTTP/1.1"), from: source)
                #expect(await eventually { await server.server.inWork == before + 1 })
                return client
            }
            let unread = await begin("/large", from: 2)
            let streams = [await begin("/live", from: 2), await begin("/live", from: 2), await begin("/live", from: 3)]
            #expect(await server.status(from: 2) == 0, "its own network has most")
            #expect(await server.status(from: 3) == 200)
            #expect(await eventually { await server.server.open == 3 })
            let first = await begin("/slow", from: 4)
            #expect(await server.status(from: 5) == 200)
            #expect(await streams[1].isClosedByServer(), "the newest stream of the network that has most")
            #expect(await eventually { await server.server.open == 3 })
            let second = await begin("/slow", from: 5)
            #expect(await server.status(from: 6) == 0, "each has its part, and no work is ended")
            #expect(await server.server.streams == 2)
            open.finish()
            for client in [first, second] { #expect(await client.reply().text == "done") }
            withExtendedLifetime(unread) {}
        }
    }

    @Test("Who has just come is not pushed out by a network that has more connections")
    func newcomerOfAQuietNetwork() async throws {
        try await withStreams({ $0.connections = 3 }) { server in
            let streams = [await server.stream(from: 2), await server.stream(from: 2)]
            let newcomer = await server.client("GET /hello HTTP/1.1\r\n", from: 3)
            #expect(await eventually { await server.server.begun == 3 })
            for _ in 0..<5 { #expect(await server.status(from: 2) == 0) }
            #expect(await newcomer.status(sending: "Host: localhost:\(server.port)\r\n\r\n") == 200)
            withExtendedLifetime(streams) {}
        }
    }

    @Test(
        "Who comes from one of many quiet networks closes what the network with most has, not another newcomer",
        arguments: [0, Server.newcomerTime])
    func newcomersOfQuietNetworks(after milliseconds: Int) async throws {
        let clock = TestClock()
        try await withStreams({ $0.connections = 8 }, clock: clock) { server in
            var streams: [Client] = []
            for _ in 0..<6 { streams.append(await server.stream(from: 2)) }
            let newcomer = await server.client("GET /hello HTTP/1.1\r\n", from: 3)
            let body = await server.client(server.head("POST /echo HTTP/1.1", "Content-Length: 2") + "o", from: 4)
            #expect(await eventually { await server.server.begun == 8 })
            #expect(await eventually { await server.server.bodyBytes == 1 })
            clock.move(milliseconds: milliseconds)
            var others: [Client] = []
            for source in 5...8 as ClosedRange<UInt8> { others.append(await server.client(from: source)) }
            for stream in streams[2...] { #expect(await stream.isClosedByServer()) }
            #expect(await newcomer.status(sending: "Host: localhost:\(server.port)\r\n\r\n") == 200)
            #expect(await body.status(sending: "k") == 200)
            #expect(await server.server.streams == 2)
        }
    }

    @Test("The network that has most pushes out no slow client, though none has two more")
    func slowOfQuietNetworks() async throws {
        let clock = TestClock()
        try await withStreams({ $0.connections = 7 }, clock: clock) { server in
            let streams = [await server.stream(from: 2), await server.stream(from: 2), await server.stream(from: 3)]
            let resting = await server.client(from: 4)
            #expect(await resting.status("/hello") == 200)
            let silent = await server.client("GET /hello HTTP/1.1\r\n", from: 5)
            let body = await server.client(server.head("POST /echo HTTP/1.1", "Content-Length: 2") + "o", from: 6)
            #expect(await eventually { await server.server.bodyBytes == 1 })
            clock.move(milliseconds: Server.stalledTime)
            let last = await server.stream(from: 3)
            for source in [2, 3, 2] as [UInt8] { #expect(await server.status(from: source) == 0) }
            #expect(await resting.status("/hello") == 200)
            #expect(await silent.status(sending: "Host: localhost:\(server.port)\r\n\r\n") == 200)
            #expect(await body.status(sending: "k") == 200)
            withExtendedLifetime((streams, last)) {}
        }
    }

    @Test("What a proxy keeps and does not use makes room before a stream of its clients")
    func unusedOfProxy() async throws {
        try await withStreams({
            $0.connections = 4
            $0.proxies = ["127.0.0.2"]
        }) { server in
            var streams: [Client] = []
            for _ in 0..<3 {
                let head = server.head("GET /live HTTP/1.1", "X-Forwarded-For: 192.0.2.1")
                streams.append(await server.client(head, from: 2))
                #expect(await streams.last?.begunStream() == "HTTP/1.1 200 OK")
            }
            let unused = await server.client(from: 2)
            #expect(await unused.status("/hello") == 200)
            #expect(await server.status(from: 3) == 200)
            #expect(await unused.isClosedByServer())
            #expect(await server.server.streams == 3)
        }
    }

    @Test("Where who has most is at work with all of it, who has less gives")
    func mostAtWork() async throws {
        let (gate, open) = AsyncStream<Void>.makeStream()
        let routes = { (router: inout Router) in
            router.on(.get, "/live") { _ in .events(EventStream()) }
            router.on(.get, "/slow") { _ in
                for await _ in gate { break }
                return .text("done")
            }
        }
        try await withServer(settings: { $0.connections = 7 }, clock: TestClock(), routes: routes) { server in
            var slow: [Client] = []
            for _ in 0..<5 { slow.append(await server.client(server.head("GET /slow HTTP/1.1"), from: 2)) }
            #expect(await eventually { await server.server.inWork == 5 })
            let streams = [await server.stream(from: 3), await server.stream(from: 3)]
            #expect(await server.status(from: 4) == 200)
            #expect(await streams[1].isClosedByServer())
            open.finish()
            for client in slow { #expect(await client.reply().text == "done") }
            #expect(await server.server.streams == 1)
        }
    }

    @Test("Of the clients whom a proxy names the one that has most makes room")
    func clientOfProxy() async throws {
        try await withStreams({
            $0.connections = 4
            $0.proxies = ["127.0.0.2"]
        }) { server in
            var streams: [Client] = []
            for client in ["192.0.2.1", "192.0.2.2", "192.0.2.1", "192.0.2.1"] {
                let stream = await server.client(
                    server.head("GET /live HTTP/1.1", "X-Forwarded-For: \(client)"), from: 2)
                #expect(await stream.begunStream() == "HTTP/1.1 200 OK")
                streams.append(stream)
            }
            for source in [2, 3] as [UInt8] {
                #expect(await server.status(from: source) == 200)
                #expect(await eventually { await server.server.open == 3 })
                streams.append(await server.stream(from: source))
            }
            for place in [2, 3] { #expect(await streams[place].isClosedByServer()) }
            #expect(await server.status(from: 4) == 0, "no client has two more than the one that comes")
            #expect(await server.server.streams == 4)
        }
    }

    @Test("Of answers that wait to be taken so many bytes are kept; the network that has most loses the longest")
    func answersThatWait() async throws {
        let size = 32 << 20
        let routes = { (router: inout Router) in
            router.on(.get, "/large") { _ in .text(String(repeating: "o", count: size)) }
            router.on(.get, "/live") { _ in .events(EventStream()) }
        }
        try await withServer(settings: { $0.answerBytes = 3 * size }, clock: TestClock(), routes: routes) { server in
            func begin(from source: UInt8) async -> Client {
                let before = await server.server.inWork
                let client = await server.client(server.head("GET /large HTTP/1.1"), from: source)
                #expect(await eventually { await server.server.inWork == before + 1 })
                return client
            }
            let stream = await server.stream(from: 3)
            var answers: [Client] = []
            for source in [3, 2, 2] as [UInt8] { answers.append(await begin(from: source)) }
            #expect(await eventually { await server.server.heldBytes == 3 * size })
            answers.append(await server.client(server.head("GET /large HTTP/1.1"), from: 4))
            #expect(await answers[1].isClosedByServer())
            #expect(await server.server.heldBytes == 3 * size)
            for place in [0, 2, 3] { #expect(await answers[place].reply().body.count == size) }
            #expect(await eventually { await server.server.heldBytes == 0 })
            withExtendedLifetime(stream) {}
        }
    }

    @Test("Of answers that wait, a network keeps several small ones where others have one large each")
    func smallAnswersThatWait() async throws {
        let (largest, large, small) = (33 << 20, 32 << 20, 8 << 20)
        let routes = { (router: inout Router) in
            router.on(.get, "/largest") { _ in .text(String(repeating: "o", count: largest)) }
            router.on(.get, "/large") { _ in .text(String(repeating: "o", count: large)) }
            router.on(.get, "/small") { _ in .text(String(repeating: "o", count: small)) }
        }
        let most = largest + large + 2 * small
        try await withServer(settings: { $0.answerBytes = most }, clock: TestClock(), routes: routes) { server in
            var held = 0
            func begin(_ path: String, _ size: Int, from source: UInt8) async -> Client {
                held += size
                let client = await server.client(server.head("GET \(path) HTTP/1.1"), from: source)
                #expect(await eventually { await server.server.heldBytes == held })
                return client
            }
            let office = [await begin("/small", small, from: 2), await begin("/small", small, from: 2)]
            let others = [await begin("/largest", largest, from: 3), await begin("/large", large, from: 4)]
            let last = await server.client(server.head("GET /large HTTP/1.1"), from: 5)
            #expect(await others[0].isClosedByServer())
            for answer in office { #expect(await answer.reply().body.count == small) }
            for answer in [others[1], last] { #expect(await answer.reply().body.count == large) }
        }
    }

    @Test("A proxy makes no room, since many people are behind it, and is given room as a network that has none")
    func proxyAmongTheFull() async throws {
        try await withStreams({
            $0.connections = 4
            $0.proxies = ["127.0.0.2"]
        }) { server in
            var ofProxy = [await server.stream(from: 2), await server.stream(from: 2)]
            let others = [await server.stream(from: 3), await server.stream(from: 3)]
            #expect(await server.status(from: 2) == 200)
            #expect(await others[1].isClosedByServer())
            #expect(await eventually { await server.server.open == 3 })
            ofProxy.append(await server.stream(from: 2))
            #expect(await server.status(from: 4) == 0, "the proxy has most, and the other network one")
            #expect(await server.server.streams == 4)
            withExtendedLifetime((ofProxy, others)) {}
        }
    }

    @Test("A request whose body comes byte by byte makes room, and one whose body comes well does not")
    func slowBody() async throws {
        let clock = TestClock()
        try await withServer(settings: { $0.perAddress = 2 }, clock: clock) { server in
            let quick = await server.client(
                server.head("POST /echo HTTP/1.1", "Content-Length: 3000") + String(repeating: "o", count: 2_500))
            let slow = await server.client(server.head("POST /echo HTTP/1.1", "Content-Length: 2") + "o")
            #expect(await eventually { await server.server.bodyBytes == 2_501 })
            clock.move(milliseconds: Server.newcomerTime)
            #expect(await server.ask("GET /hello HTTP/1.1").status == 200)
            #expect(await slow.isClosedByServer())
            #expect(await quick.status(sending: String(repeating: "o", count: 500)) == 200)
        }
    }

    @Test("A request whose body has stalled makes room before one whose body is coming")
    func stalledBody() async throws {
        let clock = TestClock()
        try await withServer(settings: { $0.perAddress = 2 }, clock: clock) { server in
            let stalled = await server.client(server.head("POST /echo HTTP/1.1", "Content-Length: 2") + "o")
            // The head comes to us before the body, also where both were sent at once.
            #expect(await eventually { await server.server.bodyBytes == 1 })
            clock.move(milliseconds: Server.stalledTime)
            let coming = await server.client(server.head("POST /echo HTTP/1.1", "Content-Length: 2") + "o")
            #expect(await eventually { await server.server.bodyBytes == 2 })
            #expect(await server.ask("GET /hello HTTP/1.1").status == 200)
            #expect(await stalled.isClosedByServer())
            #expect(await coming.status(sending: "k") == 200)
        }
    }

    @Test("Bodies that have only just begun, or come steadily, keep no other client out", arguments: [0, 10_000])
    func bodiesComing(after milliseconds: Int) async throws {
        let clock = TestClock()
        try await withServer(settings: { $0.perAddress = 8 }, clock: clock) { server in
            var bodies: [Client] = []
            for _ in 0..<8 {
                bodies.append(
                    await server.client(
                        server.head("POST /echo HTTP/1.1", "Content-Length: 60000")
                            + String(repeating: "o", count: 1 + milliseconds * 2)))
            }
            let bytes = 8 * (1 + milliseconds * 2)
            #expect(await eventually { await server.server.bodyBytes == bytes })
            clock.move(milliseconds: min(milliseconds, Server.stalledTime - 1))
            for _ in 0..<20 { #expect(await server.ask("GET /hello HTTP/1.1").status == 200) }
            withExtendedLifetime(bodies) {}
        }
    }
}

/// A server with a live stream below `/live`.
private func withStreams(
    _ settings: (inout ServerSettings) -> Void, clock: TestClock = TestClock(),
    _ body: (TestServer) async throws -> Void
) async throws {
    let routes = { (router: inout Router) in router.on(.get, "/live") { _ in .events(EventStream()) } }
    try await withServer(settings: settings, clock: clock, routes: routes, body)
}

@Suite("Crowds of streams")
struct StreamCrowdTests {
    @Test(
        "Above the limit a live stream is refused with 503 and when to ask again, and no other one ends",
        arguments: ["of an address", "of all"])
    func streams(limit: String) async throws {
        let settings = { (own: inout ServerSettings) in
            if limit == "of all" { own.streams = 2 } else { own.streamsPerAddress = 2 }
        }
        let clock = TestClock()
        try await withStreams(settings, clock: clock) { server in
            let first = await server.client(server.head("GET /live HTTP/1.1"))
            #expect(await first.begunStream() == "HTTP/1.1 200 OK")
            let second = await server.client(server.head("GET /live HTTP/1.1"))
            #expect(await second.begunStream() == "HTTP/1.1 200 OK")
            let refusal = await server.ask("GET /live HTTP/1.1")
            #expect(refusal.status == 503)
            #expect(refusal["Retry-After"] == "30")
            #expect(refusal.text.contains("too-many-streams"))
            let place = limit == "of all" ? "on this server" : "from this network"
            #expect(refusal.text.contains("There are too many live streams \(place)."))
            #expect(await server.server.figures.streams == 2)
            await first.hangUp()
            #expect(
                await eventually {
                    // A heartbeat finds nobody there.
                    clock.move(milliseconds: 15_000)
                    return await server.server.figures.streams == 1
                })
            let third = await server.client(server.head("GET /live HTTP/1.1"))
            #expect(await third.begunStream() == "HTTP/1.1 200 OK")
        }
    }

    @Test("When all streams are taken, the newest of the network that has most ends for one that has two fewer")
    func fullServer() async throws {
        try await withStreams({
            $0.streams = 4
            $0.proxies = ["127.0.0.1"]
        }) { server in
            func open(from client: String) async -> Client {
                let stream = await server.client(server.head("GET /live HTTP/1.1", "X-Forwarded-For: \(client)"))
                #expect(await stream.begunStream() == "HTTP/1.1 200 OK")
                return stream
            }
            func isRefused(from client: String) async -> Bool {
                let refusal = await server.ask("GET /live HTTP/1.1", "X-Forwarded-For: \(client)")
                return refusal.status == 503 && refusal["Retry-After"] == "30"
                    && refusal.text.contains("There are too many live streams on this server.")
            }
            func counts() async -> [Int] { await server.server.streamsPerNetwork.values.sorted() }
            let (a, b, c, d) = ("192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4")
            var streams: [Client] = []
            for client in [a, a, b, a] { streams.append(await open(from: client)) }
            #expect(await isRefused(from: a), "its own network has most")
            streams.append(await open(from: c))
            #expect(await streams[3].isClosedByServer())
            #expect(await counts() == [1, 1, 2])
            #expect(await isRefused(from: a), "what ended does not push out another")
            #expect(await isRefused(from: b), "it would have more than the network that made room")
            streams.append(await open(from: d))
            #expect(await streams[1].isClosedByServer())
            #expect(await counts() == [1, 1, 1, 1])
            #expect(await isRefused(from: "192.0.2.5"), "none has more than its part")
            #expect(await eventually { await server.server.figures.streams == 4 })
            #expect(await server.server.streams == 4)
        }
    }

    @Test("Streams of a proxy that does not name its clients end for nobody")
    func fullProxy() async throws {
        try await withStreams({
            $0.streams = 2
            $0.proxies = ["127.0.0.1"]
        }) { server in
            var streams: [Client] = []
            for _ in 0..<2 {
                streams.append(await server.client(server.head("GET /live HTTP/1.1")))
                #expect(await streams.last?.begunStream() == "HTTP/1.1 200 OK")
            }
            let refusal = await server.ask("GET /live HTTP/1.1", "X-Forwarded-For: 192.0.2.1")
            #expect(refusal.status == 503)
            #expect(refusal.text.contains("There are too many live streams on this server."))
            #expect(await server.server.figures.streams == 2)
        }
    }

    @Test("Behind a named proxy the streams of each client are counted, not those of the proxy")
    func streamsBehindProxy() async throws {
        try await withStreams({
            $0.streamsPerAddress = 1
            $0.proxies = ["127.0.0.1"]
        }) { server in
            func status(_ client: String) async -> String? {
                let stream = await server.client(server.head("GET /live HTTP/1.1", "X-Forwarded-For: \(client)"))
                streams.append(stream)
                return await stream.begunStream()
            }
            var streams: [Client] = []
            #expect(await status("192.0.2.1") == "HTTP/1.1 200 OK")
            #expect(await status("192.0.2.2") == "HTTP/1.1 200 OK")
            #expect(await status("192.0.2.1") == "HTTP/1.1 503 Service Unavailable")
        }
    }
}

/// A connection that a test keeps. `@unchecked Sendable`: the tests use it from one thread after another.
private final class Client: @unchecked Sendable {
    private let raw: RawClient
    private let server: TestServer

    /// Blocks.
    init(_ server: TestServer, from source: UInt8) {
        self.server = server
        raw = RawClient(port: server.port, from: source)
    }

    func status(_ path: String) async -> Int { await status(sending: server.head("GET \(path) HTTP/1.1")) }

    func status(sending text: String) async -> Int {
        await send(text)
        return await reply().status
    }

    func send(_ text: String) async { _ = await onThread { self.raw.send(text) } }

    func reply() async -> Reply { await onThread { self.raw.reply() } }

    /// The first line of the answer that opens a stream.
    func begunStream() async -> String? {
        await onThread { self.raw.line(until: "\r\n\r\n") }?.split(separator: "\r\n").first.map(String.init)
    }

    func hangUp() async { await onThread { self.raw.hangUp() } }

    func isClosedByServer() async -> Bool { await onThread { self.raw.isClosedByServer() } }
}

extension TestServer {
    /// A connection that the server knows, on which this was sent.
    fileprivate func client(_ text: String = "", from source: UInt8 = 1) async -> Client {
        let before = await server.lastConnection
        let client = await onThread { Client(self, from: source) }
        #expect(await eventually { await server.lastConnection > before })
        if !text.isEmpty { await client.send(text) }
        return client
    }

    fileprivate func clients(_ count: Int) async -> [Client] {
        var clients: [Client] = []
        for _ in 0..<count { clients.append(await client()) }
        return clients
    }

    /// A connection that has had an answer.
    fileprivate func answeredClient() async -> Client {
        let client = await client()
        #expect(await client.status("/hello") == 200)
        return client
    }
}

extension TestServer {
    /// A live stream that has begun.
    fileprivate func stream(from source: UInt8) async -> Client {
        let client = await client(head("GET /live HTTP/1.1"), from: source)
        #expect(await client.begunStream() == "HTTP/1.1 200 OK")
        return client
    }

    /// What a request on a connection of its own is answered; 0: nothing.
    fileprivate func status(from source: UInt8) async -> Int {
        await onThread {
            let client = RawClient(port: port, from: source)
            client.send(head("GET /hello HTTP/1.1", "Connection: close"))
            return client.reply().status
        }
    }
}

extension Server {
    /// Bytes of bodies that have come, of requests that were not answered to their end.
    fileprivate var bodyBytes: Int { connections.values.reduce(0) { $0 + ($1.exchange?.received ?? 0) } }
    /// Connections whose request has come with its whole head and was not answered to its end.
    fileprivate var inWork: Int { connections.values.count { $0.exchange?.hasHead == true } }
    /// All connections.
    fileprivate var open: Int { connections.count }
    /// Connections of whose request the first line has come.
    fileprivate var begun: Int { connections.values.count { $0.exchange != nil } }
}
