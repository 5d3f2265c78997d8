import Testing

@testable import HTTPServer

/// What libmicrohttpd 0.9.75 does before or after our look at a request. Written down so that another version is looked at anew.
@Suite("What the library does by itself")
struct LibraryTests {
    private static func chunked(_ name: String, _ body: String) -> Hostile {
        Hostile(
            name: name, lines: ["POST /echo HTTP/1.1", "Host: localhost:PORT", "Transfer-Encoding: chunked"], body: body
        )
    }

    @Test("A second request line, or the status line of an answer, is refused once, and the connection closed")
    func twoLines() async throws {
        let request = "GET /hello HTTP/1.1", status = "HTTP/1.1 200 OK", host = "Host: localhost:PORT"
        try await withServer { server in
            for lines in [
                [request, request, host], [request, "GET http://localhost/hello HTTP/1.1", host],
                [request, status, host],
                [request, host, status], [status, host], [status, status, host], [request, host, request],
            ] {
                let hostile = Hostile(name: "", lines: lines)
                let answer = await onThread { [port = server.port] in
                    let client = RawClient(port: port)
                    // A second request behind it must not be answered.
                    client.send(hostile.bytes(port: port) + hostile.bytes(port: port))
                    return client.everything()
                }
                #expect(answer.ranges(of: "HTTP/1.1 ").count == 1, "\(lines)")
                #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(lines)")
            }
        }
    }

    /// What the library itself refuses while it reads the fields: it then writes the head of its answer twice, and closes.
    /// Whoever stands before us takes the second head for the beginning of the body, and reads nothing after it.
    static let answeredTwice: Set = [
        "no Host", "a space before the colon of Host", "a list as Content-Length", "a sign before Content-Length",
        "a negative Content-Length", "a hexadecimal Content-Length", "a Content-Length beyond 64 bits",
    ]

    @Test(
        "A hostile request gets one answer, or one with two status lines, and is the last",
        arguments: HostileRequestTests.refused)
    func statusLines(_ hostile: Hostile) async throws {
        #expect(Daemon.libraryVersion == "0.9.75")
        try await withServer { server in
            let answer = await onThread { [port = server.port, head = server.head("GET /hello HTTP/1.1")] in
                let client = RawClient(port: port)
                client.send(hostile.bytes(port: port) + Array(head.utf8))
                return client.everything()
            }
            let lines = answer.ranges(of: "HTTP/1.1 ").count
            if Self.answeredTwice.contains(hostile.name) {
                #expect(lines == 2, "\(answer)")
                #expect(answer.ranges(of: "HTTP/1.1 4").count == 2, "\(answer)")
                #expect(answer.ranges(of: "\r\nConnection: close\r\n").count == 2, "\(answer)")
            } else {
                #expect(lines <= 1, "\(answer)")
            }
            #expect(!answer.contains("hello"))
        }
    }

    /// Framing of chunks that ends a line with a bare LF, or hides something in an extension or a trailer: the body is read as if the
    /// lines had ended rightly, and the request after it is read from the right place. Whoever stands before us should refuse these
    /// (RFC 9112, section 7.1): who reads on to a CR and LF, and passes them on, sees another end of the request than we do.
    static let readAsWell: [Hostile] = [
        chunked("a bare LF after the data", "3\r\nabc\n0\r\n\r\n"),
        chunked("a bare LF after the last size", "3\r\nabc\r\n0\n\r\n"),
        chunked("a bare LF as the end", "3\r\nabc\r\n0\r\n\n"),
        chunked("bare LFs alone", "3\nabc\n0\n\n"),
        chunked("a bare LF after an extension", "3;a=b\nabc\r\n0\r\n\r\n"),
        chunked("a bare CR in an extension", "3;a\rb\r\nabc\r\n0\r\n\r\n"),
        chunked("a bare LF after a trailer", "3\r\nabc\r\n0\r\nX-A: b\n\r\n"),
        chunked("a trailer that begins with a NUL", "3\r\nabc\r\n0\r\n\0\r\n\r\n"),
        chunked("a size with many zeros before it", "000000000000000000003\r\nabc\r\n0\r\n\r\n"),
    ]

    @Test(
        "A bare LF ends a line in the framing of chunks, and the next request begins behind it", arguments: readAsWell)
    func isReadAsWell(_ hostile: Hostile) async throws {
        #expect(Daemon.libraryVersion == "0.9.75")
        try await withServer { server in
            let (first, second) = await onThread { [port = server.port, head = server.head("GET /hello HTTP/1.1")] in
                let client = RawClient(port: port)
                client.send(hostile.bytes(port: port) + Array(head.utf8))
                return (client.reply(), client.reply())
            }
            #expect([first.text, second.text] == ["abc", "hello"])
        }
    }

    static let cutOff: [Hostile] = [
        chunked("a bare CR after a size", "3\rabc\r\n0\r\n\r\n"),
        chunked("two CRs after a size", "3\r\r\nabc\r\n0\r\n\r\n"),
        chunked("no end of the line after the data", "3\r\nabc0\r\n\r\n"),
        chunked("a space after a size", "3 \r\nabc\r\n0\r\n\r\n"),
        chunked("a space before a size", " 3\r\nabc\r\n0\r\n\r\n"),
        chunked("a sign before a size", "+3\r\nabc\r\n0\r\n\r\n"),
        chunked("a negative size", "-3\r\nabc\r\n0\r\n\r\n"),
        chunked("a hexadecimal size with its mark", "0x3\r\nabc\r\n0\r\n\r\n"),
        chunked("no size", "\r\nabc\r\n0\r\n\r\n"),
        chunked("a request as a trailer", "3\r\nabc\r\n0\r\nGET /hello HTTP/1.1\r\n\r\n"),
        chunked("a folded trailer", "3\r\nabc\r\n0\r\n b\r\n\r\n"),
    ]

    @Test(
        "Other framing is refused once and the connection closed, so that nothing behind it is read", arguments: cutOff)
    func isCutOff(_ hostile: Hostile) async throws {
        try await withServer { server in
            let answer = await onThread { [port = server.port, head = server.head("GET /hello HTTP/1.1")] in
                let client = RawClient(port: port)
                client.send(hostile.bytes(port: port) + Array(head.utf8))
                return client.everything()
            }
            #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 400 "), "\(answer)")
            #expect(answer.ranges(of: "HTTP/1.1 ").count <= 1, "\(answer)")
        }
    }

    @Test("A trailer is no field of the request")
    func trailers() async throws {
        let routes = { (router: inout Router) in
            router.on(.post, "/fields") { request in
                .text("\(request.headers["x-a"] ?? "none") \(request.headers["authorization"] ?? "none")")
            }
        }
        try await withServer(routes: routes) { server in
            let text = server.head("POST /fields HTTP/1.1", "Transfer-Encoding: chunked", "X-A: head")
            let reply = await onThread { [port = server.port] in
                let client = RawClient(port: port)
                client.send(text + "3\r\nabc\r\n0\r\nX-A: trailer\r\nAuthorization: Bearer x\r\n\r\n")
                return client.reply()
            }
            #expect(reply.text == "head none")
        }
    }
}
