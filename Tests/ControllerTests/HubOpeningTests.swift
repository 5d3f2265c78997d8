import Controller
import System
import Testing
import Wire

@Suite("An opening of the hub")
struct HubOpeningTests {
    @Test("It is in the journal's file before the relay moves, and then the hub is told, with proof")
    func journalFirst() async throws {
        try await Bench.run { bench in
            await bench.connect()
            let event = id()
            await bench.controller.receive(try bench.opening(event))
            #expect(bench.relay.journalled.value == [1])
            #expect(bench.relay.pulses.value == [3000])
            let record = try #require(bench.records.first)
            #expect(bench.records.count == 1)
            #expect(record.verifies(gateKey: bench.identity.key, gateID: bench.identity.gate))
            #expect((record.eventID, record.passID, record.sequence) == (event, event, 1))
            #expect((record.outcome, record.gateReason, record.carrier) == (.opened, GateReason.none, .bus))
            #expect(
                (record.journalID, record.clock, record.gateTime) == (bench.memory.journalID, .untrusted, noon.seconds))
        }
    }

    @Test("Asked to close, a gate that cannot is not opened: it refuses with a reason of its own, and writes that down")
    func close() async throws {
        try await Bench.run { bench in
            await bench.connect()
            await bench.tellTime()
            await bench.controller.receive(try bench.opening(intent: .chiudi))
            #expect(bench.relay.pulses.value.isEmpty)
            let record = try #require(bench.records.last)
            #expect((record.outcome, record.gateReason, record.intent) == (.refused, .otherIntent, .chiudi))
            let receipt = try await bench.show(try bench.pass(), intent: .chiudi)
            #expect((receipt.outcome, receipt.gateReason) == (.refused, .otherIntent))
            // What is wrong with the pass comes first, and a gate that cannot journal does not open either.
            let expired = try await bench.show(try bench.pass(from: -10, lasting: 10), intent: .chiudi)
            #expect(expired.gateReason == .expired)
            #expect(bench.relay.pulses.value.isEmpty)
            #expect(bench.journalCount == 3)
        }
    }

    @Test("The same message again moves nothing and is not written down")
    func replayed() async throws {
        try await Bench.run { bench in
            await bench.connect()
            let frame = try bench.opening()
            for _ in 0..<5 { await bench.controller.receive(frame) }
            #expect(bench.relay.pulses.value.count == 1)
            #expect(bench.journalCount == 1)
            #expect(bench.records.count == 1)
            #expect(await bench.controller.refusedUnverified == 4)
        }
    }

    @Test("Several that overtook one another open once each")
    func overtaking() async throws {
        try await Bench.run { bench in
            await bench.connect()
            let frames = try (UInt64(1)...10).map { try bench.opening(counter: $0) }
            for frame in (frames + frames).shuffled() { await bench.controller.receive(frame) }
            #expect(bench.relay.pulses.value.count == 10)
            #expect(bench.records.map(\.sequence) == Array(1...10))
        }
    }

    @Test("At the same moment as others, each is written under a sequence of its own")
    func concurrent() async throws {
        try await Bench.run { bench in
            await bench.connect()
            let frames = try (UInt64(1)...30).map { try bench.opening(counter: $0) }
            await withTaskGroup(of: Void.self) { group in
                for frame in frames + frames { group.addTask { await bench.controller.receive(frame) } }
            }
            #expect(bench.relay.pulses.value.count == 30)
            #expect(Set(bench.records.map(\.sequence)) == Set(1...30))
        }
    }

    @Test("A hub that starts again and counts from one is heard after the next hello; what was sent before stays used")
    func hubStartsAgain() async throws {
        try await Bench.run { bench in
            await bench.connect()
            let first = try bench.opening(counter: 1)
            await bench.controller.receive(first)
            await bench.controller.sayHello()
            // On its way while the hello was: under the session before, by a number that was not used.
            let onItsWay = try bench.opening(counter: 2, session: bench.hellos[bench.hellos.count - 2].session)
            await bench.controller.receive(onItsWay)
            await bench.controller.receive(try bench.opening(counter: 1))
            #expect(bench.relay.pulses.value.count == 3)
            for frame in [first, onItsWay] { await bench.controller.receive(frame) }
            await bench.controller.sayHello()
            for frame in [first, onItsWay] { await bench.controller.receive(frame) }
            #expect(bench.relay.pulses.value.count == 3)
        }
    }

    @Test("A message of another session is refused, also one of our own before the bus went and came back")
    func session() async throws {
        try await Bench.run { bench in
            await bench.connect()
            await bench.controller.receive(try bench.opening(session: [1, 2, 3, 4, 5, 6, 7, 8]))
            let kept = try bench.opening()
            await bench.controller.disconnected()
            await bench.connect()
            #expect(Set(bench.hellos.map(\.session)).count == 2)
            await bench.controller.receive(kept)
            #expect(bench.relay.pulses.value.isEmpty)
            #expect(bench.journalCount == 0)
            await bench.controller.receive(try bench.opening())
            #expect(bench.relay.pulses.value.count == 1)
        }
    }

    @Test("It is good for three seconds of the gate's uptime, and what came too late is written down as expired")
    func expired() async throws {
        try await Bench.run { bench in
            await bench.connect()
            let (inTime, late, early) = (
                try bench.opening(counter: 1), try bench.opening(counter: 2), try bench.opening(counter: 3)
            )
            bench.uptime.change { $0 += 2999 }
            await bench.controller.receive(inTime)
            bench.uptime.change { $0 += 1 }
            await bench.controller.receive(late)
            bench.uptime.change { $0 -= 4000 }
            await bench.controller.receive(early)
            #expect(bench.records.map(\.gateReason) == [GateReason.none, .expired, .notYet])
            #expect(bench.records.map(\.outcome) == [.opened, .refused, .refused])
            #expect(bench.relay.pulses.value.count == 1)
        }
    }

    @Test("What no key of ours made is counted, not written down, moves nothing and says nothing")
    func unverified() async throws {
        try await Bench.run { bench in
            await bench.connect()
            await bench.controller.receive(try bench.opening(key: Key([UInt8](repeating: 1, count: 32))))
            await bench.controller.receive(try bench.opening(gate: id()))
            guard case .open(let bus, let good) = try bench.opening() else { return }
            for index in good.indices {
                var changed = good
                changed[index] ^= 0x10
                await bench.controller.receive(.open(nonce: bus, message: changed))
            }
            for count in 0..<good.count {
                await bench.controller.receive(.open(nonce: bus, message: Array(good[..<count])))
            }
            await bench.controller.receive(.open(nonce: nonce(), message: good))
            #expect(bench.relay.pulses.value.isEmpty)
            #expect(bench.journalCount == 0)
            #expect(bench.records.isEmpty)
            #expect(await bench.controller.refusedUnverified == 3 + 2 * good.count)
            // None of them has used the nonce up.
            await bench.controller.receive(.open(nonce: bus, message: good))
            #expect(bench.relay.pulses.value.count == 1)
        }
    }

    @Test("Under a hub's header nothing opens over the air")
    func hubOnly() async throws {
        try await Bench.run { bench in
            await bench.connect()
            await bench.tellTime()
            let receipt = try await bench.show(try bench.pass(flags: .hub))
            #expect(receipt.gateReason == .hubOnly)
            #expect(bench.relay.pulses.value.isEmpty)
        }
    }

    @Test("When the relay does not move, record and file say so")
    func relayFailed() async throws {
        try await Bench.run { bench in
            await bench.connect()
            bench.relay.isStuck.change { $0 = true }
            let event = id()
            await bench.controller.receive(try bench.opening(event))
            #expect(bench.relay.journalled.value == [1])
            let record = try #require(bench.records.first)
            #expect((record.outcome, record.gateReason) == (.refused, .relayFailed))
            #expect(record.verifies(gateKey: bench.identity.key, gateID: bench.identity.gate))
            await bench.controller.receive(.query(RecordQuery(eventID: event)))
            #expect(bench.records.map(\.gateReason) == [.relayFailed, .relayFailed])
            #expect(bench.journalCount == 1)
        }
    }

    @Test("Frames that only a gate sends do nothing")
    func wrongWay() async throws {
        try await Bench.run { bench in
            await bench.connect()
            let before = bench.said.value.count
            await bench.controller.receive(.hello(try #require(bench.hellos.first)))
            await bench.controller.receive(.absent(RecordAbsent(eventID: id(), gateKey: bench.identity.key)))
            #expect(bench.said.value.count == before)
        }
    }
}
