import Glibc
import Platform
import System

/// `admin backup` and `admin restore`.
enum BackupCommand {
    static func backup(_ arguments: Arguments) async throws {
        let (file, folder) = (arguments.words[1], try arguments.require("data"))
        let passphrase = try newPassphrase()
        tell("copying the database")
        var told: UInt64 = 0
        try Backup.write(to: file, of: folder, passphrase: passphrase, at: WallClock.system.now) { done, total in
            // A line for every tenth.
            let tenth = total == 0 ? 10 : done * 10 / total
            if tenth > told { tell("\(tenth * 10) %") }
            told = max(told, tenth)
        }
        Output.line("\(file) holds everything but who was erased: keep \(folder)/erased too, apart from it")
    }

    static func restore(_ arguments: Arguments) async throws {
        let (file, folder) = (arguments.words[1], try arguments.require("data"))
        guard Files.exists(file) else { throw SystemError("there is no file \(file)") }
        guard let passphrase = Terminal.readSecret("passphrase of the backup: ") else {
            throw UsageError("the passphrase is read from standard input")
        }
        var told: UInt64 = 0
        let report = try await Restore(folder: folder, features: AdminCommand.features).run(
            file, passphrase: passphrase, erased: arguments["erased"], at: WallClock.system.now
        ) { done in
            let pieces = done >> 26
            if pieces > told { tell("\(done >> 20) MB") }
            told = max(told, pieces)
        }
        Output.line("restored: \(report.events) events at \(report.sites) sites, as they were at \(report.made)")
        if report.hadErasedList {
            Output.line("\(report.erasures) people who were erased since are erased again")
        } else {
            Output.line(
                "there is no \(folder)/erased: whoever was erased since the backup is back. Restore again with --erased FILE"
            )
        }
        Output.line(
            "\(report.gates) gates wait: nothing is issued for a gate, nor is it opened from here, until it was heard and compared"
        )
        Output.line("everybody has to sign in again; look through people and roles for changes since the backup")
        if report.replaced {
            Output.line("what was there before lies in \(folder)/replaced; remove it when all is well")
        }
    }

    /// Asked twice where somebody types it.
    private static func newPassphrase() throws -> String {
        guard let first = Terminal.readSecret("passphrase for the backup: ") else {
            throw UsageError("the passphrase is read from standard input")
        }
        guard first.utf8.count >= Backup.shortestPassphrase else {
            throw UsageError("a passphrase has at least \(Backup.shortestPassphrase) characters")
        }
        if Terminal.isThere, Terminal.readSecret("once more: ") != first {
            throw UsageError("the two passphrases differ")
        }
        return first
    }

    private static func tell(_ words: String) {
        let line = Array((words + "\n").utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }
}
