import Glibc
import System

/// A port on loopback that the hub of the demo is going to listen on.
enum LoopbackPort {
    /// Listens on a port; 0 takes a free one.
    static func listen(_ port: UInt16) throws(SystemError) -> Int32 {
        let fd = try bound(to: port)
        if Glibc.listen(fd, 64) != 0 { throw SystemError("cannot listen on port \(port)", errno: errno) }
        return fd
    }

    /// A port that nobody uses at this moment.
    static func free() throws(SystemError) -> UInt16 {
        // Below the kernel's own range, out of which outgoing connections take theirs at any moment.
        for _ in 0..<100 {
            let port = UInt16.random(in: 10_000...29_999)
            if let fd = try? bound(to: port) {
                close(fd)
                return port
            }
        }
        throw SystemError("there is no free port on loopback")
    }

    /// - Throws: in words, when somebody listens there already: a hub that cannot start would be started for ever.
    static func requireFree(_ port: UInt16) throws(SystemError) { close(try bound(to: port)) }

    private static func bound(to port: UInt16) throws(SystemError) -> Int32 {
        let fd = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        if fd < 0 { throw SystemError("cannot open a socket", errno: errno) }
        // As the hub does: connections of an earlier hub that linger are no hindrance.
        var yes: Int32 = 1
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(fd, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if bound != 0 {
            let code = errno
            close(fd)
            throw SystemError(
                "port \(port) is taken: end what listens there, or choose another with --port", errno: code)
        }
        return fd
    }
}
