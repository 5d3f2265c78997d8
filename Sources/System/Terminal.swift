import Glibc

/// Whoever sits before the program.
public enum Terminal {
    /// No secret is longer, in bytes.
    private static let limit = 1_000

    /// Whether a person sits before it.
    public static var isThere: Bool { isatty(STDIN_FILENO) == 1 }

    /// A line that nobody should see: read without echo from a terminal (after a question on standard error), or from a pipe as it is.
    /// - Returns: nil at the end of the input, when it is broken off with Ctrl-C, and when it is no text or too long for a secret.
    public static func readSecret(_ question: String) -> String? {
        guard isThere else { return line() }
        var usual = termios()
        tcgetattr(STDIN_FILENO, &usual)
        var silent = usual
        // Our signals are blocked: Ctrl-C has to come as a byte, or nothing would end this.
        silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        // Asked only now: what is typed in answer must neither be shown nor thrown away.
        say(question)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &usual)
            say("\n")
        }
        return line()
    }

    /// A line that everybody may see, after a question on standard error.
    /// - Returns: nil where nobody sits before the program, and at the end of the input.
    public static func ask(_ question: String) -> String? {
        guard isThere else { return nil }
        say(question)
        return line()
    }

    private static func line() -> String? {
        let terminal = isThere
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = read(STDIN_FILENO, &byte, 1)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { return bytes.isEmpty ? nil : String(validating: bytes, as: UTF8.self) }
            switch byte {
            case 0x0a: return String(validating: bytes, as: UTF8.self)
            case 0x0d where terminal: return String(validating: bytes, as: UTF8.self)
            // Ctrl-C, and Ctrl-D on an empty line.
            case 0x03 where terminal: return nil
            case 0x04 where terminal: return bytes.isEmpty ? nil : String(validating: bytes, as: UTF8.self)
            // Backspace takes a whole character away, whatever its bytes.
            case 0x7f where terminal, 0x08 where terminal: while let last = bytes.popLast(), last & 0xc0 == 0x80 {}
            default: bytes.append(byte)
            }
            if bytes.count > limit { return nil }
        }
    }

    private static func say(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
}
