import Ledger
import Safeguard
import System
import TestSupport
import Testing

@testable import Home
@testable import Household

/// What begins again after nobody heard that it was over.
struct SecondFireTests {
    @Test(arguments: [true, false])
    func `A second fire after a start is an alarm of its own, whether or not the broker kept that the first was over`(
        isKept: Bool
    ) async throws {
        try await TestHouse.run { house in
            let smoke = try await house.sensor("smoke", .smoke)
            house.tell(smoke, .truth(true))
            let first = house.fires
            #expect(first.count == 1 && house.panel.isSounding)
            let care = try house.restartedCare()
            if isKept { care.heard(house.reading(.truth(false), isRetained: true), of: smoke, before: SensorState()) }
            #expect(house.fires == first)
            house.pass(10)
            house.panels.reset(house.site.id, by: .person(anna))
            #expect(!house.panel.isSounding)
            house.pass(10)
            care.heard(house.reading(.truth(true)), of: smoke, before: SensorState())
            #expect(house.panel.isSounding)
            #expect(house.fires.count == 1 && house.fires != first)
            // That it goes on is no news.
            let second = house.fires
            house.panels.reset(house.site.id, by: .person(anna))
            care.heard(house.reading(.truth(true)), of: smoke, before: SensorState())
            #expect(!house.panel.isSounding && house.fires == second)
            care.heard(house.reading(.truth(false)), of: smoke, before: SensorState())
            #expect(house.fires.isEmpty)
        }
    }

    @Test func `A fire that somebody reset before the hub stopped is told when it is there after the start`()
        async throws
    {
        try await TestHouse.run { house in
            let smoke = try await house.sensor("smoke", .smoke)
            house.tell(smoke, .truth(true))
            let first = house.fires
            house.pass(10)
            house.panels.reset(house.site.id, by: .person(anna))
            try await house.panels.write()
            let alarms = try AlarmDesk(house.parts.given, house.parts.registry, house.parts.live)
            let parts = house.parts
            let panels = try HousePanels(
                parts.store, parts.clock, parts.registry, parts.safety.settings,
                Sirens(parts.registry, Actuation(parts.registry, HomeBus(), clock: parts.clock)), alarms)
            let care = try Care(parts.registry, parts.live, alarms, panels, parts.store, parts.clock) {
                (_, _) throws(ActuationRefusal) in
            }
            house.pass(10)
            care.heard(house.reading(.truth(true)), of: smoke, before: SensorState())
            #expect(panels.panel(of: house.site.id).isSounding)
            #expect(alarms.standing(at: house.site.id).map(\.id) != first)
            #expect(alarms.standing(at: house.site.id).count == 1)
        }
    }

    @Test func `Where nobody did anything the fire that goes on after a start is the same alarm`() async throws {
        try await TestHouse.run { house in
            let smoke = try await house.sensor("smoke", .smoke)
            house.tell(smoke, .truth(true))
            let first = house.fires
            let care = try house.restartedCare()
            house.pass(10)
            care.heard(house.reading(.truth(true)), of: smoke, before: SensorState())
            #expect(house.fires == first)
        }
    }

    /// Ways to lose sight of a sensor, and to find it again.
    enum Loss: String, CaseIterable { case unavailable, isolated, late, bus }

    private func lose(_ sensor: Sensor, _ loss: Loss, _ house: TestHouse) {
        switch loss {
        case .unavailable: house.parts.readings.note(.unavailable, of: sensor)
        case .isolated: house.parts.readings.note(.isolated, of: sensor)
        case .late: house.parts.readings.note(.late, of: sensor)
        case .bus: house.parts.readings.lostBus()
        }
    }

    private func find(_ sensor: Sensor, _ loss: Loss, _ house: TestHouse) {
        if loss == .bus {
            house.parts.readings.foundBus()
        } else {
            house.parts.readings.note(.live, of: sensor)
        }
    }

    @Test(arguments: Loss.allCases)
    func `A second fire after the detector was away, or the bus, is an alarm of its own`(loss: Loss) async throws {
        try await TestHouse.run { house in
            let smoke = try await house.sensor("smoke", .smoke)
            // Away for long, with and without a word that it is back; away for a moment, and heard a while after that.
            for (away, isFound, later) in [(120.0, true, 0.0), (120, false, 0), (5, true, 10)] {
                house.tell(smoke, .truth(true))
                let first = house.fires
                #expect(first.count == 1)
                house.pass(10)
                house.panels.reset(house.site.id, by: .person(anna))
                lose(smoke, loss, house)
                house.pass(away)
                if isFound { find(smoke, loss, house) }
                house.pass(later)
                house.tell(smoke, .truth(true))
                #expect(house.panel.isSounding && house.fires.count == 1 && house.fires != first)
                house.tell(smoke, .truth(false))
                house.panels.reset(house.site.id, by: .person(anna))
                house.pass(300)
                await house.alarms.look()
            }
        }
    }

