import Ledger
import Safeguard
import System
import TestSupport
import Testing

@testable import Home

/// What sensors say while nobody hears them, and what they say with a clock that is wrong.
struct UnheardTests {
    /// Care as after a start of the hub: by the tables and by what stands.
    private func restarted(_ house: TestHouse) throws -> Care {
        let parts = house.household
        return try Care(parts.registry, parts.live, parts.alarms, parts.panels, parts.store, parts.clock) {
            (_, _) throws(ActuationRefusal) in
        }
    }

    private func reading(_ value: ReadingValue, _ house: TestHouse, isRetained: Bool = false) -> Reading {
        Reading(value, at: house.time.value, isRetained: isRetained)
    }

    private func fires(_ house: TestHouse) -> [HouseAlarmID] {
        house.alarms.standing(at: house.site.id).filter { $0.kind == .environmental }.map(\.id)
    }

    private func faults(_ house: TestHouse) -> [HouseAlarmID] {
        house.alarms.standing(at: house.site.id).filter { $0.kind == .fault }.map(\.id)
    }

    // MARK: a second fire

    @Test(arguments: [true, false])
    func `A second fire after a start is an alarm of its own, whether or not the broker kept that the first was over`(
        isKept: Bool
    ) async throws {
        try await TestHouse.run { house in
            let smoke = try await house.sensor("smoke", .smoke)
            house.tell(smoke, .truth(true))
            let first = fires(house)
            #expect(first.count == 1 && house.panel.isSounding)
            let care = try restarted(house)
            if isKept { care.take(reading(.truth(false), house, isRetained: true), of: smoke, before: SensorState()) }
            #expect(fires(house) == first)
            house.pass(10)
            house.panels.reset(house.site.id, by: .person(anna))
            #expect(!house.panel.isSounding)
            house.pass(10)
            care.take(reading(.truth(true), house), of: smoke, before: SensorState())
            #expect(house.panel.isSounding)
            #expect(fires(house).count == 1 && fires(house) != first)
            // That it goes on is no news.
            let second = fires(house)
            house.panels.reset(house.site.id, by: .person(anna))
            care.take(reading(.truth(true), house), of: smoke, before: SensorState())
            #expect(!house.panel.isSounding && fires(house) == second)
            care.take(reading(.truth(false), house), of: smoke, before: SensorState())
            #expect(fires(house).isEmpty)
        }
    }

    @Test func `A fire that somebody reset before the hub stopped is told when it is there after the start`()
        async throws
    {
        try await TestHouse.run { house in
            let smoke = try await house.sensor("smoke", .smoke)
            house.tell(smoke, .truth(true))
            let first = fires(house)
            house.pass(10)
            house.panels.reset(house.site.id, by: .person(anna))
            try await house.panels.write()
            let alarms = try AlarmDesk(house.household.given, house.household.registry)
            let parts = house.household
            let panels = try HousePanels(
                parts.store, parts.clock, parts.registry, parts.safety.settings,
                Sirens(parts.registry, Actuation(parts.registry, HomeBus(), clock: parts.clock)), alarms)
            let care = try Care(parts.registry, parts.live, alarms, panels, parts.store, parts.clock) {
                (_, _) throws(ActuationRefusal) in
            }
            house.pass(10)
            care.take(reading(.truth(true), house), of: smoke, before: SensorState())
            #expect(panels.panel(of: house.site.id).isSounding)
            #expect(alarms.standing(at: house.site.id).map(\.id) != first)
            #expect(alarms.standing(at: house.site.id).count == 1)
        }
    }

    @Test func `Where nobody did anything the fire that goes on after a start is the same alarm`() async throws {
        try await TestHouse.run { house in
            let smoke = try await house.sensor("smoke", .smoke)
            house.tell(smoke, .truth(true))
            let first = fires(house)
            let care = try restarted(house)
            house.pass(10)
            care.take(reading(.truth(true), house), of: smoke, before: SensorState())
            #expect(fires(house) == first)
        }
    }

    /// Ways to lose sight of a sensor, and to find it again.
    enum Loss: String, CaseIterable { case unavailable, isolated, late, bus }

    private func lose(_ sensor: Sensor, _ loss: Loss, _ house: TestHouse) {
        switch loss {
        case .unavailable: house.household.take(.unavailable, of: sensor)
        case .isolated: house.household.take(.isolated, of: sensor)
        case .late: house.household.take(.late, of: sensor)
        case .bus: house.household.lostBus()
        }
    }

