import Ledger
import Safeguard
import Store
import System
import TestSupport
import Testing
import Wire

@testable import Accounts
@testable import Home
@testable import Household

/// What trips at a box, while its hub hears it and while it is alone.
struct BoxTripTests {
    @Test(arguments: [true, false])
    func `Who came in while the box was alone, and let the time to disarm run out, is told of`(isKnown: Bool)
        async throws
    {
        try await TestHouse.run { house in
            let box = try await TestBox(house)
            try house.panels.arm(.away, at: house.site.id, by: .person(anna))
            house.pass(60)
            if isKnown {
                // Heard of before the cut: the hub itself tells.
                try box.hello(standing(.armedAway, .away, number: 1))
                try box.record(
                    1, .tripped, standing(.pending, .away, number: 1, left: 30_000, at: house.time.value), .sensor,
                    sensor: 0)
                house.pass(31)
                #expect(house.alarms.standing(at: house.site.id).map(\.kind) == [.intrusion])
                house.panels.reset(house.site.id, by: .person(anna))
            }
            house.pass(300)
            try box.hello(
                standing(.armedAway, .away, number: house.panel.number, at: house.time.value), last: 3, uptime: 2_000)
            func record(_ sequence: UInt64, _ state: PanelState, _ kind: BoxRecord.Kind, ago: Double) throws {
                try box.record(
                    sequence, kind, standing(state, .away, number: 1, left: 60_000, at: house.time.value),
                    kind == .tripped ? .sensor : .deadline, sensor: kind == .tripped ? 0 : nil, ago: ago)
            }
            if !isKnown { try record(1, .pending, .tripped, ago: 300) }
            try record(2, .triggered, .panelChanged, ago: isKnown ? 301 : 270)
            try record(3, .armedAway, .panelChanged, ago: 150)
            try #require(await eventually { house.alarms.journal.waiting == 0 })
            let told = try house.parts.store.read {
                try $0.rows("SELECT kind, sensor FROM home_alarms WHERE kind <> 'fault'") {
                    ($0[0] as String, $0[1] as SensorID?)
                }
            }
            #expect(told.map(\.0) == ["intrusion"])
            #expect(told.map(\.1) == [box.door.id])
            #expect(house.panel.state == .armedAway)
        }
    }

    @Test func `Who comes in during a cut is told of also where the same door had an alarm before that was reset`()
        async throws
    {
        try await TestHouse.run { house in
            let box = try await TestBox(house)
            try house.panels.arm(.away, at: house.site.id, by: .person(anna))
            house.pass(60)
            try box.hello(standing(.armedAway, .away, number: 1))
            func sounding(_ state: PanelState) -> Panel {
                standing(state, .away, number: house.panel.number, left: 30_000, at: house.time.value)
            }
            try box.record(1, .tripped, sounding(.pending), .sensor, sensor: 0)
            house.pass(31)
            house.panels.reset(house.site.id, by: .person(anna))
            house.pass(300)
            let calm = sounding(.armedAway)
            for isHelloBetween in [false, true] {
                let first: UInt64 = isHelloBetween ? 5 : 2
                try box.hello(calm, last: first + 2, uptime: 1_000 * first)
                try box.record(first, .tripped, sounding(.pending), .sensor, sensor: 0, ago: 120)
                if isHelloBetween { try box.hello(calm, last: first + 2, uptime: 1_000 * first + 1) }
                try box.record(first + 1, .panelChanged, sounding(.triggered), .deadline, ago: 90)
                try box.record(first + 2, .panelChanged, calm, .deadline, ago: 30)
                try #require(await eventually { house.alarms.journal.waiting == 0 })
                let count = try house.parts.store.read {
                    try $0.row("SELECT count(*) FROM home_alarms WHERE kind = 'intrusion'") { $0[0] as Int }
                }
                #expect(count == (isHelloBetween ? 3 : 2))
                house.pass(300)
            }
        }
    }

