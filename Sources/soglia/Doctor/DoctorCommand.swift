import Glibc
import JSON
import System

/// Says what is missing, and how to get it.
enum DoctorCommand: ProgramCommand {
    static let name = "doctor"
    static let about = "say what is missing, and how to get it"
    static let usage = """
        soglia doctor [--data DIR] [--port N] [--json]

          --data DIR   also looks at a hub's folder: rights, room, tables, certificate; changes nothing in it
          --port N     where the hub is to listen; 8080 unless told
          --json       one object: {verdict, findings: [{name, verdict, words, advice}]}

        0 when nothing keeps a hub from running (there may be warnings), else 1.
        """

    static func run(_ words: [String]) async throws {
        let arguments = try Arguments(words, options: ["data", "port"], flags: ["json"])
        guard arguments.words.isEmpty else { throw UsageError("\(arguments.words[0]) has no meaning here") }
        let port = try arguments.port("port", default: 8080)
        var findings = MachineChecks.all()
        if let folder = arguments["data"] { findings += FolderChecks(folder: folder).all() }
        findings.append(FolderChecks.port(port, folder: arguments["data"]))
        let verdict = findings.map(\.verdict).max() ?? .ok
        if arguments.has("json") { printJSON(findings, verdict) } else { printText(findings, verdict) }
        if verdict == .fail { exit(1) }
    }

    private static func printText(_ findings: [Finding], _ verdict: Finding.Verdict) {
        for finding in findings {
            let mark = finding.verdict.rawValue + String(repeating: " ", count: 6 - finding.verdict.rawValue.count)
            Output.line("\(mark)\(finding.name): \(finding.words)")
            if let advice = finding.advice { Output.line("      \(advice)") }
        }
        switch verdict {
        case .ok: Output.line("all is well")
        case .warn: Output.line("a hub can run here; see the warnings")
        case .fail: Output.line("a hub does not run here yet")
        }
    }

    private static func printJSON(_ findings: [Finding], _ verdict: Finding.Verdict) {
        var json = JSONWriter()
        json.object { json in
            json.field("verdict", verdict.rawValue)
            json.array("findings") { json in
                for finding in findings {
                    json.object { json in
                        json.field("name", finding.name)
                        json.field("verdict", finding.verdict.rawValue)
                        json.field("words", finding.words)
                        json.field("advice", finding.advice)
                    }
                }
            }
        }
        Output.line(String(decoding: json.bytes, as: UTF8.self))
    }
}
