import Glibc
import System

/// A secret that somebody types, or that a program writes on our standard input. Never a word of the command line, which
/// every user of the machine can read.
enum Passphrase {
    /// The longest, in bytes.
    private static let limit = 1_000

    /// - Parameters:
    ///   - what: what is asked for, without a colon.
    ///   - twice: whether a person types it again, since nothing shows what was typed. A program writes it once.
    static func ask(_ what: String, twice: Bool) throws -> String {
        guard isatty(STDIN_FILENO) == 1 else { return try text(readLine()) }
        let first = try typed(what)
        if twice, try typed("Once more") != first { throw UsageError("the two are not the same: nothing was made") }
        return first
    }

    private static func typed(_ prompt: String) throws -> String {
        say(prompt + ": ")
        var before = termios()
        tcgetattr(STDIN_FILENO, &before)
        var quiet = before
        // Our signals are blocked, so Ctrl-C has to come as a byte.
        quiet.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
            say("\n")
        }
        return try text(readLine())
    }

    /// Bytes up to the end of the line.
    private static func readLine() throws -> [UInt8] {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = read(STDIN_FILENO, &byte, 1)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { return line }
            switch byte {
            case 0x0a, 0x0d, 0x04: return line
            case 0x03: throw UsageError("broken off: nothing was made")
            case 0x7f, 0x08: while let last = line.popLast(), last & 0xc0 == 0x80 {}
            default: line.append(byte)
            }
            if line.count > limit { throw UsageError("a passphrase has at most \(limit) bytes") }
        }
    }

    private static func text(_ bytes: [UInt8]) throws -> String {
        guard !bytes.isEmpty, let text = String(validating: bytes, as: UTF8.self) else {
            throw UsageError("the passphrase is read from the terminal or from standard input: there was none")
        }
        return text
    }

    private static func say(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
}
