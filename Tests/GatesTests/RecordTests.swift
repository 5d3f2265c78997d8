import Identity
import Ledger
import Store
import System
import Testing
import Wire

@testable import Gates

@Suite("A record of a gate's journal")
struct RecordTests {
    @Test(
        "Told twice it is one transit, acknowledged each time with the same place in the ledger, under the gate's key")
    func duplicate() async throws {
        try await House.run { house in
            let lock = try await house.ready()
            let pass = try #require(try await house.gates.issuePasses(to: house.person.id, at: house.site.id).first)
                .pass
            let record = try lock.record(of: pass, sequence: 7)
            for _ in 0..<3 { try await house.say(record, lock) }
            #expect(try house.transits() == 1)
            #expect(try house.openingKinds() == ["opening.opened"])
            let told = house.carrier.acknowledgements
            #expect(told.count == 3)
            let sequence = try #require(try house.openingEvents().last).sequence
            for acknowledgement in told {
                #expect(acknowledgement.verifies(gateKey: lock.key))
                #expect((acknowledgement.journalID, acknowledgement.sequence) == (lock.journal, 7))
                #expect(acknowledgement.ledgerSequence == sequence)
            }
            let head = try house.store.read { try Ledger.head(of: house.site.id, in: $0) }
            #expect(told.allSatisfy { $0.ledgerHead == head.hash })
            #expect(try house.openingEvents().last?.person == house.person.id)
        }
    }

    @Test("Told by several at the same moment it is one transit")
    func concurrent() async throws {
        try await House.run { house in
            let lock = try await house.ready()
            let pass = try #require(try await house.gates.issuePasses(to: house.person.id, at: house.site.id).first)
                .pass
            let records = try (UInt64(1)...20).map { try lock.record(of: pass, sequence: $0) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for record in records + records + records { group.addTask { try await house.say(record, lock) } }
                try await group.waitForAll()
            }
            #expect(try house.transits() == 20)
            #expect(try house.openingEvents().count == 20)
            #expect(house.carrier.acknowledgements.count == 60)
        }
    }

    @Test("The same sequence of another journal is another transit")
    func otherJournal() async throws {
        try await House.run { house in
            var lock = try await house.ready()
            let pass = try #require(try await house.gates.issuePasses(to: house.person.id, at: house.site.id).first)
                .pass
            try await house.say(try lock.record(of: pass, sequence: 1), lock)
            lock.journal = ID16(Random.bytes(16))!
            try await house.say(try lock.record(of: pass, sequence: 1), lock)
            #expect(try house.transits() == 2)
        }
    }

