import CSystem
import Glibc

/// What the operating system refused, in words that may be shown to whoever runs the program.
public struct SystemError: Error, Sendable, CustomStringConvertible {
    /// `cannot write /srv/soglia/setup-code: No space left on device`
    public let description: String
    /// Whether the disk, or what this user may fill of it, is full.
    public let isFull: Bool

    /// - Parameters:
    ///   - what: what could not be done, `cannot read PATH`.
    ///   - code: the `errno` that says why.
    public init(_ what: String, errno code: Int32) {
        description = "\(what): \(String(cString: strerror(code)))"
        isFull = code == ENOSPC || code == EDQUOT
    }

    /// - Parameter text: the whole sentence.
    public init(_ text: String) { (description, isFull) = (text, false) }
}

/// Small files that must be whole or absent: keys, codes, configuration.
public enum Files {
    /// Writes beside, flushes, then renames over: a crash at any byte leaves the old file or the new one.
    /// - Parameter mode: permissions of the file, 0600 unless others must read it.
    public static func replace(_ path: String, with bytes: [UInt8], mode: mode_t = 0o600) throws(SystemError) {
        let place = try Place(path)
        let beside = try Place(path + ".new")
        unlinkat(beside.folder, beside.name, 0)
        let fd = try beside.open(O_WRONLY | O_CREAT | O_EXCL, mode: mode)
        var written = 0
        while written < bytes.count {
            let n = bytes[written...].withUnsafeBytes { write(fd, $0.baseAddress!, $0.count) }
            if n < 0, errno == EINTR { continue }
            if n <= 0 { return try fail(fd, beside, path) }
            written += n
        }
        if fsync(fd) != 0 { return try fail(fd, beside, path) }
        close(fd)
        if renameat(beside.folder, beside.name, place.folder, place.name) != 0 {
            throw refusal("write", path, errno)
        }
        place.flush()
    }

    private static func fail(_ fd: Int32, _ beside: borrowing Place, _ path: String) throws(SystemError) {
        let code = errno
        close(fd)
        unlinkat(beside.folder, beside.name, 0)
        throw SystemError("cannot write \(path)", errno: code)
    }

