import Crypto
import Glibc
import Identity
import Ledger
import Store
import System
import Testing
import Wire
// Exported: every file of these tests sees it.
@_exported import TestSupport

@testable import Accounts
@testable import Gates

let noon = Timestamp(iso8601: "2026-11-21T12:00:00.000Z")!

func nonce() -> Nonce { Nonce(Random.bytes(16))! }

/// A policy that says what the test wants.
final class TestPolicy: GatePolicy {
    let name = "test"
    let verdict = Shared<Verdict>(.granted(until: Timestamp(milliseconds: .max)))

    func decide(_ person: PersonID, _ gate: Gate, at now: Timestamp, in database: Database) throws -> Verdict {
        verdict.value
    }
    func text(of reason: Reason, in language: String, to audience: Audience) -> String? {
        reason.code == "ended" ? "It ended on \(reason.parameter ?? "")." : nil
    }
    func badge(of person: PersonID, at site: SiteID, _ now: Timestamp, in database: Database) throws -> (
        code: String, role: String?
    )? { nil }
}

/// Takes what the hub sends, and hands it to a stand-in of a controller with the gate's real key.
final class TestCarrier: GateCarrier {
    struct Broken: Error {}
    let sent = Shared<[(gate: GateID, frame: GateFrame)]>([])
    /// What a gate does with a frame.
    let answer = Shared<(@Sendable (GateFrame, GateID) -> Void)?>(nil)
    let isBroken = Shared(false)

    func send(_ frame: GateFrame, to gate: GateID, at site: SiteID) throws {
        if isBroken.value { throw Broken() }
        sent.change { $0.append((gate, frame)) }
        answer.value?(frame, gate)
    }

    var openings: [(nonce: Nonce, message: [UInt8])] {
        sent.value.compactMap { if case .open(let nonce, let message) = $0.frame { (nonce, message) } else { nil } }
    }
    var acknowledgements: [Acknowledgement] {
        sent.value.compactMap {
            if case .acknowledgement(let acknowledgement) = $0.frame { acknowledgement } else { nil }
        }
    }
    var rights: [Rights] { sent.value.compactMap { if case .rights(let rights) = $0.frame { rights } else { nil } } }
    var times: [TimeAnswer] { sent.value.compactMap { if case .time(let time) = $0.frame { time } else { nil } } }
    var queries: [ID16] {
        sent.value.compactMap { if case .query(let query) = $0.frame { query.eventID } else { nil } }
    }
}

/// The gate's side, without a controller: its key, its session, its journal.
struct Lock: Sendable {
    let gate: Gate
    let key: Key
    var journal = ID16(Random.bytes(16))!
    let session = Random.bytes(8)
    let timeNonce = nonce()

    func hello(uptime: UInt64 = 50_000, rights: UInt64 = 1, key: Key? = nil) throws -> GateFrame {
        .hello(
            try GateHello(
                session: session, uptime: uptime, bootCount: 1, journalID: journal, lastSequence: 0,
                rightsVersion: rights, clock: .trusted,
                timeNonce: timeNonce, gateKey: key ?? self.key))
    }

    /// The record of an opening's message, as the gate would write it.
    func record(
        of bytes: [UInt8], sequence: UInt64, outcome: Outcome = .opened, reason: GateReason = .none,
        at time: Timestamp = noon, key: Key? = nil,
        carrier: Carrier = .bus, clock: ClockState = .trusted
    ) throws -> GateFrame {
        let message = try PassMessage(decoding: bytes)
        let key = key ?? self.key
        let receipt = message.receipt(
            gateKey: key, outcome: outcome, reason: reason.rawValue, gateTime: time.seconds, clock: clock,
            journalID: journal,
            sequence: sequence, eventID: message.header.passID)
        return .record(JournalRecord(message: message, carrier: carrier, receipt: receipt, gateKey: key))
    }

    /// The record of a pass that was shown in the air.
    func record(of pass: Pass, sequence: UInt64, at time: Timestamp = noon, clock: ClockState = .trusted) throws
        -> GateFrame
    {
        let message = try pass.message(carrier: .ble, gateNonce: nonce(), openerNonce: nonce(), intent: .apri)
        return try record(of: message.encoded(), sequence: sequence, at: time, carrier: .ble, clock: clock)
    }
}

/// Gates on a real file, with a site, a person, a policy and a carrier of the test's.
final class House: Sendable {
    let store: Store
    let ledger: Ledger
    let carrier = TestCarrier()
    let policy = TestPolicy()
    let accounts: Accounts
    let gates: Gates
    let time: Shared<Timestamp>
    /// The hub's uptime in milliseconds, which stands still until the test moves it: nobody waits too long by chance.
    let uptime = Shared<UInt64>(5_000_000)
    let site: Site
    let person: Person

