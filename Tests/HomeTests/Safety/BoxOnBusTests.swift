import Bus
import Glibc
import Store
import System
import TestSupport
import Testing
import Wire

@testable import Box
@testable import Home

/// A box and its hub on a real broker.
@Suite(.serialized)
struct BoxOnBusTests {
    /// Lets a box of the house run while the test does.
    private func run(
        _ test: (TestHouse, SimulatedHome) async throws -> Void
    ) async throws {
        try await TestHouse.runWithBroker { house, bus in
            let folder = "/tmp/soglia-hall-\(getpid())-" + Random.bytes(6).map { String($0, radix: 16) }.joined()
            try Files.makeFolder(folder)
            defer {
                for name in Files.names(in: folder) { Files.remove(folder + "/" + name) }
                rmdir(folder)
            }
            let (gateway, _) = try await house.gateway("Hall", .box)
            let memory = try await BoxMemory(folder: folder)
            try await memory.setIdentity(
                .init(box: gateway.id.raw, site: house.site.id.raw, key: gateway.key!, name: "Hall"))
            await memory.store.close()
            let home = try SimulatedHome(
                folder: folder, address: bus.broker.address, pace: .fast, seed: 4, step: .milliseconds(20),
                heartbeat: .milliseconds(200))
            try await bus.begin(Intake(house.household))
            #expect(await eventually { house.household.given.bus?.client.state == .connected })
            try await house.household.given.bus!.control.addClient(
                username: gateway.username, password: BusNames.password(key: gateway.key!),
                publish: [gateway.prefix + "#"], subscribe: [gateway.prefix + "#"])
            let (box, hub) = (Task { try await home.run() }, Task { await house.boxes.run() })
            let outcome: Result<Void, any Error>
            do {
                guard await eventually({ house.boxes.isThere(gateway.id) }) else { throw Late("the box") }
                outcome = .success(try await test(house, home))
            } catch { outcome = .failure(error) }
            box.cancel()
            hub.cancel()
            _ = await box.result
            await hub.value
            try outcome.get()
        }
    }

    @Test func `A self-test begins at the box, when there is one that answers`() async throws {
        try await run { house, home in
            _ = try await house.people([.owner])
            _ = house.phones()
            // As the household asks, and with the patience of a machine that runs a thousand tests beside this one.
            house.household.selfTests.askBox { [boxes = house.boxes] in
                await boxes.answers(at: $0, within: .seconds(60))
            }
            let id = try await house.household.selfTests.begin(at: house.site.id, by: nil)
            let test = try house.household.store.read { try SelfTestRecords.test(id, in: $0) }
            #expect(test?.origin == .box)
            await home.act(.cut)
            #expect(await !house.boxes.answers(at: house.site.id, within: .milliseconds(300)))
        }
    }

    @Test
    func
        `Gas that sounds while the network is cut sounds on when it is back, until somebody ends it`()
        async throws
    {
        try await run { house, home in
            #expect(await eventually { await !home.view().isWarming })
            await home.act(.cut)
            await home.act(.leak)
            #expect(await eventually { await home.view().isSounding })
            for _ in 0..<3 {
                try house.panels.arm(.home, at: house.site.id, by: .person(anna))
                house.panels.disarm(house.site.id, by: .person(anna))
            }
            await home.act(.restore)
            // The hub's panel is six acts ahead, and the alarm is one of the house all the same.
            #expect(await eventually { house.panel.state == .triggered })
            #expect(await home.view().isSounding)
            await home.act(.air)
            house.panels.disarm(house.site.id, by: .person(anna))
            #expect(await eventually { await !home.view().isSounding })
            #expect(house.panel.state == .disarmed)
        }
    }
}
