import Glibc

extension Files {
    /// What the system refused, with the cause: where something on the way belongs to somebody else, whose it is.
    /// - Parameters:
    ///   - what: `read`, `write`, `make the folder`.
    ///   - code: the `errno` that says why.
    static func refusal(_ what: String, _ path: String, _ code: Int32) -> SystemError {
        guard code == EACCES || code == EPERM, let (obstacle, owner) = obstacle(to: path) else {
            return SystemError("cannot \(what) \(path)", errno: code)
        }
        let own = userName(geteuid())
        return SystemError(
            "cannot \(what) \(path): \(obstacle) belongs to \(userName(owner)), and this program runs as \(own). "
                + "Run it as that user, or change the owner; soglia doctor names each file that has another owner than its folder"
        )
    }

    /// The first thing on the way that is another user's and keeps us out.
    private static func obstacle(to path: String) -> (path: String, owner: uid_t)? {
        var place = path.hasPrefix("/") ? "" : "."
        for part in path.split(separator: "/") {
            place += "/" + part
            var about = stat()
            guard stat(place, &about) == 0 else { break }
            let wanted = about.st_mode & S_IFMT == S_IFDIR ? X_OK : R_OK | W_OK
            if about.st_uid != geteuid(), access(place, wanted) != 0 {
                return (path.hasPrefix("/") ? place : String(place.dropFirst(2)), about.st_uid)
            }
        }
        // The file is not there yet: its folder is what cannot be written.
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        var about = stat()
        guard stat(folder, &about) == 0, about.st_uid != geteuid(), access(folder, W_OK | X_OK) != 0 else { return nil }
        return (folder, about.st_uid)
    }

    /// What a user of this machine is called; the number where there is no name.
    public static func userName(_ user: uid_t) -> String {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var text = [CChar](repeating: 0, count: 4096)
        guard getpwuid_r(user, &entry, &text, text.count, &found) == 0, found != nil, let name = entry.pw_name else {
            return "user \(user)"
        }
        return String(cString: name)
    }
}
