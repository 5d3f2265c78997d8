/// Where a broker listens.
public struct BusAddress: Sendable, Hashable, CustomStringConvertible {
    /// A name or an address; an IPv6 address without brackets.
    public let host: String
    /// The TCP port.
    public let port: UInt16

    /// - Parameters:
    ///   - host: a name or an address.
    ///   - port: MQTT's own unless told.
    public init(host: String, port: UInt16 = 1883) { (self.host, self.port) = (host, port) }

    /// Nil unless the text is `mqtt://host` or `mqtt://host:port`, an IPv6 host in brackets.
    ///
    /// Credentials in it are refused: a URL is shown in lists of processes, in logs and in error messages.
    public init?(url: String) {
        let scheme = "mqtt://"
        guard url.hasPrefix(scheme) else { return nil }
        var rest = url.dropFirst(scheme.count)
        if rest.hasSuffix("/") { rest.removeLast() }
        let isPlain = !rest.utf8.contains { $0 <= 0x20 || $0 >= 0x7f || "/?#@".utf8.contains($0) }
        guard isPlain, rest.utf8.count <= 300 else { return nil }
        let host: Substring
        if rest.hasPrefix("[") {
            guard let end = rest.firstIndex(of: "]") else { return nil }
            host = rest[rest.index(after: rest.startIndex)..<end]
            rest = rest[rest.index(after: end)...]
        } else {
            host = rest.prefix { $0 != ":" }
            rest = rest[host.endIndex...]
        }
        guard !host.isEmpty else { return nil }
        if rest.isEmpty {
            self.init(host: String(host))
        } else {
            let digits = rest.dropFirst()
            guard rest.hasPrefix(":"), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let port = UInt16(digits), port > 0
            else { return nil }
            self.init(host: String(host), port: port)
        }
    }

    /// `mqtt://host:port`
    public var description: String { host.contains(":") ? "mqtt://[\(host)]:\(port)" : "mqtt://\(host):\(port)" }
}
