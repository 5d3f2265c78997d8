import Accounts
import Bus
import Doors
import HTTPServer
import Platform
import Store
import System

/// The hub, in earnest.
enum ServeCommand: ProgramCommand {
    static let name = "serve"
    static let about = "run the hub"
    static let usage = """
        soglia serve --data DIR [--port N] [--listen ADDRESS] [--mqtt URL --mqtt-credentials FILE]

          --data DIR               everything that the hub keeps; made when it is not there
          --port N                 8080 unless told; 0 takes a free one
          --listen ADDRESS         127.0.0.1 unless told; this version serves loopback alone
          --mqtt URL               a broker that is there already, mqtt://host:port; else the hub runs one of its own
          --mqtt-credentials FILE  its user name and password, as JSON {"username", "password"}, mode 0600
          --log FORMAT             text unless told, or json: one object a line
          --log-requests WHICH     errors unless told (500 and more), refusals (400 and more) or none; one line each

        On the first start the page asks for the code in DIR/setup-code.
        """

    /// The mark of a database that the demo made: everybody knows its people.
    static let demoMark = "demo"

    static func run(_ words: [String]) async throws {
        let arguments = try Arguments(
            words,
            options: ["data", "port", "listen", "mqtt", "mqtt-credentials", "stub-gates", "log", "log-requests"],
            flags: ["demo"])
        guard arguments.words.isEmpty else { throw UsageError("\(arguments.words[0]) has no meaning here") }
        guard let format = Log.Format(rawValue: arguments["log"] ?? "text") else {
            throw UsageError("--log is text or json")
        }
        Log.use(format)
        let manager = ServiceManager()
        let folder = try arguments.require("data")
        try Files.makeFolder(folder)
        var server = ServerSettings()
        server.port = try arguments.port("port", default: 8080)
        server.address = arguments["listen"] ?? "127.0.0.1"
        guard server.address == "127.0.0.1" || server.address == "::1" else {
            throw UsageError(
                "this version serves loopback alone (127.0.0.1 or ::1): what leaves the machine needs TLS, which comes next"
            )
        }
        var settings = Hub.Settings(folder: folder, server: server)
        guard let requests = RequestLog(rawValue: arguments["log-requests"] ?? "errors") else {
            throw UsageError("--log-requests is errors, refusals or none")
        }
        settings.requestLog = requests
        let broker = try await connectBus(arguments, folder, &settings)
        if let count = arguments["stub-gates"].flatMap(Int.init) { settings.carrier = StubGates(count: count) }
        let features: [any Feature.Type] =
            arguments["stub-gates"] == nil ? [Doors.self] : [Doors.self, BenchMessage.self]
        let hub = try Hub(settings, features: features)
        try checkMark(hub.given.store, mayBeDemo: arguments.has("demo"))
        if let stubs = settings.carrier as? StubGates { try await stubs.start(hub.given.gates) }
        let port = try await hub.start()
        Output.line("ready http://localhost:\(port)")
        if try hub.given.accounts.isEmpty() {
            Output.line(
                "nobody has an account yet: open http://localhost:\(port)/first-run with the code in \(folder)/setup-code"
            )
        }
        manager?.tell(.ready)
        let pulse = manager.flatMap { watch(hub, for: $0) }
        _ = await Signals.waitForEnd()
        pulse?.cancel()
        manager?.tell(.stopping)
        await hub.stop()
        await broker?.stop()
        Log.flush()
    }

    /// Tells the watchdog that all is well, as long as it is: three times in its time, each after the hub has shown a pulse.
    private static func watch(_ hub: Hub, for manager: ServiceManager) -> Task<Void, Never>? {
        guard let watchdog = manager.watchdog else { return nil }
        return Task {
            while !Task.isCancelled {
                do {
                    try await hub.checkPulse()
                    manager.tell(.alive)
                } catch { Log.failure("hub", "the hub has no pulse", ["why": "\(error)"]) }
                try? await Task.sleep(for: watchdog / 3)
            }
        }
    }

    private static func connectBus(_ arguments: Arguments, _ folder: String, _ settings: inout Hub.Settings)
        async throws -> Broker?
    {
        if arguments["stub-gates"] != nil { return nil }
        if let url = arguments["mqtt"] {
            guard let address = BusAddress(url: url) else {
                throw UsageError("--mqtt is mqtt://host:port, without a password in it")
            }
            settings.bus = (address, try BusCredentials.load(arguments.require("mqtt-credentials")))
            return nil
        }
        let broker = try Broker(folder: folder + "/broker")
        try await broker.start()
        settings.bus = (broker.address, broker.hubCredentials)
        return broker
    }

    /// Keeps a demo's people, whose passwords lie in a file, from being served in earnest.
    private static func checkMark(_ store: Store, mayBeDemo: Bool) throws {
        let isDemo = try store.read { try AccountRecords.hubValue(demoMark, in: $0) } != nil
        if isDemo && !mayBeDemo { throw UsageError("this folder belongs to a demo: take another for a hub in earnest") }
    }
}
