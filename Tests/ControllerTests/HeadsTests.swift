import Controller
import System
import Testing
import Wire

@Suite("The ledger's heads at a gate")
struct HeadsTests {
    private func hash(_ n: UInt64) -> [UInt8] { [UInt8](repeating: UInt8(truncatingIfNeeded: n), count: 32) }

    private func acknowledge(_ bench: Bench, _ sequence: UInt64, ledger: UInt64) async throws {
        await bench.controller.receive(
            .acknowledgement(
                try Acknowledgement(
                    journalID: bench.memory.journalID, sequence: sequence, ledgerSequence: ledger,
                    ledgerHead: hash(ledger), gateKey: bench.identity.key)))
    }

    private func open(_ bench: Bench, _ counters: ClosedRange<UInt64>) async throws {
        for counter in counters { await bench.controller.receive(try bench.opening(counter: counter)) }
    }

    private func recall(_ bench: Bench, after: UInt64, ledger: UInt64, nonce: Nonce? = nil) async throws -> Recall {
        let recall = try Recall(
            journalID: bench.memory.journalID, after: after, ledgerSequence: ledger, ledgerHead: hash(ledger),
            nonce: nonce ?? bench.hellos.last!.timeNonce, gateKey: bench.identity.key)
        await bench.controller.receive(.recall(recall))
        return recall
    }

    private func witnesses(_ bench: Bench) -> [Witness] {
        bench.said.value.compactMap { if case .witness(let witness) = $0 { witness } else { nil } }
    }

    @Test("The first of every hour and the newest stay; an older one, told for a record that came twice, says nothing")
    func hourly() async throws {
        try await Bench.run { bench in
            await bench.connect()
            await bench.tellTime()
            try await open(bench, 1...6)
            try await acknowledge(bench, 1, ledger: 101)
            try await acknowledge(bench, 2, ledger: 102)
            try await acknowledge(bench, 3, ledger: 105)
            #expect(try bench.memory.heads().map(\.sequence) == [101, 105])
            try await acknowledge(bench, 2, ledger: 102)
            #expect(try bench.memory.heads().map(\.sequence) == [101, 105])
            bench.wall.change { $0 = $0.adding(milliseconds: 3_600_000) }
            try await acknowledge(bench, 4, ledger: 110)
            try await acknowledge(bench, 5, ledger: 111)
            #expect(try bench.memory.heads().map(\.sequence) == [101, 110, 111])
            #expect(try bench.memory.heads().map(\.hash) == [101, 110, 111].map(hash))
            // One that the hub's key did not sign is nobody's word.
            try await bench.acknowledge(6, key: Key([UInt8](repeating: 1, count: 32)))
            #expect(try bench.memory.heads().count == 3)
        }
    }

    @Test("A hub that went back to a backup is told what it lost, and hears of the newest head that it ever told")
    func recalled() async throws {
        try await Bench.run { bench in
            await bench.connect()
            await bench.tellTime()
            try await open(bench, 1...5)
            for n in 1...5 as ClosedRange<UInt64> { try await acknowledge(bench, n, ledger: 100 + n) }
            bench.said.change { $0.removeAll { if case .hello = $0 { false } else { true } } }
            let asked = try await recall(bench, after: 2, ledger: 102)
            let witness = try #require(witnesses(bench).last)
            #expect(witness.verifies(gateKey: bench.identity.key, recall: asked.tag))
            #expect((witness.ledgerSequence, witness.ledgerHead, witness.records) == (105, hash(105), 3))
            #expect(bench.records.map(\.sequence) == [3, 4, 5])
            // A hub that asks once more may have been restored once more, from the same backup: it is told again, and takes each
            // record once.
            for n in 3...5 as ClosedRange<UInt64> { try await acknowledge(bench, n, ledger: 100 + n) }
            bench.said.change { $0.removeAll { if case .record = $0 { true } else { false } } }
            _ = try await recall(bench, after: 2, ledger: 102)
            #expect(bench.records.map(\.sequence) == [3, 4, 5])
            #expect(witnesses(bench).last?.ledgerSequence == 105)
            // The old branch's proof is kept beside the new one.
            #expect(try bench.memory.heads().contains { $0.branch == 0 && $0.sequence == 105 })
            #expect(try bench.memory.heads().contains { $0.branch == 1 && $0.sequence == 105 })
        }
    }

    @Test("A question for another hello, of another journal, or under another key is not answered and changes nothing")
    func forgedRecall() async throws {
        try await Bench.run { bench in
            await bench.connect()
            await bench.tellTime()
            try await open(bench, 1...2)
            try await acknowledge(bench, 1, ledger: 101)
            try await acknowledge(bench, 2, ledger: 102)
            bench.said.change { $0.removeAll { if case .record = $0 { true } else { false } } }
            _ = try await recall(bench, after: 0, ledger: 50, nonce: nonce())
            await bench.controller.receive(
                .recall(
                    try Recall(
                        journalID: id(), after: 0, ledgerSequence: 50, ledgerHead: hash(50),
                        nonce: bench.hellos.last!.timeNonce, gateKey: bench.identity.key)))
            await bench.controller.receive(
                .recall(
                    try Recall(
                        journalID: bench.memory.journalID, after: 0, ledgerSequence: 50, ledgerHead: hash(50),
                        nonce: bench.hellos.last!.timeNonce, gateKey: Key([UInt8](repeating: 1, count: 32))!)))
            #expect(witnesses(bench).isEmpty)
            #expect(bench.records.isEmpty)
            #expect(try bench.memory.heads().map(\.sequence) == [101, 102])
        }
    }

    @Test("A hub that went back without a word is noticed by its next acknowledgement, and everything is told again")
    func silentlyBack() async throws {
        try await Bench.run { bench in
            await bench.connect()
            await bench.tellTime()
            try await open(bench, 1...3)
            for n in 1...3 as ClosedRange<UInt64> { try await acknowledge(bench, n, ledger: 100 + n) }
            try await open(bench, 4...4)
            bench.said.change { $0.removeAll { if case .record = $0 { true } else { false } } }
            try await acknowledge(bench, 4, ledger: 102)
            #expect(bench.records.map(\.sequence).contains(1))
            #expect(try bench.memory.heads().last.map { ($0.branch, $0.sequence) } ?? (0, 0) == (1, 102))
        }
    }
}
