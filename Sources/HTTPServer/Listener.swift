import CMicrohttpd
import Glibc

/// A listening socket. We accept ourselves, and not libmicrohttpd, because it spins when the process has no descriptor left
/// and counts whole IPv6 addresses.
struct Listener {
    /// Takes a connection from a listening socket: a descriptor, or -1 and `errno`. Tests put another in its place.
    typealias Accept = @Sendable (Int32) -> Int32

    let descriptor: Int32
    let port: UInt16
    private let accept: Accept

    enum Accepted {
        case connection(Int32)
        case none
        /// The process or the system has no room for another connection now.
        case exhausted
    }

    init(_ settings: ServerSettings, accept: @escaping Accept) throws(ServerError) {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_PASSIVE
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(settings.address, String(settings.port), &hints, &list) == 0, let info = list?.pointee else {
            throw .notAnAddress(settings.address)
        }
        defer { freeaddrinfo(list) }
        descriptor = socket(
            info.ai_family, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        self.accept = accept
        do throws(ServerError) {
            port = try Self.listen(descriptor, info, settings)
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// The next connection that waits.
    func next() -> Accepted {
        while true {
            let connection = accept(descriptor)
            if connection >= 0 { return .connection(connection) }
            switch errno {
            case EAGAIN: return .none
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
            default: continue  // this client has left already; see the next one
            }
        }
    }

    func stop() { close(descriptor) }

    private static func listen(
        _ descriptor: Int32, _ info: addrinfo, _ settings: ServerSettings
    ) throws(ServerError) -> UInt16 {
        set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
        if info.ai_family == AF_INET6 { set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0) }
        var bound = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let isListening = withUnsafeMutablePointer(to: &bound) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
                bind(descriptor, info.ai_addr, info.ai_addrlen) == 0 && Glibc.listen(descriptor, 1024) == 0
                    && getsockname(descriptor, name, &length) == 0
            }
        }
        guard isListening else {
            let reason = String(cString: strerror(errno))
            throw .cannotListen(address: settings.address, port: settings.port, reason: reason)
        }
        // The port is at the same place in sockaddr_in and sockaddr_in6.
        return withUnsafeBytes(of: bound) { UInt16(bigEndian: $0.load(fromByteOffset: 2, as: UInt16.self)) }
    }

    private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
}
