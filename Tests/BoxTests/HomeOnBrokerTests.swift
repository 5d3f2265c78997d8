import Bus
import Glibc
import Safeguard
import System
import Testing
import Wire

@testable import Box

@Suite("A home on a real broker", .serialized)
struct HomeOnBrokerTests {
    @Test(
        "Cut off, the box sounds by itself and the broker says that it is gone; back, it tells everything in order, once"
    )
    func hubAway() async throws {
        try await BrokerBench.run { bench in
            try await bench.met()
            #expect(bench.state("availability") == "online")
            await bench.home.act(.cut)
            try await bench.expect("the will") { bench.state("availability") == "offline" }
            try await bench.expect("a warm sensor") { await !bench.home.view().isWarming }
            await bench.home.act(.leak)
            try await bench.expect("the alarm") { await bench.home.view().isSounding }
            let view = await bench.home.view()
            #expect(view.state == "triggered" && !view.isValveOpen && view.fan >= 50 && !view.hasHub)
            #expect(bench.kept.value.isEmpty)
            await bench.home.act(.restart)
            #expect(await bench.home.view().state == "triggered")
            await bench.home.act(.restore)
            try await bench.expect("every record") { await bench.home.view().waiting == 0 }
            let kinds = bench.kept.value.map(\.content.kind)
            #expect(kinds.starts(with: [.thresholdReached, .tripped]))
            #expect(bench.kept.value.map(\.sequence) == Array(1...UInt64(kinds.count)))
            #expect(bench.state("siren/state") == "ON" && bench.state("valve/state") == "closed")
        }
    }

