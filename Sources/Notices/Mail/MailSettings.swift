import Courier
import FoundationEssentials
import JSON
import System

/// How letters leave this hub: `mail.json` in the folder of data, readable by its user alone. The password is in no description.
public struct MailSettings: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
    /// The server that takes them.
    public let server: MailServer
    /// As it was told: `smtp://mail.example.org:587`.
    public let url: String
    /// Whom they come from.
    public let sender: MailSender
    /// Where people reach the hub, as links in letters begin: `https://hub.example.org`. Never what a request says of itself: whoever
    /// asks for a letter to somebody else must not choose where its link leads.
    public let origin: String

    /// Nil when a part will not do.
    /// - Parameters:
    ///   - url: `smtp://host[:port]`, encrypted by STARTTLS, or `smtps://host[:port]`.
    ///   - isPlain: without encryption, which the client does on this machine alone.
    ///   - authorities: the path of a PEM file.
    public init?(
        url: String, isPlain: Bool = false, user: String? = nil, password: String = "", authorities: String? = nil,
        sender: MailSender, origin: String
    ) {
        let isOrigin =
            ["http://", "https://"].contains { scheme in
                origin.hasPrefix(scheme) && origin.count > scheme.count
                    && origin.utf8.dropFirst(scheme.utf8.count).allSatisfy(Self.isOfHost)
            }
        guard isOrigin, origin.utf8.count <= 300,
            let server = MailServer(
                url: url, isPlain: isPlain, user: user, password: password, authorities: authorities)
        else { return nil }
        (self.server, self.url, self.sender, self.origin) = (server, url, sender, origin)
    }

    private static func isOfHost(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x3a, 0x5b, 0x5d: true
        default: false
        }
    }

    /// The host of the origin, for the names of letters.
    var host: String {
        let rest = origin.drop { $0 != "/" }.drop { $0 == "/" }
        let name = rest.hasPrefix("[") ? rest : rest.prefix { $0 != ":" }
        // Brackets and colons of an address have no place in the name of a letter.
        return String(name.filter { $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" })
    }

    /// The server and the sender alone.
    public var description: String { "MailSettings(\(server), from \(sender.address))" }
    /// The same.
    public var customMirror: Mirror { Mirror(self, children: ["server": server, "sender": sender.address]) }

    // MARK: the file

    /// The name of the file in the folder of data.
    public static let file = "mail.json"

    /// Not the type itself: being `Encodable` it would slip into answers and logs.
    private struct Stored: Codable {
        let server: String
        let plain: Bool?
        let user: String?
        let password: String?
        let authorities: String?
        let from: String
        let name: String
        let origin: String
    }

    /// What a folder of data says; nil when it says nothing.
    /// - Throws: in words, when it cannot be understood.
    public static func load(_ folder: String) throws(SystemError) -> MailSettings? {
        let path = "\(folder)/\(file)"
        guard Files.exists(path) else { return nil }
        let bytes = try Files.read(path, limit: 16 << 10)
        guard let stored = try? JSONReader.decode(Stored.self, from: bytes),
            let sender = MailSender(address: stored.from, name: stored.name),
            let settings = MailSettings(
                url: stored.server, isPlain: stored.plain ?? false, user: stored.user,
                password: stored.password ?? "", authorities: stored.authorities, sender: sender,
                origin: stored.origin)
        else { throw SystemError("\(path) cannot be understood: write it anew with soglia admin mail") }
        return settings
    }

    /// Writes them, readable by this user alone.
    public func save(_ folder: String) throws(SystemError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        let stored = Stored(
            server: url, plain: server.encryption == .none ? true : nil, user: server.user,
            password: server.user == nil ? nil : server.password, authorities: server.authorities,
            from: sender.address, name: sender.name, origin: origin)
        guard let data = try? encoder.encode(stored) else { throw SystemError("the settings are not text") }
        try Files.replace("\(folder)/\(Self.file)", with: Array(data))
    }
}
