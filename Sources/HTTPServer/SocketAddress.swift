import CMicrohttpd
import Glibc

/// The IP address of a client.
struct SocketAddress: Sendable {
    /// From what connections are counted together: an IPv4 address, or an IPv6 /64, which is what one customer gets.
    enum Network: Hashable, Sendable {
        case ipv4(UInt32)
        case ipv6(UInt64)
    }

    /// As written by people; an IPv4 address that came over an IPv6 socket is written as IPv4.
    let text: String
    let network: Network

    init(_ address: UnsafePointer<sockaddr>) {
        if Int32(address.pointee.sa_family) == AF_INET6 {
            self.init(UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in6.self).sin6_addr)
        } else {
            self.init(UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in.self).sin_addr)
        }
    }

    /// The other end of a connected socket; nil when it has left already.
    init?(peerOf descriptor: Int32) {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let address: SocketAddress? = withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                getpeername(descriptor, address, &length) == 0 ? SocketAddress(address) : nil
            }
        }
        guard let address else { return nil }
        self = address
    }

    /// From text, numbers alone; nil for anything else.
    init?(text: String) {
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            self.init(four)
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            self.init(six)
        } else {
            return nil
        }
    }

    private init(text: String, network: Network) {
        self.text = text
        self.network = network
    }

    private init(_ address: in_addr) {
        self.init(text: Self.text(AF_INET, address), network: .ipv4(address.s_addr))
    }

    private init(_ address: in6_addr) {
        let bytes = withUnsafeBytes(of: address) { Array($0) }
        if bytes[..<12].elementsEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]) {
            self.init(bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 12, as: in_addr.self) })
        } else {
            let network = Network.ipv6(bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) })
            self.init(text: Self.text(AF_INET6, address), network: network)
        }
    }

    private static func text<Address>(_ family: Int32, _ address: Address) -> String {
        withUnsafeBytes(of: address) { address in
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
                inet_ntop(family, address.baseAddress!, text.baseAddress!, socklen_t(text.count))
                return String(cString: text.baseAddress!)
            }
        }
    }
}