    @Test("With a wrong proof, from another gate, or from another site it is dropped without an answer")
    func forged() async throws {
        try await House.run { house in
            let (lock, other) = (try await house.ready("A"), try await house.ready("B"))
            let pass = try #require(
                try await house.gates.issuePasses(to: house.person.id, at: house.site.id).first {
                    $0.gate.id == lock.gate.id
                }
            ).pass
            let message = try pass.message(carrier: .ble, gateNonce: nonce(), openerNonce: nonce(), intent: .apri)
                .encoded()
            try await house.say(try lock.record(of: message, sequence: 1, key: other.key), lock)
            try await house.say(try lock.record(of: message, sequence: 1), other)
            try await house.gates.receive(
                try lock.record(of: message, sequence: 1), from: lock.gate.id, at: .new(at: noon))
            try await house.gates.receive(
                try lock.record(of: message, sequence: 1), from: .new(at: noon), at: house.site.id)
            guard case .record(let good) = try lock.record(of: message, sequence: 1) else { return }
            var bytes = good.encoded()
            bytes[bytes.count - 1] ^= 1
            try await house.say(.record(try JournalRecord(decoding: bytes)), lock)
            #expect(try house.transits() == 0)
            #expect(try house.openingKinds().isEmpty)
            #expect(house.carrier.acknowledgements.isEmpty)
            try await house.say(.record(good), lock)
            #expect(try house.transits() == 1)
        }
    }

    @Test("A gate says nothing of another gate's opening: not that it opened, and not that nothing is known of it")
    func anothersOpening() async throws {
        try await House.run { house in
            let (asked, other) = (try await house.ready("A"), try await house.ready("B"))
            let event = EventID.new(at: noon)
            let (gate, person) = (asked.gate, house.person.id)
            try await house.store.write {
                try GateRecords.addOpening(event, gate: gate, person: person, at: noon, in: $0)
            }
            try await house.say(.absent(RecordAbsent(eventID: event.raw, gateKey: other.key)), other)
            let afterAbsent = try house.outcome(event)
            let header = try PassHeader(
                flags: .hub, epoch: 1, passID: event.raw, gateID: other.gate.id.raw, issued: 1, notBefore: 1,
                notAfter: 4)
            let message = try Pass(header: header, gateKey: other.key).message(
                carrier: .bus, gateNonce: nonce(), openerNonce: nonce(), intent: .apri)
            try await house.say(try other.record(of: message.encoded(), sequence: 1), other)
            let afterRecord = try house.outcome(event)
            #expect(afterAbsent == nil)
            #expect(afterRecord == nil)
        }
    }

    @Test("What a gate tells days later, after it was alone, still says who it was, though the pass has long ended")
    func afterDays() async throws {
        try await House.run { house in
            let lock = try await house.ready()
            let pass = try #require(try await house.gates.issuePasses(to: house.person.id, at: house.site.id).first)
                .pass
            house.time.change { $0 = $0.adding(milliseconds: 3 * 86_400_000) }
            _ = try await house.gates.issuePasses(to: house.person.id, at: house.site.id)
            try await house.say(try lock.record(of: pass, sequence: 1), lock)
            let event = try #require(try house.openingEvents().last)
            #expect(event.person == house.person.id)
        }
    }

    @Test("Who waits for one gate is not told that it opened by the word of another")
    func anothersAnswer() async throws {
        try await House.run { house in
            let (asked, other) = (try await house.ready("A"), try await house.ready("B"))
            let opening = Task { try await house.gates.open(asked.gate.id, by: house.person.id, intent: .apri) }
            #expect(await eventually { !house.carrier.openings.isEmpty })
            let event = try #require(try house.openingEvents().first).id
            let header = try PassHeader(
                flags: .hub, epoch: 1, passID: event.raw, gateID: other.gate.id.raw, issued: 1, notBefore: 1,
                notAfter: 4)
            let message = try Pass(header: header, gateKey: other.key).message(
                carrier: .bus, gateNonce: nonce(), openerNonce: nonce(), intent: .apri)
            try await house.say(try other.record(of: message.encoded(), sequence: 1), other)
            house.pass(Gates.patience)
            let result = try await opening.value
            #expect(result.outcome == .unconfirmed)
        }
    }

    @Test("A pass that nobody here gave out makes a transit of nobody; a time that cannot be trusted is said to be so")
    func stranger() async throws {
        try await House.run { house in
            let lock = try await house.ready()
            let header = try PassHeader(
                flags: [], epoch: 1, passID: ID16(Random.bytes(16))!, gateID: lock.gate.id.raw, issued: 1, notBefore: 1,
                notAfter: 4)
            try await house.say(
                try lock.record(
                    of: Pass(header: header, gateKey: lock.key), sequence: 1, at: Timestamp(milliseconds: 0),
                    clock: .untrusted), lock)
            let event = try #require(try house.openingEvents().last)
            #expect(event.person == nil)
            let line = try #require(house.gates.line(of: event))
            #expect((line.person, line.gate, line.how, line.isLate) == (nil, "Ingresso", "ble", false))
            #expect(line.at == noon)
        }
    }

    @Test("The intent and the reason codes that a gate sends reach the event, the log and the transit")
    func intent() async throws {
        try await House.run { house in
            let lock = try await house.ready()
            let pass = try #require(try await house.gates.issuePasses(to: house.person.id, at: house.site.id).first)
                .pass
            func transit(_ sequence: UInt64) throws -> [String] {
                try house.store.read { database in
                    try database.row(
                        "SELECT intent, intent_reason, reason FROM transits WHERE sequence = ?", sequence
                    ) {
                        [
                            $0[0] as String? ?? "-", ($0[1] as Int?).map(String.init) ?? "-",
                            ($0[2] as Int?).map(String.init) ?? "-",
                        ]
                    }
                } ?? []
            }
            func say(_ intent: Intent, _ sequence: UInt64, _ reason: UInt16) async throws -> (
                payload: String, line: LogLine
            ) {
                let message = try pass.message(
                    carrier: .ble, gateNonce: nonce(), openerNonce: nonce(), intent: intent)
                let receipt = message.receipt(
                    gateKey: lock.key, outcome: reason == 0 ? .opened : .refused, reason: reason,
                    gateTime: noon.seconds, clock: .trusted, journalID: lock.journal, sequence: sequence,
                    eventID: ID16(Random.bytes(16))!)
                let record = JournalRecord(message: message, carrier: .ble, receipt: receipt, gateKey: lock.key)
                try await house.say(.record(record), lock)
                let event = try #require(try house.openingEvents().last)
                return (
                    String(decoding: event.payload ?? [], as: UTF8.self), try #require(house.gates.line(of: event))
                )
            }
            let out = try await say(.leave(reason: 7), 1, 0)
            #expect(out.payload.contains(#""intent":"leave","intentReason":7"#))
            #expect(!out.payload.contains(#""reason""#))
            #expect((out.line.intent, out.line.intentReason) == ("leave", 7))
            #expect(try transit(1) == ["leave", "7", "-"])

            let closed = try await say(.chiudi, 2, GateReason.otherIntent.rawValue)
            #expect(closed.payload.contains(#""intent":"chiudi""#))
            #expect(closed.payload.contains(#""reason":{"code":"otherIntent","number":14}"#))
            #expect((closed.line.intent, closed.line.intentReason) == ("chiudi", nil))
            #expect(closed.line.reason == Reason("otherIntent"))
            #expect(try transit(2) == ["chiudi", "-", "14"])

            // What only a newer gate knows is not told as another reason.
            let newer = try await say(.enter(reason: 0), 3, 999)
            #expect(newer.payload.contains(#""reason":{"code":"unknown","number":999}"#))
            #expect(newer.line.reason == Reason("unknown"))
            #expect(try transit(3) == ["enter", "0", "999"])
        }
    }

    @Test("An event and a transit from before gates' intents were kept are still told")
    func withoutIntent() async throws {
        try await House.run { house in
            let lock = try await house.ready()
            let (gate, site, person) = (lock.gate.id, house.site.id, house.person.id)
            let event = EventID.new(at: noon)
            try await house.store.write { database in
                let payload = OpeningPayload(gate: gate, person: person, how: "ble", reason: .init(code: "expired"))
                try Gates.append(OpeningKind.refused, id: event, payload, at: site, noon, in: database)
                try database.execute(
                    """
                    INSERT INTO transits (gate, journal, sequence, site_sequence, site_head, person, at, opened)
                    VALUES (?, ?, 1, 1, ?, ?, ?, 0)
                    """, gate, lock.journal.bytes, [UInt8](repeating: 0, count: 32), person, noon)
            }
            let line = try #require(try house.openingEvents().last.flatMap { house.gates.line(of: $0) })
            #expect((line.intent, line.intentReason, line.reason) == (nil, nil, Reason("expired")))
            let told = try house.store.read {
                try Teller.tell(person, by: GateRecords.tellers, without: [], at: noon, in: $0)
            }
            #expect(
                String(decoding: told, as: UTF8.self).contains(
                    #""opened":false,"intent":null,"intentReason":null,"reason":null"#))
        }
    }

    @Test("When somebody last went through is remembered, refusals aside")
    func lastTransit() async throws {
        try await House.run { house in
            let lock = try await house.ready()
            let pass = try #require(try await house.gates.issuePasses(to: house.person.id, at: house.site.id).first)
                .pass
            let message = try pass.message(carrier: .ble, gateNonce: nonce(), openerNonce: nonce(), intent: .apri)
                .encoded()
            func last() throws -> Timestamp? {
                try house.store.read { try GateRecords.lastTransits(of: house.person.id, in: $0)[lock.gate.id] }
            }
            #expect(try last() == nil)
            try await house.say(try lock.record(of: message, sequence: 1, outcome: .refused, reason: .expired), lock)
            #expect(try last() == nil)
            try await house.say(try lock.record(of: message, sequence: 3, at: noon.adding(milliseconds: 5000)), lock)
            try await house.say(try lock.record(of: message, sequence: 2), lock)
            #expect(try last() == noon.adding(milliseconds: 5000))
        }
    }
}
