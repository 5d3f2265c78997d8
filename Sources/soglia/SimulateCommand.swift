import Crypto
import FoundationEssentials
import Phone
import Radio
import System
import Wire

/// Things that a person would hold.
enum SimulateCommand: ProgramCommand {
    static let name = "simulate"
    static let about = "be a phone in front of a gate, a home with its box, or a mail server"
    static let usage = """
        soglia simulate phone [--data DIR] [--hub URL] [--email ADDRESS] refresh
        soglia simulate phone [--data DIR] [--leave] open GATE
        soglia simulate legacy-phone [--data DIR] [--hub URL] --username NAME open GATE
        soglia simulate mailbox [--data DIR] --port N

          refresh         signs in and keeps a pass for every gate that is granted, in DIR/phone.json
          open GATE       scans, connects and opens with the kept pass, by the gate's name or id; needs no hub
          --data DIR      .demo unless told: the folder of the demo, whose air the phone is in
          --hub URL       http://localhost:8080 unless the demo says otherwise
          --email ADDRESS as whom; the demo's sample employee unless told. The password is the demo's, or comes from standard input
          mailbox         a mail server on loopback that keeps the last letters in DIR/mailbox
          --leave         goes out rather than in
          --username NAME of the old app, as its page says; the password comes from standard input

        """ + SimulateHomeCommand.usage

    static func run(_ words: [String]) async throws {
        if words.first == "legacy-phone" { return try await legacyPhone(Array(words.dropFirst())) }
        if words.first == "home" { return try await SimulateHomeCommand.run(Array(words.dropFirst())) }
        if words.first == "mailbox" { return try await mailbox(Array(words.dropFirst())) }
        guard words.first == "phone" else {
            throw UsageError("a phone, a legacy-phone, a home or a mailbox can be simulated so far")
        }
        let arguments = try Arguments(Array(words.dropFirst()), options: ["data", "hub", "email"], flags: ["leave"])
        let folder = arguments["data"] ?? ".demo"
        switch arguments.words.first {
        case "refresh" where arguments.words.count == 1: try await refresh(arguments, folder)
        case "open" where arguments.words.count == 2: try await open(arguments.words[1], arguments.has("leave"), folder)
        default: throw UsageError("a phone can refresh, or open GATE")
        }
    }

    private static func mailbox(_ words: [String]) async throws {
        let arguments = try Arguments(words, options: ["data", "port"])
        guard arguments.words.isEmpty else { throw UsageError("\(arguments.words[0]) has no meaning here") }
        let port = try arguments.port("port", default: 2525)
        try Mailbox(folder: (arguments["data"] ?? ".demo") + "/mailbox").listen(port: port)
        Output.line("ready smtp://127.0.0.1:\(port)")
        _ = await Signals.waitForEnd()
    }

    private static func refresh(_ arguments: Arguments, _ folder: String) async throws {
        let demo = try? DemoFile.load(folder)
        let email = arguments["email"] ?? demo?.accounts.first { $0.permission == "member" }?.email
        guard let email else { throw UsageError("--email is missing") }
        guard let password = demo?.accounts.first(where: { $0.email == email })?.password ?? readLine() else {
            throw UsageError("the password is read from standard input")
        }
        let hub = HubAccess(arguments["hub"] ?? demo?.hub ?? "http://localhost:8080")
        let passes = try await hub.passes(token: hub.signIn(email: email, password: password))
        try Wallet(passes: passes).save(folder + "/phone.json")
        Output.line("\(passes.count) passes for \(email)")
        for pass in passes { Output.line("  \(pass.name), until \(pass.notAfter)") }
    }

    private static func open(_ gate: String, _ leaves: Bool, _ folder: String) async throws {
        guard let entry = try Wallet.load(folder + "/phone.json").entry(gate) else {
            throw UsageError("the phone has no pass for \(gate): refresh it while the hub is there")
        }
        guard let bytes = Base64.bytes(urlText: entry.pass) else {
            throw UsageError("the pass in phone.json is spoilt: refresh it")
        }
        let pass = try Pass(decoding: bytes)
        let started = Uptime.milliseconds
        let result = try await Opener(SocketAir(folder: folder + "/air")).open(
            pass, intent: leaves ? .leave(reason: 0) : .enter(reason: 0))
        let milliseconds = Uptime.milliseconds - started
        switch result {
        case .opened: Output.line("opened: \(entry.name), proven by the gate, \(milliseconds) ms")
        case .refused(let reason): throw SystemError("refused: \(entry.name) says \(reason)")
        case .notProven: throw SystemError("refused: whoever answered for \(entry.name) proved nothing")
        case .notHere: throw SystemError("no answer: \(entry.name) is not within reach")
        }
    }

    /// An app of the original system, at a gate that takes its badges.
    private static func legacyPhone(_ words: [String]) async throws {
        let arguments = try Arguments(words, options: ["data", "hub", "username"])
        guard arguments.words.first == "open", arguments.words.count == 2 else {
            throw UsageError("a legacy-phone can open GATE")
        }
        let username = try arguments.require("username")
        guard let password = readLine() else { throw UsageError("the password is read from standard input") }
        let folder = arguments["data"] ?? ".demo"
        let hub = arguments["hub"] ?? (try? DemoFile.load(folder))?.hub ?? "http://localhost:8080"
        let phone = LegacyPhone(hub, radio: SocketAir(folder: folder + "/air"))
        let account = try await phone.signIn(username: username, password: password)
        let name = arguments.words[1]
        guard let reader = account.reader(name) else {
            throw UsageError("the hub told of no old gate \(name): is it one, and has the role got it?")
        }
        switch try await phone.open(reader, as: account.user) {
        case .opened: Output.line("opened: \(reader.name) took the old badge")
        case .refused: throw SystemError("refused: \(reader.name) did not take the old badge")
        case .notHere: throw SystemError("no answer: \(reader.name) is not within reach")
        case .noKey: throw SystemError("refused: whoever answered for \(reader.name) gave no key")
        }
    }
}
