import System
import Testing
import Wire

@testable import Controller

@Suite("A pass at the gate")
struct PassTests {
    @Test("With a trusted clock a pass opens without the hub, and the receipt proves the gate")
    func opens() async throws {
        try await Bench.run { bench in
            await bench.connect()
            await bench.tellTime()
            await bench.controller.disconnected()
            let pass = try bench.pass()
            let given = nonce()
            let message = try pass.message(
                carrier: .ble, gateNonce: given, openerNonce: nonce(), intent: .enter(reason: 3))
            let receipt = await bench.controller.open(message.encoded(), over: .ble, nonce: given)
            #expect((receipt.outcome, receipt.sequence, receipt.clock) == (.opened, 1, .trusted))
            #expect(pass.verifies(receipt: receipt, for: message))
            #expect(bench.relay.journalled.value == [1])
        }
    }

    @Test("Without a trusted clock a pass is refused with the reason, while the hub's own opening is taken")
    func untrustedClock() async throws {
        try await Bench.run { bench in
            await bench.connect()
            #expect(try await bench.show(try bench.pass()).gateReason == .clockUntrusted)
            #expect(bench.relay.pulses.value.isEmpty)
            await bench.controller.receive(try bench.opening())
            #expect(bench.relay.pulses.value.count == 1)
            #expect(bench.records.map(\.clock) == [.untrusted, .untrusted])
        }
    }

    @Test("Before its time, after it and under an older epoch a pass is refused, each with its reason")
    func times() async throws {
        try await Bench.run { bench in
            await bench.connect()
            await bench.tellTime()
            #expect(try await bench.show(try bench.pass(from: 1)).gateReason == .notYet)
            #expect(try await bench.show(try bench.pass(from: -10, lasting: 10)).gateReason == .expired)
            #expect(try await bench.show(try bench.pass(from: -10, lasting: 11)).outcome == .opened)
            try await bench.rights(1, epoch: 5)
            #expect(try await bench.show(try bench.pass(epoch: 4)).gateReason == .epochOld)
            #expect(try await bench.show(try bench.pass(epoch: 5)).outcome == .opened)
            #expect(bench.relay.pulses.value.count == 2)
            #expect(bench.journalCount == 5)
        }
    }

    @Test("A caveat that does not hold refuses; whom it was handed to stands in the record")
    func caveats() async throws {
        try await Bench.run { bench in
            await bench.connect()
            await bench.tellTime()
            let narrowed = try bench.pass().narrowed(by: .intents([.leave])).narrowed(by: .label(Array("Bruno".utf8)))
            #expect(try await bench.show(narrowed).gateReason == .caveatUnmet)
            #expect(try await bench.show(narrowed, intent: .leave(reason: 0)).outcome == .opened)
            #expect(bench.records.last?.caveats == [.intents([.leave]), .label(Array("Bruno".utf8))])
        }
    }

    @Test("A denied pass is refused from then on, also after a restart; its neighbours open")
    func denied() async throws {
        try await Bench.run { bench in
            await bench.connect()
            await bench.tellTime()
            let (kept, taken) = (try bench.pass(), try bench.pass())
            #expect(try await bench.show(taken).outcome == .opened)
            try await bench.rights(2, denied: [taken.header.passID, id()])
            #expect(try await bench.show(taken).gateReason == .revoked)
            #expect(try await bench.show(kept).outcome == .opened)
            try await bench.restarted { bench in
                await bench.connect()
                #expect(bench.hellos.last?.rightsVersion == 2)
                await bench.tellTime()
                let (denied, opened) = (try await bench.show(taken), try await bench.show(kept))
                #expect(denied.gateReason == .revoked)
                #expect(opened.outcome == .opened)
            }
        }
    }

