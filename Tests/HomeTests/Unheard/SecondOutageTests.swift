import Ledger
import Safeguard
import System
import TestSupport
import Testing

@testable import Home
@testable import Household

/// What falls silent again after nobody heard that it was back.
struct SecondOutageTests {
    @Test func `An outage after a start is told, when an older one of that detector had ended meanwhile`() async throws
    {
        try await TestHouse.run { house in
            let smoke = try await house.sensor("smoke", .smoke)
            house.parts.readings.note(.unavailable, of: smoke)
            let first = house.faults
            #expect(first.count == 1)
            let care = try house.restartedCare()
            care.heard(house.reading(.truth(false), isRetained: true), of: smoke, before: SensorState())
            #expect(house.faults.isEmpty)
            house.pass(Double(AlarmDesk.reopening) / 1000)
            await house.alarms.look()
            care.changed(to: .unavailable, of: smoke, before: SensorState(), at: house.time.value)
            #expect(house.faults.count == 1 && house.faults != first)
        }
    }

    @Test(arguments: [true, false])
    func `A detector that says nothing by itself is there when it, or its gateway, says so`(hasOwn: Bool) async throws {
        try await TestHouse.run { house in
            var binding = SensorBinding(topic: "smoke/state")
            if hasOwn { binding.availability = [Availability(topic: "smoke/there")] }
            let smoke = try await house.sensor("smoke", .smoke, binding: binding)
            let topic = hasOwn ? "smoke/there" : "availability"
            let before = house.parts.makeIntake()
            await before.receive(topic, "online", from: house.gateway)
            await before.receive(topic, "offline", from: house.gateway)
            #expect(house.faults.count == 1)
            // It came back, and nobody heard it: the hub was stopped.
            house.parts.live.set(smoke.id, SensorState())
            let care = try house.restartedCare()
            house.parts.readings.add(care)
            let intake = house.parts.makeIntake()
            await intake.receive(topic, "online", isRetained: true, from: house.gateway)
            #expect(house.faults.isEmpty)
            house.pass(Double(AlarmDesk.reopening) / 1000)
            await house.alarms.look()
            await intake.receive(topic, "offline", from: house.gateway)
            #expect(house.faults.count == 1)
        }
    }

    @Test func `A detector that is away all the time is told once over a start`() async throws {
        try await TestHouse.run { house in
            let binding = SensorBinding(topic: "smoke/state", availability: [Availability(topic: "smoke/there")])
            let smoke = try await house.sensor("smoke", .smoke, binding: binding)
            let before = house.parts.makeIntake()
            await before.receive("smoke/there", "offline", from: house.gateway)
            let first = house.faults
            #expect(first.count == 1)
            house.parts.live.set(smoke.id, SensorState())
            house.parts.readings.add(try house.restartedCare())
            let intake = house.parts.makeIntake()
            // What it said last comes first, or last.
            await intake.receive("smoke/state", "OFF", isRetained: true, from: house.gateway)
            await intake.receive("smoke/there", "offline", isRetained: true, from: house.gateway)
            await intake.receive("smoke/state", "OFF", isRetained: true, from: house.gateway)
            #expect(house.faults == first)
        }
    }

    @Test func `A detector that comes back without a word is there`() async throws {
        try await TestHouse.run { house in
            _ = try await house.sensor("smoke", .smoke)
            let intake = house.parts.makeIntake()
            for _ in 0..<2 {
                await intake.receive("availability", "offline", from: house.gateway)
                #expect(house.faults.count == 1)
                await intake.receive("availability", "online", from: house.gateway)
                #expect(house.faults.isEmpty)
                house.pass(Double(AlarmDesk.reopening) / 1000)
                await house.alarms.look()
            }
        }
    }

    @Test(arguments: ["away", "late", "expired"])
    func `A detector that was out of use for a moment is an outage when it is not there`(how: String) async throws {
        try await TestHouse.run { house in
            var binding = SensorBinding(topic: "smoke/state", availability: [Availability(topic: "smoke/there")])
            if how == "expired" { binding.expireAfter = 60 }
            let smoke = try await house.sensor("smoke", .smoke, period: how == "late" ? 20 : nil, binding: binding)
            let intake = house.parts.makeIntake()
            func wait() async {
                for _ in 0..<30 {
                    house.pass(10)
                    await intake.look()
                }
            }
            await intake.receive("smoke/state", "OFF", from: house.gateway)
            if how == "away" { await intake.receive("smoke/there", "offline", from: house.gateway) }
            await wait()
            #expect(house.faults.count == 1)
            // No message comes in between.
            for isInUse in [false, true] {
                try await house.parts.devicesDesk.change(
                    house.device.id, at: house.site.id, name: nil, area: nil, isInUse: isInUse, by: anna)
            }
            #expect(house.faults.isEmpty)
            await wait()
            #expect(house.faults.count == 1)
            #expect(house.parts.live.sensor(smoke.id).status != .waiting)
        }
    }
}
