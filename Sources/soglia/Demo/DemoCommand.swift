import Bus
import Courier
import Notices
import Phone
import System

/// The whole system on one machine, with sample people and simulated gates.
enum DemoCommand: ProgramCommand {
    static let name = "demo"
    static let about = "bring everything up with sample people and gates"
    static let usage = """
        soglia demo [--data DIR] [--port N]     runs until Ctrl-C
        soglia demo [--data DIR] stop NAME      stops one of its processes: hub, broker, gate-main-entrance, …
        soglia demo [--data DIR] start NAME     starts it again

          --data DIR   .demo unless told; passwords are random per folder and lie in DIR/demo.json
          --port N     8080 unless told; the demo's own page is on the port after it, and asks for the token of DIR/demo.json
        """

    static func run(_ words: [String]) async throws {
        let arguments = try Arguments(words, options: ["data", "port"])
        let folder = arguments["data"] ?? ".demo"
        switch arguments.words.first {
        case nil: try await bringUp(folder, port: arguments.port("port", default: 8080))
        case "stop", "start":
            guard arguments.words.count == 2 else { throw UsageError("which process?") }
            try await tell(folder, arguments.words[0], arguments.words[1])
        default: throw UsageError("stop NAME, or start NAME")
        }
    }

    private static func tell(_ folder: String, _ verb: String, _ name: String) async throws {
        guard let file = try? DemoFile.load(folder) else { throw SystemError("no demo runs in \(folder)") }
        let request = HTTPClientRequest(
            method: "POST", url: "\(file.page)/processes/\(name)/\(verb)",
            headers: [("Authorization", "Bearer \(file.token ?? "")")], timeout: .seconds(15))
        guard let response = try? await HTTPClient().send(request) else {
            throw SystemError("no demo runs in \(folder)")
        }
        if response.status == 404 { throw SystemError("there is no process \(name) in this demo") }
        guard response.status == 204 else { throw SystemError("the demo answered \(response.status)") }
        Output.line(verb == "stop" ? "\(name) is stopped" : "\(name) is started")
    }

    private static func bringUp(_ given: String, port: UInt16) async throws {
        guard (1...65_534).contains(port) else { throw UsageError("--port is a number from 1 to 65534") }
        try Files.makeFolder(given)
        let folder = try Files.absolute(given)
        try Files.makeFolder(folder + "/air")
        try Files.makeFolder(folder + "/supervisor")
        let lock = try FolderLock(folder + "/supervisor")

        let seed = try DemoSeed(folder: folder)
        // At once, whatever goes wrong afterwards: the passwords are nowhere else.
        if let made = try await seed.make() { try DemoFile(accounts: made.accounts, sites: made.sites).save(folder) }
        guard var file = try? DemoFile.load(folder) else {
            throw SystemError("the demo in \(given) was cut off while it was made: remove the folder and begin anew")
        }
        let gates = try await seed.gates(folder: folder)
        let homes = try await seed.houses.toRun(folder: folder)
        await seed.close()
        try LoopbackPort.requireFree(port)

        let broker = try Broker(folder: folder + "/broker")
        let (hub, page) = ("http://localhost:\(port)", "http://localhost:\(port + 1)")
        let credentials = broker.hubCredentials
        file.broker = .init(
            host: broker.address.host, port: Int(broker.address.port), username: credentials.username,
            password: credentials.password, prefix: "soglia/")
        let token = file.token ?? DemoDoor.makeToken()
        (file.hub, file.page, file.processes, file.token) = (hub, page, [:], token)
        try file.save(folder)
        try credentials.save(to: folder + "/broker-credentials.json")

        let post = try LoopbackPort.free()
        try settings(hub, post).save(folder)
        let started = file
        let supervisor = Supervisor(folder: folder, broker: broker, file: started)
        let server = try DemoServer(
            supervisor, port: port + 1, hub: hub, accounts: started.accounts, mailbox: folder + "/mailbox",
            door: DemoDoor(token: token))
        let work = Task {
            try await supervisor.startBroker()
            try await supervisor.add(
                .init(
                    name: "mailbox", about: "Takes the letters that the hub sends; nothing leaves this machine.",
                    arguments: ["simulate", "mailbox", "--data", folder, "--port", "\(post)"]))
            try await supervisor.add(
                .init(
                    name: "hub", about: "The hub: pages, decisions, the ledger.",
                    arguments: [
                        "serve", "--data", folder, "--port", "\(port)", "--mqtt", "\(broker.address)",
                        "--mqtt-credentials",
                        folder + "/broker-credentials.json", "--demo",
                    ]))
            for gate in gates { try await supervisor.add(plan(for: gate, broker.address, folder)) }
            for home in homes { try await supervisor.add(plan(for: home, broker.address)) }
            try await waitUntilReady(hub, started, gates, homes, supervisor)
            greet(hub, page, started, given)
        }
        let ending = Task {
            do { try await work.value } catch is CancellationError {} catch {
                Log.failure("demo", "could not bring everything up; the logs are in \(given)/logs", ["why": "\(error)"])
            }
        }
        _ = await Signals.waitForEnd()
        work.cancel()
        await ending.value
        await server.close()
        await supervisor.stopAll()
        withExtendedLifetime(lock) {}
    }

