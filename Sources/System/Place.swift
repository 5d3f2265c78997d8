import Glibc

/// Where a file is to be made, changed or removed: a folder and a name in it.
///
/// Root often works in the folder of a hub that runs as another user. What root makes there has to belong to that user, who could not
/// read it otherwise; and a link that this user put there must not lead root elsewhere. So for root the folder is opened step by step,
/// and held open: a link is followed only if root made it. For everybody else the system's own rights are enough.
struct Place: ~Copyable {
    /// Links on the way; more are a circle.
    private static let mostLinks = 40

    /// An open folder; `AT_FDCWD` where `name` is a whole path.
    let folder: Int32
    let name: String
    private let path: String
    private let purpose: String

    /// - Parameters:
    ///   - follows: whether the name itself may be a link, to what is opened; else it is the link that is meant.
    ///   - purpose: what it is wanted for, as an error says it: `read`, `write`.
    /// - Throws: when a folder on the way cannot be opened, or is a link that somebody but root made.
    init(_ path: String, follows: Bool = false, to purpose: String = "write") throws(SystemError) {
        (self.path, self.purpose) = (path, purpose)
        guard geteuid() == 0 else {
            (folder, name) = (AT_FDCWD, path)
            return
        }
        var parts: [String] = path.split(separator: "/").reversed().map(String.init)
        var at = Glibc.open(path.hasPrefix("/") ? "/" : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        var links = 0
        var last = "."
        while at >= 0, let part = parts.popLast() {
            if follows || !parts.isEmpty, let link = Self.link(part, in: at) {
                guard link.isRoots, links < Self.mostLinks else {
                    close(at)
                    throw SystemError("\(path): \(part) is a link that root did not make, and root does not follow it")
                }
                links += 1
                parts += link.target.split(separator: "/").reversed().map(String.init)
                if link.target.hasPrefix("/") {
                    close(at)
                    at = Glibc.open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                }
                continue
            }
            if parts.isEmpty {
                last = part
                break
            }
            let next = openat(at, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0)
            let code = errno
            close(at)
            errno = code
            at = next
        }
        if at < 0 { throw SystemError("cannot \(purpose) \(path)", errno: errno) }
        (folder, name) = (at, last)
    }

    deinit { if folder >= 0 { close(folder) } }

    private static func link(_ name: String, in folder: Int32) -> (target: String, isRoots: Bool)? {
        var about = stat()
        guard fstatat(folder, name, &about, AT_SYMLINK_NOFOLLOW) == 0, about.st_mode & S_IFMT == S_IFLNK else {
            return nil
        }
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = bytes.withUnsafeMutableBytes { readlinkat(folder, name, $0.baseAddress!, $0.count) }
        guard count > 0 else { return nil }
        return (String(decoding: bytes[..<count], as: UTF8.self), about.st_uid == 0)
    }

    /// The path from the root, for a library that opens it itself and follows no link: one that is put there from now on is not followed
    /// either.
    func absolute() throws(SystemError) -> String {
        if folder == AT_FDCWD { return try Files.absolute(path) }
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = bytes.withUnsafeMutableBytes { readlink("/proc/self/fd/\(folder)", $0.baseAddress!, $0.count) }
        guard count > 0 else { throw SystemError("cannot \(purpose) \(path)", errno: errno) }
        let own = String(decoding: bytes[..<count], as: UTF8.self)
        return own == "/" ? "/" + name : own + "/" + name
    }

    /// Opens it, for the owner of its folder.
    /// - Parameter mode: permissions of a file that is made.
    func open(_ flags: Int32, mode: mode_t = 0o600) throws(SystemError) -> Int32 {
        let own = folder == AT_FDCWD ? 0 : O_NOFOLLOW
        let fd = openat(folder, name, flags | own | O_CLOEXEC, mode)
        if fd < 0 { throw Files.refusal(purpose, path, errno) }
        handOver(fd, S_IFREG)
        return fd
    }

    /// Makes a folder, for the owner of the one that it is in.
    func makeFolder(mode: mode_t) throws(SystemError) {
        if mkdirat(folder, name, mode) != 0 {
            if errno == EEXIST { return }
            throw Files.refusal(purpose, path, errno)
        }
        guard folder != AT_FDCWD else { return }
        let made = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0)
        if made < 0 { throw Files.refusal(purpose, path, errno) }
        handOver(made, S_IFDIR)
        close(made)
    }

    /// What is root's in somebody's folder becomes theirs. A file that has another name too is left: it may be one that they must not have.
    private func handOver(_ descriptor: Int32, _ kind: mode_t) {
        guard folder != AT_FDCWD else { return }
        var (own, about) = (stat(), stat())
        guard fstat(folder, &own) == 0, fstat(descriptor, &about) == 0, own.st_uid != 0, about.st_uid == 0,
            about.st_mode & S_IFMT == kind, kind == S_IFDIR || about.st_nlink == 1
        else { return }
        fchown(descriptor, own.st_uid, own.st_gid)
    }

    /// Makes its name durable: what was made, renamed or removed.
    func flush() {
        let own = folder == AT_FDCWD ? name.lastIndex(of: "/").map { String(name[..<$0]) } ?? "." : "."
        let directory = openat(folder, own.isEmpty ? "/" : own, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        if directory >= 0 {
            fsync(directory)
            close(directory)
        }
    }
}
