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
        let report: Restore.Report
        do {
            report = try await Restore(folder: folder, features: AdminCommand.features).run(
                file, passphrase: passphrase, erased: arguments["erased"], at: WallClock.system.now,
                confirm: { confirm($0, folder, isMeant: arguments.has("yes")) },
                progress: { done in
                    let pieces = done >> 26
                    if pieces > told { tell("\(done >> 20) MB") }
                    told = max(told, pieces)
                })
        } catch is Restore.NotConfirmed {
            throw SystemError(
                Terminal.isThere
                    ? "nothing was changed" : "nothing was changed: nobody can be asked here, so say --yes to restore")
        }
        Output.line(
            "restored: \(counted(report.events, "event")) at \(counted(report.sites, "site")), as they were at \(report.made)"
        )
        if report.hadErasedList {
            Output.line(
                "erased again, as since the backup: \(report.erasures == 1 ? "1 person" : "\(report.erasures) people")")
        } else {
            Output.line(
                "there is no \(folder)/erased, the list of people who were erased. If one was erased since the backup, they are back: restore again with --erased FILE"
            )
        }
        Output.line(
            "\(counted(report.gates, "gate")) to be heard and compared: until then nothing is issued for a gate, and none is opened from here"
        )
        Output.line("everybody has to sign in again; look through people and roles for changes since the backup")
        if report.replaced {
            Output.line("what was there before lies in \(folder)/replaced; remove it when all is well")
        }
    }

    private static func counted(_ count: Int, _ one: String) -> String { "\(count) \(one)\(count == 1 ? "" : "s")" }

    /// More than this of one kind are counted, not listed.
    private static let listed = 20

    /// Tells what becomes valid again, and asks unless it was said before.
    private static func confirm(_ revival: Revival, _ folder: String, isMeant: Bool) -> Bool {
        if let kinds = revival.kinds {
            tell(
                kinds.isEmpty
                    ? "nothing that was changed or ended since \(revival.made) becomes valid again"
                    : "changed or ended since \(revival.made), and valid again after the restore:")
            for kind in kinds {
                tell("  \(kind.name):")
                for label in kind.labels.prefix(listed) { tell("    \(plain(label))") }
                if kind.labels.count > listed { tell("    and \(kind.labels.count - listed) more") }
            }
        } else {
            tell(
                """
                there is no database in \(folder) that the backup can be compared with. Valid again after the restore is all that was valid at
                \(revival.made): passwords, passkeys, memberships, codes and tags, badges, credentials of devices, registration, services that people
                sign in by, the mail server, keys and certificates of the hub; also what was changed or ended since
                """)
        }
        return isMeant || Terminal.ask("Restore? Type yes: ") == "yes"
    }

    /// Names are others' words: what would move the cursor or change colours is left out.
    private static func plain(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.properties.generalCategory != .control }))
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