    /// The whole file, refused above the limit. Root follows no link that another user made (`Place`), and waits for no pipe.
    /// - Parameter limit: bytes; 1 MiB unless told.
    public static func read(_ path: String, limit: Int = 1 << 20) throws(SystemError) -> [UInt8] {
        let fd = try Place(path, follows: true, to: "read").open(O_RDONLY | O_NONBLOCK)
        defer { close(fd) }
        var about = stat()
        if fstat(fd, &about) == 0, about.st_mode & S_IFMT == S_IFIFO {
            throw SystemError("cannot read \(path): it is a pipe")
        }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let n = Glibc.read(fd, &piece, piece.count)
            if n < 0, errno == EINTR { continue }
            if n < 0 { throw SystemError("cannot read \(path)", errno: errno) }
            if n == 0 { return bytes }
            bytes += piece[..<n]
            if bytes.count > limit { throw SystemError("\(path) is larger than \(limit) bytes") }
        }
    }

    /// Adds a line to a file (mode 0600, made when it is not there). On disk when this returns. What stands after the last line end,
    /// because a power cut came before its end was written, goes.
    public static func appendLine(_ path: String, _ line: [UInt8]) throws(SystemError) {
        let isNew = !exists(path)
        let place = try Place(path, follows: true)
        let fd = try place.open(O_RDWR | O_CREAT)
        defer { close(fd) }
        var end = lseek(fd, 0, SEEK_END)
        var last: UInt8 = 0
        while end > 0, pread(fd, &last, 1, end - 1) == 1, last != 0x0a { end -= 1 }
        if ftruncate(fd, end) != 0 || lseek(fd, end, SEEK_SET) < 0 {
            throw SystemError("cannot write \(path)", errno: errno)
        }
        if write(fd, line, line.count) != line.count || fsync(fd) != 0 {
            let code = errno
            ftruncate(fd, end)
            throw SystemError("cannot write \(path)", errno: code)
        }
        if isNew { place.flush() }
    }

    /// Makes an empty file (mode 0600) where there is none, for the owner of its folder.
    /// - Returns: its path from the root, without links.
    @discardableResult
    public static func make(_ path: String) throws(SystemError) -> String {
        let place = try Place(path, follows: true)
        close(try place.open(O_RDWR | O_CREAT))
        return try place.absolute()
    }

    /// Makes a file (mode 0600) of so many bytes, or lengthens one, whose blocks are really taken from the disk.
    public static func allocate(_ path: String, bytes: Int64) throws(SystemError) {
        let fd = try Place(path).open(O_RDWR | O_CREAT)
        defer { close(fd) }
        let code = posix_fallocate(fd, 0, off_t(bytes))
        if code != 0 { throw SystemError("cannot write \(path)", errno: code) }
        if fsync(fd) != 0 { throw SystemError("cannot write \(path)", errno: errno) }
    }

    /// Takes room on the disk for what is appended to a file later; its length stays as it is.
    public static func extend(_ path: String, by bytes: Int64) throws(SystemError) {
        let fd = try Place(path).open(O_RDWR)
        defer { close(fd) }
        let code = csystem_extend(fd, Int(bytes))
        if code != 0 { throw SystemError("cannot write \(path)", errno: -code) }
    }

    /// Cuts a file off, so that the disk has the room behind that again.
    public static func shorten(_ path: String, to bytes: Int64) throws(SystemError) {
        let fd = try Place(path).open(O_RDWR)
        defer { close(fd) }
        if ftruncate(fd, off_t(bytes)) != 0 { throw SystemError("cannot write \(path)", errno: errno) }
        // Some file systems give blocks back only when that is on the disk.
        fsync(fd)
    }

    /// The length of a file in bytes; nil when there is none.
    public static func size(_ path: String) -> Int64? {
        var about = stat()
        return stat(path, &about) == 0 ? Int64(about.st_size) : nil
    }

    /// The bytes of a file that the disk really holds: of one with holes fewer than its length. Nil when there is none.
    public static func allocated(_ path: String) -> Int64? {
        var about = stat()
        // By POSIX in units of 512, whatever the blocks of the file system are.
        return stat(path, &about) == 0 ? min(Int64(about.st_size), Int64(about.st_blocks) * 512) : nil
    }

    /// Where root opens a file that lies in another user's folder: see `Place`. Others get the path as it is.
    /// - Throws: when there is a link on the way that root did not make.
    public static func place(_ path: String) throws(SystemError) -> String {
        geteuid() == 0 ? try Place(path, follows: true, to: "open").absolute() : path
    }

    /// Whether something is there. Where that cannot be seen it counts as there: to open it then tells why.
    public static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 || errno == EACCES }

    /// Removes a file; nothing happens when there is none.
    public static func remove(_ path: String) {
        guard let place = try? Place(path) else { return }
        unlinkat(place.folder, place.name, 0)
    }

    /// Makes a folder and those above it.
    /// - Parameter mode: permissions of those that are made, 0700 unless others must enter.
    public static func makeFolder(_ path: String, mode: mode_t = 0o700) throws(SystemError) {
        if exists(path) { return }
        if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
            try makeFolder(String(path[..<slash]), mode: mode)
        }
        try Place(path, to: "make the folder").makeFolder(mode: mode)
    }

    /// The path from the root, without links, of something that exists.
    public static func absolute(_ path: String) throws(SystemError) -> String {
        guard let real = realpath(path, nil) else { throw refusal("find", path, errno) }
        defer { free(real) }
        return String(cString: real)
    }

    /// The names in a folder, sorted; empty when it cannot be read.
    public static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        return names(in: directory)
    }

    static func names(in directory: OpaquePointer) -> [String] {
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(cString: $0.bindMemory(to: CChar.self).baseAddress!)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}

/// A lock on a folder of data: two programs that both write it would spoil it.
///
/// Held until `release`, or until nobody has this value any longer.
public final class FolderLock: Sendable {
    private let fd: Int32

    /// - Parameter folder: exists; a file `lock` is made in it.
    /// - Throws: when another process holds it.
    public init(_ folder: String) throws(SystemError) {
        fd = try Place(folder + "/lock", follows: true).open(O_RDWR | O_CREAT)
        if flock(fd, LOCK_EX | LOCK_NB) != 0 {
            // `deinit` closes it, also now: whatever is whole when it is refused comes to its end like all others.
            throw SystemError("another Soglia already works in \(folder): stop it first, or use another folder")
        }
    }

    /// Lets others have the folder, at once; again, nothing happens.
    ///
    /// To close the descriptor would not do: a child that somebody is just starting has a copy of it until it becomes its own program,
    /// and with the copy the lock.
    public func release() { flock(fd, LOCK_UN) }

    deinit {
        release()
        close(fd)
    }
}
