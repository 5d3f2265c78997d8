import Accounts
import Commands
import Glibc
import HTTPServer
import Identity
import Ledger
import Notices
import Pages
import Platform
import Store
import System
import TestSupport
import Testing

@testable import Home
@testable import Household

@Suite struct AlarmTests {
    @Test func `An alarm rings while the database hangs, and is written down when it does not`() async throws {
        try await TestHouse.run { house in
            let people = try await house.people([.owner, .member, .installer, .guest])
            let phones = house.phones()
            let isFree = Shared(false)
            let store = house.parts.store
            let hanging = Task { try await store.write { _ in while !isFree.value { usleep(2_000) } } }
            let id = house.alarms.raise(.environmental, at: house.site.id, value: 612, leak)
            try #require(await eventually { phones.rang.value.count == 2 })
            #expect(Set(phones.rang.value.map(\.person)) == Set(people.prefix(2)), "not the installer, not the guest")
            #expect(house.alarms.standing(at: house.site.id).map(\.id) == [id])
            #expect(try house.logged(id) == nil)
            #expect(try house.log(limit: 1).items == [id], "the log has it before the disk does")
            isFree.change { $0 = true }
            try await hanging.value
            try #require(await eventually { try house.logged(id)?.alarm.value == 612 })
            try #require(await eventually { try house.notices(id).count == 1 })
            #expect(try house.events("home.alarm") == ["home.alarm.raised"])
            #expect(phones.rang.value.count == 2)
        }
    }