    @Test("Rights only grow: older, equal and forged ones change nothing, and each new version is told")
    func rightsGrow() async throws {
        try await Bench.run { bench in
            await bench.connect()
            await bench.tellTime()
            let pass = try bench.pass()
            try await bench.rights(5, denied: [pass.header.passID], pulse: 700)
            #expect(bench.hellos.last?.rightsVersion == 5)
            try await bench.rights(4)
            try await bench.rights(5)
            try await bench.rights(9, key: Key([UInt8](repeating: 1, count: 32)))
            #expect(bench.hellos.last?.rightsVersion == 5)
            #expect(try await bench.show(pass).gateReason == .revoked)
            try await bench.rights(6, pulse: 700)
            #expect(bench.hellos.last?.rightsVersion == 6)
            await bench.tellTime()
            #expect(try await bench.show(pass).outcome == .opened)
            #expect(bench.relay.pulses.value == [700])
        }
    }

    @Test("A pass that needs the hub opens within ten seconds of a word of the hub's, not later")
    func onlineOnly() async throws {
        try await Bench.run { bench in
            await bench.connect()
            await bench.tellTime()
            let pass = try bench.pass(flags: .onlineOnly)
            bench.uptime.change { $0 += 10_999 }
            #expect(try await bench.show(pass).outcome == .opened)
            bench.uptime.change { $0 += 1 }
            #expect(try await bench.show(pass).gateReason == .needsHub)
        }
    }

    @Test("A nonce that is no longer good is answered like what nobody can prove")
    func stale() async throws {
        try await Bench.run { bench in
            await bench.connect()
            await bench.tellTime()
            let receipt = try await bench.show(try bench.pass(), isFresh: false)
            #expect((receipt.gateReason, receipt.sequence, receipt.journalID) == (.notValid, 0, .zero))
            #expect(bench.journalCount == 0)
        }
    }

    @Test("A gate whose disk is full uses up the room that is kept before it refuses")
    func reserve() async throws {
        try await Bench.run(pageLimit: 1, hasReserve: true) { bench in
            await bench.connect()
            await bench.tellTime()
            let reserve = try #require(bench.memory.store.reserve)
            #expect(reserve.held == 64 << 10)
            let pass = try bench.pass()
            var receipt = try await bench.show(pass)
            for _ in 0..<200 where receipt.gateReason != .journalFull { receipt = try await bench.show(pass) }
            #expect(receipt.gateReason == .journalFull)
            #expect(reserve.held == 0)
        }
    }

    @Test("Refusals leave the room that is kept to openings, however often passes that are over are shown")
    func refusalsOnFullDisk() async throws {
        try await Bench.run(hasReserve: true) { bench in
            await bench.connect()
            await bench.tellTime()
            let reserve = try #require(bench.memory.store.reserve)
            bench.free.change { $0 = 0 }
            for _ in 0..<50 {
                let receipt = try await bench.show(try bench.pass(from: -10, lasting: 10))
                #expect((receipt.gateReason, receipt.sequence) == (.expired, 0))
            }
            #expect(bench.journalCount == 0)
            #expect(reserve.held == 64 << 10)
            #expect(bench.hellos.last?.status?.troubles == [])
            let receipt = try await bench.show(try bench.pass())
            #expect((receipt.outcome, receipt.sequence) == (.opened, 1))
            bench.free.change { $0 = 1 << 30 }
            #expect(try await bench.show(try bench.pass(from: -10, lasting: 10)).sequence == 2)
        }
    }

