/// Where a broker listens.
public struct BusAddress: Sendable, Hashable, CustomStringConvertible {
    /// A name or an address; an IPv6 address without brackets.
    public let host: String
    /// The TCP port.
    public let port: UInt16
    /// Whether it speaks TLS.
    public let isSecure: Bool

    /// A host has at most so many bytes (RFC 1035, section 2.3.4, without the last dot).
    public static let hostLimit = 253
    /// The port of MQTT over TLS.
    public static let securePort: UInt16 = 8883

    /// - Parameters:
    ///   - host: a name or an address.
    ///   - port: MQTT's own unless told.
    ///   - isSecure: whether it speaks TLS.
    public init(host: String, port: UInt16 = 1883, isSecure: Bool = false) {
        (self.host, self.port, self.isSecure) = (host, port, isSecure)
    }

    /// Nil unless the text is `mqtt://host` or `mqtt://host:port`, over TLS `mqtts://…`, an IPv6 host in brackets.
    ///
    /// Credentials in it are refused: a URL is shown in lists of processes, in logs and in error messages.
    public init?(url: String) {
        for (scheme, usual, isSecure) in [("mqtt://", 1883, false), ("mqtts://", Self.securePort, true)]
        where url.hasPrefix(scheme) {
            var rest = url.dropFirst(scheme.count)
            if rest.hasSuffix("/") { rest.removeLast() }
            self.init(hostAndPort: rest, usual: usual, isSecure: isSecure)
            return
        }
        return nil
    }

    /// Nil unless the text is `host` or `host:port`, an IPv6 host in brackets.
    /// - Parameters:
    ///   - usual: the port where none is told.
    ///   - isSecure: whether it speaks TLS.
    public init?(hostAndPort text: some StringProtocol, usual: UInt16, isSecure: Bool) {
        var rest = Substring(text)
        let isPlain = !rest.utf8.contains { $0 <= 0x20 || $0 >= 0x7f || "/?#@".utf8.contains($0) }
        guard isPlain else { return nil }
        let host: Substring
        if rest.hasPrefix("[") {
            guard let end = rest.firstIndex(of: "]") else { return nil }
            host = rest[rest.index(after: rest.startIndex)..<end]
            rest = rest[rest.index(after: end)...]
        } else {
            host = rest.prefix { $0 != ":" }
            rest = rest[host.endIndex...]
        }
        let isAddress = text.utf8.first == UInt8(ascii: "[")
        guard (1...Self.hostLimit).contains(host.utf8.count),
            host.utf8.allSatisfy(isAddress ? Self.isOfAddress : Self.isOfName)
        else { return nil }
        if rest.isEmpty {
            self.init(host: String(host), port: usual, isSecure: isSecure)
        } else {
            let digits = rest.dropFirst()
            guard rest.hasPrefix(":"), digits.utf8.count <= 5, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let port = UInt16(digits), port > 0
            else { return nil }
            self.init(host: String(host), port: port, isSecure: isSecure)
        }
    }

    /// Whether only programs on this machine reach it.
    public var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }

    /// `mqtt://host:port` or `mqtts://host:port`
    public var description: String {
        (isSecure ? "mqtts://" : "mqtt://") + (host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)")
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
    }

    /// Of an IPv6 address.
    private static func isOfAddress(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x3a, 0x41...0x46, 0x61...0x66, UInt8(ascii: "."): true
        default: false
        }
    }
}
