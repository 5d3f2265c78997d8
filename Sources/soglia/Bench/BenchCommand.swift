import FoundationEssentials
import System

/// Measures, always beside a peer in the same run: these machines are noisy, and a ratio is less so.
enum BenchCommand: ProgramCommand {
    static let name = "bench"
    static let about = "measure, beside peers"
    static let usage = """
        soglia bench http [--json] [--seconds N]   a JSON request through router, session and policy; bare C and node beside it
        soglia bench open [--json] [--seconds N]   an opening, durable; C with SQLite beside it; then through bus and controllers
        soglia bench idle [--json]                 start to ready, memory and processor at rest; five starts
        soglia bench wire [--json]                 what a gate spends on an opening and on its own copy of rights
        soglia bench ledger [--json]               an event written and read, from a thousand to a million
        soglia bench rights [--json]               passes of 100 to 10,000 people looked at anew
        soglia bench push [--json]                 a message to a browser, sealed and signed for
        soglia bench growth [--json]               start, pages and openings as people, gates and events grow
        soglia bench history [--json]              charts over ten years of ten sensors
        soglia bench home [--json]                 two hundred sensors through a broker; hand-written Python beside it

          --seconds N   each round, 2 unless told; five rounds, of openings three, the servers taking turns
          --json        one JSON object

        Run in the project's folder with the release build; needs wrk, gcc and node.
        """

    /// One line of the result.
    struct Row: Codable, Sendable {
        var work: String
        var server: String
        var perSecond: Spread
        /// Microseconds of processor per request.
        var processor: Spread
        /// Of the middle round by processor time, as the next.
        var p50Milliseconds: Double
        var p99Milliseconds: Double
        /// This server's processor time per request over the peer's, by the peer's name: below 1 is less work.
        var ratios: [String: Double]

        init(_ work: String, _ server: String, _ rounds: [Round], beside peers: [(String, [Round])] = []) {
            let middle = rounds.median
            (self.work, self.server) = (work, server)
            perSecond = Spread(rounds.map { $0.perSecond.rounded() })
            processor = Spread(rounds.map(\.processor.hundredths))
            (p50Milliseconds, p99Milliseconds) = (middle.p50.hundredths, middle.p99.hundredths)
            ratios = Dictionary(
                uniqueKeysWithValues: peers.map { ($0.0, (middle.processor / $0.1.median.processor).hundredths) })
        }
    }

    private struct Report: Codable {
        var bench: String
        var machine: String
        var rows: [Row]
    }

    static func run(_ words: [String]) async throws {
        let arguments = try Arguments(words, options: ["seconds"], flags: ["json"])
        guard arguments.words.count == 1 else {
            throw UsageError("http, open, idle, wire, ledger, rights, push, growth, history or home?")
        }
        guard let seconds = Int(arguments["seconds"] ?? "2"), (1...60).contains(seconds) else {
            throw UsageError("--seconds is 1 to 60")
        }
        if arguments.words[0] == "idle" { return try print(await BenchIdle().run(), asJSON: arguments.has("json")) }
        if arguments.words[0] == "home" { return try print(await BenchHome(machine: machine).run(), arguments) }
        if let figures = try await Self.figures(arguments.words[0]) {
            let report = Figures(bench: arguments.words[0], machine: machine, figures: figures)
            if arguments.has("json") { return try printJSON(report) }
            Output.line("\(report.bench), on \(report.machine)")
            for figure in figures { Output.line(figure.text) }
            return
        }
        let rows: [Row]
        switch arguments.words[0] {
        case "http": rows = try await BenchHTTP(seconds: seconds).run()
        case "open": rows = try await BenchOpen(seconds: seconds).run()
        default: throw UsageError("http, open, idle, wire, ledger, rights, push, growth, history or home?")
        }
        let report = Report(bench: arguments.words[0], machine: machine, rows: rows)
        if arguments.has("json") { try printJSON(report) } else { print(report) }
    }

    private struct Figures: Codable {
        var bench: String
        var machine: String
        var figures: [Figure]
    }

    /// The benches that need no load from outside; nil for another name.
    private static func figures(_ name: String) async throws -> [Figure]? {
        switch name {
        case "wire": try await BenchWire().run()
        case "ledger": try await BenchLedger().run()
        case "rights": try await BenchRights().run()
        case "push": try await BenchPush().run()
        case "growth": try await BenchGrowth().run()
        case "history": try await BenchHistory().run()
        default: nil
        }
    }

    private static func printJSON(_ report: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        Output.line(String(decoding: try encoder.encode(report), as: UTF8.self))
    }

    private static func print(_ starts: [BenchIdle.Start], asJSON: Bool) throws {
        if asJSON { return try printJSON(BenchIdle.Report(machine: machine, starts: starts)) }
        Output.line("idle, on \(machine)")
        for start in starts {
            Output.line(
                "ready after \(start.readyMilliseconds) ms, \(start.residentBytes >> 20) MB resident, "
                    + "\(Int(start.processorPerSecond)) µs of processor a second")
        }
    }

    private static func print(_ report: BenchHome.Report, _ arguments: Arguments) throws {
        if arguments.has("json") { return try printJSON(report) }
        Output.line("\(report.bench), on \(report.machine)")
        for line in report.lines { Output.line(line) }
    }

    private static var machine: String {
        let text = (try? Files.read("/proc/cpuinfo")).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let lines = text.split(separator: "\n")
        let model =
            lines.first { $0.hasPrefix("model name") }?.split(separator: ":").last.map { $0.drop { $0 == " " } } ?? "?"
        return "\(lines.count { $0.hasPrefix("processor") }) × \(model)"
    }

    private static func print(_ report: Report) {
        Output.line("\(report.bench), on \(report.machine)")
        func cell(_ text: String, _ width: Int) -> String {
            text + String(repeating: " ", count: max(1, width - text.count))
        }
        Output.line(
            cell("work", 22) + cell("server", 27) + cell("per second: min median max", 28)
                + cell("CPU µs: min median max", 24) + cell("p50 ms", 8) + cell("p99 ms", 8) + "CPU beside")
        func text(_ spread: Spread, _ text: (Double) -> String) -> String {
            [spread.minimum, spread.median, spread.maximum].map(text).joined(separator: " ")
        }
        for row in report.rows {
            let ratios = row.ratios.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }.joined(separator: ", ")
            Output.line(
                cell(row.work, 22) + cell(row.server, 27) + cell(text(row.perSecond) { "\(Int($0))" }, 28)
                    + cell(text(row.processor) { "\($0)" }, 24) + cell("\(row.p50Milliseconds)", 8)
                    + cell("\(row.p99Milliseconds)", 8) + ratios)
        }
    }
}

extension Double {
    /// Rounded to two places.
    var hundredths: Double { (self * 100).rounded() / 100 }
}
