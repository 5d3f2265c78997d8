import Accounts
import Crypto
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

extension TestHouse {
    /// A telephone of somebody, whose pushes arrive at once.
    func phone(of principal: Principal) async throws {
        let devices = parts.given.notices.devices
        let subscription = try devices.subscription(
            endpoint: "https://push.example.com/\(principal.person.id.text)",
            publicKey: Base64.urlText(P256PrivateKey().publicBytes),
            secret: Base64.urlText([UInt8](repeating: 7, count: 16)))
        try await devices.put(subscription, of: principal)
    }

    func test(_ id: SelfTestID) throws -> SelfTest? {
        try parts.store.read { try SelfTestRecords.test(id, in: $0) }
    }
}

@Suite struct SelfTestTests {
    @Test func `A test is over when every telephone has shown it, and says how long that took`() async throws {
        try await TestHouse.run { house in
            let (marta, carlo) = (
                try await house.principal("Marta", .owner), try await house.principal("Carlo", .member)
            )
            try await house.phone(of: marta)
            try await house.phone(of: carlo)
            let (notices, tests) = (house.parts.given.notices, house.parts.selfTests)
            notices.outbox.use(HandPhones(), for: .push)
            let id = try await tests.begin(at: house.site.id, by: marta.person.id)
            let begun = try #require(try house.test(id))
            #expect(begun.origin == .hub, "no box answered")
            #expect(begun.phones.map(\.name) == ["Carlo", "Marta"])
            try #require(
                await eventually {
                    try house.parts.store.read { try NoticeRecords.notice(begun.notice, in: $0) } != nil
                })
            house.time.change { $0 = $0.adding(milliseconds: 800) }
            try await notices.shown(begun.notice, to: marta)
            house.time.change { $0 = $0.adding(milliseconds: 400) }
            try await notices.shown(begun.notice, to: marta)
            try await tests.look()
            #expect(try house.test(id)?.ended == nil)
            try await notices.shown(begun.notice, to: carlo)
            try await tests.look()
            let over = try #require(try house.test(id))
            #expect(over.ended != nil)
            #expect(
                over.phones.map { $0.shown!.milliseconds - over.at.milliseconds } == [1_200, 800],
                "the first time counts")
            #expect(over.slowest == 1_200)
            #expect(over.phones.allSatisfy { $0.sent != nil })
            let delivery = try house.parts.store.read { try NoticeRecords.delivery(of: over.notice, in: $0) }
            #expect(delivery?.recipients.allSatisfy { $0.shown != nil } == true)
        }
    }

    @Test func `A telephone that says nothing is named after a minute`() async throws {
        try await TestHouse.run { house in
            let marta = try await house.principal("Marta", .owner)
            try await house.phone(of: marta)
            house.parts.given.notices.outbox.use(HandPhones(), for: .push)
            let tests = SelfTests(house.parts.given, AnsweringBoxes())
            let id = try await tests.begin(at: house.site.id, by: nil)
            house.move(seconds: 59)
            try await tests.look()
            #expect(try house.test(id)?.ended == nil)
            house.move(seconds: 1)
            try await tests.look()
            let over = try #require(try house.test(id))
            #expect(over.ended != nil)
            #expect(over.origin == .box)
            #expect(over.silent.map(\.name) == ["Marta"])
        }
    }

    @Test func `Of a house the last hundred tests are kept, with their telephones, and of others theirs`() async throws
    {
        try await TestHouse.run { house in
            let marta = try await house.principal("Marta", .owner).person.id
            func test(_ number: Int) -> SelfTest {
                let time = noon.adding(milliseconds: Int64(number) * 30_000)
                return SelfTest(
                    id: .new(at: time), site: house.site.id, at: time, by: marta, origin: .hub, heard: time, told: time,
                    notice: .new(at: time), ended: time,
                    phones: [.init(device: .new(at: time), person: marta, name: "Marta", client: .unknown)])
            }
            let all = (0..<SelfTest.kept + 5).map(test)
            try await house.parts.store.write { database in
                for one in all { try SelfTestRecords.add(one, in: database) }
            }
            let (kept, phones) = try house.parts.store.read { database in
                (
                    try SelfTestRecords.tests(of: house.site.id, limit: 1_000, in: database).map(\.id),
                    try database.row("SELECT count(*) FROM home_test_phones") { $0[0] as Int }
                )
            }
            #expect(kept == all.suffix(SelfTest.kept).reversed().map(\.id))
            #expect(phones == SelfTest.kept)
        }
    }

    @Test func `Two tests lie apart, and a house without people has nobody to tell`() async throws {
        try await TestHouse.run { house in
            let tests = house.parts.selfTests
            await #expect(throws: SelfTests.Refusal.nobody) { try await tests.begin(at: house.site.id, by: nil) }
            await #expect(throws: SelfTests.Refusal.tooSoon(seconds: 30)) {
                try await tests.begin(at: house.site.id, by: nil)
            }
        }
    }

    @Test
    func `A test that began while the clock was ahead ends after it was set back, and keeps no other from beginning`()
        async throws
    {
        try await TestHouse.run { house in
            let tests = house.parts.selfTests
            house.parts.given.notices.outbox.use(HandPhones(), for: .push)
            try await house.parts.store.write { [site = house.site.id] database in
                var settings = AlarmSettings()
                settings.weeklyTest = AlarmSettings.WeeklyTest(weekday: 6, minute: 12 * 60 + 30)
                try AlarmCallRecords.put(settings, of: site, in: database)
            }
            house.move(minutes: 366 * 1_440)
            let marta = try await house.principal("Marta", .owner)
            try await house.phone(of: marta)
            let id = try await tests.begin(at: house.site.id, by: nil)
            try await tests.look()
            #expect(try house.test(id)?.ended == nil)
            house.move(minutes: -366 * 1_440)
            try await tests.look()
            #expect(try house.test(id)?.ended == noon)
            let other = try await tests.begin(at: house.site.id, by: marta.person.id)
            #expect(other != id)
            // Nor is that of the week left out.
            house.move(minutes: 7 * 1_440)
            try await tests.beginDue()
            let all = try house.parts.store.read { try SelfTestRecords.tests(of: house.site.id, limit: 9, in: $0) }
            #expect(all.map(\.at).contains(house.time.value))
        }
    }

    @Test func `Somebody who was not told, or whose device is none, shows nothing`() async throws {
        try await TestHouse.run { house in
            let (marta, gina) = (
                try await house.principal("Marta", .owner), try await house.principal("Gina", .guest)
            )
            try await house.phone(of: gina)
            house.parts.given.notices.outbox.use(HandPhones(), for: .push)
            let id = try await house.parts.selfTests.begin(at: house.site.id, by: marta.person.id)
            let notice = try #require(try house.test(id)).notice
            for one in [marta, gina] {
                await #expect(throws: NoticeRefusal.unknown) {
                    try await house.parts.given.notices.shown(notice, to: one)
                }
            }
        }
    }

    @Test func `Once a week the way is tried by itself, at the hour of the house, and not twice`() async throws {
        // Noon is 13:00 in Rome, on a Saturday.
        let weekly = AlarmSettings.WeeklyTest(weekday: 6, minute: 12 * 60 + 30)
        let rome = Zone(name: "Europe/Rome")!
        #expect(SelfTests.hour(of: weekly, in: rome, before: noon) == moment("2026-11-21T11:30:00.000Z"))
        #expect(
            SelfTests.hour(of: .init(weekday: 6, minute: 13 * 60 + 1), in: rome, before: noon)
                == moment("2026-11-14T12:01:00.000Z"))
        try await TestHouse.run { house in
            _ = try await house.people([.owner])
            try await house.parts.store.write { [site = house.site.id] database in
                var settings = AlarmSettings()
                settings.weeklyTest = weekly
                try AlarmCallRecords.put(settings, of: site, in: database)
            }
            let tests = house.parts.selfTests
            func count() throws -> Int {
                try house.parts.store.read {
                    try SelfTestRecords.tests(of: house.site.id, limit: 9, in: $0).count
                }
            }
            try await tests.beginDue()
            try await tests.beginDue()
            #expect(try count() == 1)
            house.move(minutes: 7 * 24 * 60)
            try await tests.beginDue()
            #expect(try count() == 2)
            house.move(minutes: 8 * 24 * 60)
            try await tests.beginDue()
            #expect(try count() == 2, "a hub that was off does not make up for it at any hour")
        }
    }
}