    @Test("A pass that is tried again and again is written once for each reason, until it has rested for a minute")
    func refusalsRepeated() async throws {
        try await Bench.run { bench in
            await bench.connect()
            await bench.tellTime()
            let (over, good) = (try bench.pass(from: -10, lasting: 10), try bench.pass())
            #expect(try await bench.show(over).sequence == 1)
            for _ in 0..<50 {
                bench.uptime.change { $0 += 1_000 }
                let receipt = try await bench.show(over)
                #expect((receipt.outcome, receipt.gateReason, receipt.sequence) == (.refused, .expired, 0))
            }
            #expect(bench.journalCount == 1 && bench.records.count == 1)
            // Another pass, and openings, are no repeats.
            #expect(try await bench.show(try bench.pass(from: -10, lasting: 10)).sequence == 2)
            for _ in 0..<5 { #expect(try await bench.show(good).outcome == .opened) }
            try await bench.rights(1, denied: [good.header.passID])
            for _ in 0..<5 { #expect(try await bench.show(good).gateReason == .revoked) }
            #expect(bench.journalCount == 8)
            bench.uptime.change { $0 += 60_000 }
            #expect(try await bench.show(over).sequence == 9)
            // One that goes on is written once an hour.
            for _ in 0..<120 {
                bench.uptime.change { $0 += 30_000 }
                _ = try await bench.show(over)
            }
            #expect(bench.journalCount == 10)
        }
    }

    @Test("However many passes are refused, the journal takes so many refusals in an hour, and every opening")
    func refusalsOfMany() async throws {
        try await Bench.run { bench in
            await bench.connect()
            await bench.tellTime()
            let most = RefusalLimit.mostOfReason
            for _ in 0..<most + 20 { _ = try await bench.show(try bench.pass(from: -10, lasting: 10)) }
            #expect(bench.journalCount == most)
            #expect(await bench.controller.refusedUnwritten == 20)
            #expect(try await bench.show(try bench.pass()).sequence == UInt64(most) + 1)
            // What the hub asks for is told, refused or not.
            await bench.controller.receive(try bench.opening(intent: .chiudi))
            #expect(bench.journalCount == most + 2)
            bench.uptime.change { $0 += RefusalLimit.period }
            #expect(try await bench.show(try bench.pass(from: -10, lasting: 10)).sequence == UInt64(most) + 3)
        }
    }

    @Test("Passes that are over take no room from what is refused for another reason, nor one pass from all others")
    func refusalsByReason() {
        var limit = RefusalLimit()
        func pass() -> ID16 { ID16(Random.bytes(16))! }
        let written = (0..<RefusalLimit.mostInPeriod).count { _ in limit.isNews(pass(), .expired, at: 1) }
        #expect(written == RefusalLimit.mostOfReason)
        let isRevokedWritten = limit.isNews(pass(), .revoked, at: 1)
        #expect(isRevokedWritten)
        // Each time that it has rested.
        let one = pass()
        let ofOne = (0..<30).count { limit.isNews(one, .revoked, at: 1 + UInt64($0) * RefusalLimit.pause) }
        #expect(ofOne == RefusalLimit.mostOfPass)
        // What could not be written is news at the next try.
        let other = pass()
        var isNews = (2...3).map { limit.isNews(other, .revoked, at: 30 * RefusalLimit.pause + $0) }
        limit.forget(other, .revoked)
        isNews.append(limit.isNews(other, .revoked, at: 30 * RefusalLimit.pause + 4))
        #expect(isNews == [true, false, true])
    }

    @Test("A gate that cannot write its journal lets nobody in and everybody out, and says that nothing was written")
    func journalFull() async throws {
        try await Bench.run(pageLimit: 1) { bench in
            await bench.connect()
            await bench.tellTime()
            let pass = try bench.pass()
            var receipt = try await bench.show(pass)
            for _ in 0..<200 where receipt.gateReason != .journalFull { receipt = try await bench.show(pass) }
            #expect((receipt.outcome, receipt.gateReason, receipt.sequence) == (.refused, .journalFull, 0))
            let (pulses, records) = (bench.relay.pulses.value.count, bench.journalCount)
            #expect(try await bench.show(pass, intent: .enter(reason: 0)).gateReason == .journalFull)
            #expect(bench.relay.pulses.value.count == pulses)
            let out = try await bench.show(pass, intent: .leave(reason: 0))
            #expect((out.outcome, out.gateReason, out.sequence) == (.opened, GateReason.none, 0))
            #expect(bench.relay.pulses.value.count == pulses + 1)
            // A refusal stays the refusal that it is.
            #expect(
                try await bench.show(try bench.pass(from: -10, lasting: 10), intent: .leave(reason: 0)).gateReason
                    == .expired)
            #expect(bench.journalCount == records)
            bench.relay.isStuck.change { $0 = true }
            #expect(try await bench.show(pass, intent: .leave(reason: 0)).gateReason == .relayFailed)
        }
    }
}
