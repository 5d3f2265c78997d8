import Glibc
import System

/// A port on loopback that the hub of the demo is going to listen on.
enum LoopbackPort {
    /// - Throws: in words, when somebody listens there already: a hub that cannot start would be started for ever.
    static func requireFree(_ port: UInt16) throws(SystemError) {
        let fd = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if fd < 0 { throw SystemError("cannot open a socket", errno: errno) }
        defer { close(fd) }
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
            throw SystemError(
                "port \(port) is taken: end what listens there, or choose another with --port", errno: errno)
        }
    }
}
