import HTTPServer
import Ledger
import Platform
import Store
import System
import Doors

/// What an administrator does at the box itself.
enum AdminCommand: ProgramCommand {
    static let name = "admin"
    static let about = "verify or export the ledger"
    static let usage = """
        soglia admin verify --data DIR   computes every link of every chain anew; 0 when all holds, 1 with the first bad event
        soglia admin export --data DIR   the whole ledger as JSON lines, oldest first

        Both read beside a running hub.
        """

    static func run(_ words: [String]) async throws {
        let arguments = try Arguments(words, options: ["data"])
        guard arguments.words.count == 1 else { throw UsageError("verify or export?") }
        let path = try arguments.require("data") + "/soglia.sqlite"
        guard Files.exists(path) else { throw SystemError("there is no ledger in \(try arguments.require("data"))") }
        let store = try Store(path: path, migrations: Hub.migrations + Doors.migrations)
        let ledger = Ledger(store)
        switch arguments.words[0] {
        case "verify": try verify(ledger)
        case "export": try export(ledger)
        default: throw UsageError("verify or export?")
        }
        await store.close()
    }

    private static func verify(_ ledger: Ledger) throws {
        let found = try ledger.verify()
        if let bad = found.firstBad {
            fail("bad: site \(bad.site), event \(bad.sequence): \(bad.why)", code: 1)
        }
        let erased = found.erased == 0 ? "" : "; of \(found.erased) the payload is erased, as later events list"
        Output.line("\(found.events) events in \(found.sites) chains hold\(erased)")
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
