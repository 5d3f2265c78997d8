import Glibc
import Synchronization

/// Ports of this process's own, on every address of the machine.
public enum TestPort {
    // Below those that brokers (10,000 to 29,999) and stories (30,000 and more) take.
    private static let numbers = 8_200...9_999
    private static let last = Atomic(Int.random(in: numbers))

    /// A port that is free and that no other process of the tests takes, whichever checkout it tests: by a lock that ends with this process.
    /// - Throws: when there is none: then other tests run on this machine.
    public static func free() throws -> UInt16 {
        let folder = "/tmp/soglia-ports-\(getuid())"
        mkdir(folder, 0o700)
        for _ in numbers {
            let step = last.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue
            let number = numbers.lowerBound + step % numbers.count
            let lock = open("\(folder)/\(number)", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            if lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0, isFree(UInt16(number)) { return UInt16(number) }
            close(lock)
        }
        throw Late("a port that no other test has")
    }

    /// Whether all addresses of the machine have it free, of IPv4 and IPv6.
    private static func isFree(_ number: UInt16) -> Bool {
        let socket = Glibc.socket(AF_INET6, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(socket) }
        // As servers do: connections of an earlier one that linger are no hindrance.
        var yes: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var no: Int32 = 0
        setsockopt(socket, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &no, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = number.bigEndian
        return withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in6>.size)) == 0
            }
        }
    }
}