    @Test(arguments: [8.0, 6.0], [false, true])
    func `Who comes in right after an alarm at the same door was reset is told of`(
        after: Double, isDisarmedLater: Bool
    ) async throws {
        try await TestHouse.run { house in
            let box = try await TestBox(house)
            var rules = HouseRules()
            rules.panel = PanelRules(exitDelay: Delays(0), entryDelay: Delays(2), alarmTime: 30)
            try await house.parts.safety.settings.set(rules, of: house.site.id, by: anna)
            try house.panels.arm(.away, at: house.site.id, by: .person(anna))
            house.pass(60)
            try box.hello(standing(.armedAway, .away, number: 1))
            func sounding(_ state: PanelState) -> Panel {
                standing(state, .away, number: house.panel.number, left: 2_000, at: house.time.value)
            }
            try box.record(1, .tripped, sounding(.pending), .sensor, sensor: 0)
            house.pass(3)
            #expect(house.panel.state == .triggered)
            house.panels.reset(house.site.id, by: .person(anna))
            // The cut, and the same door again.
            house.pass(after - 3)
            house.pass(110)
            let calm = sounding(.armedAway)
            // By somebody who knows nothing of it.
            if isDisarmedLater { house.panels.disarm(house.site.id, by: .person(anna)) }
            house.pass(10)
            try box.hello(calm, last: 4, uptime: 2_000)
            try box.record(2, .tripped, sounding(.pending), .sensor, sensor: 0, ago: 120)
            try box.record(3, .panelChanged, sounding(.triggered), .deadline, ago: 118)
            try box.record(4, .panelChanged, calm, .deadline, ago: 88)
            try #require(await eventually { house.alarms.journal.waiting == 0 })
            let told = try house.parts.store.read {
                try $0.rows("SELECT sensor FROM home_alarms WHERE kind = 'intrusion'") { $0[0] as SensorID? }
            }
            #expect(told == [box.door.id, box.door.id])
        }
    }

    @Test(arguments: ["help", "smoke", "tag"])
    func `Who comes in during a cut is told of, whatever ends the time to disarm`(by what: String) async throws {
        try await TestHouse.run { house in
            let box = try await TestBox(house)
            _ = try await box.smoke()
            try house.panels.arm(.away, at: house.site.id, by: .person(anna))
            house.pass(600)
            let sounds = standing(.triggered, .away, number: 1, left: 60_000, at: house.time.value)
            let disarmed = standing(.disarmed, nil, number: 2)
            let pending = standing(.pending, .away, number: 1, left: 30_000, at: house.time.value)
            try box.hello(what == "tag" ? disarmed : standing(.armedAway, .away, number: 1), last: 3)
            try box.record(1, .tripped, pending, .sensor, sensor: 0, ago: 300)
            switch what {
            case "help": try box.record(2, .panelChanged, sounds, .button, ago: 298)
            case "smoke": try box.record(2, .tripped, sounds, .sensor, sensor: 1, ago: 298)
            default:
                let removed = HouseTagID.new(at: noon).raw
                try box.record(2, .panelChanged, disarmed, .tag, credential: removed, ago: 298)
            }
            if what != "tag" {
                try box.record(3, .panelChanged, standing(.armedAway, .away, number: 1), .deadline, ago: 230)
            }
            try #require(await eventually { house.alarms.journal.waiting == 0 })
            let told = try house.parts.store.read {
                try $0.rows("SELECT sensor FROM home_alarms WHERE kind = 'intrusion'") { $0[0] as SensorID? }
            }
            #expect(told == [box.door.id] && house.panel.state == .armedAway)
        }
    }

    @Test(arguments: [SensorClass.motion, .environmental, nil], [true, false])
    func `Who came in during a cut is told of, whatever their sensor means to the house since`(
        kind: SensorClass?, hasDelay: Bool
    ) async throws {
        try await TestHouse.run { house in
            let box = try await TestBox(house)
            try house.panels.arm(.home, at: house.site.id, by: .person(anna))
            house.pass(600)
            var door = box.door
            door.alarmClass = kind
            try await house.parts.registry.change(at: house.site.id) { [door] in
                try HomeRecords.change(door, in: $0)
            }
            let sounds = standing(.triggered, .home, number: 1, left: 60_000, at: house.time.value)
            let pending = standing(.pending, .home, number: 1, left: 30_000, at: house.time.value)
            try box.hello(standing(.armedHome, .home, number: 1), last: 3)
            try box.record(1, .tripped, hasDelay ? pending : sounds, .sensor, sensor: 0, ago: 300)
            try box.record(2, .panelChanged, sounds, .deadline, ago: 270)
            try box.record(3, .panelChanged, standing(.armedHome, .home, number: 1), .deadline, ago: 210)
            try #require(await eventually { house.alarms.journal.waiting == 0 })
            let told = try house.parts.store.read {
                try $0.rows("SELECT sensor FROM home_alarms WHERE kind <> 'fault'") { $0[0] as SensorID? }
            }
            #expect(told == [box.door.id])
        }
    }

