import Bus
import Crypto
import Identity
import JSON
import Store
import System

/// Everything that a hub needs to live on another machine, in one encrypted file, taken while it runs.
public enum Backup {
    /// The shortest passphrase, in bytes.
    public static let shortestPassphrase = 12

    /// What does not go along: what belongs to a running process, what the demo's other machines keep, and `erased`, which must not
    /// go back with a backup.
    private static let left: Set = [
        "air", "erased", "gates", "lock", "logs", "replaced", "reserve", "restored.new", "restoring", "setup-code",
        "soglia.sqlite",
        "soglia.sqlite-shm", "soglia.sqlite-wal", "supervisor",
    ]
    private static let leftEnds = [".log", ".new", ".db", ".conf", ".pid"]
    static let copyPrefix = ".backup-"
    /// Whom the broker lets in: the hub makes it anew out of the database. Older backups have it.
    static let clients = "broker/\(Broker.clientsFile)"
    /// The first file of a backup: what it says of itself.
    static let about = "about.json"

    /// What a backup says of itself.
    struct About: Decodable {
        let made: String
        let program: String
    }

    /// Writes a backup of a hub's folder; the hub may run. Blocks for as long as that takes.
    /// - Parameters:
    ///   - file: outside the folder; an older one of that name is replaced when the new one is whole.
    ///   - progress: bytes done, bytes in all.
    public static func write(
        to file: String, of folder: String, passphrase: String, key: PassphraseKey = PassphraseKey(), at now: Timestamp,
        progress: (UInt64, UInt64) -> Void
    ) throws {
        let own = try Files.absolute(folder)
        let place = file.lastIndex(of: "/").map { String(file[...$0]) } ?? "."
        let target = try Files.absolute(place)
        guard target != own, !target.hasPrefix(own + "/") else {
            throw SystemError("a backup inside \(folder) would be lost with it: choose another place")
        }
        guard Files.exists(folder + "/soglia.sqlite") else { throw SystemError("there is no hub in \(folder)") }
        removeLeftovers(in: folder)
        let work = "\(folder)/\(copyPrefix)\(Random.bytes(8).map { String($0, radix: 16) }.joined())"
        try Files.makeFolder(work)
        defer { Files.removeTree(work) }
        let lock = try FolderLock(work)
        defer { withExtendedLifetime(lock) {} }
        let copy = work + "/soglia.sqlite"
        try Store.copy(folder + "/soglia.sqlite", to: copy)

        let others = try files(in: folder)
        let total = try ([copy] + others.map { folder + "/" + $0 }).reduce(0 as UInt64) {
            try $0 + (reader(of: $1)?.size ?? 0)
        }
        var done: UInt64 = 0
        let writer = try BackupWriter(file, passphrase: passphrase, key: key)
        var json = JSONWriter()
        json.object { json in
            json.field("made", now.iso8601)
            json.field("program", Version.current)
        }
        try writer.add(about, json.bytes)
        func tell(_ count: Int) {
            done += UInt64(count)
            progress(done, total)
        }
        try writer.add("soglia.sqlite", FileReader(copy, follows: false), tell)
        for path in others {
            if let reader = try reader(of: folder + "/" + path) { try writer.add(path, reader, tell) }
        }
        try writer.finish()
    }

    /// Reads a file; nil: it went since it was listed, which a hub that runs may do.
    private static func reader(of path: String) throws -> FileReader? {
        do { return try FileReader(path, follows: false) } catch {
            if Files.kind(path) == nil { return nil }
            throw error
        }
    }

    /// Removes the copies of the database that backups left behind which were cut off: of those that are at work somebody holds the lock.
    static func removeLeftovers(in folder: String) {
        for name in Files.names(in: folder) where name.hasPrefix(copyPrefix) {
            let work = folder + "/" + name
            // Before, a copy was a file alone.
            guard Files.kind(work) == .folder else {
                Files.remove(work)
                continue
            }
            guard let lock = try? FolderLock(work) else { continue }
            withExtendedLifetime(lock) { Files.removeTree(work) }
        }
    }

    /// Whether no backup of ours holds a path: where it would be put, the hub keeps what only it makes.
    static func isLeft(_ path: String) -> Bool {
        let names = path.split(separator: "/").map(String.init)
        guard path != "soglia.sqlite", let first = names.first else { return false }
        return left.contains(first) || first.hasPrefix(copyPrefix)
            || names.contains { name in leftEnds.contains { name.hasSuffix($0) } }
    }

    /// The paths of the files that go along beside the database, sorted.
    private static func files(in folder: String, below path: String = "", depth: Int = 0) throws -> [String] {
        guard depth < 6 else { return [] }
        return try Files.names(in: folder + "/" + path).flatMap { name -> [String] in
            let own = path.isEmpty ? name : path + "/" + name
            if own == "soglia.sqlite" || own == clients || isLeft(own) { return [] }
            switch Files.kind(folder + "/" + own) {
            case .file: return [own]
            case .folder: return try files(in: folder, below: own, depth: depth + 1)
            case .other, nil: return []
            }
        }
    }
}
