import Glibc

/// Writes a long file beside its place (mode 0600) and puts it there whole, or not at all.
public final class FileWriter {
    private let path: String
    private let place: Place
    private let beside: Place
    private var fd: Int32

    /// - Parameter path: where it will be; nothing is there before `finish`.
    public init(_ path: String) throws(SystemError) {
        self.path = path
        place = try Place(path)
        beside = try Place(path + ".new")
        unlinkat(beside.folder, beside.name, 0)
        fd = try beside.open(O_WRONLY | O_CREAT | O_EXCL)
    }

    deinit {
        guard fd >= 0 else { return }
        close(fd)
        unlinkat(beside.folder, beside.name, 0)
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
        if renameat(beside.folder, beside.name, place.folder, place.name) != 0 {
            let code = errno
            unlinkat(beside.folder, beside.name, 0)
            throw Files.refusal("write", path, code)
        }
        place.flush()
    }
}

/// Reads a long file from its beginning, piece by piece.
public final class FileReader {
    /// How long it was when it was opened, in bytes.
    public let size: UInt64
    private let path: String
    private let fd: Int32

    /// - Parameters:
    ///   - path: a file.
    ///   - follows: whether the file, or a folder on the way, may be a link that another user made.
    public init(_ path: String, follows: Bool = true) throws(SystemError) {
        self.path = path
        if follows {
            fd = open(path, O_RDONLY | O_CLOEXEC)
            if fd < 0 { throw Files.refusal("read", path, errno) }
        } else {
            fd = try Place(path, follows: true, to: "read").open(O_RDONLY)
        }
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
        guard let place = try? Place(path) else { return }
        removeTree(place.name, in: place.folder)
    }

    private static func removeTree(_ name: String, in folder: Int32) {
        if unlinkat(folder, name, 0) == 0 || errno == ENOENT { return }
        let own = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0)
        guard own >= 0, let directory = fdopendir(own) else { return }
        for name in names(in: directory) { removeTree(name, in: own) }
        closedir(directory)
        unlinkat(folder, name, AT_REMOVEDIR)
    }

    /// Gives something another name on the same disk; what had that name goes.
    public static func move(_ from: String, to: String) throws(SystemError) {
        let old = try Place(from)
        let new = try Place(to)
        if renameat(old.folder, old.name, new.folder, new.name) != 0 {
            throw SystemError("cannot move \(from) to \(to)", errno: errno)
        }
        new.flush()
        old.flush()
    }
}
