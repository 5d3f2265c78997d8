import Bus
import Glibc
import Phone
import System

/// An opening: HTTP in, *granted* on disk, the gate's answer on disk, answered. Beside it C with SQLite, a transaction each.
struct BenchOpen {
    let seconds: Int
    private static let rounds = 3
    /// Each may ask each gate 30 times a minute: enough for three rounds of ten seconds.
    private static let people = 128

    func run() async throws -> [BenchCommand.Row] {
        let (stubbed, c) = try await withStubs()
        let real = try await throughControllers()
        guard (stubbed + c + real).allSatisfy({ $0.failures == 0 }) else {
            throw SystemError("a server refused requests: nothing was measured")
        }
        return [
            .init("opening, 64 callers", "soglia, 64 stub gates", stubbed, beside: [("C + SQLite", c)]),
            .init("one transaction", "C libmicrohttpd + SQLite", c),
            .init("opening, 64 callers", "soglia, bus, 8 controllers", real),
        ]
    }

    private func load(_ people: [String], _ paths: [String]) -> Load {
        Load(seconds: seconds, post: ("{}", paths), authorizations: people)
    }

    private func withStubs() async throws -> (own: [Round], c: [Round]) {
        let place = try await BenchPlace(gates: 64, people: Self.people)
        let hub = try await place.hubWithStubs()
        let open = try await place.build("open", ["microhttpd", "sqlite3"])
        let c = try await Measured.start("C", open, ["18473", place.folder + "/peer.sqlite"]) {
            "http://127.0.0.1:\($0)"
        }
        let people = try await place.authorizations(hub.url)
        let paths = place.gates.map { "/api/gates/\($0.text)/open" }
        var rounds: (own: [Round], c: [Round]) = ([], [])
        for _ in 0..<Self.rounds {
            rounds.own.append(try await load(people, paths).run(hub, path: "/"))
            rounds.c.append(try await load([], ["/open"]).run(c, path: "/"))
        }
        for server in [hub, c] { await server.child.stop() }
        try await place.remove()
        return rounds
    }

    /// The whole way: the broker, and eight controllers that each write their journal before they answer.
    private func throughControllers() async throws -> [Round] {
        let place = try await BenchPlace(gates: 8, people: Self.people)
        let codes = try await place.pairingCodes()
        let broker = try Broker(folder: place.folder + "/broker")
        try await broker.start()
        let credentials = place.folder + "/credentials.json"
        try broker.hubCredentials.save(to: credentials)
        let hub = try await Measured.start(
            "soglia", ThisProcess.executable,
            [
                "serve", "--data", place.folder, "--port", "0", "--demo", "--mqtt", "\(broker.address)",
                "--mqtt-credentials", credentials,
            ]
        ) { $0 }
        var controllers: [Child] = []
        for (index, code) in codes.enumerated() {
            let child = try await Child.start(
                ThisProcess.executable,
                ["gate", "--data", "\(place.folder)/gate\(index)", "--hub", "\(broker.address)", "--pair"],
                input: .pipe, output: .none, errors: .none)
            let line = Array((code + "\n").utf8)
            _ = write(child.standardInput, line, line.count)
            close(child.standardInput)
            controllers.append(child)
        }
        let access = HubAccess(hub.url)
        let people = try await place.authorizations(hub.url)
        let token = String(people[0].split(separator: " ")[1])
        while try await !access.gates(token: token).allSatisfy({ $0.state == "ready" }) {
            try await Task.sleep(for: .milliseconds(50))
        }
        let paths = place.gates.map { "/api/gates/\($0.text)/open" }
        var rounds: [Round] = []
        for _ in 0..<Self.rounds { rounds.append(try await load(people, paths).run(hub, path: "/")) }
        for controller in controllers { await controller.stop() }
        await hub.child.stop()
        await broker.stop()
        try await place.remove()
        return rounds
    }
}