@Suite struct DrillTests {
    @Test func `An exercise of before a house was armed is over, and nothing of it comes any more`() async throws {
        try await TestHouse.run { house in
            let (drills, site) = (house.parts.drills, house.site.id)
            let person = try await house.people([.owner])[0]
            func kept() throws -> Drill? { try Drills(house.parts.given, house.alarms) { _ in }.drill(at: site) }
            try await drills.begin(at: site, minutes: 60, sounds: true, by: person)
            #expect(drills.raise(.help, at: site, by: person) != nil)
            try house.panels.arm(.away, at: site, by: .hub)
            #expect(drills.drill(at: site) == nil && drills.raise(.help, at: site, by: person) == nil)
            #expect(house.alarms.standing(at: site).isEmpty)
            try #require(await eventually { try kept() == nil })
            // One that is begun while it is armed, with the proof that this takes, goes on though it is armed otherwise.
            try await drills.begin(at: site, minutes: 60, sounds: true, by: person)
            try house.panels.arm(.vacation, at: site, by: .hub, mayWeaken: true)
            try await drills.look()
            let later = try kept()
            #expect(drills.drill(at: site) != nil && later != nil)
        }
    }

    @Test func `An exercise that began while the clock was ahead is over after it was set back`() async throws {
        try await TestHouse.run { house in
            let (drills, site) = (house.parts.drills, house.site.id)
            let person = try await house.people([.owner])[0]
            house.move(minutes: 366 * 1_440)
            try await drills.begin(at: site, minutes: 60, sounds: false, by: person)
            #expect(drills.raise(.help, at: site, by: person) != nil)
            house.move(minutes: -366 * 1_440)
            #expect(drills.drill(at: site) == nil && drills.raise(.help, at: site, by: person) == nil)
            try await drills.look()
            #expect(house.alarms.standing(at: site).isEmpty)
            let kept = try house.parts.store.read { try SelfTestRecords.drills(in: $0) }
            #expect(kept.isEmpty)
        }
    }

