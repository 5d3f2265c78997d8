import Accounts
import Notices
import Platform
import Store
import System

/// `soglia admin mail`: how letters leave the hub; `soglia admin registration`.
enum MailCommand {
    static let usage = """
        soglia admin mail --data DIR --server URL --from ADDRESS --origin URL [--name NAME] [--user NAME] [--ca FILE] [--plain]
          --server URL     smtp://mail.example.org:587, encrypted by STARTTLS or not used; or smtps://mail.example.org
          --from ADDRESS   whom letters come from; --name says what that one is called: Soglia unless told
          --origin URL     where people reach the hub, as links in letters begin: https://hub.example.org
          --user NAME      who signs in to the mail server; the password is asked for, or read from standard input
          --ca FILE        authorities that are trusted besides the machine's own: PEM
          --plain          without encryption; for a mail server on this machine alone
        soglia admin mail --data DIR --test ADDRESS          sends a letter to try it out
        soglia admin mail --data DIR --remove                the hub sends no letters any more

        A hub that runs takes it up at its next start.
        """

    static func run(_ words: [String]) async throws {
        let arguments = try Arguments(
            words, options: ["data", "server", "from", "name", "origin", "user", "ca", "test"],
            flags: ["plain", "remove"])
        guard arguments.words.isEmpty else { throw UsageError("\(arguments.words[0]) has no meaning here") }
        let folder = try arguments.require("data")
        if arguments.has("remove") { return Files.remove("\(folder)/\(MailSettings.file)") }
        if arguments["server"] != nil { try set(arguments, folder) }
        guard let settings = try MailSettings.load(folder) else {
            throw UsageError("there is nothing yet: --server, --from and --origin")
        }
        guard let address = arguments["test"] else {
            return Output.line(
                "letters leave by \(settings.url), from \(settings.sender.address); links begin with \(settings.origin)"
            )
        }
        do { try await settings.tryOut(to: address, at: WallClock.system.now) } catch {
            throw SystemError("no letter was sent: \(error)")
        }
        Output.line("the mail server took a letter to \(address)")
    }

    private static func set(_ arguments: Arguments, _ folder: String) throws {
        guard let sender = MailSender(address: try arguments.require("from"), name: arguments["name"] ?? "Soglia")
        else { throw UsageError("--from is an address") }
        var password = ""
        if arguments["user"] != nil {
            guard let typed = Terminal.readSecret("password at the mail server: ") else {
                throw UsageError("the password is read from the terminal or from standard input: there was none")
            }
            password = typed
        }
        let authorities = try arguments["ca"].map { try Files.absolute($0) }
        guard
            let settings = MailSettings(
                url: try arguments.require("server"), isPlain: arguments.has("plain"), user: arguments["user"],
                password: password, authorities: authorities, sender: sender,
                origin: try arguments.require("origin"))
        else {
            throw UsageError(
                "--server is smtp://host:port or smtps://host:port, --origin https://host, without a path; --plain is for a mail server on this machine alone"
            )
        }
        try Files.makeFolder(folder)
        try settings.save(folder)
    }
}
