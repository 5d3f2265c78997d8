import Glibc
import HTTPServer
import Synchronization

extension Target {
    /// Bytes on a connection, to a real server on loopback: it ends in time, and what reaches a handler has a head that one careful
    /// client wrote. The second is judged by a reader of our own here, which shares no code with the server's and its library's: where
    /// two readers of one head differ, requests are smuggled.
    static let server = Target("server", seeds: { serverSeeds.map { Array($0.utf8) } }) { bytes in
        let before = Running.shared.reached.value
        Running.shared.converse(bytes)
        let isReached = Running.shared.reached.value != before
        if isReached { expect(CarefulHead.begins(bytes), "a head that no careful client writes reached a handler") }
    }

    private static let serverSeeds = [
        "GET /a?b=c HTTP/1.1\r\nHost: hub.example\r\nCookie: a=b\r\nAccept: */*\r\n\r\n",
        "POST /x HTTP/1.1\r\nHost: hub.example\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
        "PUT /x HTTP/1.1\r\nHost: hub.example\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
        "GET / HTTP/1.0\r\nHost: hub.example\r\nX-Forwarded-For: 10.0.0.1, 10.0.0.2\r\nX-Forwarded-Proto: https\r\n\r\n",
        "DELETE /%C3%A8 HTTP/1.1\r\nHost: hub.example:443\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\nabcde",
        "\r\nHEAD / HTTP/1.1\r\nHost: hub.example\r\nIf-None-Match: \"x\"\r\nAccept-Encoding: gzip;q=0.5\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: hub.example\r\n\r\nGET /b HTTP/1.1\r\nHost: hub.example\r\n\r\n",
    ]
}

private final class Counter: Sendable {
    private let count = Atomic(0)
    var value: Int { count.load(ordering: .sequentiallyConsistent) }
    func add() { count.add(1, ordering: .sequentiallyConsistent) }
}

/// The server under test, made with the first input.
private final class Running: Sendable {
    static let shared = Running()

    /// How many requests have reached a handler.
    let reached = Counter()
    private let port: UInt16

    private init() {
        var settings = ServerSettings()
        settings.hosts = ["hub.example"]
        settings.proxies = ["127.0.0.1"]
        // Who ends their half of a connection together with a request is noticed only when their time is over: the library misses the
        // end of what it reads in one go.
        settings.headTime = .milliseconds(500)
        settings.bodyTime = .milliseconds(500)
        settings.idleTime = .milliseconds(500)
        let reached = reached
        var router = Router()
        for method in [Method.get, .post, .put, .patch, .delete] {
            router.on(method, "/{rest...}") { request in
                reached.add()
                _ = request.segments
                _ = try? request.query.get("a", as: Int.self)
                _ = request.cookie("a")
                _ = try? request.form()
                _ = try? request.jsonFields()
                return .text(request.path)
            }
        }
        do {
            port = try Server(on: EventLoop(), settings: settings, router: router).port
        } catch { fatalError("\(error)") }
    }

    /// Sends all of it on a connection of its own, and reads until the server closes. Traps when it does not.
    func converse(_ bytes: [UInt8]) {
        let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(connection) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        // No traces in TIME_WAIT: there are some ten thousand ports for as many inputs in a few seconds.
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        var patience = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        let isConnected = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        expect(isConnected, "the server listens no more")
        _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        // So that the end seldom comes together with the rest: it would cost half a second, where hundreds of inputs have room.
        var answer = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
        poll(&answer, 1, 2)
        shutdown(connection, Int32(SHUT_WR))
        var piece = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(connection, &piece, piece.count, 0)
            expect(count >= 0 || errno != EAGAIN, "the server does not end the connection")
            if count <= 0 { return }
        }
    }
}

/// What RFC 9112 and this server ask of a request's head, read line by line.
private enum CarefulHead {
    /// Between the last field and what comes after the head: of whatever the library takes for the end of a line and an empty line,
    /// that of which it leaves the same as of CRLF CRLF (`HostileRequestTests.endsToo`).
    private static let ends = ["\n", "\r\n", "\0\n", "\0\r\n", "\0\0\n"].flatMap { end in
        ["\n", "\r\n", ":\n", "\0\n", ":\r\n", "\0\r\n", ":\0\n", "\0\0\n"].map { Array((end + $0).utf8) }
    }.filter { $0.count == 4 }

    /// Whether the bytes begin with one.
    static func begins(_ bytes: [UInt8]) -> Bool {
        // Empty lines before a request are passed over, as section 2.2 allows; and with them lines that begin with a NUL, which the
        // library takes for empty (`HostileRequestTests.passedOver`).
        var rest = bytes[...]
        while rest.first == 0 || rest.first == 0x0a || rest.starts(with: [0x0d, 0x0a]) {
            guard let end = rest.firstIndex(of: 0x0a) else { return false }
            rest = rest[(end + 1)...]
        }
        var text = Array(rest)
        for index in text.indices.dropLast() where text[index...].starts(with: [0x00, 0x0a]) { text[index] = 0x0d }
        guard let end = ends.compactMap({ text.firstRange(of: $0)?.lowerBound }).min() else { return false }
        let head = text[..<end]
        guard !head.contains(0) else { return false }
        var lines = head.split(separator: 0x0a, omittingEmptySubsequences: false).map { Array($0) }
        for index in lines.indices.dropLast() {
            guard lines[index].popLast() == 0x0d else { return false }
        }
        guard !lines.joined().contains(0x0d), let first = lines.first, isRequestLine(first) else { return false }
        var (hosts, lengths, encodings) = (0, 0, 0)
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), isToken(line[..<colon]) else { return false }
            let value = line[(colon + 1)...]
            guard value.allSatisfy({ $0 == 0x09 || $0 >= 0x20 && $0 != 0x7f }) else { return false }
            let text = String(decoding: value, as: UTF8.self).split { $0 == " " || $0 == "\t" }.joined(separator: " ")
            switch String(decoding: line[..<colon], as: UTF8.self).lowercased() {
            case "host": hosts += 1
            case "content-length":
                lengths += 1
                guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return false }
            case "transfer-encoding":
                encodings += 1
                guard text.lowercased() == "chunked" else { return false }
            default: break
            }
        }
        return hosts == 1 && lengths + encodings <= 1
    }

    private static func isRequestLine(_ line: [UInt8]) -> Bool {
        let parts = line.split(separator: 0x20, omittingEmptySubsequences: false)
        guard parts.count == 3, isToken(parts[0]), parts[1].first == UInt8(ascii: "/") else { return false }
        let version = String(decoding: parts[2], as: UTF8.self)
        return parts[1].allSatisfy { (0x21...0x7e).contains($0) } && (version == "HTTP/1.1" || version == "HTTP/1.0")
    }

    private static func isToken(_ name: some Collection<UInt8>) -> Bool {
        !name.isEmpty
            && name.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }
}
