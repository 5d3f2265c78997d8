import Identity
import Ledger
import Store
import System
import Testing
import Wire

@testable import Gates

@Suite("Openings that a stopped hub left without outcome")
struct LeftoverTests {
    /// An opening as a hub leaves it that stops before the gate has answered, and the message that it had sent.
    private func leftover(_ house: House, _ lock: Lock) async throws -> (EventID, [UInt8]) {
        let event = EventID.new(at: noon)
        let (gate, person) = (lock.gate, house.person.id)
        try await house.store.write { database in
            try Gates.append(
                OpeningKind.granted, id: event, OpeningPayload(gate: gate.id, person: person), at: gate.site, noon,
                in: database)
            try GateRecords.addOpening(event, gate: gate, person: person, at: noon, in: database)
        }
        let header = try PassHeader(
            flags: .hub, epoch: 1, passID: event.raw, gateID: gate.id.raw, issued: 1, notBefore: 1, notAfter: 4)
        let message = try Pass(header: header, gateKey: lock.key).message(
            carrier: .bus, gateNonce: nonce(), openerNonce: nonce(), intent: .apri)
        return (event, message.encoded())
    }

    @Test("One whose gate has the record is opened; one whose gate knows nothing is unconfirmed; nothing is sent again")
    func asked() async throws {
        try await House.run { house in
            let (knows, forgot) = (try await house.lock("A"), try await house.lock("B"))
            let (opened, message) = try await leftover(house, knows)
            let (lost, _) = try await leftover(house, forgot)
            let (gates, site) = (house.gates, house.site.id)
            house.carrier.answer.change {
                $0 = { frame, gate in
                    guard case .query(let query) = frame else { return }
                    let answer: GateFrame? =
                        gate == knows.gate.id
                        ? try? knows.record(of: message, sequence: 1)
                        : .absent(RecordAbsent(eventID: query.eventID, gateKey: forgot.key))
                    guard let answer else { return }
                    Task { try await gates.receive(answer, from: gate, at: site) }
                }
            }
            // It asks until it is answered.
            try await house.gates.finishLeftovers(looks: 1000)
            #expect(try house.outcome(opened) == .opened)
            #expect(try house.outcome(lost) == .unconfirmed)
            #expect(Set(house.carrier.queries) == [opened.raw, lost.raw])
            #expect(house.carrier.openings.isEmpty)
            #expect(try house.openingKinds().filter { $0 == "opening.unconfirmed" }.count == 1)
            #expect(try house.openingKinds().filter { $0 == "opening.opened" }.count == 1)
            let line = try #require(
                try house.openingEvents().first { $0.kind == "opening.unconfirmed" }.flatMap {
                    house.gates.line(of: $0)
                })
            #expect(line.reason == Reason("hubRestarted"))
            // The next start has nothing left to do.
            try await house.gates.finishLeftovers()
            #expect(try house.openingEvents().count == 4)
        }
    }

    @Test(
        "One whose gate stays silent is unconfirmed after it was asked a few times; a record that comes later still counts"
    )
    func silent() async throws {
        try await House.run { house in
            let lock = try await house.lock()
            let (event, message) = try await leftover(house, lock)
            try await house.gates.finishLeftovers(looks: 3, pause: .milliseconds(1))
            #expect(house.carrier.queries == [event.raw, event.raw, event.raw])
            #expect(try house.outcome(event) == .unconfirmed)
            #expect(house.carrier.openings.isEmpty)
            try await house.say(try lock.record(of: message, sequence: 1), lock)
            #expect(try house.outcome(event) == .opened)
            #expect(try house.openingKinds() == ["opening.granted", "opening.unconfirmed", "opening.opened"])
        }
    }

    @Test(
        "That nothing is known, said under another key, ends nothing; said of an opening that has ended, it changes nothing"
    )
    func absent() async throws {
        try await House.run { house in
            let lock = try await house.ready()
            let (event, message) = try await leftover(house, lock)
            try await house.say(
                .absent(RecordAbsent(eventID: event.raw, gateKey: Key([UInt8](repeating: 1, count: 32))!)), lock)
            #expect(try house.outcome(event) == nil)
            try await house.say(try lock.record(of: message, sequence: 1), lock)
            try await house.say(.absent(RecordAbsent(eventID: event.raw, gateKey: lock.key)), lock)
            #expect(try house.outcome(event) == .opened)
            #expect(try house.openingKinds() == ["opening.granted", "opening.opened"])
        }
    }
}
