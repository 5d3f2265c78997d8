import Bus
import Crypto
import HTTPServer
import Identity
import Ledger
import Store
import Synchronization
import System
import Wire

/// The hub's side of pairing, over the bus: hands out codes, agrees on keys, and gives controllers a way onto the bus.
///
/// The code makes two things: a way onto the bus for this one exchange (name and password, by HKDF), and, together with X25519, the
/// key. A stranger on the bus without the code gets neither.
public actor PairingDesk {
    /// A code lasts so long, in milliseconds: ten minutes.
    static let lifetime: Int64 = 600_000
    /// Exchanges that may fail before a code is spent.
    static let tries = 5

    /// Where controllers reach the broker.
    public nonisolated let address: BusAddress

    private let store: Store
    private let clock: WallClock
    private let bus: BusClient
    private let control: BrokerControl
    private let identity: [UInt8]
    private nonisolated let pairables = Mutex<[String: any Pairable]>([:])
    /// Keys that a controller has not confirmed yet, by the name of the exchange.
    private var offered: [String: (key: Key, transcript: Transcript)] = [:]

    private struct Transcript {
        let controllerKey: [UInt8]
        let hubKey: [UInt8]
        let subject: ID16
    }

    /// - Parameters:
    ///   - address: where controllers reach the broker.
    ///   - identity: 32 bytes that are this hub: the hash of its static public key on loopback.
    public init(gates: Gates, bus: BusClient, control: BrokerControl, address: BusAddress, identity: [UInt8]) {
        (store, clock) = (gates.store, gates.clock)
        (self.bus, self.control, self.address, self.identity) = (bus, control, address, identity)
        use(PairedGates(gates: gates))
    }

    /// Says what else codes pair; before anything runs.
    public nonisolated func use(_ pairable: any Pairable) {
        pairables.withLock { pairables in
            precondition(pairables[pairable.kind] == nil, "two pair \(pairable.kind)")
            pairables[pairable.kind] = pairable
        }
    }

    /// Makes a code for a gate and opens the way for whoever brings it.
    /// - Parameter maker: who makes it; it is worth what they may when it is brought.
    public func begin(
        _ gate: GateID, by maker: PersonID?
    ) async throws -> (code: PairingCode, expires: Timestamp) {
        try await begin(PairedGates.kind, gate.raw, by: maker)
    }

    /// The same for a thing of another kind.
    public func begin(
        _ kind: String, _ subject: ID16, by maker: PersonID?
    ) async throws -> (code: PairingCode, expires: Timestamp) {
        let (code, expires, over) = try await Self.prepareInPlace(kind, subject, by: maker, store, clock)
        try await asking { try await openWay(BusNames.PairingWay(code)) }
        for username in over { offered[username] = nil }
        // The code is made: that the broker keeps a name for a while spoils it for nobody.
        Task { for username in over { await forget(username) } }
        return (code, expires)
    }

    /// Writes a code for a gate down; the way onto the bus is opened by `begin`, or by `restore` when the hub starts.
    public static func prepare(
        _ gate: GateID, _ store: Store, _ clock: WallClock
    ) async throws -> (code: PairingCode, expires: Timestamp) {
        try await prepare(PairedGates.kind, gate.raw, by: nil, store, clock)
    }

    /// The same for a thing of another kind.
    public static func prepare(
        _ kind: String, _ subject: ID16, by maker: PersonID?, _ store: Store, _ clock: WallClock
    ) async throws -> (code: PairingCode, expires: Timestamp) {
        let (code, expires, _) = try await prepareInPlace(kind, subject, by: maker, store, clock)
        return (code, expires)
    }

    /// - Returns: also the names on the bus of the code before it, and of codes that nobody brought in time: they are over.
    private static func prepareInPlace(
        _ kind: String, _ subject: ID16, by maker: PersonID?, _ store: Store, _ clock: WallClock
    ) async throws -> (code: PairingCode, expires: Timestamp, over: [String]) {
        let code = PairingCode(Random.bytes(16))!
        let (now, sweeps) = (clock.now, clock.mayRemoveByAge)
        let expires = now.adding(milliseconds: lifetime)
        let names = BusNames.PairingWay(code)
        let over = try await store.write { database in
            let over = try PairingRecords.removeOver(kind, subject, now: now, sweeps: sweeps, in: database)
            try PairingRecords.set(
                .init(
                    kind: kind, subject: subject, code: code.bytes, username: names.username, expires: expires,
                    tries: 0, maker: maker), in: database)
            return over
        }
        return (code, expires, over)
    }

    /// Has the broker do what somebody asks for.
    /// - Throws: `Problem`: 503 when it does not.
    private func asking(_ body: () async throws -> Void) async throws {
        do { try await body() } catch let error as BrokerError {
            Log.warning("gates", "the broker did not do what was asked", ["why": "\(error)"])
            throw Problem.busAway
        }
    }

    private func openWay(_ names: BusNames.PairingWay) async throws {
        try await control.addClient(
            username: names.username, password: names.password, publish: [names.up], subscribe: [names.down])
    }

    /// Brings the broker's list in line with ours: everything that has a key has a way onto the bus, by that key and no other, and so has every open
    /// code; nothing else of ours has. Whatever was cut off between the table and the broker is made good by it.
    public func restore() async throws {
        let (now, sweeps) = (clock.now, clock.mayRemoveByAge)
        let pairables = pairables.withLock { Array($0.values) }
        let listed = try await control.clients()
        var marks = listed
        while true {
            let ways = Dictionary(
                try pairables.flatMap { try $0.ways() }.map { ($0.way.username, $0) },
                uniquingKeysWith: { first, _ in first })
            let over = marks.keys.filter { name in
                ways[name] == nil && pairables.contains { name.hasPrefix($0.usernamePrefix) }
            }
            let missing = ways.filter { marks[$0] != Self.mark($1.way, $1.key) }
            // Who was renewed or taken out of use while others were let in would come in as before: until nothing is.
            if over.isEmpty, missing.isEmpty { break }
            for username in over {
                try await control.removeClient(username: username)
                marks[username] = nil
            }
            for (username, one) in missing {
                try await admit(one.way, one.key)
                marks[username] = Self.mark(one.way, one.key)
            }
        }
        var open: Set<String> = []
        for pending in try store.read({ try PairingRecords.all(in: $0) }) {
            // As long as a code may not be removed by its age, its name is not taken off the bus by it either.
            let isOpen = pending.expires > now
            guard isOpen || !sweeps, let code = PairingCode(pending.code) else { continue }
            let names = BusNames.PairingWay(code)
            open.insert(names.username)
            if isOpen, listed[names.username] == nil { try await openWay(names) }
        }
        for username in listed.keys where username.hasPrefix(BusNames.pairingPrefix) && !open.contains(username) {
            try await control.removeClient(username: username)
        }
    }

    /// Gives whoever has a key its way onto the bus; who was there under that name is cut off, to come back.
    public func admit(_ way: BusWay, _ key: Key) async throws {
        try await control.addClient(
            username: way.username, password: BusNames.password(key: key), publish: way.publish,
            subscribe: way.subscribe, mark: Self.mark(way, key))
    }

    /// By what the broker's list shows with which key, and with which rights, somebody was let in: 64 hexadecimal digits, which say nothing of the key.
    private static func mark(_ way: BusWay, _ key: Key) -> String {
        let rights = way.publish.map { "publish " + $0 } + way.subscribe.map { "subscribe " + $0 }
        let name = Array((["soglia way"] + rights).joined(separator: "\n").utf8)
        return Hex.text(HKDF.sha256(salt: [], ikm: key.bytes, info: name, count: 32))
    }

    /// Takes somebody's way onto the bus away, and cuts them off at once.
    /// - Throws: `Problem`: 503 when the broker does not answer.
    public func shutOut(_ username: String) async throws { try await asking { try await remove(username) } }

    private func remove(_ username: String) async throws {
        do { try await control.removeClient(username: username) } catch {
            // The broker may do it yet, once it answers again: then whoever is still in use comes back in.
            Task { [weak self] in
                for pause in [5, 15, 60, 300] {
                    try await Task.sleep(for: .seconds(pause))
                    guard let self else { return }
                    do { return try await restore() } catch {
                        Log.warning("gates", "the broker's list could not be looked at yet", ["why": "\(error)"])
                    }
                }
            }
            throw error
        }
    }

    /// Takes a frame from whoever came in by a code's way.
    func receive(_ bytes: [UInt8], from username: String) async throws {
        let (now, sweeps) = (clock.now, clock.mayRemoveByAge)
        guard let pending = try store.read({ try PairingRecords.pending(username: username, in: $0) }) else { return }
        let isOver = pending.expires <= now
        if pending.tries >= Self.tries || isOver && sweeps { return try await close(username) }
        // Not answered, and not removed by an age that may be wrong.
        if isOver { return }
        guard let frame = try? PairingFrame(decoding: bytes) else { return }
        switch frame {
        case .gateKey(let publicKey): try await answer(publicKey, pending)
        case .gateConfirmation(let tag): try await finish(tag, pending)
        case .hubKey, .sealed: return
        }
    }

    private func answer(_ publicKey: [UInt8], _ pending: PairingRecords.Pending) async throws {
        try await store.write { try PairingRecords.countTry(pending.username, in: $0) }
        let own = KeyAgreement()
        guard let shared = own.shared(with: publicKey) else { return }
        let key = Pairing.gateKey(
            shared: shared, code: pending.code, hubIdentity: identity, gatePublicKey: publicKey,
            hubPublicKey: own.publicKey, gateID: pending.subject)
        offered[pending.username] = (
            key, Transcript(controllerKey: publicKey, hubKey: own.publicKey, subject: pending.subject)
        )
        let confirmation = Pairing.hubConfirmation(
            gateKey: key, hubIdentity: identity, gatePublicKey: publicKey, hubPublicKey: own.publicKey,
            gateID: pending.subject)
        try send(
            .hubKey(
                gateID: pending.subject, hubIdentity: identity, publicKey: own.publicKey, confirmation: confirmation),
            to: pending)
    }

    private func finish(_ tag: Tag, _ pending: PairingRecords.Pending) async throws {
        guard let (key, transcript) = offered.removeValue(forKey: pending.username) else { return }
        let expected = Pairing.gateConfirmation(
            gateKey: key, hubIdentity: identity, gatePublicKey: transcript.controllerKey,
            hubPublicKey: transcript.hubKey, gateID: transcript.subject)
        guard tag.matches(expected), let pairable = pairables.withLock({ $0[pending.kind] }) else { return }
        // Used up before it has made anything: a code works once, whatever happens in between. One in whose place another was made is over.
        guard try await store.write({ try PairingRecords.remove(pending.username, in: $0) }) else { return }
        guard let way = try await pairable.accept(key, for: pending.subject, by: pending.maker, at: clock.now) else {
            Log.warning(
                "gates", "a code was brought for what is out of use, or whose maker may make none any more",
                [pending.kind: pending.subject.hex])
            return try await close(pending.username)
        }
        try await admit(way, key)
        // It may have been taken out of use, or paired anew, since that was written.
        if try !pairable.ways().contains(where: { $0.way.username == way.username && $0.key.bytes == key.bytes }) {
            try await restore()
            return try await close(pending.username)
        }
        // The controller learns where it stands; its password on the bus both sides make out of the key.
        try send(
            .sealed(Seal.close(way.site.bytes + Array(way.name.utf8), key: BusNames.sealKey(key))), to: pending)
        Log.info("gates", "a controller was paired", [pending.kind: pending.subject.hex])
        pairable.cameIn(pending.subject)
        // It has ten seconds to hear the answer; then its way onto the bus ends.
        Task {
            try await Task.sleep(for: .seconds(10))
            await forget(pending.username)
        }
    }

    /// Takes the name of an exchange off the bus. At the next start it is looked for again.
    private func forget(_ username: String) async {
        do { try await control.removeClient(username: username) } catch {
            Log.warning("gates", "the broker keeps the name of a code that is over", ["why": "\(error)"])
        }
    }

    private func close(_ username: String) async throws {
        offered[username] = nil
        _ = try await store.write { try PairingRecords.remove(username, in: $0) }
        try await control.removeClient(username: username)
    }

    private func send(_ frame: PairingFrame, to pending: PairingRecords.Pending) throws {
        guard let code = PairingCode(pending.code) else { return }
        try bus.publish(BusNames.PairingWay(code).down, try frame.encoded(), quality: .atLeastOnce)
    }
}

extension Problem {
    /// The broker did not do in time what somebody asked for.
    public static let busAway = Problem.unavailable(
        "The bus does not answer at this moment.", type: "bus-away", retryAfter: 10)
}