    private func find(_ sensor: Sensor, _ loss: Loss, _ house: TestHouse) {
        if loss == .bus { house.household.foundBus() } else { house.household.take(.live, of: sensor) }
    }

    @Test(arguments: Loss.allCases)
    func `A second fire after the detector was away, or the bus, is an alarm of its own`(loss: Loss) async throws {
        try await TestHouse.run { house in
            let smoke = try await house.sensor("smoke", .smoke)
            // Away for long, with and without a word that it is back; away for a moment, and heard a while after that.
            for (away, isFound, later) in [(120.0, true, 0.0), (120, false, 0), (5, true, 10)] {
                house.tell(smoke, .truth(true))
                let first = fires(house)
                #expect(first.count == 1)
                house.pass(10)
                house.panels.reset(house.site.id, by: .person(anna))
                lose(smoke, loss, house)
                house.pass(away)
                if isFound { find(smoke, loss, house) }
                house.pass(later)
                house.tell(smoke, .truth(true))
                #expect(house.panel.isSounding && fires(house).count == 1 && fires(house) != first)
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
            let first = fires(house)
            house.pass(10)
            house.panels.reset(house.site.id, by: .person(anna))
            for _ in 0..<8 {
                house.pass(60)
                lose(water, loss, house)
                house.pass(20)
                find(water, loss, house)
                house.pass(1)
                house.tell(water, .truth(true))
                #expect(!house.panel.isSounding && fires(house) == first)
            }
            house.tell(water, .truth(false))
            #expect(fires(house).isEmpty)
        }
    }

    @Test func `Gas that was lost sight of and is over its level is an alarm anew, and in between it is not`()
        async throws
    {
        try await TestHouse.run { house in
            let gas = try await house.sensor("gas", .gas, unit: "ppm")
            try await house.household.care.change(Threshold(level: 300, hysteresis: 30), of: gas, by: nil)
            house.tell(gas, .number(400))
            let first = fires(house)
            house.household.lostBus()
            house.pass(200)
            house.household.foundBus()
            house.panels.reset(house.site.id, by: .person(anna))
            house.tell(gas, .number(290))
            #expect(!house.panel.isSounding && fires(house) == first)
            house.tell(gas, .number(310))
            #expect(house.panel.isSounding && fires(house) != first)
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
            let first = fires(house)
            var care = house.household.care
            switch how {
            case "over":
                house.tell(smoke, .truth(false))
                house.pass(5)
            case "away":
                house.household.take(.unavailable, of: smoke)
                house.pass(130)
            default: care = try restarted(house)
            }
            care.take(reading(.truth(true), house), of: smoke, before: SensorState())
            #expect(fires(house).count == 1 && fires(house) != first)
            #expect(
                await eventually {
                    phones.rang.value.filter { !$0.text.contains("not connected") }.count > AlarmDesk.mostRounds
                })
        }
    }

    @Test func `A valve that somebody opened since is closed by the next alarm`() async throws {
        try await TestHouse.run { house in
            let (smoke, water) = (try await house.sensor("smoke", .smoke), try await house.sensor("water", .moisture))
            _ = try await house.actuator("valve", .valve)
            let parts = house.household
            let told = Shared(0)
            let care = try Care(parts.registry, parts.live, parts.alarms, parts.panels, parts.store, parts.clock) {
                (actuator, value) throws(ActuationRefusal) in
                if actuator.kind == .valve, value == .off { told.change { $0 += 1 } }
            }
            care.take(reading(.truth(true), house), of: smoke, before: SensorState())
            care.pass()
            #expect(told.value == 1)
            care.take(reading(.truth(true), house), of: water, before: SensorState())
            #expect(told.value == 2)
        }
    }

    // MARK: a second outage

    @Test func `An outage after a start is told, when an older one of that detector had ended meanwhile`() async throws
    {
        try await TestHouse.run { house in
            let smoke = try await house.sensor("smoke", .smoke)
            house.household.take(.unavailable, of: smoke)
            let first = faults(house)
            #expect(first.count == 1)
            let care = try restarted(house)
            care.take(reading(.truth(false), house, isRetained: true), of: smoke, before: SensorState())
            #expect(faults(house).isEmpty)
            house.pass(Double(AlarmDesk.reopening) / 1000)
            await house.alarms.look()
            care.take(.unavailable, of: smoke, before: SensorState(), at: house.time.value)
            #expect(faults(house).count == 1 && faults(house) != first)
        }
    }

