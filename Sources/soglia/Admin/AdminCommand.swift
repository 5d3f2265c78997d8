import JSON
import Ledger
import Platform
import Store
import System
import Doors
import Home

/// What an administrator does at the box itself.
enum AdminCommand: ProgramCommand {
    static let name = "admin"
    static let about = "verify, export, back up or restore what the hub keeps; its certificates, letters and accounts"
    static let usage = """
        soglia admin verify --data DIR   computes every link of every chain anew; 0 when all holds, 1 with the first bad event
          --heads FILE…                  and demands each head that gates kept: files of `soglia gate heads`, or their folders
        soglia admin export --data DIR   the whole ledger as JSON lines, oldest first
        soglia admin backup FILE --data DIR   everything that a hub needs, encrypted; the passphrase is read from standard input
        soglia admin restore FILE --data DIR  puts it back, into a folder that no hub runs in; tells what becomes valid again, and asks
          --yes                          goes on without asking, for scripts
          --erased FILE                  who was erased since, where DIR/erased is not there any more
        soglia admin unit [--port N]     a unit for systemd, hardened; for /etc/systemd/system/soglia.service

        verify, export and backup work beside a running hub. Run as root, all of them leave what they write in DIR to the owner
        of DIR.

        """ + AccessCommand.usage + "\n\n" + MapCommand.usage + "\n\n" + MailCommand.usage + "\n\n"
        + AuthorityCommand.usage + "\n\n"
        + ProviderCommand.usage

    static func run(_ words: [String]) async throws {
        if words.first == "mail" { return try await MailCommand.run(Array(words.dropFirst())) }
        if words.first == "map" { return try await MapCommand.run(Array(words.dropFirst())) }
        if words.first == "ca" { return try await AuthorityCommand.run(Array(words.dropFirst())) }
        if words.first == "provider" { return try ProviderCommand.run(Array(words.dropFirst())) }
        let arguments = try Arguments(words, options: ["data", "heads", "erased", "port"], flags: ["yes"])
        switch arguments.words.first {
        case "verify":
            let files = (arguments["heads"].map { [$0] } ?? []) + arguments.words.dropFirst()
            try await withLedger(arguments) { try await verify($0, files) }
        case "export" where arguments.words.count == 1: try await withLedger(arguments) { try export($0) }
        case "backup" where arguments.words.count == 2: try await BackupCommand.backup(arguments)
        case "registration" where arguments.words.count == 2: try await AccessCommand.setRegistration(arguments)
        case "second-factor" where arguments.words.count == 2: try await AccessCommand.endSecondFactor(arguments)
        case "clock" where arguments.words.count == 2: try await AccessCommand.confirmClock(arguments)
        case "restore" where arguments.words.count == 2: try await BackupCommand.restore(arguments)
        case "unit" where arguments.words.count == 1:
            let port = try arguments.port("port", default: 8080)
            Output.line(SystemdUnit.text(program: ThisProcess.executable, port: port))
        case let word?:
            guard let form = forms.first(where: { $0.split(separator: " ").first.map(String.init) == word }) else {
                throw UsageError("there is no admin \(word): it is \(listed)")
            }
            throw UsageError("it is: admin \(form)")
        case nil: throw UsageError("admin takes one of \(listed)")
        }
    }

    /// What may follow `admin`, with the words that each takes.
    private static let forms = [
        "verify", "export", "backup FILE", "restore FILE", "registration open|closed", "second-factor off",
        "clock right", "map",
        "mail",
        "ca", "provider", "unit",
    ]
    private static let listed = forms.dropLast().joined(separator: ", ") + " or " + forms.last!

    private static func withLedger(_ arguments: Arguments, _ body: (Ledger) async throws -> Void) async throws {
        let path = try arguments.require("data") + "/soglia.sqlite"
        guard Files.exists(path) else { throw SystemError("there is no ledger in \(try arguments.require("data"))") }
        let store = try Store(path: path, migrations: migrations)
        try await body(Ledger(store))
        await store.close()
    }

    /// What this program is made of.
    static let features: [any Feature.Type] = [Doors.self, Home.self]
    /// Every table of it.
    static var migrations: [Migration] { Hub.migrations + features.flatMap { $0.migrations } }

    private static func verify(_ ledger: Ledger, _ files: [String]) async throws {
        let found = try ledger.verify()
        if let bad = found.firstBad {
            fail("bad: site \(bad.site), event \(bad.sequence): \(bad.why)", code: 1)
        }
        let erased = found.erased == 0 ? "" : "; of \(found.erased) the payload is erased, as later events list"
        Output.line("\(found.events) events in \(found.sites) chains hold\(erased)")
        if files.isEmpty { return }
        var heads: [WitnessedHead] = []
        for file in files { heads += try await Heads.read(file) }
        try report(try ledger.verify(heads: heads), of: heads.count)
    }

    private static func report(_ found: WitnessedVerification, of count: Int) throws {
        if count == 0 { fail("there is not one head in these files: nothing was compared", code: 1) }
        if let bad = found.firstBad {
            let head = bad.head
            let what =
                bad.isBeyondEnd
                ? "the chain ends before it, and no restore tells why" : "its history is not the one that the gate saw"
            let before = bad.lastGood == 0 ? "nothing before it is confirmed" : "up to \(bad.lastGood) all agrees"
            fail(
                "bad: site \(head.site), event \(head.sequence): \(what) (\(head.witness), \(head.at.iso8601)); \(before)",
                code: 1)
        }
        Output.line("\(found.confirmed) heads that gates kept are in the chains")
        if found.givenUp > 0 {
            Output.line("\(found.givenUp) more are of a time that a restore gave up, as the chains tell")
        }
    }

    private static func export(_ ledger: Ledger) throws {
        var position: Int64 = 0
        while true {
            let events = try ledger.events(after: position, limit: 500)
            guard let last = events.last else { return }
            for event in events {
                var json = JSONWriter()
                event.write(to: &json)
                Output.line(String(decoding: json.bytes, as: UTF8.self))
            }
            position = last.position
        }
    }
}
