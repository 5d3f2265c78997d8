import Ledger
import Notices
import Safeguard
import Store
import System
import Testing
import TestSupport

@testable import Home
@testable import Household

struct SafetyPanelTests {
    @Test func `Who comes into an armed house has thirty seconds, and then the alarm sounds and is told`() async throws
    {
        try await TestHouse.run { house in
            let door = try await house.sensor("door", .contact)
            house.rest(door)
            try house.panels.arm(.away, at: house.site.id, by: .person(anna))
            #expect(house.panel.state == .arming)
            house.pass(60)
            #expect(house.panel.state == .armedAway)
            house.tell(door, .truth(true))
            #expect(house.panel.state == .pending)
            #expect(house.parts.alarms.standing(at: house.site.id).isEmpty)
            house.pass(29.9)
            #expect(house.panel.state == .pending)
            house.pass(0.1)
            #expect(house.panel.state == .triggered)
            let alarms = house.parts.alarms.standing(at: house.site.id)
            #expect(alarms.map(\.kind) == [.intrusion])
            #expect(alarms.first?.text[.en].title == "Opened: Door")
            #expect(
                try await house.ledgerKinds().filter { !$0.hasPrefix("home.alarm.") } == [
                    "home.arming", "home.armed", "home.pending", "home.triggered",
                ])
        }
    }

    @Test func `Disarming in time raises nothing, and says who did it`() async throws {
        try await TestHouse.run { house in
            let motion = try await house.sensor("hall", .motion)
            house.rest(motion)
            try house.panels.arm(.away, at: house.site.id, by: .person(anna))
            house.pass(60)
            house.tell(motion, .truth(true))
            house.panels.disarm(house.site.id, by: .person(anna))
            house.pass(60)
            #expect(house.panel.state == .disarmed)
            #expect(house.parts.alarms.standing(at: house.site.id).isEmpty)
            let last = house.panels.house(house.site.id).last
            #expect(last?.kind == .disarmed)
            #expect(last?.by == .person(anna))
        }
    }

    @Test func `A hub that is started again in the middle of the entry delay goes on with what was left`() async throws
    {
        try await TestHouse.run { house in
            let anna = try await house.principal("Anna", .owner).person.id
            let door = try await house.sensor("door", .contact)
            house.rest(door)
            try house.panels.arm(.away, at: house.site.id, by: .person(anna))
            house.pass(60)
            house.tell(door, .truth(true))
            house.pass(10)
            try await house.panels.write()
            let again = try house.restarted()
            #expect(again.house(house.site.id) == house.panels.house(house.site.id))
            house.time.change { $0 = $0.adding(milliseconds: 19_999) }
            again.tick { _ in false }
            #expect(again.panel(of: house.site.id).state == .pending)
            house.time.change { $0 = $0.adding(milliseconds: 1) }
            again.tick { _ in false }
            #expect(again.panel(of: house.site.id).state == .triggered)
            #expect(again.house(house.site.id).trips.map(\.sensor) == [door.id])
        }
    }

    @Test func `Who takes a sensor out of use while the time to disarm runs ends no alarm by it`() async throws {
        try await TestHouse.run { house in
            let door = try await house.sensor("door", .contact)
            house.rest(door)
            try house.panels.arm(.away, at: house.site.id, by: .person(anna))
            house.pass(60)
            house.tell(door, .truth(true))
            try await house.parts.registry.change(at: house.site.id) { [device = house.device] database in
                var device = device
                device.retired = noon
                try HomeRecords.put(device, in: database)
            }
            try #require(house.parts.registry.catalog.sensors[door.id] == nil)
            house.pass(30)
            let alarms = house.alarms.standing(at: house.site.id).filter { $0.kind == .intrusion }
            #expect(alarms.map(\.sensor) == [door.id] && alarms.first?.text[.en].title == "Tripped: \(door.name)")
        }
    }

    @Test func `A deadline that passed while the hub was away is taken at once, and the alarm counts from now`()
        async throws
    {
        try await TestHouse.run { house in
            let door = try await house.sensor("door", .contact)
            house.rest(door)
            try house.panels.arm(.away, at: house.site.id, by: .person(anna))
            house.pass(60)
            house.tell(door, .truth(true))
            try await house.panels.write()
            let again = try house.restarted()
            house.time.change { $0 = $0.adding(milliseconds: 86_400_000) }
            again.tick { _ in false }
            let panel = again.panel(of: house.site.id)
            #expect(panel.state == .triggered)
            #expect(panel.left(at: house.time.value.milliseconds) == 120_000)
        }
    }

    @Test func `After a start of the hub the sirens of a house that had an alarm are told once more to be still`()
        async throws
    {
        try await TestHouse.run { house in
            let siren = try await house.actuator("siren", .siren)
            /// What a hub that starts now tells it.
            func told() throws -> ActuatorValue? {
                let (registry, clock) = (house.parts.registry, house.parts.clock)
                let actuation = Actuation(registry, HomeBus(), clock: clock)
                let sirens = Sirens(registry, actuation)
                _ = try HousePanels(
                    house.parts.store, clock, registry, house.parts.safety.settings, sirens,
                    house.parts.alarms)
                sirens.repeatWhatWasNotHeard()
                return actuation.last(toldTo: siren.id)
            }
            func written() async -> Bool { await eventually { house.alarms.journal.waiting == 0 } }
            let words = AlarmMessage.hazard(.help)
            house.alarms.raise(.fault, at: house.site.id, words)
            try #require(await written())
            #expect(try told() == nil)
            house.panels.trigger(at: house.site.id, by: .hub)
            house.alarms.raise(.help, at: house.site.id, words)
            try #require(await written())
            try await house.panels.write()
            #expect(try told() == .on, "it sounds")
            house.panels.disarm(house.site.id, by: .hub)
            try await house.panels.write()
            #expect(try told() == .off)
            house.pass(Double(Sirens.remembered / 1_000) + 1)
            #expect(try told() == nil, "a siren that sounds days later does so for a reason of its own")
        }
    }

    @Test func `A clock that is set back lengthens no delay`() async throws {
        try await TestHouse.run { house in
            try house.panels.arm(.away, at: house.site.id, by: .person(anna))
            house.pass(20)
            house.pass(-3_600)
            house.pass(39.9)
            #expect(house.panel.state == .arming)
            house.pass(0.1)
            #expect(house.panel.state == .armedAway)
        }
    }

    @Test
    func `Nothing that happens before a thing is written waits for the disk, and all is written once it has room`()
        async throws
    {
        try await TestHouse.run { house in
            let door = try await house.sensor("door", .contact)
            house.rest(door)
            try house.panels.arm(.home, at: house.site.id, by: .person(anna))
            house.tell(door, .truth(true))
            house.pass(30)
            // Nobody has written anything so far.
            #expect(!house.panels.isWritten)
            #expect(house.panel.state == .triggered)
            #expect(!house.parts.alarms.standing(at: house.site.id).isEmpty)
            try await house.panels.write()
            #expect(house.panels.isWritten)
            // Written twice is written once.
            async let one: Void = house.panels.write()
            async let other: Void = house.panels.write()
            _ = try await (one, other)
            #expect(try await house.ledgerKinds("home.triggered").count == 1)
        }
    }

    @Test func `A door that stands open by what the broker had kept is named where the house is armed`() async throws {
        try await TestHouse.run { house in
            let (door, hall) = (try await house.sensor("door", .contact), try await house.sensor("hall", .motion))
            house.tell(door, .truth(true), isRetained: true)
            #expect(!house.panels.house(house.site.id).isDegraded, "disarmed")
            house.tell(door, .truth(false))
            house.rest(hall)
            try house.panels.arm(.away, at: house.site.id, by: .person(anna))
            house.pass(60)
            // Whoever was heard all the time is not contradicted by what the broker had kept.
            house.tell(door, .truth(true), isRetained: true)
            #expect(!house.panels.house(house.site.id).isDegraded)
            house.parts.readings.lostBus()
            house.parts.readings.foundBus()
            house.tell(door, .truth(true), isRetained: true)
            house.tell(hall, .truth(true), isRetained: true)
            #expect(house.panel.state == .armedAway, "it may have been opened at any time")
            #expect(house.panels.house(house.site.id).weak == [door.id: .open])
            #expect(house.alarms.standing(at: house.site.id).map(\.sensor) == [door.id])
            house.tell(door, .truth(false))
            #expect(!house.panels.house(house.site.id).isDegraded)
            #expect(house.alarms.standing(at: house.site.id).isEmpty)
        }
    }

    @Test func `What the broker had kept, and who warms up, trips nothing`() async throws {
        try await TestHouse.run { house in
            let (door, hall) = (try await house.sensor("door", .contact), try await house.sensor("hall", .distance))
            try house.panels.arm(.home, at: house.site.id, by: .person(anna))
            house.tell(door, .truth(true), isRetained: true)
            house.tell(hall, .number(20), isRetained: true)
            #expect(house.panel.state == .armedHome)
            house.tell(door, .truth(false))
            house.tell(door, .truth(true))
            #expect(house.panel.state == .pending)
        }
    }

    @Test func `Somebody who comes near is seen once, and again after they have left`() async throws {
        try await TestHouse.run { house in
            let hall = try await house.sensor("hall", .distance, unit: "cm")
            house.rest(hall)
            var rules = HouseRules()
            rules.panel = PanelRules(exitDelay: Delays(0), entryDelay: Delays(0), alarmTime: 30)
            try await house.parts.safety.settings.set(rules, of: house.site.id, by: anna)
            try house.panels.arm(.away, at: house.site.id, by: .person(anna))
            house.tell(hall, .number(105))
            #expect(house.panel.state == .armedAway)
            house.tell(hall, .number(95))
            #expect(house.panel.state == .triggered)
            house.pass(30)
            #expect(house.panel.state == .armedAway)
            // Between the distance and a tenth more they are still there.
            house.tell(hall, .number(105))
            house.tell(hall, .number(95))
            #expect(house.panel.state == .armedAway)
            house.tell(hall, .number(120))
            house.tell(hall, .number(95))
            #expect(house.panel.state == .triggered)
        }
    }

    @Test func `An open window is refused by name, and left out only when it is named`() async throws {
        try await TestHouse.run { house in
            let (window, door) = (
                try await house.sensor("window", .contact), try await house.sensor("door", .contact)
            )
            house.rest(door)
            house.tell(window, .truth(true))
            let desk = house.parts.safetyDesk
            await #expect(throws: PanelRefusal.open([window.id])) {
                try await desk.arm(.home, at: house.site.id, by: .person(anna))
            }
            #expect(house.panel.state == .disarmed)
            try await desk.arm(.home, at: house.site.id, by: .person(anna), bypassing: [window.id])
            #expect(house.panel.state == .armedHome)
            #expect(house.panels.house(house.site.id).bypassed == [window.id])
            house.tell(window, .truth(false))
            house.tell(window, .truth(true))
            #expect(house.panel.state == .armedHome)
            house.tell(door, .truth(true))
            #expect(house.panel.state == .pending)
            house.panels.disarm(house.site.id, by: .person(anna))
            #expect(house.panels.house(house.site.id).bypassed.isEmpty)
        }
    }

    @Test func `Gas is never left out`() async throws {
        try await TestHouse.run { house in
            let smoke = try await house.sensor("smoke", .smoke)
            #expect(throws: PanelRefusal.cannotBypass(smoke.id)) {
                try house.panels.arm(.home, at: house.site.id, by: .person(anna), bypassing: [smoke.id])
            }
        }
    }

    @Test func `What is still open when the time to leave is over is named and told, and mended when it is closed`()
        async throws
    {
        try await TestHouse.run { house in
            let door = try await house.sensor("door", .contact)
            house.rest(door)
            try house.panels.arm(.away, at: house.site.id, by: .person(anna))
            house.tell(door, .truth(true))
            house.pass(60)
            #expect(house.panel.state == .armedAway)
            #expect(house.panels.house(house.site.id).weak == [door.id: .open])
            let told = house.parts.alarms.standing(at: house.site.id)
            #expect(told.map(\.kind) == [.fault])
            #expect(told.first?.text[.en].title == "Armed, but open: Door")
            house.tell(door, .truth(false))
            #expect(!house.panels.house(house.site.id).isDegraded)
            #expect(house.parts.alarms.standing(at: house.site.id).isEmpty)
            house.tell(door, .truth(true))
            #expect(house.panel.state == .pending)
        }
    }

    @Test
    func `A sensor that falls silent is named after a minute, told once, and trips only where the house wishes it`()
        async throws
    {
        try await TestHouse.run { house in
            let door = try await house.sensor("door", .contact)
            house.rest(door)
            try house.panels.arm(.home, at: house.site.id, by: .person(anna))
            house.parts.readings.note(.unavailable, of: door)
            house.pass(0)
            house.pass(59)
            #expect(!house.panels.house(house.site.id).isDegraded)
            house.pass(1)
            #expect(house.panels.house(house.site.id).weak == [door.id: .silent])
            #expect(house.panel.state == .armedHome)
            house.pass(600)
            #expect(house.parts.alarms.standing(at: house.site.id).count == 1)
            #expect(try await house.ledgerKinds("home.degraded").count == 1)
            house.tell(door, .truth(false))
            #expect(!house.panels.house(house.site.id).isDegraded)

            try await house.parts.safetyDesk.change(
                door.id, at: house.site.id, to: door.alarmClass, SensorGuard(tripsWhenSilent: true), by: anna)
            house.pass(Double(IntruderWatch.word) / 1000)
            house.parts.readings.note(.late, of: door)
            house.pass(0)
            house.pass(60)
            #expect(house.panel.state == .pending)
        }
    }

    @Test func `Who is silent already is named when the house is armed`() async throws {
        try await TestHouse.run { house in
            let door = try await house.sensor("door", .contact)
            house.rest(door)
            house.parts.readings.note(.unavailable, of: door)
            try await house.parts.safetyDesk.arm(.home, at: house.site.id, by: .person(anna))
            #expect(house.panel.state == .armedHome)
            #expect(house.panels.house(house.site.id).weak == [door.id: .silent])
        }
    }

    @Test func `Every room in which somebody is seen during the alarm is told`() async throws {
        try await TestHouse.run { house in
            let (door, hall) = (try await house.sensor("door", .contact), try await house.sensor("hall", .motion))
            house.rest(door, hall)
            try house.panels.arm(.away, at: house.site.id, by: .person(anna))
            house.pass(60)
            house.tell(door, .truth(true))
            house.pass(30)
            house.tell(hall, .truth(true))
            house.tell(hall, .truth(false))
            house.tell(hall, .truth(true))
            #expect(
                Set(house.parts.alarms.standing(at: house.site.id).map { $0.text[.en].title }) == [
                    "Opened: Door", "Movement near: Hall",
                ])
            house.panels.disarm(house.site.id, by: .person(anna))
            #expect(house.parts.alarms.standing(at: house.site.id).isEmpty)
        }
    }

    @Test func `Smoke sounds until it is gone, and then the alarm's time ends it`() async throws {
        try await TestHouse.run { house in
            let smoke = try await house.sensor("smoke", .smoke)
            house.tell(smoke, .truth(true))
            #expect(house.panel.isSounding)
            for _ in 0..<3 {
                house.pass(121)
                #expect((house.panel.state, house.panel.isSounding) == (.triggered, true))
            }
            house.tell(smoke, .truth(false))
            house.pass(121)
            #expect((house.panel.state, house.panel.isSounding) == (.disarmed, false))
        }
    }

    @Test func `Silencing ends the noise and not the alarm; a reset ends it and stays armed`() async throws {
        try await TestHouse.run { house in
            let door = try await house.sensor("door", .contact)
            house.rest(door)
            try house.panels.arm(.home, at: house.site.id, by: .person(anna))
            house.tell(door, .truth(true))
            house.pass(30)
            house.panels.silence(house.site.id, by: .person(anna))
            #expect(house.panel.state == .triggered)
            #expect(!house.panel.isSounding)
            #expect(house.parts.alarms.standing(at: house.site.id).count == 1)
            house.panels.reset(house.site.id, by: .person(anna))
            #expect(house.panel.state == .armedHome)
            #expect(house.parts.alarms.standing(at: house.site.id).map(\.kind) == [.fault], "the door stands open")
        }
    }

    @Test func `Whoever comes in after gas was silenced makes the siren of an armed house sound again, and is told`()
        async throws
    {
        try await TestHouse.run { house in
            let (smoke, door) = (try await house.sensor("smoke", .smoke), try await house.sensor("door", .contact))
            house.rest(smoke, door)
            try house.panels.arm(.home, at: house.site.id, by: .person(anna))
            house.tell(smoke, .truth(true))
            house.panels.silence(house.site.id, by: .person(anna))
            try #require(!house.panel.isSounding)
            house.pass(30)
            house.tell(door, .truth(true))
            #expect((house.panel.state, house.panel.isSounding) == (.triggered, true))
            #expect(Set(house.parts.alarms.standing(at: house.site.id).map(\.kind)) == [.environmental, .intrusion])
            // By the same door once more, after that was silenced, too: another alarm, of which people are told.
            func intrusion() -> HouseAlarmID? {
                house.parts.alarms.standing(at: house.site.id).first { $0.kind == .intrusion }?.id
            }
            let first = try #require(intrusion())
            house.panels.silence(house.site.id, by: .person(anna))
            house.tell(door, .truth(false))
            house.tell(door, .truth(true))
            let second = try #require(intrusion())
            #expect(house.panel.isSounding && second != first && !house.parts.alarms.isSilenced(second))
            house.tell(door, .truth(false))
            house.tell(door, .truth(true))
            #expect(intrusion() == second, "while it sounds it is the same")
            // In a house that is not armed a door means nothing.
            house.panels.disarm(house.site.id, by: .person(anna))
            house.tell(smoke, .truth(false))
            house.tell(door, .truth(false))
            house.tell(smoke, .truth(true))
            house.panels.silence(house.site.id, by: .person(anna))
            house.tell(door, .truth(true))
            #expect((house.panel.state, house.panel.isSounding) == (.triggered, false))
        }
    }

    @Test func `A real alarm is not hidden by an exercise`() async throws {
        try await TestHouse.run { house in
            let (door, hall) = (try await house.sensor("door", .contact), try await house.sensor("hall", .motion))
            house.rest(door, hall)
            try house.panels.arm(.away, at: house.site.id, by: .person(anna))
            house.pass(60)
            house.panels.trip(.tamper, by: hall, at: house.time.value, isDrill: true)
            #expect(house.panels.house(house.site.id).isDrill)
            #expect(house.parts.alarms.standing(at: house.site.id).map(\.isDrill) == [true])
            house.tell(door, .truth(true))
            #expect(!house.panels.house(house.site.id).isDrill)
            #expect(house.panel.state == .pending)
            house.pass(30)
            let standing = house.parts.alarms.standing(at: house.site.id)
            #expect(standing.contains { !$0.isDrill && $0.kind == .intrusion })
        }
    }

    @Test func `Whatever happens, the keeper of the hub stands as the second statement says`() async throws {
        try await TestHouse.run { house in
            let sensors = [
                "environmental": try await house.sensor("e", .smoke), "motion": try await house.sensor("m", .motion),
                "door": try await house.sensor("d", .contact),
                "tamper": try await house.sensor("t", .vibration),
            ]
            let vectors = try PanelVectors.read()
            for story in vectors.stories {
                let site = house.site.id
                house.panels.disarm(site, by: .hub)
                let base = house.panel.number
                let begin = house.time.value.milliseconds
                let rules = try #require(vectors.rules[story.rules]).rules
                try await house.parts.safety.settings.set(.init(panel: rules), of: site, by: anna)
                for step in story.steps {
                    house.time.change { $0 = Timestamp(milliseconds: begin + step.now) }
                    switch step.input {
                    case .arm(let mode): _ = try? house.panels.arm(mode, at: site, by: .hub, mayWeaken: true)
                    case .disarm: house.panels.disarm(site, by: .hub)
                    case .trip(let kind): house.panels.trip(kind, by: sensors[kind.name]!, at: house.time.value)
                    case .trigger: house.panels.trigger(at: site, by: .hub)
                    case .deadline: house.parts.safety.tick()
                    case .silence: house.panels.silence(site, by: .hub)
                    case .reset: house.panels.reset(site, by: .hub)
                    }
                    let after = step.after
                    #expect(
                        house.panel
                            == Panel(
                                state: after.state, mode: after.mode, deadline: after.deadline.map { $0 + begin },
                                isSounding: after.isSounding, number: after.number + base),
                        "\(story.name), at \(step.now)")
                }
            }
        }
    }

    @Test func `Of two sensors of one name each keeps its device's while the house is armed`() async throws {
        try await TestHouse.run { house in
            let (_, kitchen) = try await house.gateway("Kitchen")
            let (front, other) = (
                try await house.sensor("door", .contact), try await house.sensor("door", .contact, of: kitchen)
            )
            house.rest(front, other)
            try house.panels.arm(.away, at: house.site.id, by: .person(anna))
            house.pass(60)
            // One is taken out of use: neither is *Door* now.
            _ = try await house.parts.registry.change(at: house.site.id) {
                try $0.execute("UPDATE home_sensors SET retired = ? WHERE id = ?", house.time.value, other.id)
            }
            house.pass(1)
            func told() -> [String] {
                house.parts.alarms.standing(at: house.site.id).map { $0.text[.en].title }
            }
            let name = "Door (\(house.device.name))"
            #expect(told() == ["Armed, but no longer watching: Door (Kitchen)"])
            #expect(house.panels.distinct(front).name == name)
            house.tell(front, .truth(true))
            house.pass(30)
            #expect(told().contains("Opened: \(name)"))
            house.panels.disarm(house.site.id, by: .person(anna))
            #expect(house.panels.distinct(front).name == "Door")
        }
    }
}
