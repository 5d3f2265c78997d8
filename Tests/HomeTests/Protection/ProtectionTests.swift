import HTTPServer
import Identity
import Ledger
import Safeguard
import Store
import System
import Testing

@testable import Accounts
@testable import Home
@testable import Household

/// What lowers the protection of a house that is armed takes what disarming takes.
struct ProtectionTests {
    @Test func `Arming less what is armed takes a code or a fresh proof, as disarming does`() async throws {
        try await TestHouse.runArmed { house, desk, anna, window, motion in
            let site = house.site.id
            let ways: [(ArmMode, Set<SensorID>)] = [
                (.home, []), (.night, []), (.vacation, []), (.away, [window.id]), (.home, [window.id, motion.id]),
            ]
            for (mode, bypass) in ways {
                await #expect(throws: SafetyRefusal.codeNeeded) {
                    try await desk.arm(mode, at: site, by: .person(anna), bypassing: bypass)
                }
                await #expect(throws: SafetyRefusal.wrongCode) {
                    try await desk.arm(
                        mode, at: site, by: .person(anna), bypassing: bypass, code: "280418")
                }
                #expect(house.panel.state == .armedAway)
                #expect(house.panels.house(site).bypassed.isEmpty)
                try await desk.arm(mode, at: site, by: .person(anna), bypassing: bypass, code: "280417")
                #expect(house.panels.house(site).bypassed == bypass)
                panelAway(house, site)
            }
            await #expect(throws: PanelRefusal.weakens) { try await desk.arm(.home, at: site, by: .hub) }
            #expect(house.panel.state == .armedAway)
        }
    }

    private func panelAway(_ house: TestHouse, _ site: SiteID) {
        house.panels.disarm(site, by: .hub)
        _ = try? house.panels.arm(.away, at: site, by: .hub)
    }

    @Test func `Arming more what is armed, or the same again, takes nothing and restarts no time to leave`()
        async throws
    {
        try await TestHouse.runArmed { house, desk, anna, window, _ in
            let site = house.site.id
            let number = house.panel.number
            try await desk.arm(.away, at: site, by: .person(anna))
            #expect(house.panel.number == number)
            house.panels.disarm(site, by: .hub)
            try await desk.arm(.home, at: site, by: .person(anna), bypassing: [window.id])
            try await desk.arm(.away, at: site, by: .person(anna), bypassing: [window.id])
            #expect(house.panel.state == .armedAway)
            house.panels.disarm(site, by: .hub)
            try await desk.arm(.vacation, at: site, by: .person(anna))
            let deadline = try #require(house.panel.deadline)
            house.time.change { $0 = $0.adding(milliseconds: 30_000) }
            try await desk.arm(.vacation, at: site, by: .person(anna))
            #expect(house.panel.deadline == deadline)
        }
    }

    @Test func `What is left out no more counts at once, without a new time to leave`() async throws {
        try await TestHouse.run { house in
            let (window, site) = (try await house.sensor("window", .contact), house.site.id)
            house.rest(window)
            try house.panels.arm(.vacation, at: site, by: .person(anna), bypassing: [window.id])
            house.pass(60)
            try await house.panels.write()
            let (number, events) = (house.panel.number, try house.events("home.armed").count)
            try house.panels.arm(.vacation, at: site, by: .person(anna))
            #expect(house.panels.house(site).bypassed.isEmpty)
            // One act more, so that a box that was away learns of it.
            #expect((house.panel.state, house.panel.number) == (.armedVacation, number + 1))
            try await house.panels.write()
            #expect(try house.events("home.armed").count == events + 1)
            house.tell(window, .truth(true))
            #expect(house.panel.state == .pending)
        }
    }

    @Test func `What counts again and stands open is named, and nobody forgets by it what is missing`() async throws {
        try await TestHouse.run { house in
            let (hall, door) = (try await house.sensor("hall", .motion), try await house.sensor("door", .contact))
            let site = house.site.id
            house.rest(hall, door)
            try house.panels.arm(.vacation, at: site, by: .person(anna), bypassing: [hall.id])
            house.pass(60)
            house.tell(hall, .truth(true))
            try house.panels.arm(.vacation, at: site, by: .person(anna))
            #expect(house.panels.house(site).weak == [hall.id: .open])
            house.panels.disarm(site, by: .hub)
            house.tell(hall, .truth(false))
            try house.panels.arm(.vacation, at: site, by: .person(anna), bypassing: [hall.id])
            house.pass(60)
            try await house.parts.devicesDesk.change(door.id, at: site, isInUse: false, by: anna)
            #expect(throws: PanelRefusal.weakens) { try house.panels.arm(.vacation, at: site, by: .person(anna)) }
            house.watch.tick()
            #expect(house.panels.house(site).weak == [door.id: .missing])
        }
    }

    @Test func `Gas and smoke that are taken out of use while a house is armed are missed as a door is`() async throws {
        try await TestHouse.run { house in
            let (gas, smoke) = (
                try await house.sensor("gas", .gas, unit: "V"), try await house.sensor("smoke", .smoke)
            )
            house.rest(smoke)
            try house.panels.arm(.home, at: house.site.id, by: .hub)
            for sensor in [gas, smoke] {
                try await house.parts.devicesDesk.change(sensor.id, at: house.site.id, isInUse: false, by: anna)
            }
            house.watch.tick()
            #expect(house.panels.house(house.site.id).weak == [gas.id: .missing, smoke.id: .missing])
        }
    }

    @Test func `What counted when a house was armed and does not any more is named until it does again`() async throws {
        try await TestHouse.runArmed { house, desk, anna, window, motion in
            let site = house.site.id
            let guarding = house.parts.safety.settings.guarding(of: window.id)
            try await desk.change(window.id, at: site, to: nil, guarding, by: anna)
            house.parts.safety.watch.tick()
            #expect(house.panels.house(site).weak == [window.id: .missing])
            #expect(house.panels.house(site).isDegraded)
            #expect(house.parts.alarms.standing(at: site).map(\.kind) == [.fault])
            // Armed anew it would forget what it misses, so that takes a code too.
            for mode in [ArmMode.vacation, .home] {
                await #expect(throws: SafetyRefusal.codeNeeded) {
                    try await desk.arm(mode, at: site, by: .person(anna))
                }
            }
            // A restart forgets neither.
            try await house.panels.write()
            #expect(try house.restarted().house(site).watched == [window.id: window.name, motion.id: motion.name])
            try await desk.change(window.id, at: site, to: .door, guarding, by: anna)
            house.parts.safety.watch.tick()
            #expect(house.panels.house(site).weak.isEmpty)
            #expect(house.parts.alarms.standing(at: site).isEmpty)
        }
    }

    @Test func `What was named of a sensor that is out of use since ends with the disarming`() async throws {
        try await TestHouse.runArmed { house, desk, anna, window, _ in
            let site = house.site.id
            try await house.parts.devicesDesk.change(window.id, at: site, isInUse: false, by: anna)
            house.watch.tick()
            try #require(house.parts.alarms.standing(at: site).map(\.kind) == [.fault])
            // Armed anew without it: nothing says any more that it was watched.
            try await desk.arm(.home, at: site, by: .person(anna), code: "280417")
            house.panels.disarm(site, by: .person(anna))
            #expect(house.parts.alarms.standing(at: site).isEmpty)
        }
    }

    @Test func `What lowers a house is judged where it is written, though the house was armed after the look`()
        async throws
    {
        try await TestHouse.run { house in
            let (site, parts) = (house.site.id, house.parts)
            let (window, gas) = (
                try await house.sensor("window", .contact), try await house.sensor("gas", .gas, unit: "V")
            )
            let siren = try await house.actuator("siren", .siren)
            house.rest(window)
            let ivo = try await house.principal("Ivo", .installer)
            let person = ivo.person.id
            let devices = parts.devicesDesk
            let level = Threshold(level: 4, hysteresis: 0.4, risePerMinute: nil)
            let ways: [@Sendable () async throws -> Void] = [
                {
                    try await parts.safetyDesk.change(window.id, at: site, to: nil, SensorGuard(), by: person)
                },
                {
                    try await parts.safetyDesk.change(
                        window.id, at: site, to: .door, SensorGuard(distance: 5), by: person)
                },
                { try await devices.change(window.id, at: site, isInUse: false, by: person) },
                { try await devices.change(siren.id, at: site, name: nil, isInUse: false, by: person) },
                { try await parts.care.change(level, of: gas, by: person) },
                { try await parts.care.change(isEnabled: false, at: site, by: person) },
                { try await parts.drills.begin(at: site, minutes: 5, sounds: false, by: person) },
            ]
            for way in ways {
                house.panels.disarm(site, by: .hub)
                let problem = await #expect(throws: Problem.self) {
                    try await parts.access.weakensNow(.devices).run(ivo, at: site) {
                        try house.panels.arm(.away, at: site, by: .hub)
                        try await way()
                        return .empty()
                    }
                }
                #expect(problem?.type == "armed")
            }
            let catalog = parts.registry.catalog
            #expect(catalog.sensors[window.id]?.alarmClass == .door)
            #expect(catalog.actuators[siren.id] != nil)
            #expect(parts.safety.settings.guarding(of: window.id) == SensorGuard())
            #expect(parts.care.watch(of: gas.id).threshold != level)
            #expect(parts.care.settings(of: site).isEnabled)
            #expect(parts.drills.drill(at: site) == nil)
            // Others write meanwhile as they like, and so do they when they are done.
            try await ways[0]()
            #expect(parts.registry.catalog.sensors[window.id]?.alarmClass == nil)
        }
    }

    @Test func `A fan of an armed house runs slower than it can with a fresh proof alone, by whatever way`()
        async throws
    {
        try await TestHouse.runArmed { house, _, _, _, _ in
            let (parts, fan) = (house.parts, try await house.actuator("fan", .fan))
            let ada = try await house.principal("Ada", .member)
            house.move(minutes: 30)
            for percent in [0, 49, 50, 75, 99] {
                let problem = await #expect(throws: Problem.self) {
                    try await parts.careDesk.runByHand(fan, percent: percent, minutes: 1440, by: ada)
                }
                #expect(problem?.type == "fresh-proof-needed" && parts.care.run(of: fan.id).byHand == nil)
                #expect(parts.switching.lowers(fan, to: .percent(UInt8(percent))))
            }
            try await parts.careDesk.runByHand(fan, percent: 100, minutes: 1440, by: ada)
            #expect(
                parts.care.run(of: fan.id).byHand?.percent == 100 && !parts.switching.lowers(fan, to: .percent(100)))
            house.panels.disarm(house.site.id, by: .hub)
            try await parts.careDesk.runByHand(fan, percent: 50, minutes: 1440, by: ada)
            #expect(parts.care.run(of: fan.id).byHand?.percent == 50)
        }
    }

    @Test func `An actuator is not told anything where a sensor is heard`() async throws {
        try await TestHouse.run { house in
            let anna = try await house.principal("Anna", .owner)
            let window = try await house.sensor("window", .contact)
            let entry = ActuatorEntry(
                name: "Lamp", kind: "plug", gateway: house.gateway.id.text, topic: window.binding.topic, on: "", off: ""
            )
            await #expect(throws: DeviceFault.duplicate) {
                try await house.parts.devicesDesk.add(actuator: entry, at: house.site.id, by: anna)
            }
        }
    }

    @Test func `The alarm of an armed house ends with what disarming takes, though it began after the look`()
        async throws
    {
        try await TestHouse.runArmed { house, desk, anna, window, _ in
            let site = house.site.id
            house.tell(window, .truth(true))
            house.pass(30)
            try #require(house.panel.state == .triggered)
            await desk.reset(site, by: anna, isProven: false)
            #expect(house.panel.state == .triggered)
            await desk.reset(site, by: anna, isProven: true)
            #expect(house.panel.state == .armedAway)
        }
    }

    @Test func `Who may not end an alarm ends none by taking away what raised it, though the house is not armed`()
        async throws
    {
        try await TestHouse.run { house in
            let gas = try await house.sensor("gas", .gas)
            let (installer, member) = (
                try await house.principal("Ines", .installer), try await house.principal("Ada", .member)
            )
            let rule = house.parts.access.weakensNow(.devices)
            for principal in [installer, member] { #expect(try !rule.lowers(principal, at: house.site.id)) }
            house.panels.trigger(at: house.site.id, by: .hub)
            try #require(house.panel.state == .triggered)
            #expect(throws: Problem.self) { try rule.lowers(installer, at: house.site.id) }
            #expect(try !rule.lowers(member, at: house.site.id))
            _ = gas
        }
    }

    @Test func `A code of the panel disarms nothing in a session that was ended while it was looked at`() async throws {
        try await TestHouse.runArmed { house, desk, _, window, _ in
            let session = try await house.principal("Bruno", .member)
            let (site, bruno) = (house.site.id, session.person.id)
            try await house.parts.given.accounts.signOut(session)
            await #expect(throws: Problem.self) {
                try await desk.disarm(site, by: bruno, code: "280417", in: session)
            }
            await #expect(throws: Problem.self) {
                try await desk.arm(
                    .home, at: site, by: .person(bruno), bypassing: [window.id], code: "280417", in: session)
            }
            #expect(house.panel.state == .armedAway)
            #expect(house.panels.house(site).bypassed.isEmpty)
        }
    }

    @Test func `A code of the panel disarms nothing for somebody who was thrown out while it was looked at`()
        async throws
    {
        try await TestHouse.runArmed { house, desk, anna, _, _ in
            let site = house.site.id
            let membership = try #require(
                try house.parts.store.read {
                    try AccountRecords.memberships(of: anna, at: site, in: $0).first
                })
            var ended = membership
            ended.revoked = noon
            let after = ended
            try await house.parts.given.accounts.change {
                try AccountRecords.change(after, at: noon, by: nil, in: $0)
            }
            await #expect(throws: Problem.self) {
                try await desk.disarm(site, by: anna, code: "280417")
            }
            #expect(house.panel.state == .armedAway)
        }
    }

    @Test func `A door that stands open when an alarm ends is named`() async throws {
        try await TestHouse.runArmed { house, _, anna, window, _ in
            let site = house.site.id
            house.tell(window, .truth(true))
            house.pass(30)
            #expect(house.panel.state == .triggered)
            house.panels.reset(site, by: .person(anna))
            #expect(house.panel.state == .armedAway)
            #expect(house.panels.house(site).weak == [window.id: .open])
        }
    }
}
