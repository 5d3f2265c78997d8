import Accounts
import Bus
import Doors
import Platform
import Store
import System

/// The hub, in earnest.
enum ServeCommand: ProgramCommand {
    static let name = "serve"
    static let about = "run the hub"
    static let usage = """
        soglia serve --data DIR [--port N] [--listen ADDRESS] [--tls | --behind-proxy ADDRESS] [--host NAME]…
                     [--mqtt URL --mqtt-credentials FILE | --bus-listen ADDRESS:PORT]

          --data DIR               everything that the hub keeps; made when it is not there
          --port N                 8080 unless told; 0 takes a free one
          --mqtt URL               a broker that is there already, mqtt://host:port; else the hub runs one of its own
          --mqtt-credentials FILE  its user name and password, as JSON {"username", "password"}, mode 0600
          --log FORMAT             text unless told, or json: one object a line
          --log-requests WHICH     errors unless told (500 and more), refusals (400 and more) or none; one line each

        """ + Reach.usage + """

            On the first start the page asks for the code in DIR/setup-code.
            """

    /// The mark of a database that the demo made: everybody knows its people.
    static let demoMark = "demo"

    static func run(_ words: [String]) async throws {
        let arguments = try Arguments(
            words,
            options: Reach.options.union(["data", "mqtt", "mqtt-credentials", "stub-gates", "log", "log-requests"]),
            lists: ["host"], flags: ["demo", "tls"])
        guard arguments.words.isEmpty else { throw UsageError("\(arguments.words[0]) has no meaning here") }
        guard let format = Log.Format(rawValue: arguments["log"] ?? "text") else {
            throw UsageError("--log is text or json")
        }
        Log.use(format)
        let manager = ServiceManager.take()
        let folder = try arguments.require("data")
        try Files.makeFolder(folder)
        let reach = try Reach(arguments, folder: folder)
        var settings = Hub.Settings(folder: folder, server: reach.server)
        // Before the broker: another hub there has one of its own, with the same port and files.
        settings.lock = try FolderLock(folder)
        // Also before the broker, whose files take room on a disk that is full.
        settings.reserve = Reserve(folder: folder, limit: Reserve.ofHub)
        (settings.certificate, settings.trust) = (reach.certificate, reach.trust)
        guard let requests = RequestLog(rawValue: arguments["log-requests"] ?? "errors") else {
            throw UsageError("--log-requests is errors, refusals or none")
        }
        settings.requestLog = requests
        settings.allowsLoopback = arguments.has("demo")
        let bus = try await connectBus(arguments, folder, reach, &settings)
        if let count = arguments["stub-gates"].flatMap(Int.init) { settings.carrier = StubGates(count: count) }
        let features: [any Feature.Type] =
            arguments["stub-gates"] == nil ? AdminCommand.features : [Doors.self, BenchMessage.self]
        let hub = try Hub(settings, features: features)
        try checkMark(hub.given.store, mayBeDemo: arguments.has("demo"))
        if let stubs = settings.carrier as? StubGates { try await stubs.start(hub.given.gates) }
        let port = try await hub.start()
        let trust = try reach.startTrust(securePort: port)
        let keepers = bus.map { process in Task { await keep(process) } }
        let url = reach.url(port: port)
        Output.line("ready \(url)")
        reach.tell(trust)
        if try hub.given.accounts.isEmpty() {
            Output.line("nobody has an account yet: open \(url)/first-run with the code in \(folder)/setup-code")
        }
        manager?.tell(.ready)
        let pulse = manager.flatMap { watch(hub, for: $0) }
        _ = await Signals.waitForEnd()
        pulse?.cancel()
        keepers.forEach { $0.cancel() }
        manager?.tell(.stopping)
        await trust?.stop()
        await hub.stop()
        for process in bus.reversed() { await process.stop() }
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

    /// Brings the broker, or the proxy before it, back whenever it ends. It is the same one then, and everybody finds it again.
    private static func keep(_ process: any BusProcess) async {
        let name = process is Broker ? "broker" : "proxy of the bus"
        while true {
            let end = await process.waitForEnd()
            if Task.isCancelled { return }
            if let end { Log.warning("hub", "the \(name) ended and is started again", ["how": "\(end)"]) }
            var pause = Duration.milliseconds(500)
            while true {
                let isStarted: Bool
                do {
                    try await process.start()
                    isStarted = true
                } catch {
                    Log.failure("hub", "the \(name) does not start", ["why": "\(error)"])
                    isStarted = false
                }
                do { try await Task.sleep(for: pause) } catch { return }
                if isStarted { break }
                pause = min(pause * 2, longestPause)
            }
        }
    }

    /// Between two attempts to start what does not start.
    private static let longestPause = Duration.seconds(8)

    /// Starts what the hub runs of the bus itself, the broker first.
    private static func connectBus(
        _ arguments: Arguments, _ folder: String, _ reach: Reach, _ settings: inout Hub.Settings
    ) async throws -> [any BusProcess] {
        if arguments["stub-gates"] != nil { return [] }
        if let url = arguments["mqtt"] {
            guard let address = BusAddress(url: url), !address.isSecure else {
                throw UsageError("--mqtt is mqtt://host:port, without a password in it")
            }
            settings.bus = (address, try BusCredentials.load(arguments.require("mqtt-credentials")))
            return []
        }
        try Files.makeFolder(folder + "/broker")
        let identity = try BrokerIdentity(folder: folder + "/broker", now: WallClock.system.now)
        let broker = try Broker(folder: folder + "/broker")
        try await broker.start()
        settings.identity = identity.fingerprint
        settings.bus = (broker.address, broker.hubCredentials)
        settings.outsideBus = reach.busForOthers
        guard let outside = reach.bus else { return [broker] }
        let proxy = try BusProxy(
            address: outside.host, port: outside.port, identity: identity.path, broker: broker.address,
            folder: folder + "/broker")
        // The doors of this machine open without it; `keep` brings it as soon as it starts.
        do { try await proxy.start() } catch {
            Log.failure("hub", "other machines cannot reach the bus: its proxy does not start", ["why": "\(error)"])
        }
        return [broker, proxy]
    }

    /// Keeps a demo's people, whose passwords lie in a file, from being served in earnest.
    private static func checkMark(_ store: Store, mayBeDemo: Bool) throws {
        let isDemo = try store.read { try AccountRecords.hubValue(demoMark, in: $0) } != nil
        if isDemo && !mayBeDemo { throw UsageError("this folder belongs to a demo: take another for a hub in earnest") }
    }
}
