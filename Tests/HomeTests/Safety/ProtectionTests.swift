import HTTPServer
import Notices
import Safeguard
import Store
import System
import TestSupport
import Testing
import Wire

@testable import Accounts
@testable import Home
@testable import Ledger

/// What lowers the protection of a house that is armed takes what disarming takes.
struct ProtectionTests {
    /// A house that is armed away, asks for a code and has one, with a window and a motion sensor at rest.
    private static func armed(
        _ body: (TestHouse, SafetyDesk, _ anna: PersonID, _ window: Sensor, _ motion: Sensor) async throws -> Void
    ) async throws {
        try await TestHouse.run { house in
            let (window, motion) = (try await house.sensor("window", .contact), try await house.sensor("hall", .motion))
            house.rest(window, motion)
            let anna = try await house.principal("Anna", .member).person.id
            let rules = HouseRules(
                panel: PanelRules(exitDelay: Delays(home: 0, away: 0, night: 0, vacation: 60)), asksCode: true)
            try await house.household.safety.settings.set(rules, of: house.site.id, by: anna)
            _ = try await house.household.safety.codes.add("280417", name: "Anna", at: house.site.id, by: anna)
            let desk = SafetyDesk(household: house.household)
            try await desk.arm(.away, at: house.site.id, by: .person(anna))
            #expect(house.panel.state == .armedAway)
            try await body(house, desk, anna, window, motion)
        }
    }

    @Test func `Arming less what is armed takes a code or a fresh proof, as disarming does`() async throws {
        try await Self.armed { house, desk, anna, window, motion in
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
        try await Self.armed { house, desk, anna, window, _ in
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
            try await DevicesDesk(household: house.household).change(
                door.id, at: site, isInUse: false, by: anna)
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
                try await DevicesDesk(household: house.household).change(
                    sensor.id, at: house.site.id, isInUse: false, by: anna)
            }
            house.watch.tick()
            #expect(house.panels.house(house.site.id).weak == [gas.id: .missing, smoke.id: .missing])
        }
    }

    @Test func `What counted when a house was armed and does not any more is named until it does again`() async throws {
        try await Self.armed { house, desk, anna, window, motion in
            let site = house.site.id
            let guarding = house.household.safety.settings.guarding(of: window.id)
            try await desk.change(window.id, at: site, to: nil, guarding, by: anna)
            house.household.safety.watch.tick()
            #expect(house.panels.house(site).weak == [window.id: .missing])
            #expect(house.panels.house(site).isDegraded)
            #expect(house.household.alarms.standing(at: site).map(\.kind) == [.fault])
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
            house.household.safety.watch.tick()
            #expect(house.panels.house(site).weak.isEmpty)
            #expect(house.household.alarms.standing(at: site).isEmpty)
        }
    }

    @Test func `What was named of a sensor that is out of use since ends with the disarming`() async throws {
        try await Self.armed { house, desk, anna, window, _ in
            let site = house.site.id
            try await DevicesDesk(household: house.household).change(window.id, at: site, isInUse: false, by: anna)
            house.watch.tick()
            try #require(house.household.alarms.standing(at: site).map(\.kind) == [.fault])
            // Armed anew without it: nothing says any more that it was watched.
            try await desk.arm(.home, at: site, by: .person(anna), code: "280417")
            house.panels.disarm(site, by: .person(anna))
            #expect(house.household.alarms.standing(at: site).isEmpty)
        }
    }