    @Test(arguments: [true, false])
    func `A detector that says nothing by itself is there when it, or its gateway, says so`(hasOwn: Bool) async throws {
        try await TestHouse.run { house in
            var binding = SensorBinding(topic: "smoke/state")
            if hasOwn { binding.availability = [Availability(topic: "smoke/there")] }
            let smoke = try await house.sensor("smoke", .smoke, binding: binding)
            let topic = hasOwn ? "smoke/there" : "availability"
            let before = Intake(house.household)
            await before.take(topic, "online", from: house.gateway)
            await before.take(topic, "offline", from: house.gateway)
            #expect(faults(house).count == 1)
            // It came back, and nobody heard it: the hub was stopped.
            house.household.live.set(smoke.id, SensorState())
            let care = try restarted(house)
            house.household.add(care)
            let intake = Intake(house.household)
            await intake.take(topic, "online", isRetained: true, from: house.gateway)
            #expect(faults(house).isEmpty)
            house.pass(Double(AlarmDesk.reopening) / 1000)
            await house.alarms.look()
            await intake.take(topic, "offline", from: house.gateway)
            #expect(faults(house).count == 1)
        }
    }

    @Test func `A detector that is away all the time is told once over a start`() async throws {
        try await TestHouse.run { house in
            let binding = SensorBinding(topic: "smoke/state", availability: [Availability(topic: "smoke/there")])
            let smoke = try await house.sensor("smoke", .smoke, binding: binding)
            let before = Intake(house.household)
            await before.take("smoke/there", "offline", from: house.gateway)
            let first = faults(house)
            #expect(first.count == 1)
            house.household.live.set(smoke.id, SensorState())
            house.household.add(try restarted(house))
            let intake = Intake(house.household)
            // What it said last comes first, or last.
            await intake.take("smoke/state", "OFF", isRetained: true, from: house.gateway)
            await intake.take("smoke/there", "offline", isRetained: true, from: house.gateway)
            await intake.take("smoke/state", "OFF", isRetained: true, from: house.gateway)
            #expect(faults(house) == first)
        }
    }

    @Test func `A detector that comes back without a word is there`() async throws {
        try await TestHouse.run { house in
            _ = try await house.sensor("smoke", .smoke)
            let intake = Intake(house.household)
            for _ in 0..<2 {
                await intake.take("availability", "offline", from: house.gateway)
                #expect(faults(house).count == 1)
                await intake.take("availability", "online", from: house.gateway)
                #expect(faults(house).isEmpty)
                house.pass(Double(AlarmDesk.reopening) / 1000)
                await house.alarms.look()
            }
        }
    }

    // MARK: intruders

    /// Armed away, with nothing tripped.
    private func arm(_ house: TestHouse) throws {
        try house.panels.arm(.away, at: house.site.id, by: .person(anna))
        house.pass(60)
        #expect(house.panel.state == .armedAway)
    }

    @Test func `Motion that was lost sight of for long, and is seen again, is seen`() async throws {
        try await TestHouse.run { house in
            let hall = try await house.sensor("hall", .motion)
            house.rest(hall)
            try arm(house)
            house.tell(hall, .truth(true))
            house.pass(40)
            #expect(house.panel.isSounding)
            house.panels.silence(house.site.id, by: .person(anna))
            // At once, and a while after.
            for (later, isNews) in [(0.0, false), (10, true)] {
                house.household.lostBus()
                house.pass(5)
                house.household.foundBus()
                house.pass(later)
                house.tell(hall, .truth(true), isRetained: true)
                house.tell(hall, .truth(true))
                #expect(house.panel.isSounding == isNews)
            }
        }
    }

