import Glibc

/// From what requests are counted together: an IPv4 address, or an IPv6 /64, which is what one customer gets.
///
/// Made of an address in words, as `Request.peerAddress` has it. What is no address (a proxy may send anything) counts by its text.
public enum ClientNetwork: Hashable, Sendable {
    /// One address; an IPv4 address that came over an IPv6 socket is this too.
    case ipv4(UInt32)
    /// The first half of an address.
    case ipv6(UInt64)
    /// Something else, at most `longest` bytes of it.
    case other(String)

    /// So many bytes of what is no address are kept.
    public static let longest = 64

    /// The network of an address in words; a zone (`fe80::1%eth0`) does not count.
    public init(_ address: String) {
        let text = String(address.prefix { $0 != "%" })
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            self = .ipv4(four.s_addr)
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            let (network, mark, last) = withUnsafeBytes(of: &six) {
                (
                    $0.load(as: UInt64.self), $0.load(fromByteOffset: 8, as: UInt32.self),
                    $0.load(fromByteOffset: 12, as: UInt32.self)
                )
            }
            let isIPv4 = network == 0 && mark == UInt32(bigEndian: 0xffff)
            self = isIPv4 ? .ipv4(last) : .ipv6(network)
        } else {
            self = .other(String(decoding: address.utf8.prefix(Self.longest), as: UTF8.self))
        }
    }
}