    @Test func `A full disk stops no alarm; what could not be written is written later, in order`() async throws {
        try await TestHouse.run { house in
            _ = try await house.people([.owner])
            let phones = house.phones()
            try await house.fillTheDisk()
            let first = house.alarms.raise(.environmental, at: house.site.id, leak)
            house.alarms.end(first)
            house.alarms.raise(.environmental, at: house.site.id, leak)
            try #require(await eventually { phones.rang.value.count == 1 })
            #expect(try house.logged(first) == nil)
            #expect(house.alarms.journal.waiting == 4, "raised, told, ended, reopened")
            try await house.emptyTheDisk()
            try #require(await eventually { house.alarms.journal.waiting == 0 })
            #expect(try house.logged(first)?.ended == nil, "it came back")
            #expect(
                try house.events("home.alarm") == ["home.alarm.raised", "home.alarm.ended", "home.alarm.reopened"])
        }
    }

    @Test func `The log has each alarm once, also those that wait for the disk`() async throws {
        try await TestHouse.run { house in
            _ = try await house.people([.owner])
            func raise(_ kind: HouseAlarm.Kind) -> HouseAlarmID {
                defer { house.move(seconds: 1) }
                return house.alarms.raise(kind, at: house.site.id, leak)
            }
            let first = raise(.environmental)
            try #require(await eventually { house.alarms.journal.waiting == 0 })
            try await house.fillTheDisk()
            let (second, third) = (raise(.tamper), raise(.help))
            #expect(try house.log(limit: 3).items == [third, second, first])
            #expect(try house.log(limit: 3).next == nil)
            #expect(try house.log(limit: 2).items == [third, second])
            #expect(try house.log(limit: 2).next == second)
            #expect(try house.log(before: second, limit: 2).items == [first])
            #expect(try house.log(before: third, kind: .tamper, limit: 2).items == [second])
            #expect(try house.log(kind: .intrusion, limit: 2).items.isEmpty)
            try await house.emptyTheDisk()
            try #require(await eventually { house.alarms.journal.waiting == 0 })
            #expect(try house.log(limit: 3).items == [third, second, first])
            #expect(try house.log(before: second, limit: 2).items == [first])
        }
    }

    @Test func `People are not told that gas is over when nothing is held against it any more`() async throws {
        try await TestHouse.run { house in
            _ = try await house.people([.owner])
            let (gas, other) = (try await house.sensor("gas", .gas), try await house.sensor("other", .gas))
            let ids = [gas, other].map {
                house.alarms.raise(.environmental, at: house.site.id, sensor: $0.id, value: 600, leak)
            }
            house.alarms.end(ids[0], isOver: false)
            house.move(minutes: 2)
            await house.alarms.look()
            house.alarms.end(ids[1])
            house.move(minutes: 2)
            await house.alarms.look()
            try #require(
                await eventually { try house.parts.store.read { try Self.kinds(in: $0) }.contains("home.over") })
            let overs = try house.parts.store.read { try Self.kinds(in: $0) }.filter { $0 == "home.over" }
            #expect(overs.count == 1)
            #expect(house.alarms.standing(at: house.site.id).isEmpty)
        }
    }

    @Test func `A flapping sensor is one alarm, until it has been quiet for two minutes`() async throws {
        try await TestHouse.run { house in
            _ = try await house.people([.owner])
            let phones = house.phones()
            let gas = try await house.sensor("gas", .gas)
            func raise() -> HouseAlarmID {
                house.alarms.raise(.environmental, at: house.site.id, sensor: gas.id, value: 600, leak)
            }
            let id = raise()
            for _ in 0..<5 {
                #expect(raise() == id, "it stands")
                house.alarms.end(id)
                #expect(house.alarms.standing(at: house.site.id).isEmpty)
                house.move(seconds: 90)
                await house.alarms.look()
                #expect(raise() == id, "it came back")
            }
            try #require(await eventually { phones.rang.value.count == 1 })
            house.alarms.end(id)
            house.move(minutes: 2)
            await house.alarms.look()
            try #require(
                await eventually { try house.parts.store.read { try Self.kinds(in: $0) }.contains("home.over") })
            let next = raise()
            #expect(next != id)
            try #require(await eventually { try house.logged(next) != nil })
            #expect(try house.logged(id)?.ended != nil)
        }
    }

    private static func kinds(in database: Database) throws -> [String] {
        try database.rows("SELECT kind FROM notices ORDER BY created, id") { $0[0] as String }
    }

    @Test func `What somebody ended does not come back as the same alarm`() async throws {
        try await TestHouse.run { house in
            let people = try await house.people([.owner])
            let first = house.alarms.raise(.intrusion, at: house.site.id, leak)
            house.alarms.end(first, by: people[0])
            let second = house.alarms.raise(.intrusion, at: house.site.id, leak)
            #expect(second != first)
            try #require(await eventually { try house.logged(first)?.endedBy == people[0] })
        }
    }

    @Test(arguments: Care.allCases)
    func `What somebody did something about is told anew when it comes back, and then not at every flap`(care: Care)
        async throws
    {
        try await TestHouse.run { house in
            let people = try await house.people([.owner])
            let phones = house.phones()
            func raise() -> HouseAlarmID { house.alarms.raise(.environmental, at: house.site.id, leak) }
            let first = raise()
            try #require(await eventually { try house.notices(first).count == 1 })
            house.move(seconds: 10)
            switch care {
            case .onTheNotice:
                let notice = try house.notices(first)[0]
                _ = try await house.parts.given.notices.acknowledge(notice, by: people[0])
            case .inTheApp: house.alarms.settle(first, by: people[0])
            case .silence: house.alarms.silenced(house.site.id, by: nil)
            case .panel: house.alarms.attended(house.site.id)
            }
            house.alarms.end(first)
            house.move(seconds: 10)
            let second = raise()
            #expect(second != first)
            try #require(await eventually { phones.rang.value.count == 2 })
            for _ in 0..<3 {
                house.alarms.end(second)
                house.move(seconds: 10)
                #expect(raise() == second)
            }
            #expect(phones.rang.value.count == 2)
            house.move(minutes: 3)
            await house.alarms.look()
            #expect(house.alarms.standing(at: house.site.id).map(\.id) == [second])
            try #require(await eventually { house.alarms.journal.waiting == 0 })
            #expect(try !house.parts.store.read { try Self.kinds(in: $0) }.contains("home.over"), "it is not over")
        }
    }

    /// What somebody does about an alarm.
    enum Care: CaseIterable {
        case onTheNotice, inTheApp, silence, panel
    }

    @Test func `Everybody is told again until somebody takes care, and not for ever`() async throws {
        try await TestHouse.run { house in
            let people = try await house.people([.owner, .member])
            let phones = house.phones()
            let id = house.alarms.raise(.environmental, at: house.site.id, leak)
            try #require(await eventually { try house.notices(id).count == 1 })
            house.move(minutes: 4)
            await house.alarms.look()
            #expect(phones.rang.value.count == 2)
            house.move(minutes: 1)
            await house.alarms.look()
            try #require(await eventually { phones.rang.value.count == 4 })
            try #require(await eventually { try house.notices(id).count == 2 })
            _ = try await house.parts.given.notices.acknowledge(try house.notices(id)[1], by: people[1])
            house.move(minutes: 5)
            await house.alarms.look()
            house.move(minutes: 5)
            await house.alarms.look()
            #expect(phones.rang.value.count == 4)
            #expect(try house.logged(id)?.takenBy == people[1])

            let other = house.alarms.raise(.tamper, at: house.site.id, leak)
            for round in 1...20 {
                house.move(minutes: 5)
                await house.alarms.look()
                let most = min(round + 1, AlarmDesk.mostRounds)
                try #require(await eventually { try house.notices(other).count == most })
            }
        }
    }

    @Test func `In turn, whoever the house wants first is called first, and whoever silences ends the calling`()
        async throws
    {
        try await TestHouse.run { house in
            let people = try await house.people([.owner, .manager, .member])
            let phones = house.phones()
            try await house.parts.store.write { [site = house.site.id] database in
                var settings = AlarmSettings(minutesBetween: 3)
                settings.first = [people[2]]
                try AlarmCallRecords.put(settings, of: site, in: database)
            }
            let id = house.alarms.raise(.environmental, at: house.site.id, leak)
            try #require(await eventually { phones.rang.value.map(\.person) == [people[2]] })
            try #require(await eventually { try house.notices(id).count == 1 })
            house.alarms.silenced(house.site.id, by: people[1])
            let notice = try house.notices(id)[0]
            try #require(
                await eventually {
                    try house.parts.store.read { try NoticeRecords.delivery(of: notice, in: $0) }?.turn == nil
                })
            #expect(try house.logged(id)?.silencedBy == people[1])
            #expect(try house.logged(id)?.takenBy == people[1], "who had not been called takes care")
            #expect(house.alarms.standing(at: house.site.id).map(\.id) == [id], "silence ends no alarm")
        }
    }

    @Test func `What stood when the hub stopped stands when it comes back`() async throws {
        try await TestHouse.run { house in
            _ = try await house.people([.owner])
            let id = house.alarms.raise(.environmental, at: house.site.id, value: 3.5, leak)
            let over = house.alarms.raise(.tamper, at: house.site.id, leak)
            house.alarms.end(over)
            try #require(await eventually { house.alarms.journal.waiting == 0 })
            let desk = try AlarmDesk(house.parts.given, house.parts.registry, house.parts.live)
            let standing = desk.standing(at: house.site.id)
            #expect(standing == [house.alarms.standing(at: house.site.id)[0]])
            #expect(desk.raise(.environmental, at: house.site.id, leak) == id, "the same words: the same alarm")
        }
    }

    @Test func `A lock screen names nothing; whoever allows it reads the house, what it is and what to do first`()
        async throws
    {
        try await TestHouse.run { house in
            _ = try await house.people([.owner])
            let gas = try await house.sensor("gas", .gas)
            let (plain, detailed) = (house.phones(), house.phones(isDetailed: true))
            house.alarms.raise(.environmental, at: house.site.id, sensor: gas.id, leak)
            house.alarms.raise(.intrusion, at: house.site.id, leak, isDrill: true)
            // The carrier that was put in last rings for both.
            try #require(await eventually { detailed.rang.value.count == 4 })
            #expect(plain.rang.value.isEmpty)
            let texts = Set(detailed.rang.value.map(\.text))
            #expect(
                texts == [
                    "An alarm at one of your houses|",
                    "Casa al mare: gas in the kitchen|Do not use flames, switches or plugs. Get everyone out of the house.",
                    "Exercise: an alarm at one of your houses|",
                    "Exercise: Casa al mare: gas in the kitchen|This is an exercise. Do what you would do.",
                ])
        }
    }

    @Test func `A fault is told in its time and stands in the log, and wakes nobody twice`() async throws {
        try await TestHouse.run { house in
            _ = try await house.people([.owner])
            let id = house.alarms.raise(.fault, at: house.site.id, leak)
            try #require(await eventually { try house.notices(id).count == 1 })
            let notice = try house.notices(id)[0]
            let content = try house.parts.store.read { try NoticeRecords.notice(notice, in: $0) }?.content
            #expect(content?.urgency == .high)
            #expect(content?.kind.text == "home.fault")
            house.move(minutes: 60)
            await house.alarms.look()
            #expect(try house.notices(id).count == 1)
        }
    }

    @Test func `Where the clock was put back, alarms are told again and new ones are told`() async throws {
        try await TestHouse.run { house in
            _ = try await house.people([.owner])
            let first = house.alarms.raise(.environmental, at: house.site.id, leak)
            try #require(await eventually { try house.notices(first).count == 1 })
            house.time.change { $0 = $0.adding(milliseconds: -86_400_000) }
            await house.alarms.look()
            try #require(await eventually { try house.notices(first).count == 2 })
            house.time.change { $0 = $0.adding(milliseconds: 86_400_000) }
            house.alarms.end(first)
            house.time.change { $0 = $0.adding(milliseconds: -86_400_000) }
            #expect(house.alarms.raise(.environmental, at: house.site.id, leak) != first)
        }
    }

    @Test func `A connection that is gone is one notice and one line, and what is not back with it is told afterwards`()
        async throws
    {
        try await TestHouse.run { house in
            _ = try await house.people([.owner])
            var sensors: [Sensor] = []
            for name in ["Smoke", "Gas", "Leak"] {
                sensors.append(try await house.sensor(name.lowercased(), .smoke, alarmClass: .environmental))
            }
            let live = house.parts.live
            live.set(house.gateway.id, .init(isThere: true, heard: noon))
            live.set(house.gateway.id, .init(isThere: false, heard: noon))
            for sensor in sensors {
                house.alarms.raise(
                    .fault, at: house.site.id, sensor: sensor.id,
                    .silent(kind: .smoke, name: sensor.name, status: .unavailable))
            }
            func told() throws -> [String] {
                try house.parts.store.read { database in
                    try database.rows("SELECT id FROM notices WHERE kind = 'home.fault' ORDER BY id") {
                        $0[0] as NoticeID
                    }.compactMap { try NoticeRecords.notice($0, in: database)?.content.text[.en].title }
                }
            }
            #expect(await eventually { (try? told().count) == 1 })
            #expect(try told()[0].hasSuffix("No connection: \(house.gateway.name)"))
            let summary = house.parts.sight.summary(of: house.site.id)
            #expect(summary.alarms.count == 3)
            #expect(summary.lines.map { $0.text[.en].title } == ["No connection: \(house.gateway.name)"])
            // Two are back with it.
            live.set(house.gateway.id, .init(isThere: true, heard: noon))
            for alarm in house.alarms.standing(at: house.site.id) where alarm.sensor != sensors[2].id {
                house.alarms.end(alarm.id)
            }
            await house.alarms.look()
            house.move(seconds: 59)
            await house.alarms.look()
            #expect(try told().count == 1)
            house.move(seconds: 1)
            await house.alarms.look()
            #expect(await eventually { (try? told().count) == 2 })
            #expect(try told()[1].hasSuffix(": \(sensors[2].name)"))
            #expect(house.parts.sight.summary(of: house.site.id).lines.count == 1)
            // And gone once more: that is news.
            live.set(house.gateway.id, .init(isThere: false, heard: noon))
            house.move(minutes: 5)
            await house.alarms.look()
            house.alarms.raise(
                .fault, at: house.site.id, sensor: sensors[0].id,
                .silent(kind: .smoke, name: sensors[0].name, status: .unavailable))
            #expect(await eventually { (try? told().count) == 3 })
        }
    }

    @Test func `The silence on a notice goes to the panel, for whoever may, and for nobody else`() async throws {
        try await TestHouse.run { house in
            let marta = try await house.principal("Marta", .member)
            house.panels.trigger(at: house.site.id, by: .hub)
            let id = house.alarms.raise(.environmental, at: house.site.id, leak)
            try #require(await eventually { try house.notices(id).count == 1 })
            let notices = house.parts.given.notices
            let notice = try house.notices(id)[0]
            try #require(
                await eventually { try house.parts.store.read { try NoticeRecords.notice(notice, in: $0) } != nil })
            await #expect(throws: NoticeRefusal.noSuchAction) {
                _ = try await notices.act("call", on: notice, by: marta)
            }
            let commands = AlarmCommands(house.parts.alarmActs, house.parts.given.notices, house.parts.clock)
            let told = try house.parts.store.read { try NoticeRecords.notice(notice, in: $0) }!
            let action = told.content.actions[0]
            #expect(action.name == "silence")
            let outcome = try await commands.silence(
                NoticeAct(notice: told, action: action, principal: marta, at: noon))
            #expect(outcome.name == "silenced")
            let guest = try await house.principal("Gina", .guest)
            await #expect(throws: Problem.self) {
                _ = try await commands.silence(NoticeAct(notice: told, action: action, principal: guest, at: noon))
            }
            #expect(!house.panel.isSounding)
            #expect(house.alarms.isSilenced(id))
            try #require(await eventually { try house.logged(id)?.silencedBy == marta.person.id })
        }
    }

    @Test func `The silence on a notice is for its own alarm while that is on, and for none that asks for more`()
        async throws
    {
        try await TestHouse.run { house in
            let marta = try await house.principal("Marta", .member)
            house.panels.trigger(at: house.site.id, by: .hub)
            let commands = AlarmCommands(house.parts.alarmActs, house.parts.given.notices, house.parts.clock)
            func notice(_ id: HouseAlarmID) async throws -> Notice {
                try #require(await eventually { try house.notices(id).count == 1 })
                let notice = try house.notices(id)[0]
                try #require(
                    await eventually {
                        try house.parts.store.read { try NoticeRecords.notice(notice, in: $0) } != nil
                    })
                return try house.parts.store.read { try NoticeRecords.notice(notice, in: $0) }!
            }
            func silence(_ notice: Notice) async throws {
                _ = try await commands.silence(
                    NoticeAct(notice: notice, action: notice.content.actions[0], principal: marta, at: noon))
            }
            let old = house.alarms.raise(.environmental, at: house.site.id, leak)
            let oldNotice = try await notice(old)
            house.alarms.end(old)
            let burglar = house.alarms.raise(.intrusion, at: house.site.id, leak)
            let burglarNotice = try await notice(burglar)
            #expect(oldNotice.content.actions[0].proof < burglarNotice.content.actions[0].proof)
            await #expect(throws: NoticeRefusal.over) { try await silence(oldNotice) }
            // Another one of that kind, beside the intruder.
            let new = house.alarms.raise(.environmental, at: house.site.id, leak)
            await #expect(throws: Problem.self) { try await silence(try await notice(new)) }
            #expect(house.panel.isSounding && !house.alarms.isSilenced(burglar))
            try await silence(burglarNotice)
            #expect(!house.panel.isSounding && house.alarms.isSilenced(burglar) && house.alarms.isSilenced(new))
        }
    }

    @Test func `RaiseAlarm is a call for help, once for a key, and for people of the house alone`() async throws {
        try await TestHouse.run { house in
            let people = try await house.people([.member, .guest])
            let commands = AlarmCommands(house.parts.alarmActs, house.parts.given.notices, house.parts.clock)
            let call = RaiseAlarm(at: house.site.id, leakWords, key: "door 3")
            let id = try commands.raise(call, by: .hub)
            #expect(house.alarms.standing(at: house.site.id).map(\.kind) == [.help])
            #expect(house.panel.state == .triggered && house.panel.isSounding)
            #expect(house.panels.house(house.site.id).last?.kind == .called)
            house.alarms.end(HouseAlarmID(id.id)!)
            house.panels.disarm(house.site.id, by: .person(people[0]))
            #expect(try commands.raise(call, by: .hub) == id, "the key was used a moment ago")
            house.move(minutes: 10)
            let second = try commands.raise(call, by: .person(people[0]))
            #expect(second != id)
            #expect(house.alarms.standing(at: house.site.id).map(\.raisedBy) == [people[0]])
            #expect(house.panels.house(house.site.id).last?.by == .person(people[0]))
            house.panels.disarm(house.site.id, by: .person(people[0]))
            #expect(throws: RaiseAlarmRefusal.unknown) { try commands.raise(call, by: .person(people[1])) }
            #expect(house.panel.state == .disarmed)
            #expect(throws: RaiseAlarmRefusal.unknown) {
                try commands.raise(RaiseAlarm(at: .new(at: noon), leakWords), by: .hub)
            }
        }
    }

    @Test func `A key that was used while the clock was ahead swallows no call for help after it was set back`()
        async throws
    {
        try await TestHouse.run { house in
            let commands = AlarmCommands(house.parts.alarmActs, house.parts.given.notices, house.parts.clock)
            let call = RaiseAlarm(at: house.site.id, leakWords, key: "door 3")
            house.move(minutes: 366 * 1_440)
            let first = try commands.raise(call, by: .hub)
            house.alarms.end(HouseAlarmID(first.id)!)
            house.move(minutes: -366 * 1_440)
            #expect(try commands.raise(call, by: .hub) != first)
            #expect(house.alarms.standing(at: house.site.id).map(\.kind) == [.help])
        }
    }

    @Test func `Whoever is erased is named by no alarm any more, and an alarm stays`() async throws {
        try await TestHouse.run { house in
            let people = try await house.people([.owner, .member])
            let id = house.alarms.raise(.help, at: house.site.id, leak, by: people[1])
            house.alarms.silenced(house.site.id, by: people[1])
            house.alarms.end(id, by: people[1])
            try #require(await eventually { house.alarms.journal.waiting == 0 })
            try await house.parts.store.write { [site = house.site.id] database in
                var settings = AlarmSettings()
                settings.first = [people[1], people[0]]
                settings.contacts = [
                    .init(name: "Mobile of person 1", number: PhoneNumber("+39 055 1")!),
                    .init(name: "Neighbour", number: PhoneNumber("055 22")!),
                ]
                try AlarmCallRecords.put(settings, of: site, in: database)
                let erasure = Erasure(id: .new(at: noon), person: people[1], site: site, at: noon)
                for eraser in Home.erasers { try eraser.erase(erasure, database) }
            }
            let (logged, settings) = try house.parts.store.read { [site = house.site.id] database in
                (try AlarmRecords.alarm(id, in: database), try AlarmCallRecords.settings(of: site, in: database))
            }
            #expect(logged?.endedBy == nil)
            #expect(logged?.silencedBy == nil)
            #expect(logged?.alarm.raisedBy == nil)
            #expect(logged?.ended != nil)
            #expect(settings.first == [people[0]])
            #expect(settings.contacts.map(\.name) == ["Mobile of person 1", "Neighbour"])
        }
    }

    @Test(arguments: [
        ("112", "112"), ("+39 055 12-34", "+39 055 12 34"), ("(055) 12.34", "055 12 34"), ("1", nil), ("+", nil),
        ("112;ext=5", nil), ("1234567890123456", nil), ("055 ١٢٣", nil), ("1+12", nil), ("", nil),
    ])
    func `A number is what a telephone dials`(_ typed: String, _ kept: String?) {
        #expect(PhoneNumber(typed)?.text == kept)
    }

    @Test func `Every hazard has a name and something to do in every language`() {
        for language in Language.allCases {
            let words = AlarmWords.in(language)
            for hazard in Hazard.allCases {
                #expect(!words.name(hazard).isEmpty)
                #expect(words.todo(hazard).allSatisfy { !$0.isEmpty })
            }
        }
    }
}
