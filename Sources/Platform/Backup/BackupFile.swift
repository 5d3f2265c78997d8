import Crypto
import System

/// What is wrong with a backup.
public enum BackupError: Error, Sendable, CustomStringConvertible {
    /// It does not begin like one, or is of a version that this program does not know.
    case notABackup
    /// Another passphrase, or its first bytes were changed.
    case wrongPassphrase
    /// Somewhere it was changed, or it ends too early.
    case damaged
    /// It holds what no backup of ours holds.
    case unexpected(String)

    /// Words.
    public var description: String {
        switch self {
        case .notABackup: "this is no backup of Soglia, or one of a newer version"
        case .wrongPassphrase: "the passphrase does not open this backup, or its beginning was changed"
        case .damaged: "this backup was changed or cut off: nothing was replaced"
        case .unexpected(let what): "this backup holds what none of ours does (\(what)): nothing was replaced"
        }
    }
}

/// A backup as a file: named files, one after another, sealed under a passphrase.
///
/// Layout, big-endian: `soglia backup 1\n` 16 · argon2id passes u32 · memory in bytes u64 · salt 16 · header of the stream 24; then
/// pieces of up to 64 KiB of text: length u32 · piece. The text: per file length of its path u16 · path · size u64 · bytes; a path of
/// length 0 ends it. What stands before the pieces is bound to the first of them.
enum BackupFormat {
    static let mark = Array("soglia backup 1\n".utf8)
    static let preface = 16 + 4 + 8 + 16 + 24
    static let piece = 64 << 10
    /// A backup has at most so many files.
    static let maxFiles = 10_000
    static let maxPath = 512

    /// Whether a path leads nowhere but below the folder that it is unpacked in.
    static func isOwn(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return (1...maxPath).contains(path.utf8.count) && path.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
            && parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
    }
}

/// Writes a backup, piece by piece.
final class BackupWriter {
    private let file: FileWriter
    private var sealer: StreamSealer
    private var preface: [UInt8]
    private var held: [UInt8] = []

    init(_ path: String, passphrase: String, key: PassphraseKey) throws {
        file = try FileWriter(path)
        sealer = StreamSealer(key: key.derive(passphrase))
        preface =
            BackupFormat.mark + key.passes.bigEndianBytes + key.memory.bigEndianBytes
            + key.salt + sealer.header
        try file.write(preface)
    }

    /// Adds a file.
    func add(_ path: String, _ reader: FileReader, _ progress: (Int) -> Void) throws {
        try begin(path, size: reader.size)
        var left = reader.size
        while left > 0 {
            let bytes = try reader.read(Int(min(left, UInt64(BackupFormat.piece))))
            // It was cut while we read: what was promised cannot be kept.
            guard !bytes.isEmpty else { throw SystemError("\(path) became shorter while it was read") }
            try write(bytes)
            left -= UInt64(bytes.count)
            progress(bytes.count)
        }
    }

    /// Adds a small file.
    func add(_ path: String, _ bytes: [UInt8]) throws {
        try begin(path, size: UInt64(bytes.count))
        try write(bytes)
    }

    /// Ends it and puts it in its place.
    func finish() throws {
        try write(UInt16(0).bigEndianBytes)
        try flush(isLast: true)
        try file.finish()
    }

    private func begin(_ path: String, size: UInt64) throws {
        guard BackupFormat.isOwn(path) else { throw BackupError.unexpected(path) }
        try write(UInt16(path.utf8.count).bigEndianBytes + Array(path.utf8) + size.bigEndianBytes)
    }

    private func write(_ bytes: [UInt8]) throws {
        held += bytes
        while held.count > BackupFormat.piece { try flush(isLast: false) }
    }

    private func flush(isLast: Bool) throws {
        let text = Array(held.prefix(BackupFormat.piece))
        held.removeFirst(text.count)
        let sealed = sealer.seal(text, also: preface, isLast: isLast)
        preface = []
        try file.write(UInt32(sealed.count).bigEndianBytes + sealed)
    }
}

/// Reads a backup, piece by piece: nothing that it gives was changed, but that nothing is missing is known only at its end.
final class BackupReader {
    private let file: FileReader
    private var opener: StreamOpener
    private var preface: [UInt8]
    private var held: [UInt8] = []
    private var start = 0
    private var isAtEnd = false

    init(_ path: String, passphrase: String) throws {
        file = try FileReader(path)
        preface = try file.read(BackupFormat.preface)
        guard preface.count == BackupFormat.preface, preface.starts(with: BackupFormat.mark),
            let key = PassphraseKey(
                salt: Array(preface[28..<44]), passes: UInt32(bigEndianBytes: preface[16..<20]),
                memory: UInt64(bigEndianBytes: preface[20..<28])),
            let opener = StreamOpener(key: key.derive(passphrase), header: Array(preface[44...]))
        else { throw BackupError.notABackup }
        self.opener = opener
        try fill(orThrow: .wrongPassphrase)
    }

    /// Unpacks everything below a folder.
    /// - Returns: the paths.
    func unpack(to folder: String, _ progress: (Int) -> Void) throws -> [String] {
        var paths: [String] = []
        while true {
            let length = Int(bigEndianBytes: try take(2))
            if length == 0 { break }
            let path = String(decoding: try take(length), as: UTF8.self)
            guard BackupFormat.isOwn(path), paths.count < BackupFormat.maxFiles else {
                throw BackupError.unexpected("a path")
            }
            var left = UInt64(bigEndianBytes: try take(8))
            let target = folder + "/" + path
            if let slash = target.lastIndex(of: "/") { try Files.makeFolder(String(target[..<slash])) }
            let writer = try FileWriter(target)
            while left > 0 {
                let bytes = try take(upTo: Int(min(left, UInt64(BackupFormat.piece))))
                try writer.write(bytes)
                left -= UInt64(bytes.count)
                progress(bytes.count)
            }
            try writer.finish()
            paths.append(path)
        }
        // The end must be the end: no piece after the last, no byte after that.
        guard isAtEnd, start == held.count, try file.read(1).isEmpty else { throw BackupError.damaged }
        return paths
    }

    private func take(_ count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count { bytes += try take(upTo: count - bytes.count) }
        return bytes
    }

    private func take(upTo count: Int) throws -> [UInt8] {
        if start == held.count { try fill(orThrow: .damaged) }
        let bytes = Array(held[start..<min(start + count, held.count)])
        start += bytes.count
        return bytes
    }

    private func fill(orThrow error: BackupError) throws {
        guard !isAtEnd else { throw BackupError.damaged }
        let head = try file.read(4)
        let count = Int(bigEndianBytes: head)
        guard head.count == 4, count > StreamSealer.overhead, count <= BackupFormat.piece + StreamSealer.overhead
        else { throw BackupError.damaged }
        let sealed = try file.read(count)
        guard sealed.count == count else { throw BackupError.damaged }
        guard let (bytes, isLast) = opener.open(sealed, also: preface) else { throw error }
        preface = []
        (held, start, isAtEnd) = (bytes, 0, isLast)
    }
}
