import Accounts
import Gates
import Identity
import Ledger
import Store
import Synchronization
import System
import Wire

/// Gates that answer in this process, each as a real controller would, for measuring the hub without a bus.
final class StubGates: GateCarrier {
    private struct State {
        var keys: [GateID: (key: Key, sequence: UInt64)] = [:]
        var gates: Gates?
    }
    private let state = Mutex(State())
    private let count: Int
    private let journal = ID16(Random.bytes(16))!
    private let session = Random.bytes(8)

    init(count: Int) { self.count = count }

    /// Gives every gate of the database a key, and says hello for it, again and again.
    func start(_ gates: Gates) async throws {
        let all = try gates.store.read { try GateRecords.gates(in: $0) }.prefix(count)
        for gate in all {
            let key = Key(Random.bytes(32))!
            try await gates.store.write {
                _ = try $0.execute("UPDATE gates SET key = ? WHERE id = ?", key.bytes, gate.id)
            }
            state.withLock { $0.keys[gate.id] = (key, 0) }
        }
        state.withLock { $0.gates = gates }
        let hello: @Sendable () async throws -> Void = { [self] in
            for gate in all {
                guard let (key, _) = state.withLock({ $0.keys[gate.id] }) else { continue }
                let frame = try GateHello(
                    session: session, uptime: Uptime.milliseconds, bootCount: 1, journalID: journal, lastSequence: 0,
                    rightsVersion: .max, clock: .trusted, timeNonce: Nonce(Random.bytes(16))!, gateKey: key)
                try await gates.receive(.hello(frame), from: gate.id, at: gate.site)
            }
        }
        try await hello()
        Task {
            while true {
                try await Task.sleep(for: .seconds(4))
                try await hello()
            }
        }
    }

    func send(_ frame: GateFrame, to gate: GateID, at site: SiteID) throws {
        guard case .open(let nonce, let bytes) = frame else { return }
        let message = try PassMessage(decoding: bytes)
        let found = state.withLock { state -> (Key, UInt64, Gates)? in
            guard let entry = state.keys[gate], let gates = state.gates else { return nil }
            state.keys[gate] = (entry.key, entry.sequence + 1)
            return (entry.key, entry.sequence + 1, gates)
        }
        guard let (key, sequence, gates) = found, message.verifies(gateKey: key, carrier: .bus, gateNonce: nonce) else {
            return
        }
        let receipt = message.receipt(
            gateKey: key, outcome: .opened, reason: 0, gateTime: WallClock.system.now.seconds, clock: .trusted,
            journalID: journal,
            sequence: sequence, eventID: message.header.passID)
        let record = JournalRecord(message: message, carrier: .bus, receipt: receipt, gateKey: key)
        Task { try await gates.receive(.record(record), from: gate, at: site) }
    }
}
