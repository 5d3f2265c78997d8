import Accounts
import Bus
import Crypto
import Ledger
import Store
import System
import Wire

/// The hub's side of pairing, over the bus: hands out codes, agrees on a gate's key, and gives its controller a way onto the bus.
///
/// The code makes two things: a way onto the bus for this one exchange (name and password, by HKDF), and, together with X25519, the
/// gate's key. A stranger on the bus without the code gets neither.
public actor PairingDesk {
    /// A code lasts so long, in milliseconds: ten minutes.
    static let lifetime: Int64 = 600_000
    /// Exchanges that may fail before a code is spent.
    static let tries = 5

    private let gates: Gates
    private let bus: BusClient
    private let control: BrokerControl
    private let identity: [UInt8]
    /// Keys that a controller has not confirmed yet, by the name of the exchange.
    private var offered: [String: (key: Key, transcript: Transcript)] = [:]

    private struct Transcript {
        let gateKey: [UInt8]
        let hubKey: [UInt8]
        let gate: GateID
    }

    /// - Parameters:
    ///   - identity: 32 bytes that are this hub: the hash of its static public key on loopback.
    public init(gates: Gates, bus: BusClient, control: BrokerControl, identity: [UInt8]) {
        (self.gates, self.bus, self.control, self.identity) = (gates, bus, control, identity)
    }

    /// Makes a code for a gate and opens the way for whoever brings it.
    public func begin(_ gate: GateID) async throws -> (code: PairingCode, expires: Timestamp) {
        let (code, expires) = try await Self.prepare(gate, gates.store, gates.clock)
        try await openWay(BusNames.PairingWay(code))
        return (code, expires)
    }

    /// Writes a code down; the way onto the bus is opened by `begin`, or by `restore` when the hub starts.
    public static func prepare(
        _ gate: GateID, _ store: Store, _ clock: WallClock
    ) async throws -> (code: PairingCode, expires: Timestamp) {
        let code = PairingCode(Random.bytes(16))!
        let expires = clock.now.adding(milliseconds: lifetime)
        let names = BusNames.PairingWay(code)
        try await store.write { database in
            try GateRecords.setPairing(
                .init(gate: gate, code: code.bytes, username: names.username, expires: expires, tries: 0), in: database)
        }
        return (code, expires)
    }

    private func openWay(_ names: BusNames.PairingWay) async throws {
        try await control.addClient(
            username: names.username, password: names.password, publish: [names.up], subscribe: [names.down])
    }

    /// Brings the broker's list in line with ours: every paired gate and every open code has a way onto the bus.
    public func restore() async throws {
        let now = gates.clock.now
        let known = Set(try await control.clients())
        let (paired, pending) = try gates.store.read { database in
            (try GateRecords.gates(in: database), try GateRecords.pairings(in: database))
        }
        for gate in paired where gate.key != nil && !known.contains(BusNames.username(gate: gate.id.raw)) {
            try await addGate(gate, gate.key!)
        }
        var open: Set<String> = []
        for pairing in pending where pairing.expires > now {
            let names = BusNames.PairingWay(PairingCode(pairing.code)!)
            open.insert(names.username)
            if !known.contains(names.username) { try await openWay(names) }
        }
        for username in known where username.hasPrefix(BusNames.pairingPrefix) && !open.contains(username) {
            try await control.removeClient(username: username)
        }
    }

    private func addGate(_ gate: Gate, _ key: Key) async throws {
        try await control.addClient(
            username: BusNames.username(gate: gate.id.raw), password: BusNames.password(key: key),
            publish: [
                BusNames.hello(site: gate.site.raw, gate: gate.id.raw),
                BusNames.up(site: gate.site.raw, gate: gate.id.raw),
            ],
            subscribe: [BusNames.down(site: gate.site.raw, gate: gate.id.raw)])
    }

    /// Takes a frame from whoever came in by a code's way.
    func receive(_ bytes: [UInt8], from username: String) async throws {
        let now = gates.clock.now
        guard let pending = try gates.store.read({ try GateRecords.pairing(username: username, in: $0) }) else {
            return
        }
        if pending.expires <= now || pending.tries >= Self.tries { return try await close(username) }
        guard let frame = try? PairingFrame(decoding: bytes) else { return }
        switch frame {
        case .gateKey(let publicKey): try await answer(publicKey, pending)
        case .gateConfirmation(let tag): try await finish(tag, pending)
        case .hubKey, .sealed: return
        }
    }

    private func answer(_ publicKey: [UInt8], _ pending: GateRecords.PendingPairing) async throws {
        try await gates.store.write { try GateRecords.countTry(pending.username, in: $0) }
        let own = KeyAgreement()
        guard let shared = own.shared(with: publicKey) else { return }
        let key = Pairing.gateKey(
            shared: shared, code: pending.code, hubIdentity: identity, gatePublicKey: publicKey,
            hubPublicKey: own.publicKey,
            gateID: pending.gate.raw)
        offered[pending.username] = (key, Transcript(gateKey: publicKey, hubKey: own.publicKey, gate: pending.gate))
        let confirmation = Pairing.hubConfirmation(
            gateKey: key, hubIdentity: identity, gatePublicKey: publicKey, hubPublicKey: own.publicKey,
            gateID: pending.gate.raw)
        try send(
            .hubKey(
                gateID: pending.gate.raw, hubIdentity: identity, publicKey: own.publicKey, confirmation: confirmation),
            to: pending)
    }

    private func finish(_ tag: Tag, _ pending: GateRecords.PendingPairing) async throws {
        guard let (key, transcript) = offered.removeValue(forKey: pending.username) else { return }
        let expected = Pairing.gateConfirmation(
            gateKey: key, hubIdentity: identity, gatePublicKey: transcript.gateKey, hubPublicKey: transcript.hubKey,
            gateID: transcript.gate.raw)
        guard tag.matches(expected) else { return }
        let now = gates.clock.now
        let paired = try await gates.change { database -> Gate? in
            guard let gate = try GateRecords.gate(pending.gate, in: database) else { return nil }
            try GateRecords.setKey(key, of: gate, at: now, in: database)
            try GateRecords.removePairing(pending.username, in: database)
            return gate
        }
        guard let paired else { return }
        try await addGate(paired, key)
        // The controller learns where it stands; its password on the bus both sides make out of the key.
        try send(
            .sealed(Seal.close(paired.site.raw.bytes + Array(paired.name.utf8), key: BusNames.sealKey(key))),
            to: pending)
        Log.info("gates", "a controller was paired", ["gate": paired.id.text])
        gates.announce(paired.id, .notReachable)
        // It has ten seconds to hear the answer; then its way onto the bus ends.
        Task {
            try await Task.sleep(for: .seconds(10))
            try await control.removeClient(username: pending.username)
        }
    }

    private func close(_ username: String) async throws {
        offered[username] = nil
        try await gates.store.write { try GateRecords.removePairing(username, in: $0) }
        try await control.removeClient(username: username)
    }

    private func send(_ frame: PairingFrame, to pending: GateRecords.PendingPairing) throws {
        guard let code = PairingCode(pending.code) else { return }
        try bus.publish(BusNames.PairingWay(code).down, try frame.encoded(), quality: .atLeastOnce)
    }
}
