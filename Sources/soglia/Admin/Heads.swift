import Controller
import Identity
import Ledger
import Store
import System

/// Heads of chains that gates kept, from files or from a gate's own folder.
enum Heads {
    /// A file of heads is read up to this size, in bytes.
    private static let limit = 64 << 20

    /// Heads from a file of lines, a controller's database, or its folder.
    static func read(_ path: String) async throws -> [WitnessedHead] {
        let database = path + "/gate.sqlite"
        if Files.exists(database) { return try await ofGate(database) }
        let bytes = try Files.read(path, limit: limit)
        if bytes.starts(with: Array("SQLite format 3\0".utf8)) { return try await ofGate(path) }
        return try bytes.split(separator: 0x0a).enumerated().map { number, line in
            guard let head = WitnessedHead(line: Array(line)) else {
                throw UsageError("\(path): line \(number + 1) is no head of a ledger")
            }
            return head
        }
    }

    /// What a controller kept, also while it runs.
    static func ofGate(_ path: String) async throws -> [WitnessedHead] {
        guard Files.exists(path) else { throw SystemError("there is no controller's database \(path)") }
        let memory = try await GateMemory(path: path)
        let (identity, heads) = (try memory.identity(), try memory.heads())
        await memory.store.close()
        guard let identity else { throw UsageError("\(path): this controller was never paired") }
        return heads.map {
            WitnessedHead(
                witness: identity.name, site: SiteID(identity.site), sequence: $0.sequence, hash: $0.hash, at: $0.at)
        }
    }
}