    @Test func `An exercise that begins in the moment in which its house is armed does not`() async throws {
        try await TestHouse.run { house in
            let (drills, site) = (house.parts.drills, house.site.id)
            let person = try await house.people([.owner])[0]
            try await Store.writing(first: { _ in _ = try house.panels.arm(.away, at: site, by: .hub) }) {
                try await drills.begin(at: site, minutes: 60, sounds: true, by: person)
            }
            #expect(drills.drill(at: site) == nil)
            try #require(
                await eventually { try Drills(house.parts.given, house.alarms) { _ in }.drill(at: site) == nil })
        }
    }

    @Test
    func `An exercise begins by its own button, says that it is one, and ends by itself; what is real stays real`()
        async throws
    {
        try await TestHouse.run { house in
            let people = try await house.people([.owner])
            let (drills, site) = (house.parts.drills, house.site.id)
            #expect(drills.raise(.environmental, at: site, by: people[0]) == nil, "there is no exercise")
            try await drills.begin(at: site, minutes: 10, sounds: false, by: people[0])
            let exercise = try #require(drills.raise(.environmental, at: site, by: people[0]))
            let real = house.alarms.raise(.environmental, at: site, leak)
            #expect(drills.raise(.fault, at: site, by: people[0]) == nil)
            try #require(await eventually { try house.notices(exercise).count == 1 })
            try #require(await eventually { try house.notices(real).count == 1 })
            func title(_ alarm: HouseAlarmID) throws -> String? {
                try house.parts.store.read { database in
                    try AlarmRecords.notices(of: alarm, in: database).first.flatMap {
                        try NoticeRecords.notice($0.notice, in: database)?.content.text[.en].title
                    }
                }
            }
            try #require(await eventually { try title(exercise) == "Exercise: Casa al mare: Danger" })
            try #require(await eventually { try title(real) == "Casa al mare: gas in the kitchen" })
            house.move(minutes: 30)
            await house.alarms.look()
            #expect(try house.notices(exercise).count == 1, "an exercise is told once")
            // Another hub, after a restart.
            let again = try Drills(house.parts.given, house.alarms) { _ in }
            #expect(again.drill(at: site) == nil, "its time is over")
            try await again.look()
            #expect(house.alarms.standing(at: site).map(\.id) == [real])
            try #require(await eventually { try house.logged(exercise)?.ended != nil })
            #expect(try house.logged(exercise)?.alarm.isDrill == true)
        }
    }
}

