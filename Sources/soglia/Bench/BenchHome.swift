import Glibc
import Home
import Household
import Store
import System

/// Readings of two hundred sensors through a real broker, thresholds and storage on: how many, at what cost, and how soon the valve is
/// told to close. Once the sensors are behind devices, once behind bridges, which are told what the others of their house tell. A
/// hand-written consumer in Python does the same work in the same run.
struct BenchHome {
    private static let kinds: [(Gateway.Kind, String)] = [(.device, "devices"), (.bridge, "bridges")]

    private static let paces = [1_000, 5_000, 20_000, 30_000]
    private static let seconds = 5
    /// What hand-written Python can follow on any machine.
    private static let peerPaces = [1_000, 5_000]
    private static let crossingSeconds = 20
    private static let crossingPace = 100
    /// After the last message: what waits for others to be written with is written.
    private static let settling = Duration.milliseconds(1_500)

    /// What is printed.
    struct Report: Codable, Sendable {
        var bench = "home"
        var machine: String
        var paces: [Pace] = []
        var crossings: [Crossing] = []
    }

    /// So many readings a second for a while.
    struct Pace: Codable, Sendable {
        var server: String
        /// What the sensors are behind.
        var gateways: String
        /// As wanted.
        var perSecond: Int
        var sent: Int
        /// As it was published.
        var sentPerSecond: Double
        /// How much of it its roll-ups count.
        var stored: Int
        /// Microseconds of the server's processor per reading, all included; the broker's is not in it.
        var processor: Double
        var residentBytes: Int
        /// That processor time over the peer's at the same pace; nil: it has none.
        var besidePeer: Double?
    }

    /// From the reading over its threshold to the command, both as the publisher sees them; in milliseconds.
    struct Crossing: Codable, Sendable {
        var server: String
        /// What the sensors are behind.
        var gateways: String
        var perSecond: Int
        var crossings: Int
        /// How many commands came.
        var commands: Int
        var p50: Double
        var p99: Double
        var most: Double
        var sent: Int
        var stored: Int
    }

    private let machine: String

    init(machine: String) { self.machine = machine }

    func run() async throws -> Report {
        var report = Report(machine: machine)
        for (kind, name) in Self.kinds { try await run(kind, name, &report) }
        return report
    }

    /// Adds the rows of one kind of gateways; those of the peer, to which all are the same, with the first.
    private func run(_ kind: Gateway.Kind, _ name: String, _ report: inout Report) async throws {
        let place = try await HomePlace(kind)
        let program = try await BenchPlace.build("readings", ["mosquitto"], in: place.folder)
        let (peer, own) = (peer(of: place), own(of: place))
        if report.paces.isEmpty {
            for pace in Self.peerPaces { report.paces.append(try await measure(peer, pace, program, place, name)) }
            report.crossings.append(try await cross(peer, program, place, name))
        }
        for pace in Self.paces {
            var row = try await measure(own, pace, program, place, name)
            row.besidePeer = report.paces.first { $0.server == peer.name && $0.perSecond == pace }
                .map { (row.processor / $0.processor).hundredths }
            report.paces.append(row)
        }
        report.crossings.append(try await cross(own, program, place, name))
        try await place.remove()
    }

    private func peer(of place: HomePlace) -> Server {
        Server(name: "Python, paho and sqlite3", database: place.folder + "/peer.sqlite") {
            try await Measured.start(
                "the Python peer", ".venv/bin/python",
                [
                    "Bench/readings.py", "\(place.broker.address.port)", place.peer.username, place.topics,
                    place.folder + "/peer.sqlite",
                ], environment: ["BENCH_PASSWORD": place.peer.password, "PATH": "/usr/bin:/bin"]
            ) { $0 }
        } count: {
            try await count("SELECT coalesce(sum(n), 0) FROM fold WHERE span = 3600", place.folder + "/peer.sqlite", [])
        }
    }

    private func own(of place: HomePlace) -> Server {
        Server(name: "soglia", database: place.database) {
            try await Measured.start(
                "soglia", ThisProcess.executable,
                [
                    "serve", "--data", place.folder, "--port", "0", "--demo", "--mqtt",
                    "mqtt://\(place.broker.address.host):\(place.broker.address.port)", "--mqtt-credentials",
                    place.folder + "/broker/hub.json",
                ]
            ) { $0 }
        } count: {
            try await count("SELECT coalesce(sum(n), 0) FROM home_r1h", place.database, AdminCommand.migrations)
        }
    }

