import Synchronization
import Testing

@testable import HTTPServer

@Suite("Event streams")
struct EventStreamTests {
    /// A server whose `/live` hands each new stream to the test.
    private func withStreams(
        settings: (inout ServerSettings) -> Void = { _ in }, clock: TestClock? = nil, limit: Int = 64 << 10,
        _ body: (TestServer, @escaping @Sendable () -> EventStream?) async throws -> Void
    ) async throws {
        let streams = StreamList()
        let routes = { (router: inout Router) in
            router.on(.get, "/live") { _ in
                let stream = EventStream(limit: limit)
                streams.add(stream)
                return .events(stream)
            }
        }
        try await withServer(settings: settings, clock: clock, routes: routes) { server in
            try await body(server, { streams.last })
        }
    }

    private func connect(_ server: TestServer, isSlow: Bool = false) async -> OpenStream {
        await onThread { [port = server.port, request = server.head("GET /live HTTP/1.1")] in
            let client = RawClient(port: port)
            if isSlow { client.makeSlow() }
            client.send(request)
            let head = client.line(until: "\r\n\r\n") ?? ""
            return OpenStream(client: client, head: head)
        }
    }

    @Test("Events arrive as they are sent, with name, id and every line of data")
    func events() async throws {
        // The clock stands still: no comment comes between.
        try await withStreams(clock: TestClock()) { server, stream in
            let reader = await connect(server)
            #expect(reader.head.contains("Content-Type: text/event-stream"))
            #expect(reader.head.contains("Cache-Control: no-store"))
            let stream = try #require(stream())
            #expect(stream.send(event: "gate\nopen", id: "7\r\n", data: Array("{\"a\":1}\nsecond\r\nthird".utf8)))
            let event = try #require(await reader.read(until: "\n\n"))
            #expect(event.hasSuffix("event: gateopen\nid: 7\ndata: {\"a\":1}\ndata: second\ndata: third\n\n"))
            #expect(stream.send(data: Array("plain".utf8)))
            let plain = try #require(await reader.read(until: "\n\n"))
            #expect(plain.hasSuffix("data: plain\n\n"))
        }
    }

    @Test("A quiet stream gets a comment now and then")
    func heartbeat() async throws {
        try await withStreams(settings: { $0.heartbeat = .milliseconds(200) }) { server, _ in
            let reader = await connect(server)
            for _ in 0..<3 { #expect(await reader.read(until: ":\n\n") != nil) }
        }
    }

    @Test("A reader who lets too much pile up is dropped, and the sender is told")
    func slowReader() async throws {
        try await withStreams(limit: 16 << 10) { server, stream in
            let reader = await connect(server, isSlow: true)
            let stream = try #require(stream())
            let told = Notes()
            stream.onClose { told.add("closed") }
            let data = [UInt8](repeating: 65, count: 4000)
            var sent = 0
            while sent < 2000, stream.send(data: data) {
                sent += 1
                if sent % 8 == 0 { try await Task.sleep(for: .milliseconds(1)) }
            }
            #expect(sent < 2000)
            #expect(stream.isClosed)
            #expect(told.all == ["closed"])
            let isGone = await eventually { await server.server.openConnections == 0 }
            #expect(isGone)
            _ = reader
        }
    }

    @Test("The end arrives after what was sent before it, and nothing after")
    func end() async throws {
        try await withStreams { server, stream in
            let reader = await connect(server)
            let stream = try #require(stream())
            stream.send(data: Array("last".utf8))
            stream.end()
            #expect(!stream.send(data: Array("never".utf8)))
            #expect(await reader.read(until: "0\r\n\r\n")?.contains("data: last\n\n") == true)
        }
    }

    @Test("A reader who hangs up closes the stream, once")
    func hangUp() async throws {
        try await withStreams { server, stream in
            let reader = await connect(server)
            let stream = try #require(stream())
            let told = Notes()
            stream.onClose { told.add("closed") }
            reader.hangUp()
            let isClosed = await eventually { stream.isClosed }
            #expect(isClosed)
            stream.onClose { told.add("late") }
            #expect(!stream.send(data: []))
            let isTold = await eventually { told.all == ["closed", "late"] }
            #expect(isTold)
        }
    }

    @Test("Stopping the server ends its streams at once")
    func stop() async throws {
        // The clock stands still: who waited for the five seconds would wait for ever.
        try await withStreams(clock: TestClock()) { server, stream in
            let reader = await connect(server)
            let stream = try #require(stream())
            await server.server.stop(within: .seconds(5))
            #expect(stream.isClosed)
            #expect(await reader.read(until: "0\r\n\r\n") != nil)
        }
    }

    @Test("Events sent from many threads at once arrive whole")
    func manySenders() async throws {
        try await withStreams(limit: 1 << 20) { server, stream in
            let reader = await connect(server)
            let stream = try #require(stream())
            await withTaskGroup { group in
                for sender in 0..<8 {
                    group.addTask {
                        for number in 0..<50 { stream.send(data: Array("\(sender) \(number)".utf8)) }
                    }
                }
            }
            stream.end()
            let text = await reader.read(until: "\r\n0\r\n\r\n") ?? ""
            #expect(text.ranges(of: "data: ").count == 400)
        }
    }
}

private final class StreamList: Sendable {
    private let streams = Mutex<[EventStream]>([])
    var last: EventStream? { streams.withLock { $0.last } }
    func add(_ stream: EventStream) { streams.withLock { $0.append(stream) } }
}

/// A client in the middle of a stream. `@unchecked Sendable`: the tests use it from one thread after another.
private final class OpenStream: @unchecked Sendable {
    let head: String
    private let client: RawClient

    init(client: RawClient, head: String) {
        self.client = client
        self.head = head
    }

    func read(until mark: String) async -> String? { await onThread { self.client.line(until: mark) } }

    func hangUp() { client.hangUp() }
}