    /// The alarms of the house but faults, as people were told of them.
    private func told(in house: TestHouse) throws -> [(kind: String, sensor: SensorID?)] {
        try house.parts.store.read {
            try $0.rows("SELECT kind, sensor FROM home_alarms WHERE kind <> 'fault' ORDER BY id") { ($0[0], $0[1]) }
        }
    }

    private func change(_ sensor: Sensor, to kind: SensorClass?, in house: TestHouse) async throws {
        try await house.parts.registry.change(at: house.site.id) { database in
            var sensor = sensor
            sensor.alarmClass = kind
            try HomeRecords.change(sensor, in: database)
        }
    }

    @Test(arguments: [true, false])
    func `Who just came in by a door that is no door any more is told of when the time to disarm is over`(
        saysClass: Bool
    ) async throws {
        try await TestHouse.run { house in
            let box = try await TestBox(house)
            try house.panels.arm(.away, at: house.site.id, by: .person(anna))
            house.pass(600)
            try await change(box.door, to: .environmental, in: house)
            // The cable is back five seconds after the trip, and 25 are left to disarm.
            let pending = standing(.pending, .away, number: 1, left: 25_000, at: house.time.value)
            try box.hello(pending, last: 1)
            try box.record(
                1, .tripped, pending, .sensor, sensor: 0,
                credential: saysClass ? BoxRecord.credential(alarmClass: SensorClass.door.rawValue) : .zero, ago: 5)
            await box.boxes.settle()
            #expect(house.panel.state == .pending)
            house.pass(26)
            #expect(house.panel.state == .triggered && house.panel.isSounding)
            try #require(await eventually { house.alarms.journal.waiting == 0 })
            let told = try told(in: house)
            #expect(told.map(\.kind) == ["intrusion"] && told.map(\.sensor) == [box.door.id])
            // For as long as the house says, not for what was left to disarm.
            let most = Double(HouseRules().panel.alarmTime)
            house.pass(most - 10)
            #expect(house.panel.isSounding)
        }
    }

    @Test func `Who came in by a door that is open still, and means the air since, is told of too`() async throws {
        try await TestHouse.run { house in
            let box = try await TestBox(house)
            try house.panels.arm(.away, at: house.site.id, by: .person(anna))
            house.pass(600)
            try await change(box.door, to: .environmental, in: house)
            let door = try #require(house.parts.registry.catalog.sensors[box.door.id])
            house.tell(door, .truth(true))
            try #require(house.panel.state == .triggered)
            let sounds = standing(.triggered, .away, number: 1, left: 60_000, at: house.time.value)
            try box.hello(sounds, last: 1)
            try box.record(
                1, .tripped, sounds, .sensor, sensor: 0,
                credential: BoxRecord.credential(alarmClass: SensorClass.door.rawValue), ago: 5)
            await box.boxes.settle()
            house.pass(3)
            try #require(await eventually { house.alarms.journal.waiting == 0 })
            #expect(try told(in: house).contains { $0.kind == "intrusion" && $0.sensor == box.door.id })
        }
    }

