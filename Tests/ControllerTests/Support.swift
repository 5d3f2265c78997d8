import Controller
import Crypto
import Glibc
import Radio
import Store
import System
import Wire
// Exported: every file of these tests sees it.
@_exported import TestSupport

let noon = Timestamp(iso8601: "2026-11-21T12:00:00.000Z")!

func id() -> ID16 { ID16(Random.bytes(16))! }
func nonce() -> Nonce { Nonce(Random.bytes(16))! }

/// A lock's relay that looks into the journal when it is moved, and fails when it is told to.
final class TestRelay: Relay {
    struct Stuck: Error {}
    /// How many records the journal's file held at each pulse.
    let journalled = Shared<[Int]>([])
    let pulses = Shared<[UInt16]>([])
    let isStuck = Shared(false)
    /// What happens while it moves.
    let whileMoving = Shared<(@Sendable () async -> Void)?>(nil)
    private let store: Store

    init(_ store: Store) { self.store = store }

    func pulse(milliseconds: UInt16) async throws {
        let count = try store.read { try $0.row("SELECT count(*) FROM journal") { $0[0] as Int } } ?? 0
        journalled.change { $0.append(count) }
        await whileMoving.value?()
        if isStuck.value { throw Stuck() }
        pulses.change { $0.append(milliseconds) }
    }
}

/// A paired controller on a real file, with a clock, an uptime and a relay of the test's, and the hub's side of the bus.
final class Bench: Sendable {
    let path: String
    let identity: GateMemory.Identity
    let memory: GateMemory
    let controller: GateController
    let relay: TestRelay
    let wall: Shared<Timestamp>
    let uptime: Shared<UInt64>
    /// The free bytes of its disk, where it has a reserve.
    let free: Shared<Int64>
    /// What the controller has said.
    let said = Shared<[GateFrame]>([])

    private init(
        _ path: String, _ identity: GateMemory.Identity, _ memory: GateMemory, _ wall: Shared<Timestamp>,
        _ uptime: Shared<UInt64>, _ free: Shared<Int64>
    ) async throws {
        (self.path, self.identity, self.memory, self.wall, self.uptime) = (path, identity, memory, wall, uptime)
        self.free = free
        relay = TestRelay(memory.store)
        controller = try await GateController(
            memory: memory, identity: identity, relay: relay, wall: WallClock { wall.value }, uptime: { uptime.value })
    }

