import Platform
import System

/// A hub that nobody asks anything: how soon it is there, and what it takes to be there.
struct BenchIdle {
    private static let rounds = 5
    /// So long it is left alone before its memory is read.
    private static let rest = Duration.seconds(2)

    struct Start: Codable, Sendable {
        /// From the start of the process to `ready`, in milliseconds; its broker's start is in it.
        var readyMilliseconds: UInt64
        /// Resident memory afterwards, in bytes; the broker's is not in it.
        var residentBytes: Int
        /// Processor time in a second of rest, in microseconds.
        var processorPerSecond: Double
    }

    /// What is printed.
    struct Report: Codable, Sendable {
        var bench = "idle"
        var machine: String
        var starts: [Start]
    }

    /// The first start makes the folder, the broker's clients and the tables; the others find them.
    func run() async throws -> [Start] {
        let folder = "/tmp/soglia-bench-idle-\(Uptime.milliseconds)"
        var starts: [Start] = []
        for _ in 0..<Self.rounds {
            let began = Uptime.milliseconds
            let hub = try await Measured.start(
                "soglia", ThisProcess.executable, ["serve", "--data", folder, "--port", "0"]
            ) { $0 }
            let ready = Uptime.milliseconds - began
            let before = hub.processorTime
            try await Task.sleep(for: Self.rest)
            let spent = (hub.processorTime - before) / (Self.rest / .seconds(1))
            starts.append(
                Start(
                    readyMilliseconds: ready, residentBytes: try hub.residentBytes,
                    processorPerSecond: spent))
            await hub.child.stop()
        }
        _ = try await Child.start("/bin/rm", ["-rf", folder]).wait()
        return starts
    }
}
