import HTTPServer
import Ledger
import Platform
import Store
import System
import Doors

/// What an administrator does at the box itself.
enum AdminCommand: ProgramCommand {
    static let name = "admin"
    static let about = "verify or export the ledger, make the hub's certificates, print a unit for systemd"
    static let usage = """
        soglia admin verify --data DIR   computes every link of every chain anew; 0 when all holds, 1 with the first bad event
        soglia admin export --data DIR   the whole ledger as JSON lines, oldest first
        soglia admin unit [--port N]     a unit for systemd, hardened; for /etc/systemd/system/soglia.service

        The first two read beside a running hub.

        """ + AuthorityCommand.usage

    static func run(_ words: [String]) async throws {
        if words.first == "ca" { return try await AuthorityCommand.run(Array(words.dropFirst())) }
        let arguments = try Arguments(words, options: ["data", "port"])
        guard arguments.words.count == 1 else { throw UsageError("verify, export, ca or unit?") }
        if arguments.words[0] == "unit" {
            let port = try arguments.port("port", default: 8080)
            return Output.line(SystemdUnit.text(program: ThisProcess.executable, port: port))
        }
        let path = try arguments.require("data") + "/soglia.sqlite"
        guard Files.exists(path) else { throw SystemError("there is no ledger in \(try arguments.require("data"))") }
        let store = try Store(path: path, migrations: Hub.migrations + Doors.migrations)
        let ledger = Ledger(store)
        switch arguments.words[0] {
        case "verify": try verify(ledger)
        case "export": try export(ledger)
        default: throw UsageError("verify, export, ca or unit?")
        }
        await store.close()
    }

    private static func verify(_ ledger: Ledger) throws {
        let found = try ledger.verify()
        if let bad = found.firstBad {
            fail("bad: site \(bad.site), event \(bad.sequence): \(bad.why)", code: 1)
        }
        Output.line("\(found.events) events in \(found.sites) chains hold")
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