    /// How the hub's letters go to the demo's own mailbox.
    private static func settings(_ hub: String, _ port: UInt16) throws -> MailSettings {
        guard let sender = MailSender(address: "soglia@demo.example.com", name: "Soglia"),
            let settings = MailSettings(url: "smtp://127.0.0.1:\(port)", isPlain: true, sender: sender, origin: hub)
        else { throw SystemError("the demo's mail cannot be set up") }
        return settings
    }

    private static func plan(for gate: DemoSeed.GateToRun, _ broker: BusAddress, _ folder: String) -> Supervisor.Plan {
        let arguments = ["gate", "--data", gate.folder, "--hub", "\(broker)", "--air", folder + "/air"]
        return .init(
            name: gate.process, about: "The controller of the gate \(gate.name).",
            arguments: arguments + (gate.code == nil ? [] : ["--pair"]), firstWords: gate.code)
    }

    private static func plan(for home: DemoHouses.ToRun, _ broker: BusAddress) throws -> Supervisor.Plan {
        try Files.makeFolder(home.folder)
        let arguments = ["simulate", "home", "--mqtt", "\(broker)"]
        guard let own = home.credentials else {
            let port = try LoopbackPort.free()
            return .init(
                name: home.process, about: "\(home.name): a box in a room where you make things happen.",
                arguments: arguments + ["--data", home.folder, "--port", "\(port)", "--fast"]
                    + (home.code == nil ? [] : ["--pair"]), firstWords: home.code, page: "http://localhost:\(port)")
        }
        let path = home.folder + "/password"
        try Files.replace(path, with: Array(own.password.utf8), mode: 0o600)
        return .init(
            name: home.process, about: "\(home.name): a contact that describes itself, as Zigbee2MQTT tells of it.",
            arguments: arguments + [
                "--as", "zigbee2mqtt", "--prefix", own.prefix, "--user", own.username, "--password-file", path,
            ])
    }

    /// Everything is up when every gate can be opened from the hub, and every box talks to it.
    private static func waitUntilReady(
        _ hub: String, _ file: DemoFile, _ gates: [DemoSeed.GateToRun], _ homes: [DemoHouses.ToRun],
        _ supervisor: Supervisor
    ) async throws {
        let access = HubAccess(hub)
        while !(await access.isThere()) { try await Task.sleep(for: .milliseconds(50)) }
        func signIn(_ email: String) async throws -> String? {
            guard let account = file.accounts.first(where: { $0.email == email }) else { return nil }
            return try await access.signIn(email: account.email, password: account.password)
        }
        if let token = try await signIn(DemoSeed.everywhere) {
            try await wait(for: Set(gates.map(\.name)), supervisor) {
                try await access.gates(token: token).filter { $0.state == "ready" }.map { one in
                    (one.name, gates.first { $0.name == one.name }?.process)
                }
            }
        }
        if let token = try await signIn(DemoSeed.householder) {
            try await wait(for: Set(homes.map(\.id)), supervisor) {
                try await access.gateways(of: file.sites.filter { $0.kind == "home" }.map(\.id), token: token)
                    .filter(\.isThere).map { one in (one.id, homes.first { $0.id == one.id }?.process) }
            }
        }
    }

    /// Asks until all of those are there, and tells the supervisor of each that has been paired.
    private static func wait(
        for names: Set<String>, _ supervisor: Supervisor,
        _ ready: () async throws -> [(name: String, process: String?)]
    ) async throws {
        var waiting = names
        while !waiting.isEmpty {
            for one in try await ready() where waiting.remove(one.name) != nil {
                if let process = one.process { await supervisor.isPaired(process) }
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    private static func greet(_ hub: String, _ page: String, _ file: DemoFile, _ folder: String) {
        Output.line("ready \(hub)")
        Output.line("")
        for account in file.accounts {
            Output.line("  \(account.email)  \(account.password)  (\(account.permission))")
            Output.line("    \(account.tryThis)")
        }
        Output.line("")
        Output.line("  \(page)/#\(file.token ?? "")  stops and starts each process, and shows the hub's letters")
        Output.line("  soglia demo stop hub; soglia simulate phone open \"Main entrance\"; soglia demo start hub")
        Output.line("  Ctrl-C ends everything; \(folder) keeps it for the next time")
    }
}
