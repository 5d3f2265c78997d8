import Ledger
import System
import TestSupport
import Testing

@testable import Home
@testable import Household

/// Sirens and valves that cannot be reached.
struct ProtectorWatchTests {
    private func pass(_ seconds: Int, _ house: TestHouse, _ watch: ProtectorWatch? = nil) {
        for _ in 0..<seconds {
            house.pass(1)
            (watch ?? house.parts.safety.protectors).tick()
        }
    }

    private func titles(_ house: TestHouse) -> [String] {
        house.alarms.standing(at: house.site.id).filter { $0.kind == .fault }.map { $0.text[.en].title }.sorted()
    }

    @Test(arguments: [SensorStatus.unavailable, .isolated])
    func `A siren or a valve that cannot be reached is told once, armed or not, and is over when it is back`(
        status: SensorStatus
    ) async throws {
        try await TestHouse.run { house in
            let things = [
                try await house.actuator("siren", .siren), try await house.actuator("valve", .valve),
                try await house.actuator("lamp", .light),
            ]
            let live = house.parts.live
            live.set(house.gateway.id, .init(isThere: true, heard: noon))
            for one in things { live.set(one.id, SensorState(status: status)) }
            pass(Int(IntruderWatch.grace / 1000), house)
            #expect(titles(house).isEmpty)
            pass(1, house)
            let told = ["No connection: Siren (Kitchen)", "No connection: Valve (Kitchen)"]
            #expect(titles(house) == told)
            #expect(house.parts.sight.summary(of: house.site.id).condition == .faulty)
            let first = house.faults
            pass(300, house)
            #expect(house.faults == first)
            // After a start they are the same, and stand until the things are there.
            live.set(house.gateway.id, .init())
            for one in things { live.set(one.id, SensorState()) }
            #expect(await eventually { house.alarms.journal.waiting == 0 })
            let desk = try AlarmDesk(house.parts.given, house.parts.registry, house.parts.live)
            #expect(Set(desk.standing(at: house.site.id).map(\.actuator)) == [things[0].id, things[1].id])
            _ = try await house.parts.registry.change(at: house.site.id) {
                try $0.execute("UPDATE home_actuators SET name = 'Horn' WHERE id = ?", things[0].id)
            }
            let again = ProtectorWatch(house.parts.registry, live, house.alarms, house.parts.clock) { true }
            pass(10, house, again)
            #expect(house.faults == first)
            live.set(house.gateway.id, .init(isThere: true, heard: noon))
            live.set(things[0].id, SensorState(value: .truth(false), status: .live))
            live.set(things[1].id, SensorState(status: status))
            pass(100, house, again)
            #expect(titles(house) == [told[1]])
            // What is out of use is missed by nobody.
            _ = try await house.parts.registry.change(at: house.site.id) {
                try $0.execute("UPDATE home_actuators SET retired = ? WHERE id = ?", noon, things[1].id)
            }
            pass(1, house, again)
            #expect(titles(house).isEmpty)
        }
    }

    @Test func `One that comes and goes without end is written down a few times`() async throws {
        try await TestHouse.run { house in
            let siren = try await house.actuator("siren", .siren)
            let live = house.parts.live
            live.set(house.gateway.id, .init(isThere: true, heard: noon))
            live.set(siren.id, SensorState(status: .unavailable))
            pass(61, house)
            #expect(titles(house).count == 1)
            for _ in 0..<50 {
                live.set(siren.id, SensorState(value: .truth(false), status: .live))
                pass(1, house)
                live.set(siren.id, SensorState(status: .unavailable))
                pass(1, house)
            }
            #expect(titles(house).count == 1)
            #expect(await eventually { house.alarms.journal.waiting == 0 })
            #expect(try house.events("home.alarm").count <= 1 + 2 * AlarmDesk.mostReturns)
        }
    }

    @Test func `A short absence is no fault`() async throws {
        try await TestHouse.run { house in
            let siren = try await house.actuator("siren", .siren)
            let live = house.parts.live
            live.set(house.gateway.id, .init(isThere: true, heard: noon))
            for _ in 0..<5 {
                live.set(siren.id, SensorState(status: .unavailable))
                pass(30, house)
                live.set(siren.id, SensorState(value: .truth(false), status: .live))
                pass(30, house)
            }
            #expect(titles(house).isEmpty)
            // Who lets it speak for a moment hides nothing.
            for _ in 0..<2 {
                live.set(siren.id, SensorState(status: .unavailable))
                pass(52, house)
                let isTold = !titles(house).isEmpty
                live.set(siren.id, SensorState(value: .truth(false), status: .live))
                pass(3, house)
                if isTold { return }
            }
            Issue.record("it was never told")
        }
    }

