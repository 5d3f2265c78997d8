import Bus
import System
import Testing

@testable import Home

/// What one gateway may cost the hub that hears all the others.
struct StormTests {
    /// A house in which so many sensors are told on one topic, each by a member of its own.
    private func run(
        sensors count: Int, _ test: (TestHouse, Intake, [Sensor]) async throws -> Void
    ) async throws {
        try await TestHouse.run { house in
            var sensors: [Sensor] = []
            for number in 0..<count {
                sensors.append(
                    try await house.sensor(
                        "z\(number)", .temperature, binding: SensorBinding(topic: "all", path: ["z\(number)"])))
            }
            try await test(house, Intake(house.household), sensors)
        }
    }

    private func message(_ house: TestHouse, bytes: Int, isRetained: Bool = false) -> BusMessage {
        let members = #"{"z0":1,"z39":2,"pad":""#
        let padding = String(repeating: "x", count: max(0, bytes - members.utf8.count - 2))
        return BusMessage(
            topic: house.gateway.prefix + "all", payload: Array((members + padding + "\"}").utf8),
            isRetained: isRetained)
    }

    private func isAside(_ house: TestHouse, _ sensor: Sensor) -> Bool {
        house.household.live.sensor(sensor.id).status == .isolated
    }

    @Test func `A long message that forty sensors read is worth as many as are read, and soon a storm`() async throws {
        try await run(sensors: 40) { house, intake, sensors in
            // 600 a second are allowed, and ten seconds' worth at once; 40 times 61 kB and the message itself are 2,443.
            for number in 1...2 {
                await intake.take([message(house, bytes: 60_000)])
                #expect(isAside(house, sensors[39]) == false, "\(number)")
                #expect(house.household.live.sensor(sensors[39].id).value == .number(2))
            }
            await intake.take([message(house, bytes: 60_000)])
            #expect(isAside(house, sensors[39]))
        }
    }

    @Test func `What the broker kept counts as well when it is heavy`() async throws {
        try await run(sensors: 40) { house, intake, sensors in
            for _ in 0..<3 { await intake.take([message(house, bytes: 60_000, isRetained: true)]) }
            #expect(isAside(house, sensors[39]))
        }
    }

    @Test func `A message that is a storm by itself is not read`() async throws {
        var limits = IntakeLimits()
        (limits.perSecondAtMost, limits.burst) = (200, 1)
        try await run(sensors: 40) { house, _, sensors in
            let intake = Intake(house.household, limits: limits)
            await intake.take([message(house, bytes: 60_000)])
            #expect(isAside(house, sensors[39]))
            #expect(house.household.live.sensor(sensors[39].id).value == nil)
        }
    }

    @Test func `Forty sensors that are told of once a second, all day, are no storm`() async throws {
        try await run(sensors: 40) { house, intake, sensors in
            for _ in 0..<120 {
                await intake.take([message(house, bytes: 8_000)])
                await intake.pass(seconds: 1, in: house)
            }
            #expect(isAside(house, sensors[39]) == false)
        }
    }

    @Test func `Pictures twenty times a second are no storm, for nobody reads them at once`() async throws {
        try await TestHouse.run { house in
            let intake = Intake(house.household)
            let camera = try await house.sensor("camera", .snapshot)
            let message = BusMessage(
                topic: house.gateway.prefix + "camera/state", payload: [UInt8](repeating: 0xff, count: 120_000),
                isRetained: false)
            for _ in 0..<30 {
                await intake.take(Array(repeating: message, count: 20))
                await intake.pass(seconds: 1, in: house)
            }
            #expect(isAside(house, camera) == false)
        }
    }

    @Test func `However many sensors a gateway has, there is a most that it may send`() async throws {
        var limits = IntakeLimits()
        limits.perSecondAtMost = 300
        try await TestHouse.run { house in
            let intake = Intake(house.household, limits: limits)
            var sensors: [Sensor] = []
            for number in 0..<40 { sensors.append(try await house.sensor("s\(number)", .temperature)) }
            let message = BusMessage(topic: house.gateway.prefix + "s0/state", payload: [0x37], isRetained: false)
            await intake.take(Array(repeating: message, count: 3_000))
            #expect(isAside(house, sensors[0]) == false)
            await intake.take([message])
            #expect(isAside(house, sensors[0]))
        }
    }

    @Test func `Who adds sensor after sensor does not begin anew`() async throws {
        try await TestHouse.run { house in
            let intake = Intake(house.household)
            let first = try await house.sensor("s", .temperature)
            let message = BusMessage(topic: house.gateway.prefix + "s/state", payload: [0x37], isRetained: false)
            for number in 0..<4 {
                _ = try await house.sensor("more\(number)", .temperature)
                await intake.take(Array(repeating: message, count: 1_000))
            }
            #expect(isAside(house, first))
        }
    }

    @Test func `What was dropped of one gateway is missed of that one alone`() async throws {
        try await TestHouse.run { house in
            let intake = Intake(house.household)
            let (other, device) = try await house.gateway("Other")
            _ = try await house.sensor("a", .motion)
            _ = try await house.sensor("b", .motion, of: device)
            for (gateway, topic) in [(house.gateway, "a/state"), (other, "b/state")] {
                await intake.take(topic, "OFF", from: gateway)
            }
            let after = BusMessage(
                topic: house.gateway.prefix + "nothing", payload: [], isRetained: false, gapsOfSender: 1)
            await intake.take([after])
            let table = await intake.table
            #expect(table.gateways.filter { $0.gaps == 1 }.map(\.gateway.id) == [house.gateway.id])
            #expect(table.gateways.filter { $0.gaps == 0 }.map(\.gateway.id) == [other.id])
        }
    }
}
