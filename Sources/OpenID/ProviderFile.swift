import JSON
import System

/// `DIR/providers.json`: the services that people may sign in by, with what this hub and each of them share. Mode 0600.
public struct ProviderFile: Sendable, Equatable {
    /// In the order of their buttons.
    public var providers: [ProviderSettings]

    /// At most so many: they are buttons on one page.
    /// - Key: hub
    public static let most = 20
    private static let limit = 64 << 10
    /// The name of the file in the folder of data.
    public static let file = "providers.json"

    /// A list, perhaps empty.
    public init(_ providers: [ProviderSettings] = []) { self.providers = providers }

    /// Why settings will not do, in words for whoever typed them.
    public struct Invalid: Error, Sendable, CustomStringConvertible {
        /// A sentence without anything secret.
        public let description: String
        init(_ description: String) { self.description = description }
    }

    /// What is in a folder of data; nothing when there is no such file.
    public static func load(folder: String) throws -> ProviderFile {
        let path = path(folder)
        guard Files.exists(path) else { return ProviderFile() }
        let file: Document
        do { file = try JSONReader.decode(Document.self, from: Files.read(path, limit: limit), limit: limit) } catch let
            error as JSONError
        { throw Invalid("\(path): \(error)") }
        let providers = try file.providers.map { entry in
            guard let kind = ProviderSettings.Kind(rawValue: entry.kind) else {
                throw Invalid("\(path): there is no kind \(entry.kind)")
            }
            return ProviderSettings(
                id: entry.id, name: entry.name, kind: kind, issuer: entry.issuer, clientID: entry.clientID,
                clientSecret: entry.clientSecret)
        }
        let found = ProviderFile(providers)
        try found.check()
        return found
    }

    /// Writes it, whole or not at all.
    public func save(folder: String) throws {
        try check()
        var json = JSONWriter()
        json.object { json in
            json.array("providers") { json in
                for one in providers {
                    json.object { json in
                        json.field("id", one.id)
                        json.field("name", one.name)
                        json.field("kind", one.kind.rawValue)
                        json.field("issuer", one.issuer)
                        json.field("clientID", one.clientID)
                        json.field("clientSecret", one.clientSecret)
                    }
                }
            }
        }
        try Files.replace(Self.path(folder), with: json.bytes + [0x0a])
    }

    private static func path(_ folder: String) -> String { folder + "/" + file }

    private func check() throws(Invalid) {
        guard providers.count <= Self.most else { throw Invalid("there are more than \(Self.most) services") }
        guard Set(providers.map(\.id)).count == providers.count else { throw Invalid("two services have the same id") }
        for one in providers { try Self.check(one) }
    }

    private static func check(_ one: ProviderSettings) throws(Invalid) {
        func isPlain(_ text: String) -> Bool { text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f } }
        func isCredential(_ text: String) -> Bool {
            (1...512).contains(text.utf8.count) && text.utf8.allSatisfy { (0x20...0x7e).contains($0) }
        }
        let isID = one.id.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x61...0x7a).contains($0) || $0 == UInt8(ascii: "-")
        }
        guard isID, (1...32).contains(one.id.utf8.count) else {
            throw Invalid("an id is 1 to 32 small letters, digits and dashes")
        }
        guard (1...40).contains(one.name.count), isPlain(one.name) else {
            throw Invalid("\(one.id): a name has 1 to 40 characters")
        }
        guard WebAddress(one.issuer, allowsLoopback: true) != nil, !one.issuer.contains("?") else {
            throw Invalid("\(one.id): an issuer is an https address")
        }
        guard isCredential(one.clientID) else { throw Invalid("\(one.id): the client's id is missing, or no id") }
        guard isCredential(one.clientSecret) else {
            throw Invalid("\(one.id): the client's secret is missing, or no secret")
        }
    }

    private struct Document: Decodable { let providers: [Entry] }

    private struct Entry: Decodable {
        let id, name, kind, issuer, clientID, clientSecret: String
    }
}