    @Test(arguments: [SensorClass.door, .motion])
    func `Who comes in at a box that is taken out of use before the time to disarm is over is told of`(
        kind: SensorClass
    ) async throws {
        try await TestHouse.run { house in
            let box = try await TestBox(house)
            try house.panels.arm(.night, at: house.site.id, by: .person(anna))
            house.pass(600)
            try await change(box.door, to: kind, in: house)
            let pending = standing(.pending, .night, number: 1, left: 20_000, at: house.time.value)
            try box.hello(pending, last: 1)
            // As a box of before says it: not what the sensor meant to it.
            try box.record(1, .tripped, pending, .sensor, sensor: 0, ago: 10)
            house.pass(3)
            try await house.parts.registry.change(at: house.site.id) { [gateway = box.gateway] database in
                var gateway = gateway
                gateway.retired = noon
                try HomeRecords.put(gateway, in: database)
            }
            house.pass(25)
            #expect(house.panel.state == .triggered)
            try #require(await eventually { house.alarms.journal.waiting == 0 })
            #expect(try told(in: house).contains { $0.kind == "intrusion" })
            await box.write()
            house.pass(2)
            #expect(house.panels.house(house.site.id).entries.isEmpty)
        }
    }

    @Test(arguments: [SensorClass.motion, .environmental, nil], [SensorClass.door, .motion])
    func `What a sensor meant to the box tells who came in while something else sounded there`(
        since: SensorClass?, then: SensorClass
    ) async throws {
        try await TestHouse.run { house in
            let box = try await TestBox(house)
            try house.panels.arm(.night, at: house.site.id, by: .person(anna))
            house.pass(600)
            try await change(box.door, to: since, in: house)
            let sounds = standing(.triggered, .night, number: 1, left: 60_000, at: house.time.value)
            try box.hello(standing(.armedNight, .night, number: 1), last: 3)
            try box.record(1, .panelChanged, sounds, .button, ago: 300)
            try box.record(
                2, .tripped, sounds, .sensor, sensor: 0,
                credential: BoxRecord.credential(alarmClass: then.rawValue), ago: 290)
            try box.record(3, .panelChanged, standing(.armedNight, .night, number: 1), .deadline, ago: 210)
            try #require(await eventually { house.alarms.journal.waiting == 0 })
            let told = try told(in: house).filter { $0.kind == "intrusion" }.map(\.sensor)
            // At night people who are inside move.
            #expect(told == (then == .door ? [box.door.id] : []))
        }
    }

