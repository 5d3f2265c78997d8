import Bus
import Ledger
import Safeguard
import System
import TestSupport
import Testing

@testable import Home
@testable import Household

/// What of doors and motion was not heard, or was only shown.
struct UnheardIntruderTests {
    @Test func `Motion that was lost sight of for long, and is seen again, is seen`() async throws {
        try await TestHouse.run { house in
            let hall = try await house.sensor("hall", .motion)
            house.rest(hall)
            try house.armAway()
            house.tell(hall, .truth(true))
            house.pass(40)
            #expect(house.panel.isSounding)
            house.panels.silence(house.site.id, by: .person(anna))
            // At once, and a while after.
            for (later, isNews) in [(0.0, false), (10, true)] {
                house.parts.readings.lostBus()
                house.pass(5)
                house.parts.readings.foundBus()
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
            let intake = house.parts.makeIntake()
            func say(_ text: String, isRetained: Bool = false) async {
                await intake.receive("hall/state", text, isRetained: isRetained, from: house.gateway)
            }
            await say("OFF")
            if how == "out of use" {
                await say("ON")
                let desk = house.parts.devicesDesk
                try await desk.change(hall.id, at: house.site.id, isInUse: false, by: anna)
                try await desk.change(hall.id, at: house.site.id, isInUse: true, by: anna)
                #expect(house.parts.live.sensor(hall.id) == SensorState())
            }
            try house.armAway()
            switch how {
            case "kept": await say("ON", isRetained: true)
            case "isolated":
                house.parts.readings.show(Reading(.truth(true), at: house.time.value), of: hall, as: .isolated)
                house.parts.readings.note(.live, of: hall)
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
            let intake = house.parts.makeIntake()
            func say(_ text: String) async { await intake.receive("hall/state", text, from: house.gateway) }
            await say("ON")
            await say(#"{"value":"OFF","warming":true}"#)
            try house.armAway()
            await say("ON")
            #expect(house.panel.state == .pending)
            house.panels.disarm(house.site.id, by: .person(anna))
            let safety = house.parts.safetyDesk
            try await safety.change(hall.id, at: house.site.id, to: nil, SensorGuard(), by: anna)
            await say("OFF")
            try await safety.change(hall.id, at: house.site.id, to: .motion, SensorGuard(), by: anna)
            try house.armAway()
            await say("ON")
            #expect(house.panel.state == .pending)
        }
    }

    @Test func `A yes that ends by itself while its sensor is away ends when it is back`() async throws {
        try await TestHouse.run { house in
            let hall = try await house.sensor(
                "hall", .motion, binding: SensorBinding(topic: "hall/state", offDelay: 4))
            let intake = house.parts.makeIntake()
            await intake.receive("hall/state", "ON", from: house.gateway)
            await intake.receive("availability", "offline", from: house.gateway)
            await intake.pass(seconds: 6, in: house)
            await intake.receive("availability", "online", from: house.gateway)
            await intake.pass(seconds: 1, in: house)
            #expect(house.parts.live.sensor(hall.id).value == .truth(false))
        }
    }

    @Test func `A door that was named before a start of the hub is no news when it says so again`() async throws {
        try await TestHouse.run { house in
            let door = try await house.sensor("door", .contact)
            house.rest(door)
            try house.panels.arm(.away, at: house.site.id, by: .person(anna))
            house.tell(door, .truth(true))
            house.pass(60)
            let parts = house.parts
            let watch = IntruderWatch(
                parts.panels, parts.registry, LiveReadings(), parts.safety.settings, parts.alarms, parts.clock)
            watch.heard(house.reading(.truth(true)), of: door, before: SensorState())
            #expect(house.panel.state == .armedAway)
        }
    }

    @Test func `What is farther away than a sensor can measure is away`() async throws {
        try await TestHouse.run { house in
            let hall = try await house.sensor("hall", .distance, unit: "cm", range: 2...400)
            let window = try await house.sensor("window", .number, range: 0...100, alarmClass: .door)
            let intake = house.parts.makeIntake()
            func say(_ topic: String, _ text: String) async {
                await intake.receive("\(topic)/state", text, from: house.gateway)
            }
            await say("hall", "60")
            await say("window", "0")
            await say("hall", "450")
            #expect(!house.watch.isTripped(hall) && !house.watch.isTripped(window))
            try house.armAway()
            await say("hall", "60")
            #expect(house.panel.state == .pending)
            house.panels.disarm(house.site.id, by: .person(anna))
            await say("hall", "450")
            try house.armAway()
            // A hand before it is nearer than it can measure; with many, 0 is nothing at all.
            await say("hall", "0")
            #expect(house.panel.state == .armedAway)
            await say("hall", "1")
            #expect(house.panel.state == .pending)
            house.panels.disarm(house.site.id, by: .person(anna))
            await say("hall", "450")
            try house.armAway()
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
            var weak: AlarmMessage.Weakness? { house.panels.house(house.site.id).weak[door.id] }
            #expect(house.panel.state == .armedAway && weak == .open)
            house.parts.readings.note(.unavailable, of: door)
            for _ in 0..<68 { house.pass(1) }
            house.parts.readings.note(.live, of: door)
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
            try house.armAway()
            #expect(house.panels.house(house.site.id).weak[hall.id] == .open)
            house.parts.readings.lostBus()
            house.pass(away)
            house.parts.readings.foundBus()
            house.tell(hall, .truth(true))
            #expect(house.panel.state == .armedAway)
        }
    }

    /// How a sensor that is open, or sees somebody, is out of sight while its house is armed.
    enum OutOfSight: String, CaseIterable { case itself, gateway, isolated, bus }

    @Test(arguments: OutOfSight.allCases)
    func `A door that was open and out of sight when the house was armed is named when it is back`(how: OutOfSight)
        async throws
    {
        try await TestHouse.run { house in
            let binding = SensorBinding(topic: "door/state", availability: [Availability(topic: "door/there")])
            let door = try await house.sensor("door", .contact, binding: binding)
            let hall = try await house.sensor("hall", .motion)
            let intake = house.parts.makeIntake()
            func say(_ topic: String, _ text: String) async { await intake.receive(topic, text, from: house.gateway) }
            var weak: [SensorID: AlarmMessage.Weakness] { house.panels.house(house.site.id).weak }
            await say("door/state", "ON")
            await say("hall/state", "ON")
            switch how {
            case .itself: await say("door/there", "offline")
            case .gateway: await say("availability", "offline")
            case .isolated: for sensor in [door, hall] { house.parts.readings.note(.isolated, of: sensor) }
            case .bus: break
            }
            if how == .bus {
                // Nobody is told of the bus while the time to leave goes by; the door is named then.
                try house.armAway()
                #expect(weak[door.id] == .open)
                return
            }
            try house.armAway()
            #expect(weak[door.id] != .open)
            switch how {
            case .itself: await say("door/there", "online")
            case .gateway: await say("availability", "online")
            default: for sensor in [door, hall] { house.parts.readings.note(.live, of: sensor) }
            }
            #expect(weak[door.id] == .open)
            await say("door/state", "ON")
            #expect(house.panel.state == .armedAway && weak[door.id] == .open)
            await say("hall/state", "ON")
            #expect(house.panel.state != .armedAway || weak[hall.id] == .open)
            await say("door/state", "OFF")
            #expect(weak[door.id] == nil)
            await say("door/state", "ON")
            #expect(house.panel.state != .armedAway)
        }
    }

    @Test(arguments: [true, false])
    func `A door that was told as silent and is back open is told as open`(hasAvailability: Bool) async throws {
        try await TestHouse.run { house in
            var binding = SensorBinding(topic: "door/state")
            if hasAvailability { binding.availability = [Availability(topic: "door/there")] }
            let door = try await house.sensor(
                "door", .contact, period: hasAvailability ? nil : 10, binding: binding)
            let intake = house.parts.makeIntake()
            var told: [String] {
                house.alarms.standing(at: house.site.id).filter { $0.kind == .fault }.map { $0.text[.en].title }
            }
            await intake.receive("door/state", "OFF", from: house.gateway)
            try house.armAway()
            if hasAvailability { await intake.receive("door/there", "offline", from: house.gateway) }
            for _ in 0..<120 {
                house.pass(1)
                await intake.look()
                house.parts.safety.watch.tick()
            }
            #expect(told == ["Armed, but not responding: Door"])
            let first = house.faults
            // The connection was lost, and what the door said meanwhile the broker had kept.
            for topic in hasAvailability ? ["door/there", "door/state"] : ["door/state"] {
                await intake.receive([
                    BusMessage(
                        topic: house.gateway.prefix + topic,
                        payload: Array((topic == "door/state" ? "ON" : "online").utf8), isRetained: true, gaps: 1)
                ])
            }
            house.parts.safety.watch.tick()
            #expect(house.panels.house(house.site.id).weak[door.id] == .open)
            #expect(told == ["Armed, but open: Door"])
            #expect(house.faults != first, "it is another fault, and told")
        }
    }

    @Test func `A detector that watches no more is named whatever is said of its being there, and after a start`()
        async throws
    {
        try await TestHouse.run { house in
            let binding = SensorBinding(topic: "smoke/state", availability: [Availability(topic: "smoke/there")])
            let smoke = try await house.sensor("smoke", .smoke, binding: binding)
            let intake = house.parts.makeIntake()
            await intake.receive("smoke/state", "OFF", from: house.gateway)
            try house.armAway()
            var told: [String] {
                house.alarms.standing(at: house.site.id).filter { $0.kind == .fault }.map { $0.text[.en].title }
                    .filter { $0.contains("no longer watching") }
            }
            await intake.receive("smoke/there", "offline", from: house.gateway)
            #expect(house.faults.count == 1)
            house.parts.safety.watch.contradict([smoke.id: "Smoke"], at: house.site.id)
            #expect(told.count == 1)
            await intake.receive("smoke/there", "online", from: house.gateway)
            #expect(told.count == 1 && house.faults.count == 1)
            #expect(await eventually { house.alarms.journal.waiting == 0 })
            let care = try house.restartedCare()
            care.heard(house.reading(.truth(false)), of: smoke, before: SensorState())
            #expect(told.count == 1)
            let desk = try AlarmDesk(house.parts.given, house.parts.registry, house.parts.live)
            #expect(desk.standing(at: house.site.id).map(\.aspect) == ["missing"])
        }
    }

    @Test func `A door that says only by a word of itself that it is open is named, too`() async throws {
        try await TestHouse.run { house in
            let binding = SensorBinding(topic: "door/state", availability: [Availability(topic: "door/there")])
            let door = try await house.sensor("door", .contact, binding: binding)
            let intake = house.parts.makeIntake()
            await intake.receive("door/state", "ON", from: house.gateway)
            await intake.receive("door/there", "offline", from: house.gateway)
            try house.armAway()
            // It never says that it is there again.
            await intake.receive("door/state", "ON", from: house.gateway)
            #expect(house.panels.house(house.site.id).weak[door.id] == .open)
        }
    }

    @Test(arguments: [false, true])
    func `A door that opened while nobody heard it is named once it counts as there`(isFirst: Bool) async throws {
        try await TestHouse.run { house in
            let binding = SensorBinding(topic: "door/state", availability: [Availability(topic: "door/there")])
            let door = try await house.sensor("door", .contact, binding: binding)
            let intake = house.parts.makeIntake()
            await intake.receive("door/state", "OFF", from: house.gateway)
            try house.armAway()
            await intake.receive("door/there", "offline", from: house.gateway)
            // The connection was lost, and with it what the door said: the broker kept that.
            func again(_ topic: String, _ text: String) async {
                await intake.receive([
                    BusMessage(
                        topic: house.gateway.prefix + topic, payload: Array(text.utf8), isRetained: true, gaps: 1)
                ])
            }
            if isFirst { await again("door/there", "online") }
            await again("door/state", "ON")
            if !isFirst { await again("door/there", "online") }
            #expect(house.panel.state == .armedAway)
            #expect(house.panels.house(house.site.id).weak[door.id] == .open)
            await intake.receive(
                [
                    BusMessage(
                        topic: house.gateway.prefix + "door/state", payload: Array("ON".utf8), isRetained: false,
                        gaps: 1)
                ])
            #expect(house.panel.state == .armedAway, "it is open still, and named")
        }
    }

    @Test(arguments: ["away", "expired"], [true, false])
    func `A yes that came due while its sensor was away hides none that comes then`(how: String, isFire: Bool)
        async throws
    {
        try await TestHouse.run { house in
            var binding = SensorBinding(topic: "one/state", offDelay: 6)
            if how == "expired" { binding.expireAfter = 3 }
            _ = try await house.sensor("one", isFire ? .smoke : .motion, binding: binding)
            let intake = house.parts.makeIntake()
            await intake.receive("one/state", "ON", from: house.gateway)
            if isFire { house.panels.reset(house.site.id, by: .person(anna)) }
            if how == "away" { await intake.receive("availability", "offline", from: house.gateway) }
            await intake.pass(seconds: 4, in: house)
            if !isFire { try house.panels.arm(.away, at: house.site.id, by: .person(anna)) }
            for _ in 0..<60 {
                await intake.pass(seconds: 1, in: house)
                house.pass(0)
            }
            if !isFire { #expect(house.panel.state == .armedAway) }
            await intake.receive("one/state", "ON", from: house.gateway)
            #expect(isFire ? house.panel.isSounding : house.panel.state == .pending)
        }
    }

    @Test(arguments: ["door/there", "availability"])
    func `What the broker kept of before takes nothing back that was heard since`(topic: String) async throws {
        try await TestHouse.run { house in
            let binding = SensorBinding(topic: "door/state", availability: [Availability(topic: "door/there")])
            let door = try await house.sensor("door", .contact, binding: binding)
            let intake = house.parts.makeIntake()
            func say(_ topic: String, _ text: String, isRetained: Bool = false, gaps: Int = 0) async {
                await intake.receive([
                    BusMessage(
                        topic: house.gateway.prefix + topic, payload: Array(text.utf8), isRetained: isRetained,
                        gaps: gaps)
                ])
            }
            await say(topic, "online", isRetained: true)
            await say("door/state", "ON")
            await say(topic, "offline")
            // Its last will is not kept, its birth is: the broker is asked again for what it keeps.
            await say(topic, "online", isRetained: true)
            #expect(house.parts.live.sensor(door.id).status == .unavailable)
            await say("door/state", "OFF", isRetained: true)
            #expect(house.parts.live.sensor(door.id).value == .truth(true))
            // After a connection that was lost it is the latest that anybody knows.
            await say(topic, "online", isRetained: true, gaps: 1)
            await say("door/state", "OFF", isRetained: true, gaps: 1)
            #expect(
                house.parts.live.sensor(door.id)
                    == SensorState(value: .truth(false), at: house.time.value, status: .live))
        }
    }

    @Test(arguments: [(52.0, 2.5, true), (20, 5, true), (20, 30, false)])
    func `A sensor that is let speak now and then for a moment is named as silent`(
        away: Double, back: Double, isNamed: Bool
    ) async throws {
        try await TestHouse.run { house in
            let door = try await house.sensor("door", .contact)
            house.rest(door)
            try house.armAway()
            var named = 0
            for _ in 0..<6 {
                house.parts.readings.note(.unavailable, of: door)
                house.pass(0)
                house.pass(away)
                named += house.panels.house(house.site.id).weak[door.id] == .silent ? 1 : 0
                house.parts.readings.note(.live, of: door)
                house.pass(0)
                house.pass(back)
                #expect(house.panels.house(house.site.id).weak[door.id] == nil)
            }
            #expect((named > 0) == isNamed)
        }
    }

    @Test func `What is named as open stays told while it falls silent for a moment`() async throws {
        try await TestHouse.run { house in
            let door = try await house.sensor("door", .contact)
            house.rest(door)
            try house.panels.arm(.away, at: house.site.id, by: .person(anna))
            house.tell(door, .truth(true))
            house.pass(60)
            let first = house.faults
            #expect(first.count == 1)
            for away in [2.0, 70] {
                house.parts.readings.note(.unavailable, of: door)
                house.pass(0)
                house.pass(away)
                house.parts.readings.note(.live, of: door)
                house.tell(door, .truth(true))
                #expect(house.panels.house(house.site.id).weak[door.id] == .open && house.faults == first)
            }
            house.tell(door, .truth(false))
            #expect(house.panels.house(house.site.id).weak.isEmpty && house.faults.isEmpty)
        }
    }
}
