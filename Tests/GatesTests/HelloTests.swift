import Ledger
import Store
import System
import Testing
import Wire

@testable import Gates

@Suite("A gate's hello")
struct HelloTests {
    @Test("A hello makes a gate reachable and is answered with the time under its key; whoever watches hears once")
    func fresh() async throws {
        try await House.run { house in
            let lock = try await house.lock()
            let heard = Shared<[Reachability]>([])
            house.gates.whenStateChanges { _, state in heard.change { $0.append(state) } }
            for _ in 0..<3 { try await house.say(try lock.hello(), lock) }
            #expect(house.gates.state(of: lock.gate) == .ready)
            #expect(house.carrier.times.count == 3)
            let answer = try #require(house.carrier.times.first)
            #expect(answer.verifies(gateKey: lock.key, nonce: lock.timeNonce))
            #expect(answer.utc == noon.seconds)
            house.gates.lost(lock.gate.id)
            house.gates.lost(lock.gate.id)
            #expect(heard.value == [.ready, .notReachable])
            #expect(house.gates.state(of: lock.gate) == .notReachable)
        }
    }

    @Test("A hello that the broker had kept does not make a gate reachable, but is answered, so that a fresh one comes")
    func stale() async throws {
        try await House.run { house in
            let lock = try await house.lock()
            try await house.say(try lock.hello(), lock, isStale: true)
            #expect(house.gates.state(of: lock.gate) == .notReachable)
            #expect(house.carrier.times.count == 1)
            let result = try await house.gates.open(lock.gate.id, by: house.person.id, intent: .apri)
            #expect(result.reason == Reason("notReachable"))
        }
    }

    @Test("A hello under another key is dropped without an answer")
    func forged() async throws {
        try await House.run { house in
            let lock = try await house.lock()
            try await house.say(try lock.hello(key: Key([UInt8](repeating: 1, count: 32))), lock)
            #expect(house.gates.state(of: lock.gate) == .notReachable)
            #expect(house.carrier.sent.value.isEmpty)
        }
    }

    @Test("A gate with older rights gets the new ones, signed; one that has them gets none")
    func rights() async throws {
        try await House.run { house in
            let lock = try await house.lock()
            try await house.say(try lock.hello(rights: 0), lock)
            let rights = try #require(house.carrier.rights.first)
            #expect(rights.verifies(gateKey: lock.key))
            #expect(
                (rights.version, rights.epoch, rights.denied.isEmpty, rights.settings.pulseMilliseconds) == (
                    1, 1, true, 3000
                ))
            try await house.say(try lock.hello(rights: 1), lock)
            #expect(house.carrier.rights.count == 1)
        }
    }

    @Test("The first journal is taken as it is; another one later raises an alarm in the ledger, once")
    func journal() async throws {
        try await House.run { house in
            var lock = try await house.ready()
            func alarms() throws -> Int {
                try house.ledger.events(of: house.site.id, after: 0, limit: 100).filter {
                    $0.kind == "gate.journal.replaced"
                }.count
            }
            house.gates.lost(lock.gate.id)
            try await house.say(try lock.hello(), lock)
            #expect(try alarms() == 0)
            let old = lock
            lock.journal = ID16(Random.bytes(16))!
            for next in [lock, lock, old, lock] {
                house.gates.lost(lock.gate.id)
                try await house.say(try next.hello(), next)
            }
            #expect(try alarms() == 1)
        }
    }

    @Test("A journal replaced so quickly that nobody noticed the gate was away raises the alarm too")
    func journalQuickly() async throws {
        try await House.run { house in
            var lock = try await house.ready()
            lock.journal = ID16(Random.bytes(16))!
            try await house.say(try lock.hello(uptime: 100), lock)
            let kinds = try house.ledger.events(of: house.site.id, after: 0, limit: 100).map(\.kind)
            #expect(kinds.contains("gate.journal.replaced"))
        }
    }

    @Test("Frames that only a hub sends are dropped")
    func wrongWay() async throws {
        try await House.run { house in
            let lock = try await house.ready()
            let count = house.carrier.sent.value.count
            try await house.say(.query(RecordQuery(eventID: .zero)), lock)
            try await house.say(.time(TimeAnswer(nonce: nonce(), utc: 1, gateKey: lock.key)), lock)
            try await house.say(.open(nonce: nonce(), message: [1, 2, 3]), lock)
            #expect(house.carrier.sent.value.count == count)
        }
    }

    @Test("A session's nonces are counted up; a new session begins anew; a gate unheard for ten seconds has none")
    func nonces() throws {
        let live = LiveGates()
        let gate = GateID.new(at: noon)
        func hello(_ session: [UInt8], uptime: UInt64) throws -> GateHello {
            try GateHello(
                session: session, uptime: uptime, bootCount: 1, journalID: .zero, lastSequence: 0, rightsVersion: 1,
                clock: .trusted,
                timeNonce: .zero, gateKey: Key([UInt8](repeating: 1, count: 32))!)
        }
        let (first, second) = ([UInt8](repeating: 1, count: 8), [UInt8](repeating: 2, count: 8))
        #expect(live.nextNonce(for: gate, now: 0) == nil)
        #expect(live.heard(gate, try hello(first, uptime: 5000), now: 100_000))
        #expect(live.nextNonce(for: gate, now: 100_000)?.nonce == BusNonceWindow.nonce(session: first, counter: 1))
        #expect(live.nextNonce(for: gate, now: 102_500)?.uptimeSeconds == 7)
        let boastful = LiveGates()
        #expect(boastful.heard(gate, try hello(first, uptime: .max), now: 100_000))
        #expect(boastful.nextNonce(for: gate, now: 102_500) != nil, "the hub goes on")
        #expect(try !live.heard(gate, hello(first, uptime: 9000), now: 104_000))
        #expect(live.nextNonce(for: gate, now: 104_000)?.nonce == BusNonceWindow.nonce(session: first, counter: 3))
        #expect(try !live.heard(gate, hello(second, uptime: 10), now: 105_000))
        #expect(live.nextNonce(for: gate, now: 105_000)?.nonce == BusNonceWindow.nonce(session: second, counter: 1))
        #expect(live.isReachable(gate, now: 115_000))
        #expect(!live.isReachable(gate, now: 115_001))
        #expect(live.nextNonce(for: gate, now: 115_001) == nil)
        #expect(live.nextSilence(now: 106_000) == 115_001)
        #expect(live.sweep(now: 115_000).isEmpty)
        #expect(live.sweep(now: 115_001) == [gate])
        #expect(live.sweep(now: 115_001).isEmpty)
        #expect(live.nextSilence(now: 115_001) == 125_002, "one that came now would be silent then")
    }
}
