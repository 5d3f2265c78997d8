import Glibc

/// What a server answered, as far as it came.
struct Reply: Sendable {
    var status = 0
    var headers: [(name: String, value: String)] = []
    var body: [UInt8] = []
    /// Nothing came, or not all of it.
    var isComplete = false

    var text: String { String(decoding: body, as: UTF8.self) }

    subscript(name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

/// A TCP client that sends exactly the bytes it is given. It blocks: use it inside `onThread`.
final class RawClient {
    private let descriptor: Int32
    private var buffer: [UInt8] = []

    /// - Parameter source: the last byte of the loopback address that it comes from: each is a network of its own.
    init(port: UInt16, from source: UInt8 = 1) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = (0x7f00_0000 | UInt32(source)).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        // Each address that is named has ports of its own; bound to the usual one, they would run out.
        let bound =
            source == 1
            ? 0
            : withUnsafePointer(to: &address) { address in
                address.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
            }
        precondition(bound == 0, "cannot bind: \(String(cString: strerror(errno)))")
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var wait = timeval(tv_sec: Int(patience.components.seconds), tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
        let code = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, size)
            }
        }
        precondition(code == 0, "cannot connect: \(String(cString: strerror(errno)))")
    }

    deinit { hangUp() }

    private var isOpen = true

    func hangUp() {
        if isOpen { close(descriptor) }
        isOpen = false
    }

    /// Takes little from the server at a time. To be set before anything comes.
    func makeSlow() {
        var size: Int32 = 2048
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }

    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { return false }
            sent += count
        }
        return true
    }

    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Reads one answer; without a body when the request was HEAD.
    func reply(toHead: Bool = false) -> Reply {
        var reply = Reply()
        guard let head = line(until: "\r\n\r\n") else { return reply }
        // Swift reads CR LF as one character.
        let lines = head.split(separator: "\r\n")
        reply.status = lines.first.flatMap { Int($0.split(separator: " ").dropFirst().first ?? "") } ?? 0
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            reply.headers.append((String(parts[0]), parts.count > 1 ? String(parts[1].dropFirst()) : ""))
        }
        reply.isComplete = true
        if toHead || reply.status == 204 || reply.status == 304 { return reply }
        if reply.status == 100 { return self.reply() }
        let length = Int(reply["Content-Length"] ?? "0") ?? 0
        while buffer.count < length, receive() {}
        reply.isComplete = buffer.count >= length
        reply.body = Array(buffer.prefix(length))
        buffer.removeFirst(reply.body.count)
        return reply
    }

    /// Everything up to and with a mark; nil when the server closes or is silent before it.
    func line(until mark: String) -> String? {
        let mark = Array(mark.utf8)
        while true {
            if let range = buffer.firstRange(of: mark) {
                defer { buffer.removeSubrange(..<range.upperBound) }
                return String(decoding: buffer[..<range.upperBound], as: UTF8.self)
            }
            if !receive() { return nil }
        }
    }

    /// Everything that comes until the server closes, or patience ends.
    func everything() -> String {
        while receive() {}
        defer { buffer = [] }
        return String(decoding: buffer, as: UTF8.self)
    }

    /// Whether the server closes before patience ends; what it sends until then is thrown away.
    func isClosedByServer() -> Bool {
        while true {
            var byte = [UInt8](repeating: 0, count: 4096)
            let count = recv(descriptor, &byte, byte.count, 0)
            if count == 0 || (count < 0 && errno != EAGAIN) { return true }
            if count < 0 { return false }
        }
    }

    private func receive() -> Bool {
        var piece = [UInt8](repeating: 0, count: 16 << 10)
        let count = recv(descriptor, &piece, piece.count, 0)
        if count <= 0 { return false }
        buffer += piece[..<count]
        return true
    }
}
