import Identity
import Radio
import Store
import System
import Testing
import Wire

@testable import Controller

@Suite("What a controller says of itself")
struct StatusTests {
    @Test("Its hello holds its clock, its journal and its software")
    func says() async throws {
        try await Bench.run { bench in
            await bench.connect()
            await bench.tellTime()
            _ = try await bench.show(try bench.pass())
            await bench.controller.sayHello()
            let status = try #require(bench.hellos.last?.status)
            #expect(status.utc == noon.seconds)
            #expect((status.waiting, status.kept) == (1, 1))
            #expect(String(decoding: status.software, as: UTF8.self) == "soglia \(Version.current)")
            #expect(status.troubles == [])
            try await bench.acknowledge(1)
            await bench.controller.sayHello()
            #expect(bench.hellos.last?.status?.waiting == 0)
        }
    }

    @Test("A relay that does not move is told at once, and so is one that moves again")
    func relay() async throws {
        try await Bench.run { bench in
            await bench.connect()
            await bench.tellTime()
            bench.relay.isStuck.change { $0 = true }
            _ = try await bench.show(try bench.pass())
            #expect(bench.hellos.last?.status?.troubles == .relayFailed)
            bench.relay.isStuck.change { $0 = false }
            _ = try await bench.show(try bench.pass())
            #expect(bench.hellos.last?.status?.troubles == [])
        }
    }

    @Test("A gate says that its disk is nearly full, until there is room again")
    func fullDisk() async throws {
        try await Bench.run(hasReserve: true) { bench in
            await bench.connect()
            await bench.tellTime()
            let pass = try bench.pass()
            bench.free.change { $0 = 0 }
            #expect(try await bench.show(pass).outcome == .opened)
            await bench.controller.sayHello()
            #expect(bench.hellos.last?.status?.troubles == .diskFull)
            bench.free.change { $0 = 1 << 30 }
            #expect(try await bench.show(pass).outcome == .opened)
            await bench.controller.sayHello()
            #expect(bench.hellos.last?.status?.troubles == [])
        }
    }

    @Test("An opening that is not done is not told while its relay still moves: it may yet be corrected")
    func unfinished() async throws {
        try await Bench.run { bench in
            await bench.connect()
            await bench.tellTime()
            let controller = bench.controller
            bench.relay.whileMoving.change { $0 = { await controller.tellAgain() } }
            bench.relay.isStuck.change { $0 = true }
            _ = try await bench.show(try bench.pass())
            #expect(bench.records.allSatisfy { $0.outcome == .refused })
            #expect(!bench.records.isEmpty)
        }
    }
}