    /// Whoever listens.
    private struct Server: Sendable {
        let name: String
        let database: String
        let start: @Sendable () async throws -> Measured
        /// How many readings it has stored. It must not run.
        let count: @Sendable () async throws -> Int
    }

    private func measure(
        _ server: Server, _ pace: Int, _ program: String, _ place: HomePlace, _ gateways: String
    ) async throws -> Pace {
        let before = Files.exists(server.database) ? try await server.count() : 0
        let running = try await server.start()
        try await Task.sleep(for: Self.settling)
        let spentBefore = running.processorTime
        let words = try await publish(program, place, ["rate", "\(pace)", "\(Self.seconds)"])
        guard words.count == 3, words[0] == "sent", let sent = Int(words[1]), let seconds = Double(words[2]) else {
            throw SystemError("the publisher said \(words)")
        }
        try await Task.sleep(for: Self.settling)
        let (spent, resident) = (running.processorTime - spentBefore, try running.residentBytes)
        await running.child.stop()
        return Pace(
            server: server.name, gateways: gateways, perSecond: pace, sent: sent,
            sentPerSecond: (Double(sent) / seconds).rounded(),
            stored: try await server.count() - before, processor: (spent / Double(sent)).hundredths,
            residentBytes: resident)
    }

    private func cross(
        _ server: Server, _ program: String, _ place: HomePlace, _ gateways: String
    ) async throws -> Crossing {
        let before = try await server.count()
        let running = try await server.start()
        try await Task.sleep(for: Self.settling)
        let words = try await publish(program, place, ["cross", "\(Self.crossingPace)", "\(Self.crossingSeconds)"])
        let figures = words.dropFirst().compactMap { Double($0) }
        guard words.first == "crossings", figures.count == 6 else { throw SystemError("the publisher said \(words)") }
        try await Task.sleep(for: Self.settling)
        await running.child.stop()
        return Crossing(
            server: server.name, gateways: gateways, perSecond: Self.crossingPace, crossings: Int(figures[0]),
            commands: Int(figures[1]),
            p50: figures[2].hundredths, p99: figures[3].hundredths, most: figures[4].hundredths,
            sent: Int(figures[5]), stored: try await server.count() - before)
    }

    /// Runs the publisher to its end and answers the words of its line.
    private func publish(_ program: String, _ place: HomePlace, _ arguments: [String]) async throws -> [String] {
        let address = place.broker.address
        let child = try await Child.start(
            program,
            [address.host, "\(address.port)", place.publisher.username, place.topics] + arguments,
            environment: ["BENCH_PASSWORD": place.publisher.password], output: .pipe)
        guard await child.wait() == .exited(0) else { throw SystemError("the publisher failed") }
        // One short line: it fits into the pipe.
        var line = [UInt8](repeating: 0, count: 256)
        let length = read(child.standardOutput, &line, line.count)
        close(child.standardOutput)
        return String(decoding: line[..<max(0, length)], as: UTF8.self).split(whereSeparator: \.isWhitespace)
            .map(String.init)
    }
}

extension BenchHome.Report {
    /// Lines for people.
    var lines: [String] {
        paces.map { row in
            "\(row.server), \(row.gateways), \(row.perSecond)/s: \(row.processor) µs of processor a reading"
                + (row.besidePeer.map { " (\($0) × the peer's)" } ?? "")
                + ", \(row.stored) of \(row.sent) stored, \(row.residentBytes >> 20) MB resident"
        }
            + crossings.map { row in
                "\(row.server), \(row.gateways), crossing to command at \(row.perSecond)/s: p50 \(row.p50) ms, p99 \(row.p99) ms, "
                    + "most \(row.most) ms, \(row.commands) of \(row.crossings) commands, "
                    + "\(row.stored) of \(row.sent) stored"
            }
    }
}

/// Opens a database that nobody else has open, for one number.
private func count(_ query: StaticString, _ path: String, _ migrations: [Migration]) async throws -> Int {
    let store = try Store(path: path, migrations: migrations)
    let count = try store.read { try $0.row(query) { $0[0] as Int } } ?? 0
    await store.close()
    return count
}
