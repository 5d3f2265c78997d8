import Ledger
import Safeguard
import System
import TestSupport
import Testing

@testable import Home

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
            try house.armAway()
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
            try house.armAway()
            await say("ON")
            #expect(house.panel.state == .pending)
            house.panels.disarm(house.site.id, by: .person(anna))
            let safety = SafetyDesk(household: house.household)
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
            watch.take(house.reading(.truth(true)), of: door, before: SensorState())
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
            try house.armAway()
            await say("hall", "60")
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
            try house.armAway()
            #expect(house.panels.house(house.site.id).weak[hall.id] == .open)
            house.household.lostBus()
            house.pass(away)
            house.household.foundBus()
            house.tell(hall, .truth(true))
            #expect(house.panel.state == .armedAway)
        }
    }
}
