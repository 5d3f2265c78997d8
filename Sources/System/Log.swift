import Glibc

/// Lines for whoever runs the program, on standard error: time, level, room, words, then `key=value` pairs.
///
/// Never pass a secret, a body or a header: what is logged is copied to places that nobody thinks of.
public enum Log {
    /// How much it matters.
    public enum Level: String, Sendable {
        case info, warning, failure
    }

    /// Writes one line in one call, so that lines of several threads and processes do not mix.
    /// - Parameters:
    ///   - level: how much it matters.
    ///   - room: who says it, `hub`, `gate`, `bus`.
    ///   - message: words; line ends become spaces.
    ///   - facts: what a search would look for; values in quotes when they hold spaces.
    public static func write(
        _ level: Level, _ room: String, _ message: String, _ facts: KeyValuePairs<String, String> = [:]
    ) {
        var line = "\(WallClock.system.now.iso8601) \(level.rawValue) \(room): \(message)"
        for (key, value) in facts { line += value.utf8.contains(0x20) ? " \(key)=\"\(value)\"" : " \(key)=\(value)" }
        var bytes = line.utf8.map { $0 < 0x20 || $0 == 0x7f ? 0x20 : $0 }
        bytes.append(0x0a)
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }

    /// Something happened that is as it should be.
    public static func info(_ room: String, _ message: String, _ facts: KeyValuePairs<String, String> = [:]) {
        write(.info, room, message, facts)
    }

    /// Something is not as it should be, and the program goes on.
    public static func warning(_ room: String, _ message: String, _ facts: KeyValuePairs<String, String> = [:]) {
        write(.warning, room, message, facts)
    }

    /// Something was lost or refused that should not have been.
    public static func failure(_ room: String, _ message: String, _ facts: KeyValuePairs<String, String> = [:]) {
        write(.failure, room, message, facts)
    }
}

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
