import Controller
import Field
import System
import Testing
import Wire

@Suite("The journal")
struct JournalTests {
    /// So many openings while the hub is there.
    private func open(_ bench: Bench, _ counters: ClosedRange<UInt64>) async throws {
        for counter in counters { await bench.controller.receive(try bench.opening(counter: counter)) }
    }

    @Test("Records are told again until the hub has them, and then no more")
    func toldAgain() async throws {
        try await Bench.run { bench in
            await bench.connect()
            await bench.tellTime()
            try await open(bench, 1...3)
            bench.said.change { $0 = [] }
            await bench.controller.tellAgain()
            #expect(bench.records.map(\.sequence) == [1, 2, 3])
            try await bench.acknowledge(2)
            bench.said.change { $0 = [] }
            await bench.controller.tellAgain()
            #expect(bench.records.map(\.sequence) == [1, 3])
            for sequence in [1, 3, 3] as [UInt64] { try await bench.acknowledge(sequence) }
            bench.said.change { $0 = [] }
            await bench.controller.tellAgain()
            #expect(bench.records.isEmpty)
        }
    }

    @Test("An acknowledgement under another key, of another journal, or of nothing that is there changes nothing")
    func wrongAcknowledgement() async throws {
        try await Bench.run { bench in
            await bench.connect()
            await bench.tellTime()
            try await open(bench, 1...1)
            try await bench.acknowledge(1, key: Key([UInt8](repeating: 1, count: 32)))
            try await bench.acknowledge(1, journal: id())
            try await bench.acknowledge(99)
            bench.said.change { $0 = [] }
            await bench.controller.tellAgain()
            #expect(bench.records.map(\.sequence) == [1])
        }
    }

