import Box
import Bus
import Glibc
import System
import Wire

/// `soglia simulate home`: a SafeAndCare box, or what somebody else's bridge would say.
enum SimulateHomeCommand {
    static let usage = """
        soglia simulate home --data DIR [--mqtt URL] [--pair] [--script FILE] [--port N] [--fast]
        soglia simulate home --as zigbee2mqtt|esphome --mqtt URL --prefix PREFIX --user NAME --password-file FILE [--bridged]

          home            a SafeAndCare box: gas, smoke, ultrasonic sensor, vibration, door, RFID; siren, fan, valve, lights
          --data DIR      what the box keeps: key, settings, journal; made when it is not there
          --mqtt URL      the hub's bus, mqtts://HOST[:8883] or mqtt://HOST[:1883]; kept after pairing
          --pair          pair first; the code of 26 letters is read from standard input, never from the command line
          --script FILE   what happens by itself, a line each: after 5s leak
          --port N        of the page on which a person makes it happen, on this machine alone; any free one unless told
          --fast          warms up in a second, and leaks fast
          --as NAME       one device as that program describes it by discovery, under the credentials of a device
          --bridged       its topics as behind a home's own broker, without the prefix
        """

    static func run(_ words: [String]) async throws {
        let arguments = try Arguments(
            words, options: ["data", "mqtt", "script", "port", "as", "prefix", "user", "password-file"],
            flags: ["pair", "fast", "bridged"])
        let rest = arguments.has("pair") && arguments.words == ["-"] ? [] : arguments.words
        guard rest.isEmpty else { throw UsageError("\(rest[0]) has no meaning here") }
        if let kind = arguments["as"] { return try await foreign(kind, arguments) }
        let folder = try arguments.require("data")
        try Files.makeFolder(folder)
        let lock = try FolderLock(folder)
        let address = try address(arguments, folder)
        let script = try arguments["script"].map { path in
            try HomeScript(String(decoding: Files.read(path, limit: 64 << 10), as: UTF8.self))
        }
        let identity = try await identity(folder, address, arguments.has("pair"))
        guard address.isSecure == (identity.broker != nil) else {
            throw UsageError("this box was paired in another way: with TLS it stays with TLS, and without it without")
        }
        let pace: SimulatedRoom.Pace = arguments.has("fast") ? .fast : .usual
        let home = try SimulatedHome(folder: folder, address: address, pace: pace)
        let server = try SimulatedHomeServer(home, port: arguments.port("port", default: 0))
        Output.line("ready \(identity.name) http://localhost:\(server.port)/")
        let life = Task { try await home.run() }
        let play = Task { await script?.play(in: home) }
        _ = await Signals.waitForEnd()
        play.cancel()
        life.cancel()
        _ = await life.result
        await server.close()
        withExtendedLifetime(lock) {}
    }

    private static func identity(
        _ folder: String, _ address: BusAddress, _ mustPair: Bool
    ) async throws -> BoxMemory.Identity {
        let memory = try await BoxMemory(folder: folder)
        let outcome: Result<BoxMemory.Identity, any Error>
        do {
            if mustPair {
                guard let line = readLine(strippingNewline: true), let code = PairingCode(text: line) else {
                    throw UsageError("the pairing code has 26 letters and digits; it is read from standard input")
                }
                _ = try await BoxPairing.pair(code: code, address: address, memory: memory)
                try Files.replace(folder + "/hub", with: Array("\(address)\n".utf8))
            }
            guard let identity = try memory.identity() else { throw UsageError("this box was never paired: --pair") }
            outcome = .success(identity)
        } catch { outcome = .failure(error) }
        await memory.store.close()
        return try outcome.get()
    }

    private static func address(_ arguments: Arguments, _ folder: String) throws -> BusAddress {
        if let told = arguments["mqtt"] { return try address(told) }
        guard let kept = try? Files.read(folder + "/hub", limit: 300) else {
            throw UsageError("--mqtt is missing: where is the hub's broker?")
        }
        return try address(String(decoding: kept.filter { $0 > 0x20 }, as: UTF8.self))
    }

    private static func address(_ text: String) throws -> BusAddress {
        let address =
            text.utf8.contains("://".utf8)
            ? BusAddress(url: text) : BusAddress(hostAndPort: text, usual: BusAddress.securePort, isSecure: true)
        guard let address else { throw UsageError("--mqtt is HOST, HOST:PORT or mqtt://HOST:PORT, without a password") }
        return address
    }

    private static func foreign(_ kind: String, _ arguments: Arguments) async throws {
        guard let kind = ForeignDevice.Kind(rawValue: kind) else {
            throw UsageError("--as is \(ForeignDevice.Kind.allCases.map(\.rawValue).joined(separator: " or "))")
        }
        let prefix = try arguments.require("prefix")
        let password = try Files.read(arguments.require("password-file"), limit: 1024).filter { $0 > 0x20 }
        let address = try address(arguments.require("mqtt"))
        let device = ForeignDevice(
            kind, prefix: prefix.hasSuffix("/") ? prefix : prefix + "/", isBridged: arguments.has("bridged"))
        let credentials = BusCredentials(
            username: try arguments.require("user"), password: String(decoding: password, as: UTF8.self))
        // A device that somebody else made knows no certificate of ours: it is told to believe, as most are.
        let client = try BusClient(
            address: address, credentials: credentials, known: address.isSecure ? .stranger : nil, will: device.will)
        let life = Task { try await device.live(on: client) }
        _ = await Signals.waitForEnd()
        life.cancel()
        _ = await life.result
    }
}
