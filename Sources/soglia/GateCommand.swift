import Bus
import Controller
import Glibc
import Radio
import Store
import System
import Wire

/// A gate's controller.
enum GateCommand: ProgramCommand {
    static let name = "gate"
    static let about = "run the controller of a gate"
    static let usage = """
        soglia gate --data DIR [--hub HOST[:PORT]] [--pair] [--air DIR]

          --data DIR   what the controller keeps: key, rights, journal; made when it is not there
          --hub HOST   the hub's bus over TLS, port 8883 unless told; mqtt://HOST:PORT is without TLS, for a broker on this
                       machine; kept after pairing
          --pair       pair first; the code of 26 letters is read from standard input, never from the command line
          --air DIR    where phones are: a folder of sockets in place of a radio

        soglia gate heads --data DIR   prints the heads of the hub's ledger that this gate kept, for `soglia admin verify --heads`

        This version moves no lock: it prints what its relay would do.
        """

    static func run(_ words: [String]) async throws {
        let arguments = try Arguments(words, options: ["data", "hub", "air"], flags: ["pair"])
        if arguments.words == ["heads"] {
            for head in try await Heads.ofGate(try arguments.require("data") + "/gate.sqlite") {
                Output.line(String(decoding: head.line, as: UTF8.self))
            }
            return
        }
        // `--pair -` says what is so anyway: the code comes by standard input.
        let words = arguments.has("pair") && arguments.words == ["-"] ? [] : arguments.words
        guard words.isEmpty else { throw UsageError("\(words[0]) has no meaning here") }
        let folder = try arguments.require("data")
        try Files.makeFolder(folder)
        let lock = try FolderLock(folder)
        let memory = try await GateMemory(
            path: folder + "/gate.sqlite", reserve: Reserve(folder: folder, limit: Reserve.ofField))
        let address = try address(arguments, folder)
        if arguments.has("pair") {
            guard let line = readLine(strippingNewline: true), let code = PairingCode(text: line) else {
                throw UsageError("the pairing code has 26 letters and digits; it is read from standard input")
            }
            _ = try await GatePairing.pair(code: code, address: address, memory: memory)
            try Files.replace(folder + "/hub", with: Array("\(address)\n".utf8))
        }
        guard let identity = try memory.identity() else { throw UsageError("this controller was never paired: --pair") }
        guard address.isSecure == (identity.broker != nil) else {
            throw UsageError(
                identity.broker == nil
                    ? "this controller was paired without TLS and does not know the hub's certificate: reset it, and pair it again"
                    : "this controller was paired over TLS and talks to its hub in no other way")
        }
        let controller = try await GateController(
            memory: memory, identity: identity, relay: PrintingRelay(name: identity.name))
        Output.line("ready \(identity.name)")
        let work = Task {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await GateBus(controller, address: address).run() }
                if let air = arguments["air"] {
                    try Files.makeFolder(air)
                    group.addTask { await GateAir(controller, radio: SocketAir(folder: air)).run() }
                }
                try await group.waitForAll()
            }
        }
        _ = await Signals.waitForEnd()
        work.cancel()
        _ = await work.result
        await memory.store.close()
        withExtendedLifetime(lock) {}
    }

    private static func address(_ arguments: Arguments, _ folder: String) throws -> BusAddress {
        let url: String
        if let told = arguments["hub"] {
            url = told
        } else {
            guard let kept = try? Files.read(folder + "/hub", limit: 300) else {
                throw UsageError("--hub is missing: where is the hub's broker?")
            }
            url = String(decoding: kept.filter { $0 > 0x20 }, as: UTF8.self)
        }
        let address =
            url.utf8.contains("://".utf8)
            ? BusAddress(url: url) : BusAddress(hostAndPort: url, usual: BusAddress.securePort, isSecure: true)
        guard let address else {
            throw UsageError("--hub is HOST, HOST:PORT or mqtt://HOST:PORT, without a password in it")
        }
        return address
    }
}
