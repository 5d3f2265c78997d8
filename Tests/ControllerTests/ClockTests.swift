import Controller
import System
import Testing
import Wire

@Suite("The clock of a gate")
struct ClockTests {
    private static let week: UInt64 = 7 * 86_400_000

    @Test("An answer to the last question is believed, and the next hello says so")
    func trusted() async throws {
        try await Bench.run { bench in
            await bench.connect()
            #expect(bench.hellos.last?.clock == .untrusted)
            await bench.tellTime()
            await bench.controller.sayHello()
            #expect(bench.hellos.last?.clock == .trusted)
            bench.uptime.change { $0 += 90_000 }
            // The machine's own clock is nothing to go by.
            bench.wall.change { $0 = Timestamp(milliseconds: 0) }
            await bench.controller.receive(try bench.opening())
            #expect(bench.records.last?.gateTime == noon.seconds + 90)
        }
    }

    @Test("An answer to an earlier question, a second time the same, and one under another key are not believed")
    func replayed() async throws {
        try await Bench.run { bench in
            await bench.connect()
            let old = TimeAnswer(
                nonce: try #require(bench.hellos.last).timeNonce, utc: noon.seconds, gateKey: bench.identity.key)
            await bench.controller.sayHello()
            await bench.controller.receive(.time(old))
            await bench.tellTime(key: Key([UInt8](repeating: 1, count: 32)))
            await bench.controller.sayHello()
            #expect(bench.hellos.last?.clock == .untrusted)
            let good = TimeAnswer(
                nonce: try #require(bench.hellos.last).timeNonce, utc: noon.seconds, gateKey: bench.identity.key)
            await bench.controller.receive(.time(good))
            bench.uptime.change { $0 += 11_000 }
            await bench.controller.receive(.time(good))
            // The repeat was no sign of life.
            #expect(try await bench.show(try bench.pass(flags: .onlineOnly, from: -5)).gateReason == .needsHub)
        }
    }

    @Test("A time below one that was believed before is refused, also after a restart")
    func floor() async throws {
        try await Bench.run { bench in
            await bench.connect()
            await bench.tellTime(noon)
            await bench.controller.sayHello()
            await bench.tellTime(noon.adding(milliseconds: -1000))
            #expect(try await bench.show(try bench.pass()).outcome == .opened)
            try await bench.restarted { bench in
                await bench.connect()
                await bench.tellTime(noon.adding(milliseconds: -1000))
                await bench.controller.sayHello()
                #expect(bench.hellos.last?.clock == .untrusted)
                await bench.tellTime(noon)
                await bench.controller.sayHello()
                #expect(bench.hellos.last?.clock == .trusted)
            }
        }
    }

    @Test("After seven days without an answer the clock is trusted no longer")
    func old() async throws {
        try await Bench.run { bench in
            await bench.connect()
            await bench.tellTime()
            let pass = try bench.pass(from: 7 * 86_400 - 10)
            bench.uptime.change { $0 += Self.week }
            #expect(try await bench.show(pass).outcome == .opened)
            bench.uptime.change { $0 += 1 }
            #expect(try await bench.show(pass).gateReason == .clockUntrusted)
            await bench.controller.sayHello()
            #expect(bench.hellos.last?.clock == .untrusted)
        }
    }

    @Test("An answer that took long is reckoned from the question, so that no pass lives longer for it")
    func slow() async throws {
        try await Bench.run { bench in
            await bench.connect()
            bench.uptime.change { $0 += 30_000 }
            let hellos = bench.hellos.count
            await bench.tellTime()
            let (ahead, now) = (try bench.pass(from: 31), try bench.pass(from: 30))
            #expect(try await bench.show(ahead).gateReason == .notYet)
            #expect(try await bench.show(now).outcome == .opened)
            // And the hub is told how late it is here now.
            #expect(bench.hellos.count == hellos + 1)
        }
    }

    @Test("Each start is counted, and told")
    func boots() async throws {
        try await Bench.run { bench in
            await bench.connect()
            let first = try #require(bench.hellos.last)
            #expect(first.verifies(gateKey: bench.identity.key))
            try await bench.restarted { bench in
                await bench.connect()
                #expect(bench.hellos.last?.bootCount == first.bootCount + 1)
                #expect(bench.hellos.last?.uptime == 5000)
            }
        }
    }
}