    /// Builds it, runs the test and takes it down again, also when the test fails.
    static func run(
        pageLimit: Int? = nil, hasReserve: Bool = false, _ test: (Bench) async throws -> Void
    ) async throws {
        let folder =
            "/tmp/soglia-controller-\(getpid())-\(Random.bytes(8).map { String($0, radix: 16) }.joined(separator: "-"))"
        try Files.makeFolder(folder)
        let path = folder + "/gate.sqlite"
        let identity = GateMemory.Identity(gate: id(), site: id(), key: Key(Random.bytes(32))!, name: "Ingresso")
        let first = try await GateMemory(path: path)
        try await first.setIdentity(identity)
        await first.store.close()
        // On a disk that fills up once it is made.
        let free = Shared<Int64>(1 << 30)
        let reserve =
            hasReserve
            ? Reserve(folder: folder, limit: 64 << 10, read: { _ in FreeSpace(free: free.value, total: 1 << 40) }) : nil
        free.change { $0 = 8 << 10 }
        let memory = try await GateMemory(path: path, pageLimit: pageLimit, reserve: reserve)
        let bench = try await Bench(path, identity, memory, Shared(noon), Shared(1_000_000), free)
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await test(bench)) } catch { outcome = .failure(error) }
        await memory.store.close()
        for name in Files.names(in: folder) { Files.remove(folder + "/" + name) }
        rmdir(folder)
        try outcome.get()
    }

    /// The same gate after its power was cut and came back.
    func restarted(_ test: (Bench) async throws -> Void) async throws {
        await memory.store.close()
        let memory = try await GateMemory(path: path)
        let known = try memory.identity()
        let next = try await Bench(path, known ?? identity, memory, wall, Shared(5000), free)
        try await test(next)
        await memory.store.close()
    }

    // MARK: the hub's side

    /// Connects the bus.
    func connect() async {
        let said = said
        await controller.connected { frame in said.change { $0.append(frame) } }
    }

    var hellos: [GateHello] { said.value.compactMap { if case .hello(let hello) = $0 { hello } else { nil } } }
    var records: [JournalRecord] { said.value.compactMap { if case .record(let record) = $0 { record } else { nil } } }
    var absents: [RecordAbsent] { said.value.compactMap { if case .absent(let absent) = $0 { absent } else { nil } } }
    /// What the file holds.
    var journalCount: Int {
        (try? memory.store.read { try $0.row("SELECT count(*) FROM journal") { $0[0] as Int } }) ?? -1
    }

    /// The hub's own opening under the session of the last hello.
    func opening(
        _ event: ID16 = id(), counter: UInt64 = 1, intent: Intent = .apri, key: Key? = nil, gate: ID16? = nil,
        session: [UInt8]? = nil
    ) throws -> GateFrame {
        let seconds = uptime.value / 1000
        let header = try PassHeader(
            flags: .hub, epoch: 1, passID: event, gateID: gate ?? identity.gate, issued: seconds, notBefore: seconds,
            notAfter: seconds + 3)
        let bus = BusNonceWindow.nonce(session: session ?? hellos.last?.session ?? Random.bytes(8), counter: counter)!
        let message = try Pass(header: header, gateKey: key ?? identity.key).message(
            carrier: .bus, gateNonce: bus, openerNonce: nonce(), intent: intent)
        return .open(nonce: bus, message: message.encoded())
    }

    /// What the gate's clock shows, by its next hello; nil: none that it trusts.
    func time() async -> UInt64? {
        await controller.sayHello()
        return hellos.last.flatMap { $0.clock == .trusted ? $0.status?.utc : nil }
    }

    /// The hub answers the last hello with its time.
    func tellTime(_ time: Timestamp? = nil, key: Key? = nil) async {
        guard let hello = hellos.last else { return }
        await controller.receive(
            .time(TimeAnswer(nonce: hello.timeNonce, utc: (time ?? wall.value).seconds, gateKey: key ?? identity.key)))
    }

    func acknowledge(
        _ sequence: UInt64, ledger: UInt64? = nil, journal: ID16? = nil, key: Key? = nil
    ) async throws {
        await controller.receive(
            .acknowledgement(
                try Acknowledgement(
                    journalID: journal ?? memory.journalID, sequence: sequence,
                    ledgerSequence: ledger ?? 100 + sequence,
                    ledgerHead: [UInt8](repeating: 7, count: 32), gateKey: key ?? identity.key)))
    }

    /// A phone's pass of this gate, good now.
    func pass(
        _ passID: ID16 = id(), epoch: UInt32 = 1, flags: PassFlags = [.narrowable], from: Int64 = 0,
        lasting: UInt64 = 3600
    ) throws -> Pass {
        let start = UInt64(Int64(wall.value.seconds) + from)
        let header = try PassHeader(
            flags: flags, epoch: epoch, passID: passID, gateID: identity.gate, issued: start, notBefore: start,
            notAfter: start + lasting)
        return Pass(header: header, gateKey: identity.key)
    }

    /// Shows a pass in the air, with a fresh nonce of the gate's.
    func show(_ pass: Pass, intent: Intent = .apri, isFresh: Bool = true) async throws -> Receipt {
        let given = nonce()
        let message = try pass.message(carrier: .ble, gateNonce: given, openerNonce: nonce(), intent: intent)
        return await controller.open(message.encoded(), over: .ble, nonce: given, isFresh: isFresh)
    }

    func rights(_ version: UInt64, epoch: UInt32 = 1, denied: [ID16] = [], pulse: UInt16 = 3000, key: Key? = nil)
        async throws
    {
        let rights = try Rights(
            version: version, epoch: epoch, denied: denied.map { Denied(passID: $0, until: .max) },
            settings: GateSettings(pulseMilliseconds: pulse), gateKey: key ?? identity.key)
        await controller.receive(.rights(rights))
    }
}