    @Test(arguments: Loss.allCases)
    func `Who is back after a moment and says the same wakes nobody again, however often`(loss: Loss) async throws {
        try await TestHouse.run { house in
            let water = try await house.sensor("water", .moisture)
            house.tell(water, .truth(true))
            let first = house.fires
            house.pass(10)
            house.panels.reset(house.site.id, by: .person(anna))
            for _ in 0..<8 {
                house.pass(60)
                lose(water, loss, house)
                house.pass(20)
                find(water, loss, house)
                house.pass(1)
                house.tell(water, .truth(true))
                #expect(!house.panel.isSounding && house.fires == first)
            }
            house.tell(water, .truth(false))
            #expect(house.fires.isEmpty)
        }
    }

    @Test func `Gas that was lost sight of and is over its level is an alarm anew`() async throws {
        try await TestHouse.run { house in
            let gas = try await house.sensor("gas", .gas, unit: "ppm")
            try await house.parts.care.change(Threshold(level: 300, hysteresis: 30), of: gas, by: nil)
            house.tell(gas, .number(400))
            let first = house.fires
            house.panels.reset(house.site.id, by: .person(anna))
            house.parts.readings.lostBus()
            house.pass(200)
            house.parts.readings.foundBus()
            #expect(!house.panel.isSounding && house.fires == first)
            house.tell(gas, .number(310))
            #expect(house.panel.isSounding && house.fires != first)
        }
    }

    @Test func `Gas that rises again after its alarm was ended is an alarm anew, however little it came down`()
        async throws
    {
        try await TestHouse.run { house in
            let gas = try await house.sensor("gas", .gas, unit: "ppm")
            try await house.parts.care.change(Threshold(level: 300, hysteresis: 299), of: gas, by: nil)
            house.tell(gas, .number(400))
            let first = house.fires
            house.panels.reset(house.site.id, by: .person(anna))
            house.tell(gas, .number(410))
            #expect(!house.panel.isSounding && house.fires == first, "it goes on, and somebody knows")
            house.tell(gas, .number(20))
            #expect(!house.panel.isSounding && house.fires.isEmpty)
            house.tell(gas, .number(310))
            #expect(house.panel.isSounding && house.fires != first && house.fires.count == 1)
        }
    }

