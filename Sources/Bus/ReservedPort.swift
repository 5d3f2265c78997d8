import Glibc
import System

/// A port of loopback that is ours before, between and after the lives of the program that listens on it.
///
/// The socket is bound and does not listen. That lets a program that asks for address reuse bind too, as servers do, and
/// keeps away whoever does not: above all another one that looks for a free port at the same moment.
final class ReservedPort: Sendable {
    let number: UInt16
    private let socket: Int32

    /// Nil when somebody listens on it.
    init?(_ number: UInt16) {
        guard let socket = Self.bound(to: number, beside: false) ?? Self.bound(to: number, beside: true) else {
            return nil
        }
        (self.number, self.socket) = (number, socket)
    }

    /// One that nobody uses in any way; nil when none was found.
    static func any() -> ReservedPort? {
        // Below the kernel's own range, out of which outgoing connections take theirs at any moment.
        for _ in 0..<100 {
            let number = UInt16.random(in: 10_000...29_999)
            if let socket = bound(to: number, beside: false) { return ReservedPort(number, socket) }
        }
        return nil
    }

    private init(_ number: UInt16, _ socket: Int32) { (self.number, self.socket) = (number, socket) }

    deinit { close(socket) }

    /// - Parameter beside: true tolerates connections that linger and others that do not listen.
    private static func bound(to port: UInt16, beside: Bool) -> Int32? {
        let fd = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var yes: Int32 = 1
        func allowReuse() { setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size)) }
        if beside { allowReuse() }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let isBound = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(fd, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isBound else {
            close(fd)
            return nil
        }
        allowReuse()
        return fd
    }
}
