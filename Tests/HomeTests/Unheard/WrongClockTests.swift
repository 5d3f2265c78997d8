import Ledger
import Safeguard
import System
import TestSupport
import Testing

@testable import Home
@testable import Household

/// What detectors say with a clock that is wrong, and beyond their range.
struct WrongClockTests {
    @Test(arguments: [
        "2026-11-21T11:00:00Z", "2026-11-21T13:00:00Z", "2020-01-02T00:00:00Z", "1970-01-01T00:00:00Z",
        "2099-01-01T00:00:00Z", "soon",
    ])
    func `A detector whose clock is wrong warns all the same, and its page says so`(at: String) async throws {
        try await TestHouse.run { house in
            let smoke = try await house.sensor("smoke", .smoke)
            let door = try await house.sensor("door", .contact)
            let intake = house.parts.makeIntake()
            for value in ["OFF", "ON", "OFF", "ON"] {
                await intake.receive("smoke/state", #"{"value":"\#(value)","at":"\#(at)"}"#, from: house.gateway)
                #expect(house.fires.count == (value == "ON" ? 1 : 0))
            }
            #expect(house.parts.live.refusals(of: smoke.id) != nil)
            #expect(house.parts.live.sensor(smoke.id).at == noon)
            // The time that an alarm has runs by the hub's clock.
            #expect(house.panel.left(at: noon.milliseconds) == 120_000)
            await intake.receive("smoke/state", #"{"value":"OFF","at":"\#(at)"}"#, from: house.gateway)
            house.panels.reset(house.site.id, by: .person(anna))
            await intake.receive("door/state", #"{"value":"OFF","at":"\#(at)"}"#, from: house.gateway)
            try house.panels.arm(.away, at: house.site.id, by: .person(anna))
            house.pass(60)
            await intake.receive("door/state", #"{"value":"ON","at":"\#(at)"}"#, from: house.gateway)
            #expect(house.panel.state == .pending)
            #expect(house.panel.left(at: house.time.value.milliseconds) == 30_000)
            #expect(house.parts.live.refusals(of: door.id) != nil)
        }
    }

    @Test func `A clock that was set back silences nothing`() async throws {
        try await TestHouse.run { house in
            _ = try await house.sensor("smoke", .smoke)
            let intake = house.parts.makeIntake()
            await intake.receive("smoke/state", #"{"value":"OFF","at":"2026-11-21T12:00:00Z"}"#, from: house.gateway)
            await intake.receive("smoke/state", #"{"value":"ON","at":"2026-11-21T09:00:00Z"}"#, from: house.gateway)
            #expect(house.fires.count == 1)
        }
    }

    @Test(arguments: [0, 10, 60, 100, 119, 121, 180, 86_400])
    func `A detector that expires, with a slow clock, warns`(seconds: Int64) async throws {
        try await TestHouse.run { house in
            let smoke = try await house.sensor(
                "smoke", .smoke, binding: SensorBinding(topic: "smoke/state", expireAfter: 30))
            let at = noon.adding(milliseconds: -seconds * 1000).iso8601
            await house.parts.makeIntake().receive("smoke/state", #"{"value":"ON","at":"\#(at)"}"#, from: house.gateway)
            #expect(house.fires.count == 1 && house.faults.isEmpty)
            #expect(house.parts.live.sensor(smoke.id).status == .live)
        }
    }

    @Test func `A detector that expires and has not spoken since the hub started is an outage`() async throws {
        try await TestHouse.run { house in
            _ = try await house.sensor("smoke", .smoke, binding: SensorBinding(topic: "smoke/state", expireAfter: 30))
            let intake = house.parts.makeIntake()
            await intake.pass(seconds: 31, in: house)
            #expect(house.faults.isEmpty)
            await intake.pass(seconds: 1, in: house)
            #expect(house.faults.count == 1)
        }
    }

    // MARK: beyond the range

    @Test func `What warms up is not believed above its range either`() async throws {
        try await TestHouse.run { house in
            let gas = try await house.sensor("gas", .gas, unit: "ppm", range: 0...1000)
            try await house.parts.care.change(Threshold(level: 300, hysteresis: 30), of: gas, by: nil)
            let intake = house.parts.makeIntake()
            await intake.receive("gas/state", #"{"value":5000,"warming":true}"#, from: house.gateway)
            await intake.receive("gas/state", "100", from: house.gateway)
            await intake.receive("gas/state", #"{"value":5000,"warming":true}"#, from: house.gateway)
            #expect(house.fires.isEmpty)
            await intake.receive("gas/state", #"{"value":100,"warming":true}"#, from: house.gateway)
            await intake.receive("gas/state", "5000", from: house.gateway)
            #expect(house.fires.count == 1)
        }
    }

    @Test func `Gas above what its sensor can measure is an alarm, and is neither shown nor an end`() async throws {
        try await TestHouse.run { house in
            let gas = try await house.sensor("gas", .gas, unit: "ppm", range: 0...1000, period: 10)
            try await house.parts.care.change(Threshold(level: 300, hysteresis: 30), of: gas, by: nil)
            let intake = house.parts.makeIntake()
            await intake.receive("gas/state", "12", from: house.gateway)
            await intake.receive("gas/state", "1200", from: house.gateway)
            #expect(house.fires.count == 1 && house.panel.isSounding)
            #expect(house.parts.live.sensor(gas.id).value == .number(12))
            #expect(house.parts.live.refusals(of: gas.id)?.reason == .outOfRange)
            await intake.receive("gas/state", "-4", from: house.gateway)
            #expect(house.fires.count == 1)
            // It speaks: nobody is told that it does not.
            for _ in 0..<6 {
                await intake.pass(seconds: 10, in: house)
                await intake.receive("gas/state", "1200", from: house.gateway)
            }
            #expect(house.faults.isEmpty)
            await intake.receive("gas/state", "12", from: house.gateway)
            #expect(house.fires.isEmpty)
            // What the broker kept trips nothing, and neither does a sensor without a threshold.
            await intake.receive("gas/state", "1200", isRetained: true, from: house.gateway)
            let warmth = try await house.sensor("warmth", .temperature, unit: "°C", range: -40...80)
            await intake.receive("warmth/state", "85", from: house.gateway)
            #expect(house.fires.isEmpty)
            #expect(house.parts.live.refusals(of: warmth.id)?.reason == .outOfRange)
        }
    }
}
