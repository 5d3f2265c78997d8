import Glibc

/// An IPv4 or IPv6 address, and whether it belongs to the public internet.
public struct InternetAddress: Sendable, Hashable {
    /// 4 or 16, in the order of the network.
    public let bytes: [UInt8]

    /// Nil for another count than 4 and 16.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// - Parameter text: an address alone, as inet_pton reads it: no brackets, no zone, no port. Nil for anything else.
    public init?(_ text: String) {
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &bytes) == 1 {
            self.bytes = Array(bytes[..<4])
        } else if inet_pton(AF_INET6, text, &bytes) == 1 {
            self.bytes = bytes
        } else {
            return nil
        }
    }

    /// Whether it is the machine itself (127.0.0.0/8, ::1).
    public var isLoopback: Bool {
        if let inner = Self.inner(bytes) { return InternetAddress(bytes: inner)!.isLoopback }
        return bytes.count == 4 ? bytes[0] == 127 : bytes == [UInt8](repeating: 0, count: 15) + [1]
    }

    /// Whether one host of the public internet has it, and a packet to it leaves our own networks: IANA's registries of special
    /// addresses (RFC 6890 and what came later) name those that are not. Of IPv6 only what is given out (2000::/3) is public.
    public var isPublic: Bool {
        if let inner = Self.inner(bytes) { return InternetAddress(bytes: inner)!.isPublic }
        if bytes.count == 4 { return !Self.special4.contains { $0.contains(bytes) } }
        return bytes[0] & 0xe0 == 0x20 && !Self.special6.contains { $0.contains(bytes) }
    }

    /// The IPv4 address that an IPv6 one stands for: mapped (::ffff:0:0/96, RFC 4291) or translated (64:ff9b::/96, RFC 6052).
    private static func inner(_ bytes: [UInt8]) -> [UInt8]? {
        bytes.count == 16 && (mapped.contains(bytes) || translated.contains(bytes)) ? Array(bytes[12...]) : nil
    }

    /// The addresses that begin with the same bits.
    private struct Block {
        let start: [UInt8]
        let bits: Int

        init(_ start: String, _ bits: Int) { (self.start, self.bits) = (InternetAddress(start)!.bytes, bits) }

        func contains(_ address: [UInt8]) -> Bool {
            let (whole, rest) = (bits / 8, bits % 8)
            guard address[..<whole] == start[..<whole] else { return false }
            return rest == 0 || (address[whole] ^ start[whole]) >> UInt8(8 - rest) == 0
        }
    }

    private static let mapped = Block("::ffff:0:0", 96)
    private static let translated = Block("64:ff9b::", 96)

    private static let special4 = [
        Block("0.0.0.0", 8),  // this network
        Block("10.0.0.0", 8),  // private
        Block("100.64.0.0", 10),  // behind a provider (RFC 6598)
        Block("127.0.0.0", 8),  // loopback
        Block("169.254.0.0", 16),  // link-local, and the clouds' metadata
        Block("172.16.0.0", 12),  // private
        Block("192.0.0.0", 24),  // protocols
        Block("192.0.2.0", 24),  // documentation
        Block("192.88.99.0", 24),  // 6to4 relays, given up
        Block("192.168.0.0", 16),  // private
        Block("198.18.0.0", 15),  // benchmarks
        Block("198.51.100.0", 24),  // documentation
        Block("203.0.113.0", 24),  // documentation
        Block("224.0.0.0", 4),  // multicast
        Block("240.0.0.0", 4),  // reserved, and broadcast
    ]

    private static let special6 = [
        Block("2001::", 23),  // protocols, and Teredo, which holds an IPv4 address
        Block("2001:db8::", 32),  // documentation
        Block("2002::", 16),  // 6to4, which holds an IPv4 address
        Block("3fff::", 20),  // documentation
    ]
}

// What libcurl calls, outside of any isolation.

func isPublic(_ address: UnsafePointer<UInt8>?, _ count: UInt) -> Int32 {
    read(address, count)?.isPublic == true ? 1 : 0
}

func isLoopback(_ address: UnsafePointer<UInt8>?, _ count: UInt) -> Int32 {
    read(address, count)?.isLoopback == true ? 1 : 0
}

private func read(_ address: UnsafePointer<UInt8>?, _ count: UInt) -> InternetAddress? {
    InternetAddress(bytes: Array(UnsafeBufferPointer(start: address, count: Int(count))))
}
