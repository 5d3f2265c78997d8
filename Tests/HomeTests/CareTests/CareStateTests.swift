import Ledger
import Safeguard
import System
import Testing

@testable import Home
@testable import Household

struct CareStateTests {
    private func later(_ seconds: Int64) -> Timestamp { noon.adding(milliseconds: seconds * 1000) }

    /// A house with a gas sensor over which a fan stands, and a valve.
    private func house(
        _ test: (inout CareState, _ gas: Sensor, _ fan: ActuatorID, _ valve: ActuatorID) throws -> Void
    ) async throws {
        try await TestHouse.run { house in
            let gas = try await house.sensor("gas", .gas, unit: "ppm", range: 0...1023, period: 5)
            let fan = try await house.actuator("fan", .fan)
            let valve = try await house.actuator("valve", .valve)
            var care = CareState(house.parts.registry.catalog)
            _ = care.set(Threshold(level: 300, hysteresis: 30), of: gas.id, at: noon)
            _ = care.set(
                FanRule(fan: fan.id, site: gas.site, sensor: gas.id, most: 600, shortestRun: 60), of: fan.id, at: noon)
            try test(&care, gas, fan.id, valve.id)
        }
    }

    @Test func `Gas over its threshold closes, trips, ventilates and tells, in this order`() async throws {
        try await house { care, gas, fan, _ in
            let cause = CareCause(crossing: .reached, value: 450, threshold: Threshold(level: 300, hysteresis: 30))
            #expect(
                care.apply(.number(450), of: gas, at: noon) == [
                    .closeValves(gas.site), .trip(gas.id), .run(fan), .raise(gas.id, cause),
                ])
            #expect(care.percent(of: fan) == 75)
        }
    }

    @Test func `When the alarm has ended, what falls below its level is over, and what rises again another`()
        async throws
    {
        for isBelow in [false, true] {
            try await house { care, gas, fan, _ in
                _ = care.apply(.number(450), of: gas, at: noon)
                if isBelow { _ = care.apply(.number(290), of: gas, at: later(1)) }
                #expect(care.watches[gas.id]?.isOver == true, "it is near its level")
                let ended = care.ended(at: gas.site, now: later(2))
                #expect(ended.contains(.end(gas.id)) == isBelow)
                if !isBelow {
                    // It goes on: that is no other one.
                    #expect(!care.apply(.number(460), of: gas, at: later(3)).contains(.trip(gas.id)))
                    #expect(care.apply(.number(299), of: gas, at: later(4)).contains(.end(gas.id)))
                }
                #expect(care.apply(.number(400), of: gas, at: later(5)).contains(.trip(gas.id)))
                // Its alarm has not ended: where it is near its level it is not over.
                #expect(!care.apply(.number(290), of: gas, at: later(6)).contains(.end(gas.id)))
                #expect(!care.apply(.number(400), of: gas, at: later(7)).contains(.trip(gas.id)))
            }
        }
    }

    @Test
    func `When the alarm has ended, smoke that is still there stays, also after a restart, and what is not heard`()
        async throws
    {
        try await TestHouse.run { house in
            let smoke = try await house.sensor("smoke", .smoke)
            let gas = try await house.sensor("gas", .gas, unit: "ppm", range: 0...1023)
            for isRestored in [false, true] {
                var care = CareState(house.parts.registry.catalog)
                _ = care.set(Threshold(level: 300, hysteresis: 30), of: gas.id, at: noon)
                if isRestored {
                    care.restore(alarm: .new(at: noon), fault: nil, of: smoke.id)
                    care.restore(alarm: .new(at: noon), fault: nil, of: gas.id)
                } else {
                    _ = care.apply(.truth(true), of: smoke, at: noon)
                    _ = care.apply(.number(450), of: gas, at: noon)
                    _ = care.apply(.number(290), of: gas, at: noon)
                    _ = care.apply(.late, of: gas, at: later(1))
                }
                #expect(
                    !care.ended(at: smoke.site, now: later(2)).contains { [.end(smoke.id), .end(gas.id)].contains($0) })
                #expect(care.endangered == [smoke.site])
                #expect(care.watches[smoke.id]?.isOver == true && care.watches[gas.id]?.isOver == true)
            }
        }
    }

    @Test func `What was told and heard is not told again`() async throws {
        try await house { care, gas, fan, valve in
            _ = care.apply(.number(450), of: gas, at: noon)
            #expect(care.pass(to: noon) == [.closeValves(gas.site), .run(fan)])
            care.told(valve, 0)
            care.told(fan, 75)
            #expect(care.pass(to: later(1)) == [])
            #expect(care.apply(.number(451), of: gas, at: later(2)) == [])
            #expect(care.apply(.number(470), of: gas, at: later(3)) == [.run(fan)])
        }
    }

    @Test func `Who was away is told again for as long as it counts`() async throws {
        try await house { care, gas, fan, valve in
            _ = care.apply(.number(450), of: gas, at: noon)
            care.told(valve, 0)
            care.told(fan, 75)
            care.forget(valve)
            care.forget(fan)
            #expect(care.pass(to: later(1)) == [.closeValves(gas.site), .run(fan)])
        }
    }

    @Test func `The fan runs its shortest time after the air is good, and then stops without another reading`()
        async throws
    {
        try await house { care, gas, fan, _ in
            _ = care.apply(.number(600), of: gas, at: noon)
            #expect(care.percent(of: fan) == 100)
            #expect(care.apply(.number(100), of: gas, at: later(5)).contains(.end(gas.id)))
            #expect(care.percent(of: fan) == 50)
            _ = care.pass(to: later(59))
            #expect(care.percent(of: fan) == 50)
            _ = care.pass(to: later(60))
            #expect(care.percent(of: fan) == 0)
        }
    }

    @Test func `A sensor that falls silent is a fault, and the fan runs on as if nothing was better`() async throws {
        try await house { care, gas, fan, _ in
            _ = care.apply(.number(600), of: gas, at: noon)
            #expect(care.apply(.late, of: gas, at: noon) == [.fault(gas.id, .late)])
            #expect(care.apply(.unavailable, of: gas, at: noon) == [])
            _ = care.pass(to: later(86_400))
            #expect(care.percent(of: fan) == 100)
            #expect(care.apply(.number(600), of: gas, at: later(86_401)).first == .faultOver(gas.id))
            #expect(care.apply(.late, of: gas, at: noon) == [.fault(gas.id, .late)])
        }
    }

    @Test func `By hand counts until its time is over, and then the rule`() async throws {
        try await house { care, gas, fan, _ in
            _ = care.run(fan, byHand: .init(percent: 80, until: later(60)), at: noon)
            #expect(care.percent(of: fan) == 80)
            _ = care.apply(.number(450), of: gas, at: later(10))
            #expect(care.percent(of: fan) == 80)
            _ = care.pass(to: later(60))
            #expect(care.percent(of: fan) == 75)
        }
    }

    @Test func `A clock that is set back makes nothing by hand longer than a day`() async throws {
        try await house { care, _, fan, _ in
            _ = care.run(fan, byHand: .init(percent: 80, until: later(3600)), at: noon)
            let year = later(-365 * 86_400)
            _ = care.pass(to: year)
            _ = care.pass(to: year.adding(milliseconds: 86_400_000 - 1))
            #expect(care.percent(of: fan) == 80)
            _ = care.pass(to: year.adding(milliseconds: 86_400_000))
            #expect(care.percent(of: fan) == 0)
        }
    }

    @Test func `Where thresholds are off none counts, and a detector still does`() async throws {
        try await TestHouse.run { house in
            let gas = try await house.sensor("gas", .gas)
            let smoke = try await house.sensor("smoke", .smoke)
            var care = CareState(house.parts.registry.catalog)
            _ = care.set(Threshold(level: 300), of: gas.id, at: noon)
            _ = care.set(isEnabled: false, at: gas.site, now: noon)
            #expect(care.apply(.number(900), of: gas, at: noon) == [])
            #expect(care.apply(.late, of: gas, at: noon) == [])
            #expect(care.apply(.truth(true), of: smoke, at: noon).contains(.trip(smoke.id)))
            #expect(care.apply(.late, of: smoke, at: noon) == [.fault(smoke.id, .late)])
            // What was over all the time counts as soon as thresholds do again.
            #expect(care.set(isEnabled: true, at: gas.site, now: noon).contains(.trip(gas.id)))
            #expect(care.set(isEnabled: false, at: gas.site, now: noon).contains(.endUnheld(gas.id)), "it is not over")
            #expect(care.set(isEnabled: true, at: gas.site, now: noon).contains(.trip(gas.id)))
            #expect(care.set(nil, of: gas.id, at: noon).contains(.endUnheld(gas.id)))
        }
    }

    @Test func `What a box saw by itself is taken once, also where thresholds are off`() async throws {
        try await house { care, gas, fan, _ in
            _ = care.set(isEnabled: false, at: gas.site, now: noon)
            #expect(care.told(.reached, of: gas, value: 600, at: noon).contains(.trip(gas.id)))
            #expect(care.percent(of: fan) == 100)
            #expect(care.told(.reached, of: gas, value: 600, at: noon).allSatisfy { $0 == .run(fan) })
            #expect(care.told(.left, of: gas, value: 10, at: later(1)).contains(.end(gas.id)))
        }
    }

    @Test func `The hub's own readings end what the box began`() async throws {
        try await house { care, gas, _, _ in
            _ = care.told(.reached, of: gas, value: 600, at: noon)
            #expect(!care.apply(.number(601), of: gas, at: later(1)).contains(.trip(gas.id)))
            #expect(care.apply(.number(100), of: gas, at: later(2)).contains(.end(gas.id)))
        }
    }

    @Test func `A sensor that knows other than numbers, or threatens nobody, moves nothing`() async throws {
        try await TestHouse.run { house in
            let door = try await house.sensor("door", .contact)
            let lamp = try await house.sensor("lamp", .truth)
            let text = try await house.sensor("text", .text)
            var care = CareState(house.parts.registry.catalog)
            #expect(!care.concerns(door) && !care.concerns(lamp) && !care.concerns(text))
            #expect(care.apply(.truth(true), of: lamp, at: noon) == [])
        }
    }

    @Test func `What is neither finite nor a number never gets in`() async throws {
        try await house { care, gas, _, _ in
            for value in [Double.nan, .infinity, -.infinity, .signalingNaN] {
                #expect(care.apply(.number(value), of: gas, at: noon) == [])
            }
            #expect(care.watches[gas.id]?.last == nil)
            #expect(care.apply(.text("many"), of: gas, at: noon) == [])
            #expect(care.apply(.number(301), of: gas, at: noon).contains(.trip(gas.id)))
        }
    }

    @Test func `A warm cellar is told and trips nothing`() async throws {
        try await TestHouse.run { house in
            let warm = try await house.sensor("warm", .temperature, unit: "°C")
            var care = CareState(house.parts.registry.catalog)
            _ = care.set(Threshold(level: 40), of: warm.id, at: noon)
            let cause = CareCause(crossing: .reached, value: 41, threshold: Threshold(level: 40))
            #expect(care.apply(.number(41), of: warm, at: noon) == [.raise(warm.id, cause)])
        }
    }
}