    @Test(arguments: ["over", "away", "start"])
    func `A fire of which nobody is told any more is told when it is there again`(how: String) async throws {
        try await TestHouse.run { house in
            let phones = house.phones()
            _ = try await house.people([.owner])
            let smoke = try await house.sensor("smoke", .smoke)
            house.tell(smoke, .truth(true))
            for _ in 0..<20 {
                house.pass(600)
                await house.alarms.look()
            }
            try #require(await eventually { phones.rang.value.count == AlarmDesk.mostRounds })
            let first = house.fires
            var care = house.parts.care
            switch how {
            case "over":
                house.tell(smoke, .truth(false))
                house.pass(5)
            case "away":
                house.parts.readings.note(.unavailable, of: smoke)
                house.pass(130)
            default: care = try house.restartedCare()
            }
            care.heard(house.reading(.truth(true)), of: smoke, before: SensorState())
            #expect(house.fires.count == 1 && house.fires != first)
            #expect(
                await eventually {
                    phones.rang.value.filter { !$0.text.contains("not connected") }.count > AlarmDesk.mostRounds
                })
        }
    }

    @Test(arguments: [SensorKind.gas, .smoke], [SensorClass.motion, .door])
    func `What a sensor said while it meant something else does not hide what it warns of afterwards`(
        kind: SensorKind, other: SensorClass
    ) async throws {
        try await TestHouse.run { house in
            let sensor = try await house.sensor("air", kind, unit: kind == .gas ? "ppm" : "")
            func tell(_ isOver: Bool) throws {
                let now = try #require(house.parts.registry.catalog.sensors[sensor.id])
                house.tell(now, kind == .gas ? .number(isOver ? 900 : 200) : .truth(isOver))
            }
            if kind == .gas {
                try await house.parts.care.change(Threshold(level: 300, hysteresis: 30), of: sensor, by: nil)
            }
            try tell(true)
            let first = house.fires
            try #require(first.count == 1 && house.panel.isSounding)
            house.panels.disarm(house.site.id, by: .person(anna))
            house.pass(10)
            try await house.mean(other, by: sensor)
            let now = try #require(house.parts.registry.catalog.sensors[sensor.id])
            #expect(!house.parts.care.tripped(now, value: nil), "Care raises nothing of it now: its box has to")
            try tell(false)
            house.pass(10)
            try await house.mean(.environmental, by: sensor)
            try tell(true)
            #expect(house.panel.isSounding && house.fires.count == 1 && house.fires != first)
        }
    }

    @Test(arguments: [SensorKind.number, .truth])
    func `What is over its level when it begins to mean danger is an alarm at once`(kind: SensorKind) async throws {
        try await TestHouse.run { house in
            let sensor = try await house.sensor("air", kind)
            if kind == .number {
                try await house.parts.care.change(Threshold(level: 300, hysteresis: 30), of: sensor, by: nil)
            }
            house.tell(sensor, kind == .number ? .number(900) : .truth(true))
            try #require(!house.panel.isSounding)
            try await house.mean(.environmental, by: sensor)
            #expect(house.panel.isSounding && house.fires.count == 1)
            let now = try #require(house.parts.registry.catalog.sensors[sensor.id])
            house.tell(now, kind == .number ? .number(100) : .truth(false))
            #expect(house.fires.isEmpty)
        }
    }

    @Test func `A valve that somebody opened since is closed by the next alarm`() async throws {
        try await TestHouse.run { house in
            let (smoke, water) = (try await house.sensor("smoke", .smoke), try await house.sensor("water", .moisture))
            _ = try await house.actuator("valve", .valve)
            let parts = house.parts
            let told = Shared(0)
            let care = try Care(parts.registry, parts.live, parts.alarms, parts.panels, parts.store, parts.clock) {
                (actuator, value) throws(ActuationRefusal) in
                if actuator.kind == .valve, value == .off { told.change { $0 += 1 } }
            }
            care.heard(house.reading(.truth(true)), of: smoke, before: SensorState())
            care.pass()
            #expect(told.value == 1)
            care.heard(house.reading(.truth(true)), of: water, before: SensorState())
            #expect(told.value == 2)
        }
    }

    @Test func `A second fire after a detector warmed up is an alarm of its own`() async throws {
        try await TestHouse.run { house in
            _ = try await house.sensor("smoke", .smoke)
            let intake = house.parts.makeIntake()
            func say(_ text: String) async { await intake.receive("smoke/state", text, from: house.gateway) }
            await say("ON")
            let first = house.fires
            house.pass(10)
            house.panels.reset(house.site.id, by: .person(anna))
            await say(#"{"value":"OFF","warming":true}"#)
            await say("ON")
            #expect(house.panel.isSounding && house.fires.count == 1 && house.fires != first)
        }
    }

    @Test func `A flap wakes nobody either where the detector's clock is slow`() async throws {
        try await TestHouse.run { house in
            let smoke = try await house.sensor("smoke", .smoke)
            let intake = house.parts.makeIntake()
            await intake.receive("smoke/state", "ON", from: house.gateway)
            house.pass(10)
            house.panels.reset(house.site.id, by: .person(anna))
            house.parts.readings.note(.unavailable, of: smoke)
            house.pass(2)
            house.parts.readings.note(.live, of: smoke)
            house.pass(1)
            let at = house.time.value.adding(milliseconds: -60_000).iso8601
            await intake.receive("smoke/state", #"{"value":"ON","at":"\#(at)"}"#, from: house.gateway)
            #expect(!house.panel.isSounding)
        }
    }

    @Test func `A fire of which people were told again since they did something is the same, and the log says so`()
        async throws
    {
        try await TestHouse.run { house in
            let phones = house.phones()
            _ = try await house.people([.owner])
            let smoke = try await house.sensor("smoke", .smoke)
            house.tell(smoke, .truth(true))
            let first = house.fires
            house.pass(10)
            house.panels.reset(house.site.id, by: .person(anna))
            house.pass(600)
            await house.alarms.look()
            try #require(await eventually { phones.rang.value.count == 2 })
            let care = try house.restartedCare()
            care.heard(house.reading(.truth(true)), of: smoke, before: SensorState())
            #expect(house.fires == first)
            while house.alarms.journal.waiting > 0 { await Task.yield() }
            #expect(try house.events("home.alarm") == ["home.alarm.raised"])
        }
    }
}
