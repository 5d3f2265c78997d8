import Glibc

/// What a person asked for on standard output.
public enum Output {
    /// Writes a line and flushes it, so that a reader on a pipe sees it at once.
    public static func line(_ text: String) {
        let bytes = Array((text + "\n").utf8)
        var sent = 0
        while sent < bytes.count {
            let n = bytes[sent...].withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress!, $0.count) }
            if n <= 0, errno != EINTR { return }
            sent += max(n, 0)
        }
    }
}