@Suite struct AlarmCallTests {
    private func form() -> AlarmCallForm {
        var form = AlarmCallForm()
        form.emergency = "112"
        return form
    }

    @Test func `What will not do is named by its field`() {
        let (one, other) = (PersonID.new(at: noon), PersonID.new(at: noon))
        func fault(_ change: (inout AlarmCallForm) -> Void) -> String? {
            var form = form()
            change(&form)
            do throws(AlarmCallForm.Fault) {
                _ = try form.settings(of: [one])
                return nil
            } catch { return error.field }
        }
        #expect(fault { _ in } == nil)
        #expect(fault { $0.minutes = 0 } == "minutes")
        #expect(fault { $0.minutes = 61 } == "minutes")
        #expect(fault { $0.first = [other.text] } == "first")
        #expect(fault { $0.first = [one.text, one.text] } == "first")
        #expect(fault { $0.emergency = "help" } == "emergency")
        #expect(fault { $0.contacts = [("", "055 1")] } == "contacts")
        #expect(fault { $0.contacts = [("Neighbour", "tel:1")] } == "contacts")
        #expect(fault { $0.contacts = [("Neigh\u{202e}bour", "055 1")] } == "contacts")
        #expect(fault { $0.contacts = Array(repeating: ("Neighbour", "055 1"), count: 9) } == "contacts")
        #expect(fault { $0.test = (8, "10:00") } == "test")
        for time in ["24:00", "9:00", "10:60", "1000", "", "10:00:00", "-1:00"] {
            #expect(fault { $0.test = (1, time) } == "test", "\(time)")
        }
    }

    @Test func `What is kept comes back, and the log names no contact`() async throws {
        try await TestHouse.run { house in
            let people = try await house.people([.owner, .member])
            var form = form()
            (form.minutes, form.first, form.test) = (4, [people[1].text], (7, "09:05"))
            form.contacts = [("Anna upstairs", "+39 055 12 34")]
            try await house.parts.callDesk.setCall(form, house.site, by: people[0])
            let kept = try house.parts.store.read { try AlarmCallRecords.settings(of: house.site.id, in: $0) }
            #expect(kept == (try form.settings(of: Set(people))))
            let call = try house.parts.store.read {
                try AlarmCallRecords.call(of: house.site.id, at: noon, in: $0)
            }
            #expect(call?.people == [people[1], people[0]])
            let round = try #require(call).round
            #expect(round == 480_000)
            let events = try house.parts.given.ledger.events(of: house.site.id, after: 0, limit: 500)
            let payload = try #require(events.first { $0.kind == "home.call.changed" }?.payload)
            #expect(!String(decoding: payload, as: UTF8.self).contains("Anna"))
        }
    }
}

/// Boxes that say that they sounded.
private struct AnsweringBoxes: TestedBoxes {
    func answers(at site: SiteID, within patience: Duration) async -> Bool { true }
}