    @Test("What happened while the bus was away is told when the hub is heard again, in its order, a window at a time")
    func afterAbsence() async throws {
        try await Bench.run { bench in
            await bench.connect()
            await bench.tellTime()
            await bench.controller.disconnected()
            bench.uptime.change { $0 += 60_000 }
            let pass = try bench.pass()
            for _ in 0..<100 { #expect(try await bench.show(pass).outcome == .opened) }
            #expect(bench.records.isEmpty)
            await bench.connect()
            #expect(bench.hellos.last?.lastSequence == 100)
            #expect(bench.records.isEmpty)
            await bench.tellTime(noon.adding(milliseconds: 60_000))
            #expect(bench.records.map(\.sequence) == Array(1...64))
            for sequence in UInt64(1)...64 { try await bench.acknowledge(sequence) }
            #expect(bench.records.map(\.sequence) == Array(1...100))
            for sequence in UInt64(65)...100 { try await bench.acknowledge(sequence) }
            bench.said.change { $0 = [] }
            await bench.controller.tellAgain()
            #expect(bench.records.isEmpty)
        }
    }

    @Test(
        "A hub that was away for a few seconds is told at once what it missed, whichever hello it answers",
        arguments: [false, true])
    func afterRestart(ofHub answeredBefore: Bool) async throws {
        try await Bench.run { bench in
            await bench.connect()
            await bench.tellTime()
            let pass = try bench.pass()
            #expect(try await bench.show(pass).outcome == .opened)
            await bench.controller.tellAgain()
            // The broker keeps the last hello: the hub that starts has answered it before it ended, or never saw it.
            if !answeredBefore { await bench.controller.sayHello() }
            bench.uptime.change { $0 += 3_000 }
            bench.said.change { $0 = $0.filter { if case .hello = $0 { true } else { false } } }
            await bench.tellTime()
            if answeredBefore { await bench.tellTime() }
            #expect(bench.records.map(\.sequence) == [1])
        }
    }

    @Test("While the hub is silent nothing is told again")
    func silentHub() async throws {
        try await Bench.run { bench in
            await bench.connect()
            await bench.tellTime()
            try await open(bench, 1...1)
            bench.said.change { $0 = [] }
            bench.uptime.change { $0 += 15_000 }
            await bench.controller.tellAgain()
            #expect(bench.records.isEmpty)
        }
    }

    @Test("Asked for an event, it gives the record, or says under its key that there is none")
    func query() async throws {
        try await Bench.run { bench in
            await bench.connect()
            let (event, unknown) = (id(), id())
            await bench.controller.receive(try bench.opening(event))
            try await bench.acknowledge(1)
            bench.said.change { $0 = [] }
            await bench.controller.receive(.query(RecordQuery(eventID: event)))
            await bench.controller.receive(.query(RecordQuery(eventID: unknown)))
            #expect(bench.records.map(\.eventID) == [event])
            let absent = try #require(bench.absents.first)
            #expect(bench.absents.count == 1)
            #expect(absent.eventID == unknown)
            #expect(absent.verifies(gateKey: bench.identity.key))
        }
    }

    @Test(
        "After a cut of the power the journal goes on: the same name, the next sequence, what was not acknowledged is told"
    )
    func restart() async throws {
        try await Bench.run { bench in
            await bench.connect()
            try await open(bench, 1...3)
            try await bench.acknowledge(1)
            let journal = bench.memory.journalID
            try await bench.restarted { bench in
                #expect(bench.memory.journalID == journal)
                await bench.connect()
                #expect(bench.hellos.last?.lastSequence == 3)
                #expect(bench.hellos.last?.journalID == journal)
                await bench.tellTime()
                #expect(bench.records.map(\.sequence) == [2, 3])
                try await open(bench, 1...1)
                #expect(bench.records.last?.sequence == 4)
            }
        }
    }

    @Test("What the hub has stays thirty days; the newest stays for ever, so that no sequence is given twice")
    func retention() async throws {
        try await Bench.run { bench in
            await bench.connect()
            await bench.tellTime(noon)
            try await open(bench, 1...3)
            for sequence in UInt64(1)...2 { try await bench.acknowledge(sequence) }
            #expect(bench.journalCount == 3)
            // The machine's own clock removes nothing.
            bench.wall.change { $0 = $0.adding(milliseconds: 1_100 * 86_400_000) }
            try await bench.acknowledge(1)
            #expect(bench.journalCount == 3)
            bench.uptime.change { $0 += 30 * 86_400_000 }
            try await bench.acknowledge(1)
            #expect(bench.journalCount == 3, "nobody knows the time")
            await bench.controller.sayHello()
            await bench.tellTime(noon.adding(milliseconds: 30 * 86_400_000))
            try await bench.acknowledge(1)
            #expect(bench.journalCount == 3)
            bench.uptime.change { $0 += 1_000 }
            try await bench.acknowledge(1)
            // The third was not acknowledged: it stays however old it is.
            #expect(bench.journalCount == 1)
            try await bench.acknowledge(3)
            #expect(bench.journalCount == 1)
            try await open(bench, 4...4)
            #expect(bench.records.last?.sequence == 4)
        }
    }

    @Test("Another file is another journal")
    func anotherFile() async throws {
        try await Bench.run { first in
            try await Bench.run { second in #expect(first.memory.journalID != second.memory.journalID) }
        }
    }

    @Test("A controller that is paired is not paired over, and remembers what it is")
    func identity() async throws {
        try await Bench.run { bench in
            let known = try #require(try bench.memory.identity())
            #expect((known.gate, known.site, known.name) == (bench.identity.gate, bench.identity.site, "Ingresso"))
            #expect(known.key.bytes == bench.identity.key.bytes)
            let other = GateMemory.Identity(gate: id(), site: id(), key: Key(Random.bytes(32))!, name: "Altro")
            let failure = await #expect(throws: PairingFailure.self) { try await bench.memory.setIdentity(other) }
            #expect(failure?.description == "this controller is paired already: reset it at the gate first")
            #expect(try bench.memory.identity()?.gate == bench.identity.gate)
        }
    }
}