    @Test(arguments: ["kept", "isolated", "warming", "out of use"])
    func `What was only shown of a motion detector hides nobody who moves`(how: String) async throws {
        try await TestHouse.run { house in
            let hall = try await house.sensor("hall", .motion)
            let intake = Intake(house.household)
            func say(_ text: String, isRetained: Bool = false) async {
                await intake.take("hall/state", text, isRetained: isRetained, from: house.gateway)
            }
            await say("OFF")
            if how == "out of use" {
                await say("ON")
                let desk = DevicesDesk(household: house.household)
                try await desk.change(hall.id, at: house.site.id, isInUse: false, by: anna)
                try await desk.change(hall.id, at: house.site.id, isInUse: true, by: anna)
                #expect(house.household.live.sensor(hall.id) == SensorState())
            }
            try arm(house)
            switch how {
            case "kept": await say("ON", isRetained: true)
            case "isolated":
                house.household.show(Reading(.truth(true), at: house.time.value), of: hall, as: .isolated)
                house.household.take(.live, of: hall)
            case "warming": await say(#"{"value":"ON","warming":true}"#)
            default: break
            }
            #expect(house.panel.state == .armedAway)
            await say("ON")
            #expect(house.panel.state == .pending)
        }
    }

    @Test func `What was said before a sensor warmed up, or meant nothing, hides nobody afterwards`() async throws {
        try await TestHouse.run { house in
            let hall = try await house.sensor("hall", .motion)
            let intake = Intake(house.household)
            func say(_ text: String) async { await intake.take("hall/state", text, from: house.gateway) }
            await say("ON")
            await say(#"{"value":"OFF","warming":true}"#)
            try arm(house)
            await say("ON")
            #expect(house.panel.state == .pending)
            house.panels.disarm(house.site.id, by: .person(anna))
            let safety = SafetyDesk(household: house.household)
            try await safety.change(hall.id, at: house.site.id, to: nil, SensorGuard(), by: anna)
            await say("OFF")
            try await safety.change(hall.id, at: house.site.id, to: .motion, SensorGuard(), by: anna)
            try arm(house)
            await say("ON")
            #expect(house.panel.state == .pending)
        }
    }

    @Test func `A second fire after a detector warmed up is an alarm of its own`() async throws {
        try await TestHouse.run { house in
            _ = try await house.sensor("smoke", .smoke)
            let intake = Intake(house.household)
            func say(_ text: String) async { await intake.take("smoke/state", text, from: house.gateway) }
            await say("ON")
            let first = fires(house)
            house.pass(10)
            house.panels.reset(house.site.id, by: .person(anna))
            await say(#"{"value":"OFF","warming":true}"#)
            await say("ON")
            #expect(house.panel.isSounding && fires(house).count == 1 && fires(house) != first)
        }
    }

    @Test func `A flap wakes nobody either where the detector's clock is slow`() async throws {
        try await TestHouse.run { house in
            let smoke = try await house.sensor("smoke", .smoke)
            let intake = Intake(house.household)
            await intake.take("smoke/state", "ON", from: house.gateway)
            house.pass(10)
            house.panels.reset(house.site.id, by: .person(anna))
            house.household.take(.unavailable, of: smoke)
            house.pass(2)
            house.household.take(.live, of: smoke)
            house.pass(1)
            let at = house.time.value.adding(milliseconds: -60_000).iso8601
            await intake.take("smoke/state", #"{"value":"ON","at":"\#(at)"}"#, from: house.gateway)
            #expect(!house.panel.isSounding)
        }
    }

    @Test func `A yes that ends by itself while its sensor is away ends when it is back`() async throws {
        try await TestHouse.run { house in
            let hall = try await house.sensor(
                "hall", .motion, binding: SensorBinding(topic: "hall/state", offDelay: 4))
            let intake = Intake(house.household)
            await intake.take("hall/state", "ON", from: house.gateway)
            await intake.take("availability", "offline", from: house.gateway)
            await intake.pass(seconds: 6, in: house)
            await intake.take("availability", "online", from: house.gateway)
            await intake.pass(seconds: 1, in: house)
            #expect(house.household.live.sensor(hall.id).value == .truth(false))
        }
    }

    @Test func `A door that was named before a start of the hub is no news when it says so again`() async throws {
        try await TestHouse.run { house in
            let door = try await house.sensor("door", .contact)
            house.rest(door)
            try house.panels.arm(.away, at: house.site.id, by: .person(anna))
            house.tell(door, .truth(true))
            house.pass(60)
            let parts = house.household
            let watch = IntruderWatch(
                parts.panels, parts.registry, LiveReadings(), parts.safety.settings, parts.alarms, parts.clock)
            watch.take(reading(.truth(true), house), of: door, before: SensorState())
            #expect(house.panel.state == .armedAway)
        }
    }

    @Test func `What is farther away than a sensor can measure is away`() async throws {
        try await TestHouse.run { house in
            let hall = try await house.sensor("hall", .distance, unit: "cm", range: 2...400)
            let window = try await house.sensor("window", .number, range: 0...100, alarmClass: .door)
            let intake = Intake(house.household)
            func say(_ topic: String, _ text: String) async {
                await intake.take("\(topic)/state", text, from: house.gateway)
            }
            await say("hall", "60")
            await say("window", "0")
            await say("hall", "450")
            #expect(!house.watch.isTripped(hall) && !house.watch.isTripped(window))
            try arm(house)
            await say("hall", "60")
            #expect(house.panel.state == .pending)
            house.panels.disarm(house.site.id, by: .person(anna))
            await say("hall", "450")
            try arm(house)
            await say("window", "150")
            #expect(house.panel.state == .pending)
        }
    }

    @Test func `A door that stood open and was away for long is open still, and wakes nobody`() async throws {
        try await TestHouse.run { house in
            let door = try await house.sensor("door", .contact)
            house.rest(door)
            try house.panels.arm(.away, at: house.site.id, by: .person(anna))
            house.tell(door, .truth(true))
            house.pass(60)
            var weak: HousePanel.Weakness? { house.panels.house(house.site.id).weak[door.id] }
            #expect(house.panel.state == .armedAway && weak == .open)
            house.household.take(.unavailable, of: door)
            for _ in 0..<68 { house.pass(1) }
            house.household.take(.live, of: door)
            house.pass(1)
            #expect(weak == .open)
            house.tell(door, .truth(true))
            #expect(house.panel.state == .armedAway && weak == .open)
            house.tell(door, .truth(false))
            #expect(weak == nil)
            house.tell(door, .truth(true))
            #expect(house.panel.state == .pending)
        }
    }

    @Test(arguments: [0.2, 300])
    func `Who stands there since the house was armed is named, and wakes nobody after a flap`(away: Double) async throws
    {
        try await TestHouse.run { house in
            let hall = try await house.sensor("hall", .motion)
            house.tell(hall, .truth(true))
            try arm(house)
            #expect(house.panels.house(house.site.id).weak[hall.id] == .open)
            house.household.lostBus()
            house.pass(away)
            house.household.foundBus()
            house.tell(hall, .truth(true))
            #expect(house.panel.state == .armedAway)
        }
    }

    // MARK: clocks

    @Test(arguments: [
        "2026-11-21T11:00:00Z", "2026-11-21T13:00:00Z", "2020-01-02T00:00:00Z", "1970-01-01T00:00:00Z",
        "2099-01-01T00:00:00Z", "soon",
    ])
    func `A detector whose clock is wrong warns all the same, and its page says so`(at: String) async throws {
        try await TestHouse.run { house in
            let smoke = try await house.sensor("smoke", .smoke)
            let door = try await house.sensor("door", .contact)
            let intake = Intake(house.household)
            for value in ["OFF", "ON", "OFF", "ON"] {
                await intake.take("smoke/state", #"{"value":"\#(value)","at":"\#(at)"}"#, from: house.gateway)
                #expect(fires(house).count == (value == "ON" ? 1 : 0))
            }
            #expect(house.household.live.refusals(of: smoke.id) != nil)
            #expect(house.household.live.sensor(smoke.id).at == noon)
            // The time that an alarm has runs by the hub's clock.
            #expect(house.panel.left(at: noon.milliseconds) == 120_000)
            await intake.take("smoke/state", #"{"value":"OFF","at":"\#(at)"}"#, from: house.gateway)
            house.panels.reset(house.site.id, by: .person(anna))
            await intake.take("door/state", #"{"value":"OFF","at":"\#(at)"}"#, from: house.gateway)
            try house.panels.arm(.away, at: house.site.id, by: .person(anna))
            house.pass(60)
            await intake.take("door/state", #"{"value":"ON","at":"\#(at)"}"#, from: house.gateway)
            #expect(house.panel.state == .pending)
            #expect(house.panel.left(at: house.time.value.milliseconds) == 30_000)
            #expect(house.household.live.refusals(of: door.id) != nil)
        }
    }

    @Test func `A clock that was set back silences nothing`() async throws {
        try await TestHouse.run { house in
            _ = try await house.sensor("smoke", .smoke)
            let intake = Intake(house.household)
            await intake.take("smoke/state", #"{"value":"OFF","at":"2026-11-21T12:00:00Z"}"#, from: house.gateway)
            await intake.take("smoke/state", #"{"value":"ON","at":"2026-11-21T09:00:00Z"}"#, from: house.gateway)
            #expect(fires(house).count == 1)
        }
    }

    @Test(arguments: [0, 10, 60, 100, 119, 121, 180, 86_400])
    func `A detector that expires, with a slow clock, warns`(seconds: Int64) async throws {
        try await TestHouse.run { house in
            let smoke = try await house.sensor(
                "smoke", .smoke, binding: SensorBinding(topic: "smoke/state", expireAfter: 30))
            let at = noon.adding(milliseconds: -seconds * 1000).iso8601
            await Intake(house.household).take("smoke/state", #"{"value":"ON","at":"\#(at)"}"#, from: house.gateway)
            #expect(fires(house).count == 1 && faults(house).isEmpty)
            #expect(house.household.live.sensor(smoke.id).status == .live)
        }
    }

    @Test func `A detector that expires and has not spoken since the hub started is an outage`() async throws {
        try await TestHouse.run { house in
            _ = try await house.sensor("smoke", .smoke, binding: SensorBinding(topic: "smoke/state", expireAfter: 30))
            let intake = Intake(house.household)
            await intake.pass(seconds: 31, in: house)
            #expect(faults(house).isEmpty)
            await intake.pass(seconds: 1, in: house)
            #expect(faults(house).count == 1)
        }
    }

    // MARK: beyond the range

    @Test func `What warms up is not believed above its range either`() async throws {
        try await TestHouse.run { house in
            let gas = try await house.sensor("gas", .gas, unit: "ppm", range: 0...1000)
            try await house.household.care.change(Threshold(level: 300, hysteresis: 30), of: gas, by: nil)
            let intake = Intake(house.household)
            await intake.take("gas/state", #"{"value":5000,"warming":true}"#, from: house.gateway)
            await intake.take("gas/state", "100", from: house.gateway)
            await intake.take("gas/state", #"{"value":5000,"warming":true}"#, from: house.gateway)
            #expect(fires(house).isEmpty)
            await intake.take("gas/state", #"{"value":100,"warming":true}"#, from: house.gateway)
            await intake.take("gas/state", "5000", from: house.gateway)
            #expect(fires(house).count == 1)
        }
    }

    @Test func `Gas above what its sensor can measure is an alarm, and is neither shown nor an end`() async throws {
        try await TestHouse.run { house in
            let gas = try await house.sensor("gas", .gas, unit: "ppm", range: 0...1000, period: 10)
            try await house.household.care.change(Threshold(level: 300, hysteresis: 30), of: gas, by: nil)
            let intake = Intake(house.household)
            await intake.take("gas/state", "12", from: house.gateway)
            await intake.take("gas/state", "1200", from: house.gateway)
            #expect(fires(house).count == 1 && house.panel.isSounding)
            #expect(house.household.live.sensor(gas.id).value == .number(12))
            #expect(house.household.live.refusals(of: gas.id)?.reason == .outOfRange)
            await intake.take("gas/state", "-4", from: house.gateway)
            #expect(fires(house).count == 1)
            // It speaks: nobody is told that it does not.
            for _ in 0..<6 {
                await intake.pass(seconds: 10, in: house)
                await intake.take("gas/state", "1200", from: house.gateway)
            }
            #expect(faults(house).isEmpty)
            await intake.take("gas/state", "12", from: house.gateway)
            #expect(fires(house).isEmpty)
            // What the broker kept trips nothing, and neither does a sensor without a threshold.
            await intake.take("gas/state", "1200", isRetained: true, from: house.gateway)
            let warmth = try await house.sensor("warmth", .temperature, unit: "°C", range: -40...80)
            await intake.take("warmth/state", "85", from: house.gateway)
            #expect(fires(house).isEmpty)
            #expect(house.household.live.refusals(of: warmth.id)?.reason == .outOfRange)
        }
    }
}
