import FoundationEssentials
import System
import Wire

/// What a phone keeps: its passes, each good for a day at most. Whoever has the file may open, so nobody else can read it.
public struct Wallet: Sendable, Codable {
    /// A pass for one gate.
    public struct Entry: Sendable, Codable {
        /// The gate's id, 32 hexadecimal digits.
        public var gate: String
        /// What people call the gate.
        public var name: String
        /// Header, caveats and key, base64url.
        public var pass: String
        /// When it ends, for people; the pass itself says it for gates.
        public var notAfter: String
    }

    /// One for each gate that was granted.
    public var passes: [Entry]

    /// An empty one.
    public init(passes: [Entry] = []) { self.passes = passes }

    /// Reads the file; an empty wallet when there is none.
    public static func load(_ path: String) throws -> Wallet {
        guard Files.exists(path) else { return Wallet() }
        return try JSONDecoder().decode(Wallet.self, from: Data(Files.read(path)))
    }

    /// Writes the file, whole, readable by its owner alone.
    public func save(_ path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        try Files.replace(path, with: Array(encoder.encode(self)))
    }

    /// The pass for a gate that is called, or whose id is, as told; in any case.
    public func entry(_ gate: String) -> Entry? {
        passes.first { $0.gate == gate || $0.name.lowercased() == gate.lowercased() }
    }
}
