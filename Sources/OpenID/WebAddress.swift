/// The address of somebody else's server, as far as it can be told from its text: https, a host, no credentials, no fragment.
public struct WebAddress: Sendable, Hashable, CustomStringConvertible {
    /// As it was written.
    public let description: String

    /// No address is longer, in bytes.
    static let longest = 2_048
    /// What `http` may lead to where a hub is told so: this machine alone.
    private static let loopback = ["localhost", "127.0.0.1", "[::1]"]

    /// - Parameters:
    ///   - text: from a configuration, or from another server.
    ///   - allowsLoopback: whether `http` will do on this machine: in the demo and in tests.
    public init?(_ text: String, allowsLoopback: Bool = false) {
        let isPlain = text.utf8.allSatisfy { (0x21...0x7e).contains($0) && !Self.forbidden.contains($0) }
        guard isPlain, text.utf8.count <= Self.longest else { return nil }
        let parts = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count >= 3, parts[1].isEmpty else { return nil }
        let authority = parts[2].prefix { $0 != "?" }
        guard let host = Self.host(of: authority) else { return nil }
        switch parts[0] {
        case "https:": break
        case "http:" where allowsLoopback && Self.loopback.contains(host): break
        default: return nil
        }
        description = text
    }

    /// Quotes, angle brackets, a fragment's mark, a backslash: what a header, a page or another parser could take otherwise.
    private static let forbidden = Set("\"'<>\\^`{|}#;".utf8)

    /// The host in small letters, with its brackets; nil unless it is one, perhaps with a port.
    private static func host(of authority: Substring) -> String? {
        let isBracketed = authority.first == "["
        let end = isBracketed ? authority.firstIndex(of: "]").map { authority.index(after: $0) } : nil
        let host = isBracketed ? authority[..<(end ?? authority.startIndex)] : authority.prefix { $0 != ":" }
        let rest = authority[host.endIndex...]
        let letters = isBracketed ? "0123456789abcdef:.[]" : "0123456789abcdefghijklmnopqrstuvwxyz-._"
        let small = host.lowercased()
        guard !small.isEmpty, small.allSatisfy(letters.contains) else { return nil }
        if rest.isEmpty { return small }
        guard rest.first == ":", rest.count <= 6, UInt16(rest.dropFirst()) != nil else { return nil }
        return small
    }

    /// The same with more in its query; what is there stays (RFC 6749, 3.1).
    func adding(_ fields: [(String, String)]) -> WebAddress {
        WebAddress(extending: description + (description.contains("?") ? "&" : "?") + FormText.encoded(fields))
    }

    private init(extending text: String) { description = text }
}

/// application/x-www-form-urlencoded, written: everything but the unreserved characters of RFC 3986 as `%XX`.
enum FormText {
    static func encoded(_ fields: [(String, String)]) -> String {
        fields.map { encoded($0.0) + "=" + encoded($0.1) }.joined(separator: "&")
    }

    static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f, 0x7e: bytes.append(byte)
            default: bytes += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
