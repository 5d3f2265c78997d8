import Glibc
import Identity
import System

/// The one program: what it does is its first word.
@main
enum Soglia {
    static let commands: [any ProgramCommand.Type] = [
        DemoCommand.self, ServeCommand.self, GateCommand.self, SimulateCommand.self, AdminCommand.self,
        BenchCommand.self, DoctorCommand.self,
    ]

    static func main() {
        // Here, on the first thread, before there is another: an asynchronous `main` would begin on a thread of the pool, and the
        // first thread would go on being ended by Ctrl-C.
        Signals.block()
        Task.detached {
            await run()
            exit(0)
        }
        // Not `dispatchMain`, which lets this thread take every signal again.
        while true { pause() }
    }

    private static func run() async {
        let words = Array(CommandLine.arguments.dropFirst())
        guard let name = words.first, name != "--help", name != "help" else { return Output.line(help) }
        if name == "--version" { return Output.line("soglia \(Version.current)") }
        guard let command = commands.first(where: { $0.name == name }) else {
            fail("there is no command \(name)\n\n\(help)", code: 2)
        }
        if words.contains("--help") { return Output.line("\(command.about)\n\n\(command.usage)") }
        do {
            try await command.run(Array(words.dropFirst()))
        } catch let error as UsageError {
            fail("\(error)\nsoglia \(command.name) --help lists what it takes", code: 2)
        } catch {
            fail("\(error)", code: 1)
        }
    }

    private static var help: String {
        "Soglia: everything that happens at a threshold.\n\n"
            + commands.map { "  soglia \($0.name)".padded(to: 20) + $0.about }.joined(separator: "\n")
            + "\n\n  soglia COMMAND --help tells more."
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(1, width - count)) }
}
