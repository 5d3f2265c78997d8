/// The server that takes our letters. Its password is in no description.
public struct MailServer: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
    /// How the connection is encrypted.
    public enum Encryption: String, Sendable, CaseIterable {
        /// It begins in clear and goes on encrypted, or not at all (RFC 3207).
        case startTLS
        /// From the first byte (RFC 8314).
        case tls
        /// Not at all: for the machine itself alone, in tests and in the demo.
        case none
    }

    /// A name or an address, without brackets.
    public let host: String
    /// 1...65,535.
    public let port: UInt16
    /// How the connection is encrypted.
    public let encryption: Encryption
    /// Who signs in; nil where the server takes letters without.
    public let user: String?
    /// The password; empty without a user.
    public let password: String
    /// A PEM file of authorities that are trusted besides the machine's own; nil for none.
    public let authorities: String?

    /// Nil for a host, a user or a password that cannot be sent.
    /// - Parameters:
    ///   - port: 587 for `startTLS`, 465 for `tls`, 25 for `none` unless told.
    ///   - user: nil where the server takes letters without.
    ///   - authorities: the path of a PEM file.
    public init?(
        host: String, port: UInt16? = nil, encryption: Encryption = .startTLS, user: String? = nil,
        password: String = "", authorities: String? = nil
    ) {
        let isAddress = InternetAddress(host) != nil
        let isName = (1...253).contains(host.utf8.count) && host.utf8.allSatisfy(Self.isOfName)
        let secrets = [user ?? "-", password, authorities ?? ""]
        guard isAddress || isName, port != 0, user != "",
            secrets.allSatisfy({ $0.utf8.count <= 1024 && !$0.utf8.contains { $0 < 0x20 || $0 == 0x7f } })
        else { return nil }
        (self.host, self.encryption, self.user, self.authorities) = (host, encryption, user, authorities)
        self.password = user == nil ? "" : password
        self.port = port ?? (encryption == .tls ? 465 : encryption == .startTLS ? 587 : 25)
    }

    /// - Parameters:
    ///   - url: `smtp://host[:port]`, encrypted by STARTTLS, or `smtps://host[:port]`. Nil for anything else: a user, a password, a path.
    ///   - isPlain: `smtp` without encryption.
    public init?(
        url: String, isPlain: Bool = false, user: String? = nil, password: String = "", authorities: String? = nil
    ) {
        guard let (scheme, rest) = Self.split(url, at: "://"), scheme == "smtp" || scheme == "smtps",
            !(scheme == "smtps" && isPlain)
        else { return nil }
        var (host, end) = (rest, Substring())
        if rest.hasPrefix("[") {
            guard let close = rest.firstIndex(of: "]") else { return nil }
            (host, end) = (rest[rest.index(after: rest.startIndex)..<close], rest[rest.index(after: close)...])
            guard host.contains(":") else { return nil }
        } else if let colon = rest.firstIndex(of: ":") {
            (host, end) = (rest[..<colon], rest[colon...])
        }
        var port: UInt16?
        if !end.isEmpty {
            let digits = end.dropFirst()
            guard end.hasPrefix(":"), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = UInt16(digits)
            else { return nil }
            port = number
        }
        self.init(
            host: String(host), port: port, encryption: isPlain ? .none : scheme == "smtps" ? .tls : .startTLS,
            user: user, password: password, authorities: authorities)
    }

    /// As libcurl wants it.
    var url: String {
        let name = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        return "\(encryption == .tls ? "smtps" : "smtp")://\(name):\(port)"
    }

    /// Host and port alone.
    public var description: String { "MailServer(\(host):\(port))" }
    /// The same.
    public var customMirror: Mirror { Mirror(self, children: ["host": host, "port": port]) }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e: true
        default: false
        }
    }

    private static func split(_ text: String, at mark: String) -> (Substring, Substring)? {
        guard let range = text.firstRange(of: mark) else { return nil }
        return (text[..<range.lowerBound], text[range.upperBound...])
    }
}