    @Test func `Of two who come in during one cut the first is told of, though the second still sounds`() async throws {
        try await TestHouse.run { house in
            let box = try await TestBox(house)
            let window = Sensor(
                id: .new(at: noon), number: 0, device: box.door.device, site: house.site.id, key: "window",
                name: "Window", kind: .contact, alarmClass: .door, binding: SensorBinding(topic: "window/state"))
            try await house.parts.registry.change(at: house.site.id) { try HomeRecords.add(window, in: $0) }
            try house.panels.arm(.away, at: house.site.id, by: .person(anna))
            house.pass(600)
            let sounds = standing(.triggered, .away, number: 1, left: 60_000, at: house.time.value)
            let pending = standing(.pending, .away, number: 1, left: 30_000, at: house.time.value)
            let calm = standing(.armedAway, .away, number: 1)
            try box.hello(sounds, last: 5, uptime: 2_000)
            try box.record(1, .tripped, pending, .sensor, sensor: 1, ago: 300)
            try box.record(2, .panelChanged, sounds, .deadline, ago: 270)
            try box.record(3, .panelChanged, calm, .deadline, ago: 210)
            try box.record(4, .tripped, pending, .sensor, sensor: 0, ago: 50)
            try box.record(5, .panelChanged, sounds, .deadline, ago: 20)
            #expect(
                house.alarms.standing(at: house.site.id).filter { $0.kind == .intrusion }.map(\.sensor) == [box.door.id]
            )
            try #require(await eventually { house.alarms.journal.waiting == 0 })
            let told = try house.parts.store.read {
                try $0.rows("SELECT sensor FROM home_alarms WHERE kind = 'intrusion'") { $0[0] as SensorID? }
            }
            #expect(Set(told) == [window.id, box.door.id])
        }
    }

    @Test func `What people heard of and ended while the box was alone does not sound anew when it is heard again`()
        async throws
    {
        for isEarly in [true, false] {
            try await TestHouse.run { house in
                let box = try await TestBox(house)
                try house.panels.arm(.away, at: house.site.id, by: .person(anna))
                house.pass(60)
                try box.hello(standing(.armedAway, .away, number: 1))
                func sounding(_ state: PanelState) -> Panel {
                    standing(state, .away, number: 1, left: 30_000, at: house.time.value)
                }
                try box.record(1, .tripped, sounding(.pending), .sensor, sensor: 0)
                // The cut. Here the time runs out, or somebody disarms before; the box does not hear of it.
                house.pass(isEarly ? 10 : 40)
                if isEarly {
                    house.panels.disarm(house.site.id, by: .person(anna))
                } else {
                    house.panels.reset(house.site.id, by: .person(anna))
                }
                house.pass(30)
                try box.hello(sounding(.triggered), last: 2, uptime: 2_000)
                try box.record(2, .panelChanged, sounding(.triggered), .deadline, ago: isEarly ? 10 : 40)
                #expect(!house.panel.isSounding && house.panel.state == (isEarly ? .disarmed : .armedAway))
                #expect(house.alarms.standing(at: house.site.id).filter { $0.kind != .fault }.isEmpty)
                #expect(box.orders.last == (isEarly ? .disarm : .reset))
            }
        }
    }

    @Test func `Who walks past a box at home while smoke sounds is no intruder when the box says hello anew`()
        async throws
    {
        try await TestHouse.run { house in
            let box = try await TestBox(house)
            let smoke = try await box.smoke()
            let walker = Sensor(
                id: .new(at: noon), number: 0, device: box.door.device, site: house.site.id, key: "motion",
                name: "Motion", kind: .motion, alarmClass: .motion, binding: SensorBinding(topic: "motion/state"))
            try await house.parts.registry.change(at: house.site.id) { try HomeRecords.add(walker, in: $0) }
            try house.panels.arm(.home, at: house.site.id, by: .person(anna))
            try box.hello(standing(.armedHome, .home, number: 1))
            let triggered = standing(.triggered, .home, number: 1, left: 60_000)
            try box.record(1, .tripped, triggered, .sensor, sensor: 1)
            #expect(
                house.panel.state == .triggered && house.panels.house(house.site.id).trips.map(\.sensor) == [smoke.id])
            house.pass(5)
            try box.record(2, .tripped, triggered, .sensor, sensor: 2)
            try box.hello(triggered, last: 2, uptime: 2_000)
            #expect(!house.alarms.standing(at: house.site.id).contains { $0.kind == .intrusion })
            // A door is another thing.
            try box.record(3, .tripped, triggered, .sensor, sensor: 0)
            #expect(house.alarms.standing(at: house.site.id).contains { $0.kind == .intrusion })
        }
    }

    @Test func `Who comes in at a box while the house has another alarm is told of when the box is heard again`()
        async throws
    {
        try await TestHouse.run { house in
            let box = try await TestBox(house)
            try house.panels.arm(.away, at: house.site.id, by: .person(anna))
            house.pass(60)
            try box.hello(standing(.armedAway, .away, number: 1))
            func kinds() -> [HouseAlarm.Kind] {
                house.alarms.standing(at: house.site.id).map(\.kind).filter { $0 != .fault }
            }
            // The cut.
            house.pass(60)
            house.panels.trigger(at: house.site.id, by: .hub)
            #expect(kinds() == [])
            let number = house.panel.number
            func sounding(_ state: PanelState) -> Panel {
                standing(state, .away, number: number, left: 30_000, at: house.time.value)
            }
            house.pass(60)
            try box.hello(sounding(.triggered), last: 2, uptime: 2_000)
            try box.record(1, .tripped, sounding(.pending), .sensor, sensor: 0, ago: 60)
            try box.record(2, .panelChanged, sounding(.triggered), .deadline, ago: 30)
            #expect(kinds() == [.intrusion])
            try box.hello(sounding(.triggered), last: 2, uptime: 3_000)
            #expect(kinds() == [.intrusion], "told once")
        }
    }

    @Test func `A trip at the box is one of the house, with what is left there of the time`() async throws {
        try await TestHouse.run { house in
            let box = try await TestBox(house)
            try house.panels.arm(.home, at: house.site.id, by: .person(anna))
            try box.hello(standing(.armedHome, .home, number: 1))
            try box.record(1, .tripped, standing(.pending, .home, number: 1, left: 25_000), .sensor, sensor: 0)
            #expect(house.panel.state == .pending)
            #expect(house.panel.left(at: house.time.value.milliseconds) == 25_000)
            #expect(house.panels.house(house.site.id).trips.map(\.sensor) == [box.door.id])
            #expect(box.orders == [])
            await box.write()
            #expect(box.acknowledged == [1])
        }
    }

    @Test func `What happened while the box was alone is told, and trips nothing now`() async throws {
        try await TestHouse.run { house in
            _ = try await house.people([.owner])
            let phones = house.phones()
            let box = try await TestBox(house)
            let smoke = try await box.smoke()
            try house.panels.arm(.home, at: house.site.id, by: .person(anna))
            try box.hello(standing(.armedHome, .home, number: 1), last: 4)
            // The panels are compared when its journal is here.
            #expect(box.orders == [])
            let sounds = standing(.triggered, .home, number: 1, left: 1)
            try box.record(1, .tripped, sounds, .sensor, sensor: 0, ago: 3_600)
            try box.record(2, .panelChanged, standing(.armedHome, .home, number: 1), .deadline, ago: 3_400)
            try box.record(3, .tripped, sounds, .sensor, sensor: 1, ago: 1_800)
            try box.record(4, .panelChanged, standing(.armedHome, .home, number: 1), .deadline, ago: 1_600)
            #expect(house.panel.state == .armedHome)
            await box.write()
            #expect(box.acknowledged == [1, 2, 3, 4])
            #expect(house.alarms.standing(at: house.site.id).isEmpty, "it is over")
            try #require(await eventually { phones.rang.value.count == 2 })
            let smoked = try await house.alarm(of: smoke)
            #expect(smoked.kind == .environmental && smoked.text[.en].title == "Smoke: Box")
            #expect(smoked.text[.en].body == "It happened 30 minutes before the box was connected again.")
            #expect(try await house.alarm(of: box.door).kind == .intrusion)
            // The smoke is there again: another alarm, in its own words, told as well; and that the other is over is no news.
            let now = house.alarms.raise(
                .environmental, at: house.site.id, sensor: smoke.id, AlarmMessage(nil, smoke, at: nil))
            #expect(now != smoked.id)
            try #require(await eventually { phones.rang.value.count == 3 })
            house.move(minutes: 3)
            await house.alarms.look()
            #expect(house.alarms.standing(at: house.site.id).map(\.id) == [now])
            try #require(await eventually { house.alarms.journal.waiting == 0 })
            #expect(try house.parts.store.read { try $0.row("SELECT count(*) FROM notices") { $0[0] as Int } } == 3)
        }
    }

    @Test func `Smoke that is still there when the box is back is told once, as what it is`() async throws {
        try await TestHouse.run { house in
            _ = try await house.people([.owner])
            let phones = house.phones()
            let box = try await TestBox(house)
            let smoke = try await box.smoke()
            try box.hello(Panel(), last: 1)
            let now = house.alarms.raise(
                .environmental, at: house.site.id, sensor: smoke.id, AlarmMessage(nil, smoke, at: nil))
            try box.record(
                1, .tripped, standing(.triggered, nil, number: 0, left: 60_000), .sensor, sensor: 1, ago: 40)
            #expect(house.alarms.standing(at: house.site.id).map(\.id) == [now], "and it goes on")
            try #require(await eventually { phones.rang.value.count == 1 })
            try #require(await eventually { house.alarms.journal.waiting == 0 })
            #expect(try house.events("home.alarm") == ["home.alarm.raised"])
        }
    }

    @Test(arguments: [2, 40] as [Double])
    func `Smoke that is over before its box is back is told, as smoke and not as an intruder`(ago: Double) async throws
    {
        try await TestHouse.run { house in
            _ = try await house.people([.owner])
            let phones = house.phones()
            let box = try await TestBox(house)
            let smoke = try await box.smoke()
            let triggered = standing(.triggered, nil, number: 0, left: 60_000)
            try box.hello(triggered, last: 1)
            try box.record(1, .tripped, triggered, .sensor, sensor: 1, ago: ago)
            #expect(house.panel.state == .triggered && house.panel.isSounding)
            try #require(await eventually { phones.rang.value.count == 1 })
            let told = try await house.alarm(of: smoke)
            #expect(told.kind == .environmental && told.text[.en].title == "Smoke: Box")
            #expect(house.alarms.standing(at: house.site.id).isEmpty, "it is over")
            try #require(await eventually { house.alarms.journal.waiting == 0 })
            #expect(try house.events("home.alarm.raised").count == 1)
        }
    }

    @Test func `Gas is gas at a box, whatever class it has at the hub, and told when nobody heard it`() async throws {
        try await TestHouse.run { house in
            let box = try await TestBox(house)
            let gas = Sensor(
                id: .new(at: noon), number: 0, device: box.door.device, site: house.site.id, key: "gas", name: "Gas",
                kind: .gas, unit: "ppm", alarmClass: nil, binding: SensorBinding(topic: "gas/state"))
            try await house.parts.registry.change(at: house.site.id) { try HomeRecords.add(gas, in: $0) }
            // It sounded, somebody ended it with a tag, and the box is heard again.
            try box.hello(Panel(), last: 2)
            try box.record(1, .tripped, standing(.triggered, nil, number: 0), .sensor, sensor: 1, ago: 60)
            #expect(house.alarms.standing(at: house.site.id).isEmpty, "it is over")
            try #require(await eventually { house.alarms.journal.waiting == 0 })
            let told = try await house.alarm(of: gas)
            #expect(told.kind == .environmental && told.text[.en].title == "Gas in the air: Box")
            // It sounds still: nobody is told of a burglar.
            house.pass(600)
            let sounds = standing(.triggered, nil, number: 0, at: house.time.value)
            try box.record(2, .tripped, sounds, .sensor, sensor: 1, ago: 40)
            try box.hello(sounds, last: 2, uptime: 2_000)
            #expect(house.panel.state == .triggered)
            try #require(await eventually { house.alarms.journal.waiting == 0 })
            let kinds = try house.parts.store.read {
                try $0.rows("SELECT DISTINCT kind FROM home_alarms") { $0[0] as String }
            }
            #expect(kinds == ["environmental"])
        }
    }

    @Test(arguments: [2, 40] as [Double])
    func `A second fire in a short cut is told when somebody dealt with the first, and not otherwise`(ago: Double)
        async throws
    {
        try await TestHouse.run { house in
            let box = try await TestBox(house, air: house.parts.care)
            let smoke = try await box.smoke()
            let triggered = standing(.triggered, nil, number: 0, left: 60_000)
            try box.hello(triggered)
            house.tell(smoke, .truth(true))
            let first = house.fires
            try #require(first.count == 1)
            try box.record(1, .tripped, triggered, .sensor, sensor: 1)
            house.pass(50)
            // It came and went while the box was cut off, and its state says what it said before.
            try box.record(2, .tripped, triggered, .sensor, sensor: 1, ago: ago)
            #expect(house.fires == first, "people know")
            house.panels.disarm(house.site.id, by: .person(anna))
            house.pass(50)
            house.tell(smoke, .truth(true))
            #expect(house.fires == first && !house.panel.isSounding, "it goes on")
            try box.record(3, .tripped, standing(.triggered, nil, number: 1), .sensor, sensor: 1, ago: ago)
            let second = house.fires
            #expect(second.count == 1 && second != first && house.panel.isSounding)
            house.tell(smoke, .truth(false))
            #expect(house.fires.isEmpty, "and it ends with its cause")
        }
    }

    @Test func `Smoke in a cut is told as well where the panel is still triggered from before`() async throws {
        try await TestHouse.run { house in
            _ = try await house.people([.owner])
            let phones = house.phones()
            let box = try await TestBox(house)
            _ = try await box.smoke()
            let triggered = standing(.triggered, nil, number: 0, left: 60_000)
            try box.hello(triggered, last: 1)
            for sequence in UInt64(1)...2 {
                try box.record(sequence, .tripped, triggered, .sensor, sensor: 1, ago: 40)
                try #require(await eventually { phones.rang.value.count == Int(sequence) })
                house.pass(Double(AlarmDesk.reopening) / 1000)
            }
            #expect(house.alarms.standing(at: house.site.id).isEmpty, "it is over")
        }
    }

    @Test func `What tripped at a box while it was alone is named, where its panel is right`() async throws {
        try await TestHouse.run { house in
            let box = try await TestBox(house)
            try house.panels.arm(.home, at: house.site.id, by: .person(anna))
            let triggered = standing(.triggered, .home, number: 1, left: 60_000)
            try box.hello(triggered, last: 1)
            try box.record(1, .tripped, triggered, .sensor, sensor: 0, ago: 40)
            #expect(house.panel.state == .triggered)
            #expect(house.alarms.standing(at: house.site.id).map(\.sensor) == [box.door.id])
        }
    }

    @Test func `Gas that sounds at a box is an alarm of the house, whatever was done before it was known`()
        async throws
    {
        try await TestHouse.run { house in
            let box = try await TestBox(house)
            let gas = try await box.smoke()
            for isArmed in [true, false] {
                house.panels.disarm(house.site.id, by: .person(anna))
                if isArmed { try house.panels.arm(.home, at: house.site.id, by: .person(anna)) }
                let number = house.panel.number
                let triggered = standing(.triggered, nil, number: 0, left: 60_000, at: house.time.value)
                // Tripped a while ago: it moves nothing by itself, and sounds still.
                let last: UInt64 = isArmed ? 1 : 2
                try box.hello(triggered, last: last, uptime: 1_000 * (last + 1))
                try box.record(last, .tripped, triggered, .sensor, sensor: 1, ago: 40)
                #expect(house.panel.state == .triggered && house.panel.isSounding)
                #expect(house.panel.number == number && house.panel.mode == (isArmed ? .home : nil))
                #expect(house.panels.house(house.site.id).trips.map(\.sensor) == [gas.id])
                #expect(box.orders.last == .follow)
                house.pass(1)
            }
        }
    }

    @Test func `What a box sees of its own threshold is an alarm of the house until the box says that it left`()
        async throws
    {
        try await TestHouse.run { house in
            let box = try await TestBox(house, air: house.parts.care)
            let smoke = try await box.smoke()
            let care = house.parts.care
            try box.hello(Panel())
            let triggered = standing(.triggered, nil, number: 0, left: 60_000)
            try box.record(1, .thresholdReached, triggered, .sensor, sensor: 1)
            #expect(house.alarms.standing(at: house.site.id).map(\.sensor) == [smoke.id])
            #expect(house.panel.state == .triggered && care.watch(of: smoke.id).isOver)
            try box.record(2, .thresholdLeft, triggered, .sensor, sensor: 1)
            #expect(house.alarms.standing(at: house.site.id).isEmpty && !care.watch(of: smoke.id).isOver)
            // What another sensor, or nobody, could have told moves nothing.
            try box.record(3, .thresholdReached, triggered, .sensor, sensor: 9)
            #expect(house.alarms.standing(at: house.site.id).isEmpty)
        }
    }

    @Test func `The household itself hears what boxes see of their thresholds`() async throws {
        try await TestHouse.run { house in
            let box = try await TestBox(house)
            let smoke = try await box.smoke()
            house.boxes.air.told(.reached, of: smoke, value: 1)
            #expect(house.parts.care.watch(of: smoke.id).isOver)
        }
    }

    @Test func `What a box sees now is an alarm now, however far its clock is ahead of the hub's`() async throws {
        try await TestHouse.run { house in
            let box = try await TestBox(house)
            let smoke = try await box.smoke()
            try box.hello(standing(.disarmed, nil, number: 0))
            let ahead = -300.0 * 86_400
            try box.record(1, .tripped, standing(.triggered, nil, number: 0), .sensor, sensor: 1, ago: ahead)
            #expect(house.panel.state == .triggered && house.panel.isSounding)
            #expect(house.panels.house(house.site.id).trips.map(\.sensor) == [smoke.id])
            #expect(house.panel.deadline.map { $0 - house.time.value.milliseconds < 3_600_000 } ?? true)
        }
    }
}
