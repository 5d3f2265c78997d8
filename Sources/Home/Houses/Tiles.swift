import Accounts
import FoundationEssentials
import JSON
import Store

/// Where pictures of the map come from. A hub has none unless its administrator names one: whoever draws the map learns which parts of
/// the earth somebody looks at.
public struct Tiles: Sendable, Equatable, Codable {
    /// `https://tiles.example.org/{z}/{x}/{y}.png`
    public let address: String
    /// Whom the map is by, shown on it.
    public let credit: String

    /// Nil unless it is an `https` address with `{z}`, `{x}` and `{y}` after the host, and a credit of 1 to 200 characters.
    public init?(address: String, credit: String) {
        guard let credit = GivenName.parse(credit, longest: 200), let origin = Self.origin(of: address),
            address.utf8.count <= 500
        else { return nil }
        let path = address.dropFirst(origin.count)
        guard
            ["{z}", "{x}", "{y}"].allSatisfy({ path.split(separator: $0, omittingEmptySubsequences: false).count == 2 }
            ),
            path.utf8.allSatisfy({ byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
                default: "{}/-_.~?&=%+@".utf8.contains(byte)
                }
            })
        else { return nil }
        (self.address, self.credit) = (address, credit)
    }

    /// Scheme, host and port, as the content policy names them.
    public var origin: String { Self.origin(of: address) ?? "" }

    private static func origin(of address: String) -> String? {
        let scheme = "https://"
        guard address.hasPrefix(scheme) else { return nil }
        let host = address.dropFirst(scheme.count).prefix { $0 != "/" }
        guard !host.isEmpty, host.utf8.count <= 260, address.utf8.count > scheme.utf8.count + host.utf8.count,
            host.utf8.allSatisfy({ byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x3a: true
                default: false
                }
            })
        else { return nil }
        return scheme + host
    }

    // MARK: kept with the hub's own facts

    private static let name = "home.tiles"

    /// As the administrator said; nil: no map.
    public static func load(in database: Database) throws -> Tiles? {
        guard let bytes = try AccountRecords.hubValue(name, in: database), !bytes.isEmpty else { return nil }
        return try JSONReader.decode(Tiles.self, from: bytes)
    }

    /// Keeps it; nil: no map from now on.
    public static func save(_ tiles: Tiles?, in database: Database) throws {
        try AccountRecords.setHubValue(name, try tiles.map { Array(try JSONEncoder().encode($0)) } ?? [], in: database)
    }
}