    @Test(
        "Killed and restarted in the middle of telling, with the broker killed as well, the journal comes whole, in order and once"
    )
    func replay() async throws {
        try await BrokerBench.run { bench in
            try await bench.met()
            bench.acknowledges.change { $0 = false }
            for _ in 0..<10 { await bench.home.act(.stranger) }
            try await bench.expect("that it was told") { bench.heard.value.filter { $0.topic == "up" }.count >= 10 }
            #expect(await bench.home.view().waiting == 10)
            kill(try #require(await bench.broker.processID), SIGKILL)
            _ = await bench.broker.waitForEnd()
            for _ in 0..<10 { await bench.home.act(.stranger) }
            await bench.home.act(.cut)
            await bench.home.act(.restart)
            #expect(await bench.home.view().waiting == 20)
            try await bench.broker.start()
            // A hub that begins in the middle of the telling keeps the end before the beginning.
            try await bench.isThere()
            bench.acknowledges.change { $0 = true }
            await bench.home.act(.restore)
            // Again and again in the middle of it.
            for _ in 0..<3 { await bench.home.act(.restart) }
            try await bench.expect("every record") { await bench.home.view().waiting == 0 }
            #expect(bench.kept.value.map(\.sequence) == Array(1...20))
            #expect(Set(bench.kept.value.map(\.journalID)).count == 1)
            #expect(bench.kept.value.allSatisfy { $0.content.kind == .unknownTag })
            // What was acknowledged is not told again. What is still under way comes before the next record.
            await bench.home.act(.stranger)
            try await bench.expect("the next record") { bench.told.contains(21) }
            let told = bench.told.filter { $0 <= 20 }
            let hellos = bench.heard.value.filter { $0.topic == "hello" }.count
            try await bench.expect("more hellos") {
                bench.heard.value.filter { $0.topic == "hello" }.count > hellos + 2
            }
            #expect(bench.told.filter { $0 <= 20 } == told)
        }
    }

    @Test("Armed over the bus, a box with somebody before it is pending, and its own tag disarms it")
    func burglar() async throws {
        try await BrokerBench.run { bench in
            try await bench.met()
            await bench.home.act(.stranger)
            try bench.order(.learnTag, panel: Panel())
            try await bench.expect("learning") { await bench.home.view().lines.contains("Hold a new tag") }
            await bench.home.act(.tag)
            try await bench.expect("a digest") { bench.kept.value.last?.content.kind == .tagLearnt }
            let digest = try #require(bench.kept.value.last?.content.digest.flatMap { Tag($0) })
            bench.send(
                .settings(try Bench.settings(1, tags: [.init(id: id(), digest: digest)], bench.identity.key)))
            try await bench.expect("settings") { await bench.home.view().settings == 1 }
            var hub = Panel()
            hub.take(.arm(.away), at: 0, PanelRules(exitDelay: Delays(0)))
            try bench.order(.arm, mode: .away, panel: hub)
            try await bench.expect("armed") { await bench.home.view().state == "armed_away" }
            await bench.home.act(.walk)
            try await bench.expect("pending") { await bench.home.view().state == "pending" }
            try await bench.expect("the trip") { bench.kept.value.last?.content.kind == .tripped }
            await bench.home.act(.tag)
            #expect(await bench.home.view().state == "disarmed")
            try await bench.expect("the disarming") { bench.kept.value.last?.content.cause == .tag }
            #expect(bench.kept.value.last?.content.panel.number == 2)
            #expect(bench.heard.value.contains { $0.topic == "camera/state" })
        }
    }

    @Test("A retained command that waits at the broker moves nothing, and the box says so")
    func retained() async throws {
        try await BrokerBench.run { bench in
            try await bench.met()
            await bench.home.act(.cut)
            try bench.set("fan", "100", retain: true)
            await bench.home.act(.restore)
            try await bench.expect("that it is refused") {
                bench.state("notice/state") == "fan: a retained command is not obeyed"
            }
            #expect(await bench.home.view().fan == 0)
            try bench.set("fan", "100")
            try await bench.expect("the fan") { await bench.home.view().fan == 100 }
        }
    }

    @Test("An empty battery is a fault, then silence; a new one brings the box back")
    func battery() async throws {
        try await BrokerBench.run { bench in
            try await bench.met()
            await bench.home.act(.drain)
            try await bench.expect("the fault") { bench.kept.value.contains { $0.content.kind == .fault } }
            try await bench.expect("the will") { bench.state("availability") == "offline" }
            try await bench.expect("no power") { await bench.home.view().hasPower == false }
            await bench.home.act(.charge)
            try await bench.met()
            try await bench.expect("its word") { bench.state("availability") == "online" }
            #expect(bench.hello?.bootCount == 2)
        }
    }

    @Test("Who ends in an orderly way says so, and leaves no hello behind")
    func farewell() async throws {
        let last = Shared<(availability: String?, hello: [UInt8]?)>((nil, nil))
        try await inFolder { folder in
            let broker = try Broker(folder: folder)
            try await broker.start()
            let hub = try BusClient(address: broker.address, credentials: broker.hubCredentials)
            hub.start()
            let states = hub.states
            try await within("the broker") { for await state in states where state == .connected { break } }
            let memory = try await BoxMemory(folder: folder + "-box")
            let identity = BoxMemory.Identity(box: id(), site: id(), key: Key(Random.bytes(32))!, name: "Cucina")
            try await BrokerControl(client: hub, patience: patience).addClient(
                username: BusNames.username(gateway: identity.box), password: BusNames.password(key: identity.key),
                publish: [identity.prefix + "#"], subscribe: [identity.prefix + "#"])
            try hub.subscribe(identity.prefix + "#", quality: .atLeastOnce)
            let controller = try await BoxController(memory: memory, identity: identity)
            let bus = try BoxBus(controller, address: broker.address)
            let life = Task { try await bus.run() }
            let reading = Task {
                for await batch in hub.batches {
                    for message in batch {
                        if message.topic.hasSuffix("/availability") {
                            last.change { $0.availability = String(decoding: message.payload, as: UTF8.self) }
                        }
                        if message.topic.hasSuffix("/hello") { last.change { $0.hello = message.payload } }
                    }
                }
            }
            #expect(await eventually { last.value.availability == "online" && last.value.hello?.isEmpty == false })
            life.cancel()
            try await life.value
            #expect(await eventually { last.value.availability == "offline" && last.value.hello == [] })
            await hub.stop()
            await reading.value
            await memory.store.close()
            await broker.stop()
            for name in Files.names(in: folder + "-box") { Files.remove(folder + "-box/" + name) }
            rmdir(folder + "-box")
        }
    }
}
