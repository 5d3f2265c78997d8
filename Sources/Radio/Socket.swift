import Glibc

/// A Unix stream socket that carries frames: kind u8 · length u16 · payload. Closed when nobody holds it any longer.
final class Socket: Sendable {
    enum Kind: UInt8, Sendable {
        case advertisement = 1
        case discover, characteristics, read, value, refused, write, written
    }

    /// No frame is longer: a message is at most 512 bytes.
    static let limit = 1024
    let fd: Int32

    private init(_ fd: Int32) { self.fd = fd }

    deinit { close(fd) }

    private static func make() throws(RadioError) -> Socket {
        let fd = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        if fd < 0 { throw .air(String(cString: strerror(errno))) }
        _ = fcntl(fd, F_SETFD, FD_CLOEXEC)
        return Socket(fd)
    }

    private static func withAddress<T>(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> T)
        throws(RadioError) -> T
    {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw .air("the path \(path) is too long for a socket")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
    }

    static func listen(_ path: String) throws(RadioError) -> Socket {
        let socket = try make()
        unlink(path)
        let bound = try withAddress(path) { bind(socket.fd, $0, $1) }
        if bound != 0 || Glibc.listen(socket.fd, 16) != 0 { throw .air("\(path): \(String(cString: strerror(errno)))") }
        chmod(path, 0o600)
        return socket
    }

    /// - Parameter patience: how long to wait for the other side, in seconds.
    static func connect(_ path: String, patience: Int) throws(RadioError) -> Socket {
        let socket = try make()
        if try withAddress(path, { Glibc.connect(socket.fd, $0, $1) }) != 0 { throw .unreachable }
        socket.setPatience(patience)
        return socket
    }

    /// The next central; nil when the listener was shut down.
    /// - Parameter patience: how long to wait for the other side, in seconds.
    func accept(patience: Int) -> Socket? {
        while true {
            let fd = Glibc.accept(fd, nil, nil)
            if fd < 0, errno == EINTR || errno == ECONNABORTED { continue }
            if fd < 0 { return nil }
            _ = fcntl(fd, F_SETFD, FD_CLOEXEC)
            let socket = Socket(fd)
            socket.setPatience(patience)
            return socket
        }
    }

    private func setPatience(_ seconds: Int) {
        var time = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }

    func send(_ kind: Kind, _ payload: [UInt8]) throws(RadioError) {
        guard payload.count <= Self.limit else { throw .attribute(0x0d) }  // invalid attribute value length
        let frame = [kind.rawValue, UInt8(payload.count >> 8), UInt8(payload.count & 0xff)] + payload
        var sent = 0
        while sent < frame.count {
            let n = frame[sent...].withUnsafeBytes { Glibc.send(fd, $0.baseAddress!, $0.count, Int32(MSG_NOSIGNAL)) }
            if n < 0, errno == EINTR { continue }
            if n <= 0 { throw .disconnected }
            sent += n
        }
    }

    func receive() throws(RadioError) -> (Kind, [UInt8]) {
        let head = try take(3)
        let count = Int(head[1]) << 8 | Int(head[2])
        guard let kind = Kind(rawValue: head[0]), count <= Self.limit else { throw .malformed }
        return (kind, try take(count))
    }

    private func take(_ count: Int) throws(RadioError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let n = bytes.withUnsafeMutableBytes { recv(fd, $0.baseAddress! + filled, count - filled, 0) }
            if n < 0, errno == EINTR { continue }
            if n <= 0 { throw .disconnected }
            filled += n
        }
        return bytes
    }
}