    @Test func `What lowers a house is judged where it is written, though the house was armed after the look`()
        async throws
    {
        try await TestHouse.run { house in
            let (site, household) = (house.site.id, house.household)
            let (window, gas) = (
                try await house.sensor("window", .contact), try await house.sensor("gas", .gas, unit: "V")
            )
            let siren = try await house.actuator("siren", .siren)
            house.rest(window)
            let ivo = try await house.principal("Ivo", .installer)
            let person = ivo.person.id
            let devices = DevicesDesk(household: household)
            let level = Threshold(level: 4, hysteresis: 0.4, risePerMinute: nil)
            let ways: [@Sendable () async throws -> Void] = [
                {
                    try await SafetyDesk(household: household).change(
                        window.id, at: site, to: nil, SensorGuard(), by: person)
                },
                {
                    try await SafetyDesk(household: household).change(
                        window.id, at: site, to: .door, SensorGuard(distance: 5), by: person)
                },
                { try await devices.change(window.id, at: site, isInUse: false, by: person) },
                { try await devices.change(siren.id, at: site, name: nil, isInUse: false, by: person) },
                { try await household.care.change(level, of: gas, by: person) },
                { try await household.care.change(isEnabled: false, at: site, by: person) },
                { try await household.drills.begin(at: site, minutes: 5, sounds: false, by: person) },
            ]
            for way in ways {
                house.panels.disarm(site, by: .hub)
                let problem = await #expect(throws: Problem.self) {
                    try await household.weakensNow(.devices).run(ivo, at: site) {
                        try house.panels.arm(.away, at: site, by: .hub)
                        try await way()
                        return .empty()
                    }
                }
                #expect(problem?.type == "armed")
            }
            let catalog = household.registry.catalog
            #expect(catalog.sensors[window.id]?.alarmClass == .door)
            #expect(catalog.actuators[siren.id] != nil)
            #expect(household.safety.settings.guarding(of: window.id) == SensorGuard())
            #expect(household.care.watch(of: gas.id).threshold != level)
            #expect(household.care.settings(of: site).isEnabled)
            #expect(household.drills.drill(at: site) == nil)
            // Others write meanwhile as they like, and so do they when they are done.
            try await ways[0]()
            #expect(household.registry.catalog.sensors[window.id]?.alarmClass == nil)
        }
    }

    @Test func `What warns at any time is not taken away unsaid, though the house is not armed`() async throws {
        try await TestHouse.run { house in
            let (site, household) = (house.site.id, house.household)
            let olga = try await house.principal("Olga", .owner).person.id
            let ivo = try await house.principal("Ivo", .installer)
            let person = ivo.person.id
            func told() throws -> Int {
                try household.store.read { database in
                    try database.row(
                        """
                        SELECT count(*) FROM notice_recipients r JOIN notices n ON n.id = r.notice
                        WHERE r.person = ? AND n.kind = 'home.protection'
                        """, olga
                    ) { $0[0] as Int } ?? 0
                }
            }
            let smoke = try await house.sensor("smoke", .smoke)
            let gas = try await house.sensor("gas", .gas, unit: "V")
            let carbon = try await house.sensor("carbon", .gas, unit: "ppm")
            let window = try await house.sensor("window", .contact)
            let siren = try await house.actuator("siren", .siren)
            let lamp = try await house.actuator("lamp", .light)
            let fan = try await house.actuator("fan", .fan)
            let (devices, care) = (DevicesDesk(household: household), household.care)
            try await care.change(Threshold(level: 3, risePerMinute: 1), of: gas, by: nil)
            let usual = FanRule(fan: fan.id, site: site, sensor: gas.id, most: 6, shortestRun: 300)
            @Sendable func follow(_ change: (inout FanRule) -> Void) async throws {
                var rule = usual
                change(&rule)
                try await care.change(rule, of: fan, by: person)
            }
            try await follow { _ in }
            @Sendable func edit(_ change: @escaping @Sendable (inout SensorEntry) -> Void) async throws {
                try await devices.change(gas.id, at: site, by: person) { entry in
                    var entry = entry
                    change(&entry)
                    return entry
                }
            }
            let gateway = house.gateway
            let lowering: [@Sendable () async throws -> Void] = [
                {
                    try await household.registry.change(at: house.site.id) { database in
                        var other = smoke
                        other.binding.on = "another word"
                        try HomeRecords.change(other, in: database)
                    }
                },
                {
                    try await household.registry.change(at: house.site.id) { database in
                        var other = siren
                        other.binding.commandTopic = "elsewhere/set"
                        try HomeRecords.put(other, in: database)
                    }
                },
                // What is so far below the level that it would be over is no reading.
                { try await edit { ($0.low, $0.high) = ("2.9", "1000") } },
                { try await edit { ($0.low, $0.high) = ("900", "1000") } }, { try await edit { $0.unit = "ppb" } },
                // Once it has warned it warns no more, until it is nearly at nothing.
                { try await care.change(Threshold(level: 3, hysteresis: 2.9, risePerMinute: 1), of: gas, by: person) },
                { try await care.change(Threshold(level: 3), of: gas, by: person) },
                {
                    try await household.registry.change(at: house.site.id) { database in
                        var other = gateway
                        other.key = Key([UInt8](repeating: 9, count: 32))
                        try HomeRecords.put(other, in: database)
                    }
                }, { try await follow { $0.most = 9 } }, { try await follow { ($0.most, $0.shortestRun) = (9, 60) } },
                { try await household.run(fan, percent: 0, minutes: 1440, by: ivo) },
                { try await care.change(nil, of: fan, by: person) },
                { try await devices.change(fan.id, at: site, name: nil, isInUse: false, by: person) },
                { try await devices.change(siren.id, at: site, name: nil, isInUse: false, by: person) },
                { try await care.change(Threshold(level: 4), of: gas, by: person) },
                { try await care.change(isEnabled: false, at: site, by: person) },
                { try await devices.change(smoke.id, at: site, isInUse: false, by: person) },
                { try await devices.change(gas.device, at: site, name: nil, area: nil, isInUse: false, by: person) },
            ]
            let others: [@Sendable () async throws -> Void] = [
                // What does not warn yet loses nothing by its first threshold.
                { try await care.change(Threshold(level: 900, hysteresis: 100), of: carbon, by: person) },
                { try await devices.change(lamp.id, at: site, name: nil, isInUse: false, by: person) },
                { try await devices.change(window.id, at: site, isInUse: false, by: person) },
                { try await care.change(Threshold(level: 2, risePerMinute: 1), of: gas, by: person) },
                { try await household.run(fan, percent: 100, minutes: 1440, by: ivo) },
                { try await edit { ($0.low, $0.high) = ("0", "10") } },
                { try await edit { ($0.low, $0.high) = ("", "") } },
                { try await devices.change(siren.id, at: site, name: "Horn", by: person) },
                { try await follow { $0.most = 5 } }, { try await follow { ($0.most, $0.shortestRun) = (5, 600) } },
                { try await follow { ($0.most, $0.shortestRun) = (5, 600) } },
            ]
            for (number, way) in (others + lowering).enumerated() {
                _ = try await household.weakensNow(.devices).run(ivo, at: site) {
                    try await way()
                    return .empty()
                }
                let expected = max(number + 1 - others.count, 0)
                // Before the answer: a hub that is killed right after it has told them.
                try #require(try told() == expected, "\(number)")
            }
            let texts = try household.store.read { database in
                try database.rows("SELECT content FROM notices WHERE kind = 'home.protection'") { $0[0] as String }
            }
            #expect(texts.contains { $0.contains("at any time: Smoke") } && !texts.contains { $0.contains("armed") })
            // Two in one minute are two.
            try await devices.change(gas.device, at: site, name: nil, area: nil, isInUse: true, by: person)
            try await devices.change(smoke.id, at: site, isInUse: true, by: person)
            try await devices.change(siren.id, at: site, name: nil, isInUse: true, by: person)
            let before = try told()
            for way in [lowering[13], lowering[16]] {
                _ = try await household.weakensNow(.devices).run(ivo, at: site) {
                    try await way()
                    return .empty()
                }
            }
            try #require(await eventually { try told() == before + 2 })
            // Out, back and out again within the minute is told again.
            for isInUse in [true, false, true, false] {
                _ = try await household.weakensNow(.devices).run(ivo, at: site) {
                    try await devices.change(smoke.id, at: site, isInUse: isInUse, by: person)
                    return .empty()
                }
            }
            try #require(await eventually { try told() == before + 4 })
            // A little, and then so much that it never warns.
            try await devices.change(gas.device, at: site, name: nil, area: nil, isInUse: true, by: person)
            try await care.change(isEnabled: true, at: site, by: person)
            for level in [4.5, 900] {
                _ = try await household.weakensNow(.devices).run(ivo, at: site) {
                    try await care.change(Threshold(level: level), of: gas, by: person)
                    return .empty()
                }
            }
            try #require(await eventually { try told() == before + 6 })
        }
    }

    @Test func `An owner whose ownership is taken is told, whatever else changes in that minute`() async throws {
        try await TestHouse.run { house in
            let (ada, bruno) = (
                try await house.principal("Ada", .owner).person.id, try await house.principal("Bruno", .owner).person.id
            )
            let guest = try await house.principal("Gina", .guest).person.id
            let work = Task { try await house.household.followProtection() }
            defer { work.cancel() }
            let accounts = house.household.given.accounts
            func told(_ person: PersonID) throws -> Int {
                try house.household.store.read {
                    try NoticeRecords.inbox(of: person, limit: 100, in: $0).items.count {
                        $0.notice.content.kind == "home.protection"
                    }
                }
            }
            func change(_ person: PersonID, to permission: Permission) async throws {
                try await accounts.change { database in
                    var membership = try #require(
                        try AccountRecords.memberships(of: person, at: house.site.id, in: database).first)
                    membership.permission = permission
                    try accounts.change(membership, at: house.time.value, by: ada, in: database)
                }
            }
            // The follower begins with what comes from now on.
            func isFollowed() throws -> Bool {
                try house.household.store.read {
                    try $0.row("SELECT count(*) FROM followers WHERE name = 'home.protection'") { $0[0] > 0 } ?? false
                }
            }
            try #require(await eventually { try isFollowed() })
            try await change(guest, to: .member)
            try #require(await eventually { try told(bruno) == 1 })
            try await change(bruno, to: .member)
            try await change(bruno, to: .owner)
            #expect(await eventually { (try? told(bruno)) == 3 }, "of the end and of the new beginning")
            #expect(try told(ada) == 0, "who did it")
            // What a guest becomes is told as often.
            try await change(guest, to: .guest)
            try await change(guest, to: .manager)
            #expect(await eventually { (try? told(bruno)) == 5 })
            // Very many changes of people are told as many, and hide neither a code nor the end of an ownership.
            for _ in 0...ProtectionBudget.most {
                await house.household.tellOwners(of: .people, at: house.site.id, by: ada)
            }
            let all = 5 + ProtectionBudget.most + 1
            try #require(await eventually { try told(bruno) == all })
            await house.household.tellOwners(of: .codes, at: house.site.id, by: ada)
            try #require(await eventually { try told(bruno) == all + 1 })
            try await change(bruno, to: .member)
            #expect(await eventually { (try? told(bruno)) == all + 2 })
            // Who knows an owner's password can do it to them in their name.
            try await change(ada, to: .member)
            #expect(await eventually { (try? told(ada)) == 1 })
        }
    }

    @Test func `Owners are told who changed the protection, and who did it is not`() async throws {
        try await TestHouse.run { house in
            let (olga, otto) = (
                try await house.principal("Olga", .owner).person.id, try await house.principal("Otto", .owner).person.id
            )
            let site = house.site.id
            func told(_ person: PersonID) throws -> Int {
                try house.household.store.read { database in
                    try database.row(
                        """
                        SELECT count(*) FROM notice_recipients r JOIN notices n ON n.id = r.notice
                        WHERE r.person = ? AND n.kind = 'home.protection'
                        """, person
                    ) { $0[0] as Int } ?? 0
                }
            }
            // The second code within a minute is another one.
            let changes = ProtectionChange.allCases + [.codes]
            for change in changes { await house.household.tellOwners(of: change, at: site, by: olga) }
            try #require(await eventually { try told(otto) == changes.count })
            #expect(try told(olga) == 0)
            // Who did it cannot take it away by leaving.
            let erasure = Erasure(id: .new(at: noon), person: olga, site: site, at: noon)
            try await house.household.store.write { try Notices.eraser.erase(erasure, $0) }
            #expect(try told(otto) == changes.count)
        }
    }

    @Test func `What one change takes away is named, sirens and detectors first, however many fans stand beside them`()
        async throws
    {
        try await TestHouse.run { house in
            _ = try await house.principal("Olga", .owner)
            let (household, site) = (house.household, house.site.id)
            for number in 0..<14 { _ = try await house.actuator("a\(number)", .fan) }
            for name in ["siren", "valve"] {
                _ = try await house.actuator(name, name == "siren" ? .siren : .valve)
            }
            _ = try await house.sensor("smoke", .smoke)
            let before = AlwaysOn(of: site, in: household)
            try await DevicesDesk(household: household).change(
                house.device.id, at: site, name: nil, area: nil, isInUse: false, by: anna)
            let lost = try #require(before.lost(in: AlwaysOn(of: site, in: household)))
            #expect(lost.names.prefix(3) == ["Siren", "Smoke", "Valve"] && lost.names.count == 17)
            #expect(lost.parts(of: 5, most: 10).map(\.names.count) == [5, 5, 5, 2])
            #expect(lost.parts(of: 5, most: 2).map(\.names.count) == [5, 12], "the rest stands in the last")
            await household.tellOwners(of: lost, at: site, by: nil, through: house.gateway)
            func told() throws -> [String] {
                try household.store.read { database in
                    try database.rows("SELECT content FROM notices WHERE kind = 'home.protection'") { $0[0] as String }
                }
            }
            try #require(await eventually { try told().count == 4 })
            for name in lost.names { #expect(try told().contains { $0.contains(name) }, "\(name)") }
        }
    }

    @Test func `What was taken away is told by what it is, whatever it is called, and who did it in quotation marks`() {
        let site = Site(id: .new(at: noon), name: "Casa", kind: .home, zone: .utc)
        let lost = AlwaysOn.Lost(things: [
            .init(id: "1", name: "Old lamp (test)", kind: .detector(.smoke), gateway: nil),
            .init(id: "2", name: "Siren", kind: .protector(.siren), gateway: nil),
        ])
        let text = ProtectionNotice.content(.alwaysOn, lost, by: .named("x”. The hub’s “administrator"), at: site).text
        #expect(text[.en].body.hasPrefix("“x. The hub’s administrator” took away"))
        #expect(text[.en].body.contains(": Old lamp (test) (smoke), Siren."))
        #expect(text[.it].body.contains(": Old lamp (test) (fumo), Siren (sirena)."))
    }

    @Test func `What comes while very much is told as that is told when the minute is over`() {
        let bruno = PersonID.new(at: noon)
        var many = ManyChanges()
        #expect(many.begins("ada", about: bruno) && many.begins("bruno", about: nil))
        #expect(many.ends("bruno") == nil, "nothing came")
        #expect(!many.begins("ada", about: anna) && !many.begins("ada", about: nil))
        #expect(many.ends("ada") == [anna])
        #expect(many.begins("ada", about: nil) && !many.begins("ada", about: nil))
        #expect(many.ends("ada") == [] && many.ends("ada") == nil)
    }

    @Test func `Who takes very much away is told as that, and what was not named is named`() async throws {
        try await TestHouse.run { house in
            let (olga, otto) = (
                try await house.principal("Olga", .owner).person.id, try await house.principal("Otto", .owner).person.id
            )
            let (household, site) = (house.household, house.site.id)
            @Sendable func told(_ words: String) throws -> Int {
                try household.store.read { database in
                    try database.rows("SELECT content FROM notices WHERE kind = 'home.protection'") { $0[0] as String }
                        .count { $0.contains(words) }
                }
            }
            func lose(_ name: String, by author: PersonID? = nil) async {
                let lost = AlwaysOn.Lost(things: [.init(id: name, name: name, kind: .connection, gateway: nil)])
                if let author { return await household.tellOwners(of: lost, at: site, by: author) }
                await household.tellOwners(of: lost, at: site, by: nil, through: house.gateway)
            }
            // A device that describes its detector to and fro.
            for _ in 0..<(2 * ProtectionBudget.most) { await lose("Smoke") }
            try #require(await eventually { try told("Smoke") == 1 + ProtectionBudget.most })
            try #require(await eventually { try told("made many changes") == 1 })
            // What was not named is, and so is what others do.
            await lose("Siren")
            await lose("Valve", by: olga)
            try #require(await eventually { try told("Siren") == 1 && told("Valve") == 1 })
            for number in 0..<(2 * ProtectionBudget.mostThings) { await lose("Fan \(number)") }
            try #require(await eventually { try told("Fan") == ProtectionBudget.mostThings - 2 })
            house.time.change { $0 = $0.adding(milliseconds: ProtectionBudget.hour) }
            await lose("Smoke")
            try #require(await eventually { try told("Smoke") == 2 + ProtectionBudget.most })
            _ = otto
        }
    }

    @Test func `What any page changes of a house is read from the ledger`() throws {
        func told(_ kind: String, _ payload: String?) -> (changes: [ProtectionChange], by: PersonID?)? {
            ProtectionChange.told(
                by: Event(
                    id: .new(at: noon), site: .new(at: noon), sequence: 1, position: 1, kind: kind, at: noon,
                    person: nil,
                    payload: payload.map { Array($0.utf8) }))
        }
        let by = #""by":"\#(anna.text)""#
        for kind in ["membership.added", "membership.changed", "membership.removed", "ledger.erased"] {
            let found = try #require(told(kind, "{\(by)}"))
            #expect(found.changes == [.people] && found.by == anna)
            // Somebody was erased since: nothing is left to read.
            #expect(told(kind, nil) == nil)
        }
        let byCommand = try #require(told("membership.added", "{}"))
        #expect(byCommand.changes == [.people] && byCommand.by == nil)
        #expect(told("ledger.erased", "{}") == nil, "again, after a restore")
        let own = try #require(told("ledger.erased", #"{"told":true}"#))
        #expect(own.changes == [.people] && own.by == nil)
        #expect(told("webhook.changed", #"{"before":{"host":"a"},\#(by)}"#)?.changes == [.server])
        func site(_ before: String, _ after: String) -> [ProtectionChange]? {
            told("site.changed", #"{"before":{\#(before)},"after":{\#(after)},\#(by)}"#)?.changes
        }
        #expect(site(#""name":"A","zone":"Z""#, #""name":"A","zone":"Z""#) == nil)
        #expect(site(#""name":"A","zone":"Z""#, #""name":"B","zone":"Z""#) == [.place])
        #expect(site(#""name":"A","zone":"Z""#, #""name":"B","zone":"Y""#) == [.access, .place])
        #expect(told("house.changed", #"{"before":{"street":"a"},\#(by)}"#)?.changes == [.place])
        #expect(site(#""name":"A","zone":"Z""#, #""name":"A","zone":"Y""#) == [.access])
        #expect(site(#""secondFactor":"asked""#, #""secondFactor":"not asked""#) == [.access])
        // An invitation that goes to somebody else, and who comes with it.
        func joined(as permission: String) -> [ProtectionChange]? {
            told("membership.joined", #"{"after":{"permission":"\#(permission)"},\#(by)}"#)?.changes
        }
        #expect(joined(as: "owner") == [.ownerJoined] && joined(as: "guest") == [.joined])
        for kind in ["membership.readdressed", "membership.invited.paper"] {
            #expect(told(kind, "{\(by)}")?.changes == [.invitation])
        }
        #expect(told("membership.invited.letter", "{\(by)}") == nil, "where it goes was told")
        #expect(told("home.armed", "{}") == nil)
    }

    @Test func `A fan of an armed house runs slower than it can with a fresh proof alone, by whatever way`()
        async throws
    {
        try await Self.armed { house, _, _, _, _ in
            let (household, fan) = (house.household, try await house.actuator("fan", .fan))
            let ada = try await house.principal("Ada", .member)
            house.move(minutes: 30)
            for percent in [0, 49, 50, 75, 99] {
                let problem = await #expect(throws: Problem.self) {
                    try await household.run(fan, percent: percent, minutes: 1440, by: ada)
                }
                #expect(problem?.type == "fresh-proof-needed" && household.care.run(of: fan.id).byHand == nil)
                #expect(household.lowers(fan, to: .percent(UInt8(percent))))
            }
            try await household.run(fan, percent: 100, minutes: 1440, by: ada)
            #expect(household.care.run(of: fan.id).byHand?.percent == 100 && !household.lowers(fan, to: .percent(100)))
            house.panels.disarm(house.site.id, by: .hub)
            try await household.run(fan, percent: 50, minutes: 1440, by: ada)
            #expect(household.care.run(of: fan.id).byHand?.percent == 50)
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
                try await DevicesDesk(household: house.household).add(actuator: entry, at: house.site.id, by: anna)
            }
        }
    }

    @Test func `The alarm of an armed house ends with what disarming takes, though it began after the look`()
        async throws
    {
        try await Self.armed { house, desk, anna, window, _ in
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
            let rule = house.household.weakensNow(.devices)
            for principal in [installer, member] { #expect(try !rule.lowers(principal, at: house.site.id)) }
            house.panels.trigger(at: house.site.id, by: .hub)
            try #require(house.panel.state == .triggered)
            #expect(throws: Problem.self) { try rule.lowers(installer, at: house.site.id) }
            #expect(try !rule.lowers(member, at: house.site.id))
            _ = gas
        }
    }

    @Test func `A code for pairing is worth what its maker may when it is brought, and nothing for what is out of use`()
        async throws
    {
        try await TestHouse.run { house in
            let (ines, box) = (
                try await house.principal("Ines", .installer).person.id, try await house.gateway("Box", .box).0
            )
            let pairing = PairedGateways(household: house.household)
            func bring(by maker: PersonID?) async throws -> Bool {
                try await pairing.accept(Key(Random.bytes(32))!, for: box.id.raw, by: maker, at: noon) != nil
            }
            // A house that is armed gets no box by a code of before, whether it has one there or not.
            try house.panels.arm(.away, at: house.site.id, by: .hub)
            #expect(try await !bring(by: ines))
            // One made since is for who may disarm, also when it is brought: its maker may have become an installer.
            let mara = try await house.principal("Mara", .manager).person.id
            house.household.replacing.note(box.id, isArmed: true)
            #expect(try await !bring(by: ines))
            #expect(try await bring(by: mara))
            house.panels.disarm(house.site.id, by: .hub)
            try house.panels.arm(.away, at: house.site.id, by: .hub)
            #expect(try await !bring(by: mara), "it was armed anew since")
            house.panels.disarm(house.site.id, by: .hub)
            #expect(try await bring(by: ines))
            let membership = try #require(
                try house.household.store.read {
                    try AccountRecords.memberships(of: ines, at: house.site.id, in: $0).first
                })
            var ended = membership
            ended.revoked = noon
            let after = ended
            try await house.household.given.accounts.change {
                try AccountRecords.change(after, at: noon, by: nil, in: $0)
            }
            let key = house.household.registry.catalog.gateways[box.id]?.key?.bytes
            #expect(try await !bring(by: ines))
            #expect(house.household.registry.catalog.gateways[box.id]?.key?.bytes == key)
            #expect(try await bring(by: nil))
            try await GatewayDesk(household: house.household).retire(box.id, at: house.site.id, by: ines)
            #expect(try await !bring(by: nil))
        }
    }

    @Test func `A code of the panel disarms nothing in a session that was ended while it was looked at`() async throws {
        try await Self.armed { house, desk, _, window, _ in
            let session = try await house.principal("Bruno", .member)
            let (site, bruno) = (house.site.id, session.person.id)
            try await house.household.given.accounts.signOut(session)
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
        try await Self.armed { house, desk, anna, _, _ in
            let site = house.site.id
            let membership = try #require(
                try house.household.store.read {
                    try AccountRecords.memberships(of: anna, at: site, in: $0).first
                })
            var ended = membership
            ended.revoked = noon
            let after = ended
            try await house.household.given.accounts.change {
                try AccountRecords.change(after, at: noon, by: nil, in: $0)
            }
            await #expect(throws: Problem.self) {
                try await desk.disarm(site, by: anna, code: "280417")
            }
            #expect(house.panel.state == .armedAway)
        }
    }

    @Test func `A door that stands open when an alarm ends is named`() async throws {
        try await Self.armed { house, _, anna, window, _ in
            let site = house.site.id
            house.tell(window, .truth(true))
            house.pass(30)
            #expect(house.panel.state == .triggered)
            house.panels.reset(site, by: .person(anna))
            #expect(house.panel.state == .armedAway)
            #expect(house.panels.house(site).weak == [window.id: .open])
        }
    }

    @Test
    func `A detector or a siren that its device describes less watchfully is lost, and one more watchfully is not`()
        async throws
    {
        try await TestHouse.run { house in
            let (site, household) = (house.site.id, house.household)
            let there = [Availability(topic: "there")]
            let smoke = try await house.sensor(
                "smoke", .smoke, period: 60,
                binding: SensorBinding(topic: "smoke", offDelay: 30, expireAfter: 300, availability: there))
            let siren = try await house.actuator(
                "siren", .siren, binding: ActuatorBinding(commandTopic: "siren/set", availability: there))
            let fan = try await house.actuator(
                "fan", .fan, binding: ActuatorBinding(commandTopic: "fan/set", valueTopic: "fan/speed", high: 255))
            func lost(_ change: (inout Sensor) -> Void) async throws -> [String]? {
                var other = smoke
                change(&other)
                return try await changed { [other] in
                    try HomeRecords.change(other, in: $0)
                } undo: {
                    try HomeRecords.change(smoke, in: $0)
                }
            }
            func lost(_ actuator: Actuator, _ change: (inout ActuatorBinding) -> Void) async throws -> [String]? {
                var other = actuator
                change(&other.binding)
                return try await changed { [other] in
                    try HomeRecords.put(other, in: $0)
                } undo: {
                    try HomeRecords.put(actuator, in: $0)
                }
            }
            func changed(
                _ change: @escaping @Sendable (Database) throws -> Void,
                undo: @escaping @Sendable (Database) throws -> Void
            ) async throws -> [String]? {
                let before = AlwaysOn(of: site, in: household)
                _ = try await household.registry.change(at: house.site.id) { try change($0) }
                defer { #expect(before.lost(in: AlwaysOn(of: site, in: household)) == nil) }
                let names = before.lost(in: AlwaysOn(of: site, in: household))?.names
                _ = try await household.registry.change(at: house.site.id) { try undo($0) }
                return names
            }
            for period in [nil, 61] as [Double?] { #expect(try await lost { $0.period = period } == ["Smoke"]) }
            #expect(try await lost { $0.period = 30 } == nil)
            for seconds in [nil, 301] as [Double?] {
                #expect(try await lost { $0.binding.expireAfter = seconds } == ["Smoke"])
            }
            #expect(try await lost { $0.binding.expireAfter = 200 } == nil)
            #expect(try await lost { $0.binding.offDelay = 0.001 } == ["Smoke"])
            // Of water nobody leaves the house.
            #expect(try await lost { $0.kind = .moisture } == ["Smoke"])
            // One that never says that it is over warns once.
            for seconds in [nil, 60] as [Double?] {
                #expect(try await lost { $0.binding.offDelay = seconds } == ["Smoke"])
            }
            for places in [[], [Availability(topic: "elsewhere")]] {
                #expect(try await lost { $0.binding.availability = places } == ["Smoke"])
                #expect(try await lost(siren) { $0.availability = places } == ["Siren"])
            }
            // Of one word alone the mode means nothing; more of them are stricter where all are asked, and laxer where one does.
            let more = there + [Availability(topic: "bridge/state")]
            for mode in [Availability.Mode.all, .any, .latest] {
                #expect(try await lost { $0.binding.availabilityMode = mode } == nil)
                #expect(try await lost(siren) { $0.availabilityMode = mode } == nil)
                let isLaxer = mode != .all
                #expect(
                    try await lost { ($0.binding.availability, $0.binding.availabilityMode) = (more, mode) }
                        == (isLaxer ? ["Smoke"] : nil))
                #expect(
                    try await lost(siren) { ($0.availability, $0.availabilityMode) = (more.reversed(), mode) }
                        == (isLaxer ? ["Siren"] : nil))
            }
            #expect(try await lost(fan) { $0.high = 2 } == ["Fan"])
            // Where one of several words was enough, fewer are stricter.
            let one = try await house.actuator(
                "one", .siren,
                binding: ActuatorBinding(commandTopic: "one/set", availability: more, availabilityMode: .any))
            #expect(try await lost(one) { $0.availability = there } == nil)
            #expect(try await lost(one) { $0.availabilityMode = .all } == nil)
            #expect(try await lost(one) { $0.availabilityMode = .latest } == ["One"])
            #expect(try await lost(one) { $0.availability = [] } == ["One"])
            #expect(try await lost(fan) { $0.low = 200 } == ["Fan"])
            #expect(
                try await lost(fan) { ($0.commandTopic, $0.valueTopic) = ($0.valueTopic, $0.commandTopic) } == ["Fan"])
            #expect(try await lost(fan) { $0.availability = there } == nil)
            #expect(try await lost(siren) { $0.state = SensorBinding(topic: "siren/state") } == nil)
        }
    }
}
