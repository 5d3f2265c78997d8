import Glibc

/// A server on a port of loopback that a test writes itself, line by line. Each connection has a thread of its own.
public final class LoopbackServer: Sendable {
    /// Where it listens, on 127.0.0.1.
    public let port: UInt16
    private let listener: Int32
    private let accepted = Shared(0)
    /// Whether the listener's number is still its own: once it is closed, the next socket of anybody has it.
    private let isOpen = Shared(true)

    /// - Parameter serve: talks to one client; the connection ends with it.
    public init(_ serve: @escaping @Sendable (Connection) -> Void) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 64) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        precondition(isBound, "no port to be had")
        (self.listener, port) = (listener, UInt16(bigEndian: address.sin_port))
        startThread { [accepted, isOpen] in
            while true {
                let client = accept(listener, nil, nil)
                if client < 0 { break }
                accepted.change { $0 += 1 }
                startThread {
                    serve(Connection(client))
                    close(client)
                }
            }
            isOpen.change { isOpen in
                isOpen = false
                close(listener)
            }
        }
    }

    /// How many have come.
    public var connections: Int { accepted.value }

    /// Takes no more connections.
    public func stop() { isOpen.change { if $0 { shutdown(listener, Int32(SHUT_RDWR)) } } }

    deinit { stop() }

    /// One client.
    public final class Connection {
        private let socket: Int32
        private var held: [UInt8] = []

        init(_ socket: Int32) { self.socket = socket }

        /// The next line without its end; nil when the client has gone.
        public func line() -> String? {
            while true {
                if let end = held.firstIndex(of: 0x0a) {
                    let line = held[..<end]
                    held.removeSubrange(...end)
                    return String(decoding: line.last == 0x0d ? line.dropLast() : line, as: UTF8.self)
                }
                guard receive() else { return nil }
            }
        }

        /// The next bytes; nil when the client goes before.
        public func bytes(_ count: Int) -> [UInt8]? {
            while held.count < count { guard receive() else { return nil } }
            defer { held.removeFirst(count) }
            return Array(held[..<count])
        }

        /// Waits until the client goes.
        public func wait() { while receive() {} }

        /// Sends a text.
        public func write(_ text: String) {
            var bytes = Array(text.utf8)[...]
            while !bytes.isEmpty {
                let sent = bytes.withUnsafeBytes {
                    send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard sent > 0 else { return }
                bytes = bytes.dropFirst(sent)
            }
        }

        private func receive() -> Bool {
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { return false }
            held += buffer[..<count]
            return true
        }
    }
}

extension LoopbackServer.Connection {
    /// A request of HTTP/1.1 as it came.
    public struct Request: Sendable {
        /// `POST /path HTTP/1.1`.
        public var line: String
        /// Names in small letters.
        public var headers: [String: String]
        /// As long as `content-length` says.
        public var body: [UInt8]
    }

    /// The next request; nil when the client has gone.
    public func request() -> Request? {
        guard let first = line() else { return nil }
        var headers: [String: String] = [:]
        while let line = line(), !line.isEmpty {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            headers[line[..<colon].lowercased()] = String(line[line.index(after: colon)...].drop { $0 == " " })
        }
        guard let body = bytes(headers["content-length"].flatMap { Int($0) } ?? 0) else { return nil }
        return Request(line: first, headers: headers, body: body)
    }

    /// An answer of HTTP/1.1; the connection stays.
    public func answer(_ status: Int, _ headers: [(String, String)] = [], body: String = "") {
        let lines = headers.map { "\($0): \($1)\r\n" }.joined()
        write("HTTP/1.1 \(status) So\r\n\(lines)content-length: \(body.utf8.count)\r\n\r\n\(body)")
    }
}
