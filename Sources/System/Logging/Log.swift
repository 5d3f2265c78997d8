import Glibc
import Synchronization

/// Lines for whoever runs the program, on standard error: time, level, room, words, then facts.
///
/// Never pass a secret, a body, a header or a name: what is logged is copied to places that nobody thinks of. The same words too often
/// are counted instead of written, and summed up a minute later (`repeated=12`).
public enum Log {
    /// How much it matters.
    public enum Level: String, Sendable, CaseIterable {
        case info, warning, failure
    }

    /// How a line is written.
    public enum Format: String, Sendable {
        /// `2026-11-21T08:52:07.120Z warning bus: the broker is gone why="no route"`
        case text
        /// One JSON object: `time`, `level`, `room`, `message`, and each fact under its name.
        case json
    }

    private struct State {
        var format = Format.text
        var flood = LogFlood()
        var written: [Level: UInt64] = [:]
    }

    private static let state = Mutex(State())

    /// How lines are written from now on; text unless told.
    public static func use(_ format: Format) { state.withLock { $0.format = format } }

    /// How many lines there were of a level since the start, those that were only counted included.
    public static func count(_ level: Level) -> UInt64 { state.withLock { $0.written[level] ?? 0 } }

    /// Writes one line in one call, so that lines of several threads and processes do not mix.
    /// - Parameters:
    ///   - level: how much it matters.
    ///   - room: who says it, `hub`, `gate`, `bus`.
    ///   - message: words; line ends become spaces.
    ///   - facts: what a search would look for.
    public static func write(
        _ level: Level, _ room: String, _ message: String, _ facts: KeyValuePairs<String, String> = [:]
    ) {
        let words = LogFlood.Words(level: level, room: room, message: message)
        let (format, isWritten, summaries) = state.withLock { state in
            state.written[level, default: 0] += 1
            let (isWritten, summaries) = state.flood.admit(words, Uptime.milliseconds)
            return (state.format, isWritten, summaries)
        }
        for summary in summaries { put(summary, format) }
        guard isWritten else { return }
        put(LogLine(time: WallClock.system.now, words: words, facts: facts.map { ($0, $1) }), format)
    }

    /// Writes the sums of what was only counted so far: before the program ends.
    public static func flush() {
        let (format, summaries) = state.withLock { ($0.format, $0.flood.drain()) }
        for summary in summaries { put(summary, format) }
    }

    private static func put(_ summary: LogFlood.Summary, _ format: Format) {
        put(
            LogLine(
                time: WallClock.system.now, words: summary.words, facts: [("repeated", String(summary.count))]), format)
    }

    private static func put(_ line: LogLine, _ format: Format) {
        let bytes = format == .json ? line.json : line.text
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
