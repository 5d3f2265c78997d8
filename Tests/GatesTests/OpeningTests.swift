import Identity
import Ledger
import Store
import System
import Testing
import Wire

@testable import Gates

@Suite("An opening")
struct OpeningTests {

    @Test("Granted is written before the message leaves; the gate's record makes it opened; the ids hang together")
    func opens() async throws {
        try await House.run { house in
            let lock = try await house.ready()
            let grantedFirst = Shared(false)
            house.answers(lock) { message, count in
                let kinds = try house.openingKinds()
                grantedFirst.change { $0 = kinds == ["opening.granted"] }
                return try lock.record(of: message, sequence: count)
            }
            let result = try await house.gates.open(lock.gate.id, by: house.person.id, intent: .apri)
            #expect(grantedFirst.value)
            #expect(result.isGranted)
            #expect(result.outcome == .opened)
            #expect(result.reason == nil)
            let events = try house.openingEvents()
            #expect(events.map(\.kind) == ["opening.granted", "opening.opened"])
            #expect(events[0].id == result.eventID)
            #expect(events.allSatisfy { $0.person == house.person.id })
            let payload = String(decoding: events[1].payload ?? [], as: UTF8.self)
            #expect(payload.contains("\"opening\":\"\(result.eventID.text)\""))
            #expect(payload.contains("\"gate\":\"\(lock.gate.id.text)\""))
            #expect(payload.contains("\"how\":\"hub\""))
            #expect(try house.outcome(result.eventID) == .opened)
            #expect(house.carrier.openings.count == 1)
        }
    }

    @Test("The one message that leaves opens that gate, under a hub's header of three seconds of the gate's uptime")
    func message() async throws {
        try await House.run { house in
            let lock = try await house.ready()
            house.answers(lock) { try lock.record(of: $0, sequence: $1) }
            var nonces: Set<Nonce> = []
            for _ in 0..<5 {
                let result = try await house.gates.open(lock.gate.id, by: house.person.id, intent: .leave(reason: 2))
                let sent = try #require(house.carrier.openings.last)
                let message = try PassMessage(decoding: sent.message)
                #expect(message.header.flags == .hub)
                #expect(message.header.passID == result.eventID.raw)
                #expect(message.header.notAfter == message.header.notBefore + 3)
                #expect(message.intent == .leave(reason: 2))
                let context = GateCheck.Context(
                    gateID: lock.gate.id.raw, gateKey: lock.key, carrier: .bus, gateNonce: sent.nonce, utc: nil,
                    uptimeSeconds: message.header.notBefore, epoch: 1, isDenied: { _ in false }, hubContactAge: nil)
                #expect(GateCheck.decide(message, in: context) == .none)
                #expect((50...60).contains(message.header.notBefore))
                #expect(nonces.insert(sent.nonce).inserted)
                #expect(Array(sent.nonce.bytes.prefix(8)) == lock.session)
            }
        }
    }

    @Test("A gate that refuses is refused, with its reason")
    func refused() async throws {
        try await House.run { house in
            let lock = try await house.ready()
            house.answers(lock) { try lock.record(of: $0, sequence: $1, outcome: .refused, reason: .relayFailed) }
            let result = try await house.gates.open(lock.gate.id, by: house.person.id, intent: .apri)
            #expect(result.isGranted)
            #expect(result.outcome == .refused)
            #expect(result.reason == Reason("relayFailed"))
            #expect(try house.openingKinds() == ["opening.granted", "opening.refused"])
            #expect(try house.outcome(result.eventID) == .refused)
        }
    }

