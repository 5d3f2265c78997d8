import Glibc

/// Writes a long file beside its place (mode 0600) and puts it there whole, or not at all.
public final class FileWriter {
    private let path: String
    private let beside: String
    private var fd: Int32

    /// - Parameter path: where it will be; nothing is there before `finish`.
    public init(_ path: String) throws(SystemError) {
        (self.path, beside) = (path, path + ".new")
        unlink(beside)
        fd = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if fd < 0 { throw SystemError("cannot write \(path)", errno: errno) }
    }

    deinit {
        guard fd >= 0 else { return }
        close(fd)
        unlink(beside)
    }

    /// Adds bytes.
    public func write(_ bytes: [UInt8]) throws(SystemError) {
        var written = 0
        while written < bytes.count {
            let n = bytes[written...].withUnsafeBytes { Glibc.write(fd, $0.baseAddress!, $0.count) }
            if n < 0, errno == EINTR { continue }
            if n <= 0 { throw SystemError("cannot write \(path)", errno: errno) }
            written += n
        }
    }

    /// Flushes it and puts it in its place.
    public func finish() throws(SystemError) {
        if fsync(fd) != 0 { throw SystemError("cannot write \(path)", errno: errno) }
        close(fd)
        fd = -1
        if rename(beside, path) != 0 {
            let code = errno
            unlink(beside)
            throw SystemError("cannot write \(path)", errno: code)
        }
        Files.flushFolder(of: path)
    }
}

/// Reads a long file from its beginning, piece by piece.
public final class FileReader {
    /// How long it was when it was opened, in bytes.
    public let size: UInt64
    private let path: String
    private let fd: Int32

    /// - Parameter path: a file.
    public init(_ path: String) throws(SystemError) {
        self.path = path
        fd = open(path, O_RDONLY | O_CLOEXEC)
        if fd < 0 { throw SystemError("cannot read \(path)", errno: errno) }
        var about = stat()
        fstat(fd, &about)
        size = UInt64(max(about.st_size, 0))
    }

    deinit { close(fd) }

    /// The next bytes: as many as asked for, fewer at the end.
    public func read(_ count: Int) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let n = bytes.withUnsafeMutableBytes { Glibc.read(fd, $0.baseAddress! + filled, count - filled) }
            if n < 0, errno == EINTR { continue }
            if n < 0 { throw SystemError("cannot read \(path)", errno: errno) }
            if n == 0 { break }
            filled += n
        }
        return filled == count ? bytes : Array(bytes[..<filled])
    }
}

extension Files {
    /// What stands at a path.
    public enum Kind: Sendable {
        /// A file of bytes.
        case file
        /// A folder.
        case folder
        /// A link, a socket, a device.
        case other
    }

    /// What stands at a path, links not followed; nil when nothing does.
    public static func kind(_ path: String) -> Kind? {
        var about = stat()
        guard lstat(path, &about) == 0 else { return nil }
        switch about.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .folder
        default: return .other
        }
    }

    /// Removes a file, or a folder with everything in it; links are removed, not followed. Nothing happens when there is nothing.
    public static func removeTree(_ path: String) {
        if kind(path) == .folder {
            for name in names(in: path) { removeTree(path + "/" + name) }
            rmdir(path)
        } else {
            unlink(path)
        }
    }

    /// Gives something another name on the same disk; what had that name goes.
    public static func move(_ from: String, to: String) throws(SystemError) {
        if rename(from, to) != 0 { throw SystemError("cannot move \(from) to \(to)", errno: errno) }
        flushFolder(of: to)
        flushFolder(of: from)
    }
}