    @Test(arguments: [true, false])
    func `One that never says what it does is there again when it, or its gateway, says so`(hasOwn: Bool) async throws {
        try await TestHouse.run { house in
            var binding = ActuatorBinding(commandTopic: "siren/set")
            if hasOwn { binding.availability = [Availability(topic: "siren/there")] }
            let siren = try await house.actuator("siren", .siren, binding: binding)
            let intake = house.parts.makeIntake()
            let topic = hasOwn ? "siren/there" : "availability"
            let status = { house.parts.live.actuator(siren.id).status }
            for _ in 0..<2 {
                await intake.receive(topic, "offline", from: house.gateway)
                pass(61, house)
                #expect(titles(house).count == 1 && status() == .unavailable)
                await intake.receive(topic, "online", from: house.gateway)
                pass(1, house)
                #expect(titles(house).isEmpty && status() == .waiting)
            }
        }
    }

    @Test func `After a start one that said that it is away is away until it says otherwise`() async throws {
        try await TestHouse.run { house in
            var binding = ActuatorBinding(commandTopic: "siren/set")
            binding.availability = [Availability(topic: "siren/there")]
            let siren = try await house.actuator("siren", .siren, binding: binding)
            let before = house.parts.makeIntake()
            await before.receive("siren/there", "offline", from: house.gateway)
            pass(61, house)
            let first = house.faults
            #expect(first.count == 1)
            house.parts.live.set(siren.id, SensorState())
            let parts = house.parts
            let again = ProtectorWatch(parts.registry, parts.live, house.alarms, parts.clock) { true }
            parts.live.set(house.gateway.id, .init(isThere: true, heard: noon))
            pass(100, house, again)
            #expect(house.faults == first)
            again.isThere(siren)
            pass(1, house, again)
            #expect(house.faults.isEmpty)
        }
    }

    @Test func `One that is to say that it is there and does not after a start is missed, and so is one that moved`()
        async throws
    {
        try await TestHouse.run { house in
            var binding = ActuatorBinding(commandTopic: "siren/set")
            binding.availability = [Availability(topic: "siren/there")]
            let siren = try await house.actuator("siren", .siren, binding: binding)
            let (parts, isConnected) = (house.parts, Shared(false))
            let watch = ProtectorWatch(parts.registry, parts.live, house.alarms, parts.clock) { isConnected.value }
            let told = ["No connection: Siren (Kitchen)"]
            // It may have gone while the hub was away; but nobody can be heard yet. What the broker kept of its state says nothing.
            parts.live.set(siren.id, SensorState(value: .truth(false), status: .live))
            pass(120, house, watch)
            #expect(titles(house).isEmpty)
            isConnected.change { $0 = true }
            pass(Int(IntruderWatch.grace / 1000), house, watch)
            #expect(titles(house).isEmpty)
            pass(1, house, watch)
            #expect(titles(house) == told)
            watch.isThere(siren)
            pass(300, house, watch)
            #expect(titles(house).isEmpty)
            // Its device says that it says so elsewhere, and does not.
            _ = try await house.parts.registry.change(at: house.site.id) { [siren] database in
                var moved = siren
                moved.binding.availability = [Availability(topic: "siren/elsewhere")]
                try HomeRecords.put(moved, in: database)
            }
            pass(61, house, watch)
            #expect(titles(house) == told)
            // While the hub is cut off nobody knows, and what people were told of stands without a gap.
            let first = house.faults
            for isThere in [false, true] {
                isConnected.change { $0 = isThere }
                pass(200, house, watch)
                #expect(house.faults == first)
            }
            // A word of before, that came late, is none of there.
            watch.isThere(siren)
            pass(1, house, watch)
            #expect(titles(house) == told)
            watch.isThere(house.parts.registry.catalog.actuators[siren.id]!)
            pass(1, house, watch)
            #expect(titles(house).isEmpty)
        }
    }
}