    @Test(
        "A gate that does not answer leaves it unconfirmed in time; its late record makes it opened exactly once, and nothing was sent twice"
    )
    func unconfirmed() async throws {
        try await House.run { house in
            let lock = try await house.ready()
            async let waiting = house.gates.open(lock.gate.id, by: house.person.id, intent: .apri)
            #expect(await eventually { house.carrier.openings.count == 1 })
            let end = house.uptime.value + Gates.patience
            #expect(await eventually { house.gates.answers.nextSweep(latest: .max) == end })
            house.pass(Gates.patience - 1)
            house.gates.answers.sweep(now: house.uptime.value)
            #expect(house.gates.answers.nextSweep(latest: .max) == end, "it is waited for")
            #expect(try house.openingKinds() == ["opening.granted"])
            house.pass(1)
            let result = try await waiting
            #expect(result.milliseconds == Int(Gates.patience))
            #expect((result.isGranted, result.outcome) == (true, .unconfirmed))
            #expect(result.reason == Reason("noAnswer"))
            #expect(try house.openingKinds() == ["opening.granted", "opening.unconfirmed"])
            #expect(try house.outcome(result.eventID) == .unconfirmed)
            house.time.change { $0 = $0.adding(milliseconds: 60_000) }
            let late = try lock.record(of: try #require(house.carrier.openings.first).message, sequence: 1)
            for _ in 0..<3 { try await house.say(late, lock) }
            #expect(try house.openingKinds() == ["opening.granted", "opening.unconfirmed", "opening.opened"])
            #expect(try house.outcome(result.eventID) == .opened)
            let line = try #require(try house.openingEvents().last.flatMap { house.gates.line(of: $0) })
            #expect(line.isLate)
            #expect(line.at == noon)
            #expect(line.person == "Ada")
            #expect(house.carrier.openings.count == 1)
        }
    }

    @Test("Many at the same time get their own answers, each event once")
    func many() async throws {
        try await House.run { house in
            let lock = try await house.ready()
            house.answers(lock) { message, count in
                try lock.record(
                    of: message, sequence: count, outcome: count % 2 == 0 ? .opened : .refused,
                    reason: count % 2 == 0 ? .none : .expired)
            }
            let results = try await withThrowingTaskGroup(of: OpeningResult.self) { group in
                // Two people: one alone may ask no more than thirty times.
                let people = [house.person.id, PersonID.new(at: noon)]
                for number in 0..<60 {
                    group.addTask { try await house.gates.open(lock.gate.id, by: people[number % 2], intent: .apri) }
                }
                return try await group.reduce(into: [OpeningResult]()) { $0.append($1) }
            }
            #expect(results.filter { $0.outcome == .opened }.count == 30)
            #expect(results.filter { $0.outcome == .refused }.count == 30)
            for result in results { #expect(try house.outcome(result.eventID) == result.outcome) }
            #expect(try house.openingEvents().count == 120)
            #expect(house.carrier.openings.count == 60)
            #expect(Set(house.carrier.openings.map(\.nonce)).count == 60)
        }
    }

    @Test("What the policy denies is written with the reason, and no message leaves")
    func denied() async throws {
        try await House.run { house in
            let lock = try await house.ready()
            house.policy.verdict.change { $0 = .denied(Reason("ended", "2026-10-31")) }
            let result = try await house.gates.open(lock.gate.id, by: house.person.id, intent: .apri)
            #expect((result.isGranted, result.outcome) == (false, nil))
            #expect(result.reason == Reason("ended", "2026-10-31"))
            let event = try #require(try house.openingEvents().first)
            #expect((event.id, event.kind, event.person) == (result.eventID, "opening.denied", house.person.id))
            let line = try #require(house.gates.line(of: event))
            #expect(line.reason == Reason("ended", "2026-10-31"))
            #expect(
                house.gates.text(of: try #require(line.reason), policy: line.policy, in: "en", to: .person)
                    == "It ended on 2026-10-31.")
            #expect(house.carrier.openings.isEmpty)
        }
    }

    @Test("A gate that is silent, left, or was never paired is denied with that reason")
    func unreachable() async throws {
        try await House.run { house in
            let (silent, left, unpaired) = (
                try await house.lock("A"), try await house.ready("B"), try await house.lock("C", isPaired: false)
            )
            #expect(house.gates.state(of: left.gate) == .ready)
            house.gates.lost(left.gate.id)
            for (lock, reason, state) in [
                (silent, "notReachable", .notReachable), (left, "notReachable", .notReachable),
                (unpaired, "notPaired", .notPaired),
            ] as [(Lock, String, Reachability)] {
                #expect(house.gates.state(of: lock.gate) == state)
                let result = try await house.gates.open(lock.gate.id, by: house.person.id, intent: .apri)
                #expect((result.isGranted, result.reason) == (false, Reason(reason)))
            }
            #expect(try house.openingKinds() == ["opening.denied", "opening.denied", "opening.denied"])
            #expect(house.carrier.openings.isEmpty)
            await #expect(throws: Gates.Unknown.self) {
                try await house.gates.open(.new(at: noon), by: house.person.id, intent: .apri)
            }
        }
    }

    @Test("When the message cannot even leave, it is unconfirmed at once")
    func broken() async throws {
        try await House.run { house in
            let lock = try await house.ready()
            house.carrier.isBroken.change { $0 = true }
            // The uptime stands still: who waited for an answer would wait for ever.
            let result = try await house.gates.open(lock.gate.id, by: house.person.id, intent: .apri)
            #expect((result.outcome, result.reason) == (.unconfirmed, Reason("notReachable")))
            #expect(try house.openingKinds() == ["opening.granted", "opening.unconfirmed"])
        }
    }
}