    private init(_ store: Store) {
        let time = Shared(noon)
        (self.store, self.time, ledger) = (store, time, Ledger(store))
        let uptime = uptime
        accounts = Accounts(
            store: store, passwords: Passwords(memory: 64 << 10), clock: WallClock { time.value },
            uptime: { uptime.value })
        gates = Gates(
            accounts: accounts, carrier: carrier, clock: WallClock { time.value }, uptime: { uptime.value })
        gates.register(policy)
        site = Site(id: .new(at: noon), name: "Officina", kind: .company, zone: .utc)
        person = Person(id: .new(at: noon), name: "Ada", email: "ada@example.org", language: nil)
    }

    /// Builds it, runs the test and takes it down again, also when the test fails.
    static func run(_ test: (House) async throws -> Void) async throws {
        let folder =
            "/tmp/soglia-gates-\(getpid())-\(Random.bytes(8).map { String($0, radix: 16) }.joined(separator: "-"))"
        try Files.makeFolder(folder)
        let store = try Store(
            path: folder + "/test.sqlite",
            migrations: Ledger.migrations + AccountRecords.migrations + GateRecords.migrations)
        let house = House(store)
        // Who waits too long is told by this watch, as in a running hub.
        let watching = Task { try await house.gates.watchSilence() }
        let outcome: Result<Void, any Error>
        do {
            let (site, person) = (house.site, house.person)
            try await store.write { database in
                try AccountRecords.add(site, at: noon, by: nil, in: database)
                try AccountRecords.add(person, passwordHash: "", at: noon, in: database)
            }
            try await test(house)
            if let bad = try house.ledger.verify().firstBad {
                throw SystemError("the ledger does not hold: \(bad.why)")
            }
            outcome = .success(())
        } catch { outcome = .failure(error) }
        watching.cancel()
        await store.close()
        for name in Files.names(in: folder) { Files.remove(folder + "/" + name) }
        rmdir(folder)
        try outcome.get()
    }

    /// A gate with its controller's side; `key` nil makes one that was never paired.
    func lock(_ name: String = "Ingresso", isPaired: Bool = true) async throws -> Lock {
        let key = Key(Random.bytes(32))!
        let gate = Gate(
            id: .new(at: noon), site: site.id, name: name, policy: "test", key: isPaired ? key : nil, epoch: 1,
            pulse: 3000, rightsVersion: 1)
        try await store.write { try GateRecords.add(gate, at: noon, by: nil, in: $0) }
        return Lock(gate: gate, key: key)
    }

    /// A paired gate that has said hello.
    func ready(_ name: String = "Ingresso") async throws -> Lock {
        let lock = try await lock(name)
        try await say(try lock.hello(), lock)
        return lock
    }

    /// Lets the hub's uptime go on. The watch over silence waits by the machine's clock, and looks at once instead.
    func pass(_ milliseconds: UInt64) {
        uptime.change { $0 += milliseconds }
        gates.answers.isSooner.ring()
    }

    func say(_ frame: GateFrame, _ lock: Lock, isStale: Bool = false) async throws {
        try await gates.receive(frame, from: lock.gate.id, at: site.id, isStale: isStale)
    }

    /// From now on the gate answers each opening with what the closure makes of it, nil: with nothing.
    func answers(_ lock: Lock, _ make: @escaping @Sendable (_ message: [UInt8], _ count: UInt64) throws -> GateFrame?) {
        let (gates, count, site) = (gates, Shared(UInt64(0)), site.id)
        carrier.answer.change {
            $0 = { frame, gate in
                guard gate == lock.gate.id, case .open(_, let message) = frame else { return }
                let number = count.change { count in
                    count += 1
                    return count
                }
                do {
                    guard let answer = try make(message, number) else { return }
                    Task { try await gates.receive(answer, from: gate, at: site) }
                } catch {
                    Issue.record(error)
                }
            }
        }
    }

    /// The kinds of the site's events that are about openings.
    func openingKinds() throws -> [String] { try openingEvents().map(\.kind) }

    func openingEvents() throws -> [Event] {
        try ledger.events(of: site.id, after: 0, limit: 1000).filter { $0.kind.hasPrefix("opening.") }
    }

    func outcome(_ event: EventID) throws -> OpeningOutcome? {
        try store.read { try GateRecords.opening(event, in: $0)?.outcome }
    }
    func transits() throws -> Int {
        try store.read { try $0.row("SELECT count(*) FROM transits") { $0[0] as Int } } ?? -1
    }
}
