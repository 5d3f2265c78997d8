import Courier
import Glibc
import TestSupport
import Testing

/// Answers each request with 200 and its body.
private func echo() -> LoopbackServer {
    LoopbackServer { connection in
        while let request = connection.request() {
            connection.answer(200, [("x-line", request.line)], body: String(decoding: request.body, as: UTF8.self))
        }
    }
}

/// Takes requests and answers them once it may.
private func hanging(until isFree: Shared<Bool>) -> LoopbackServer {
    LoopbackServer { connection in
        guard connection.request() != nil else { return }
        while !isFree.value { usleep(1_000) }
        connection.answer(204)
    }
}

@Suite("Requests to other servers")
struct HTTPClientTests {
    @Test("A request arrives as it is and its answer comes back")
    func whole() async throws {
        let server = echo()
        let client = HTTPClient()
        let answer = try await client.send(
            HTTPClientRequest(method: "POST", url: "http://127.0.0.1:\(server.port)/a?b=c", body: Array("hello".utf8)))
        #expect(answer.status == 200 && answer.body == Array("hello".utf8))
        #expect(answer.header("x-line") == "POST /a?b=c HTTP/1.1")
    }

    @Test(
        "What may go to the public internet alone reaches neither the machine nor its networks, by address or by name",
        arguments: [
            "127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "127.1", "2130706433", "0x7f000001",
            "10.0.0.1",
            "169.254.169.254", "[fe80::1]", "[::]", "[64:ff9b::7f00:1]",
        ])
    func notPublic(host: String) async {
        let server = echo()
        await #expect(throws: CourierError.notPublic) {
            try await HTTPClient().send(
                HTTPClientRequest(url: "http://\(host):\(server.port)/", timeout: patience, reach: .publicOnly))
        }
        #expect(server.connections == 0)
    }

    @Test("An answer that is not HTTP is a connection that broke, not an address that is none: it is worth another try")
    func notHTTP() async throws {
        let server = LoopbackServer { connection in
            _ = connection.request()
            connection.write("hello\r\n")
        }
        await #expect(throws: CourierError.broken) {
            try await HTTPClient().send(HTTPClientRequest(url: "http://127.0.0.1:\(server.port)/", timeout: patience))
        }
    }

    @Test("A connection that is open already is no way around that")
    func keptConnection() async throws {
        let asked = Shared(0)
        let server = LoopbackServer { connection in
            while connection.request() != nil {
                asked.change { $0 += 1 }
                connection.answer(200)
            }
        }
        let client = HTTPClient()
        let url = "http://127.0.0.1:\(server.port)/"
        // Whether it was open all the time shows only afterwards: libcurl lets go what lay idle for two minutes, as on a starved machine.
        var (rounds, wasOpen) = (0, false)
        while !wasOpen, rounds < 10 {
            rounds += 1
            #expect(try await client.send(HTTPClientRequest(url: url, timeout: patience)).status == 200)
            let before = server.connections
            await #expect(throws: CourierError.notPublic) {
                try await client.send(HTTPClientRequest(url: url, timeout: patience, reach: .publicOnly))
            }
            #expect(try await client.send(HTTPClientRequest(url: url, timeout: patience)).status == 200)
            wasOpen = server.connections == before
        }
        #expect(wasOpen)
        #expect(asked.value == 2 * rounds)
    }

    @Test("A server that hangs holds up only its own lane")
    func lanes() async throws {
        let isFree = Shared(false)
        let (hanging, well) = (hanging(until: isFree), echo())
        let slow = HTTPClient(name: "slow", lanes: 2)
        async let stuck = slow.send(
            HTTPClientRequest(url: "http://127.0.0.1:\(hanging.port)/", timeout: patience))
        #expect(await eventually { hanging.connections == 1 })
        let url = "http://127.0.0.1:\(well.port)/"
        // The other lane, several times: a request goes where least is to do.
        for _ in 0..<5 { #expect(try await slow.send(HTTPClientRequest(url: url, timeout: patience)).status == 200) }
        #expect(
            try await HTTPClient(name: "other", lanes: 1).send(HTTPClientRequest(url: url, timeout: patience)).status
                == 200)
        isFree.change { $0 = true }
        #expect(try await stuck.status == 204)
    }

    @Test("Two requests of one client with two lanes are under way at once")
    func atOnce() async throws {
        // The first is answered only once the second has come.
        let came = Shared(0)
        let server = LoopbackServer { connection in
            guard connection.request() != nil else { return }
            came.change { $0 += 1 }
            while came.value < 2 { usleep(1_000) }
            connection.answer(200)
        }
        let client = HTTPClient(name: "two", lanes: 2)
        let request = HTTPClientRequest(url: "http://127.0.0.1:\(server.port)/", timeout: patience)
        async let first = client.send(request)
        async let second = client.send(request)
        #expect(try await (first.status, second.status) == (200, 200))
    }
}
