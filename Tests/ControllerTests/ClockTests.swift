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

    @Test(
        "A time that does not fit is believed when the hub says it twice, twenty seconds apart, also after a restart",
        arguments: [-300, 300, -1_100, 1_100].map { $0 * 86_400_000 } + [-150_000, 150_000] as [Int64])
    func otherTime(by jump: Int64) async throws {
        try await Bench.run { bench in
            await bench.connect()
            await bench.tellTime(noon)
            let other = noon.adding(milliseconds: jump)
            // Once is nothing, however often the same moment is said.
            for _ in 0..<4 {
                await bench.controller.sayHello()
                await bench.tellTime(other)
            }
            #expect(try await bench.show(try bench.pass()).outcome == .opened)
            bench.uptime.change { $0 += 19_999 }
            await bench.controller.sayHello()
            await bench.tellTime(other.adding(milliseconds: 19_999))
            #expect(await bench.time() == noon.seconds + 19)
            bench.uptime.change { $0 += 1 }
            await bench.controller.sayHello()
            await bench.tellTime(other.adding(milliseconds: 20_000))
            #expect(await bench.time() == other.seconds + 20)
            try await bench.restarted { bench in
                await bench.connect()
                // Whatever was kept: it takes the right time from a hub that says so twice.
                for elapsed in stride(from: 0 as UInt64, through: 24_000, by: 4_000) {
                    bench.uptime.change { $0 += elapsed == 0 ? 0 : 4_000 }
                    await bench.controller.sayHello()
                    await bench.tellTime(noon.adding(milliseconds: Int64(elapsed)))
                }
                await bench.controller.sayHello()
                #expect(bench.hellos.last?.clock == .trusted)
                #expect(await bench.time() == noon.seconds + 24)
            }
        }
    }

    @Test("Two times that do not belong together lead nowhere, and the right one in between forgets them")
    func inconsistent() async throws {
        try await Bench.run { bench in
            await bench.connect()
            await bench.tellTime(noon)
            func tell(_ offset: Int64) async {
                bench.uptime.change { $0 += 21_000 }
                await bench.controller.sayHello()
                await bench.tellTime(noon.adding(milliseconds: offset))
            }
            await tell(900_000)
            await tell(-900_000)
            await tell(1_800_000)
            #expect(await bench.time() == noon.seconds + 63)
            await tell(84_000)
            await tell(1_842_000)
            #expect(await bench.time() == noon.seconds + 105)
        }
    }

    @Test("A hub of whose time the gate is not sure is there all the same")
    func doubtedHub() async throws {
        try await Bench.run { bench in
            await bench.connect()
            await bench.tellTime(noon)
            bench.uptime.change { $0 += 60_000 }
            await bench.controller.sayHello()
            await bench.tellTime(noon.adding(milliseconds: -86_400_000))
            let receipt = try await bench.show(try bench.pass(flags: .onlineOnly, from: -5))
            #expect(receipt.outcome == .opened)
            // Nor where it says that it knows none; and nothing is set by that.
            bench.uptime.change { $0 += 60_000 }
            await bench.controller.sayHello()
            await bench.tellTime(Timestamp(milliseconds: 0))
            #expect(try await bench.show(try bench.pass(flags: .onlineOnly, from: -5)).outcome == .opened)
            #expect(await bench.time() == noon.seconds + 120)
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
