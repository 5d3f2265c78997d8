import Ledger
import Store
import System
import TestSupport
import Testing

@testable import Accounts
@testable import Notices

@Suite struct NoticeErasureTests {
    @Test func `Nothing of a person is left when they are erased, and others keep what is theirs`() async throws {
        try await Office.with { office in
            let (gone, stays) = (office.people[0], office.people[1])
            office.push.people.change { $0 = Set(office.people) }
            let shared = try await office.notices.send(office.notify())
            let own = try await office.notices.send(office.notify(to: .all([gone])))
            let about = try await office.notices.send(office.notify(to: .all([stays]), about: gone))
            let named = try await office.notices.sendNews(
                try NoticeWords(typedTitle: "Person 1 has a visitor", body: ""), .normal, at: office.site.id,
                to: [stays], minutesBetween: nil, by: office.owner)
            _ = try await office.notices.acknowledge(shared, by: gone)
            try await office.notices.setPreferences(NoticePreferences(), of: gone)
            let erasure = Erasure(id: .new(at: office.now), person: gone, site: office.site.id, at: office.now)
            try await office.store.write { try Notices.eraser.erase(erasure, $0) }
            let left = try office.inbox(stays).map(\.notice.id)
            #expect(Set(left) == [shared, named], "what others wrote is kept, whatever names stand in it")
            #expect(try office.inbox(gone).isEmpty)
            for id in [own, about] { #expect(try office.delivery(id) == nil) }
            let tables: [StaticString] = [
                "SELECT count(*) FROM notice_recipients WHERE person = ?",
                "SELECT count(*) FROM outbox WHERE person = ?",
                "SELECT count(*) FROM notices WHERE acknowledged_by = ?",
                "SELECT count(*) FROM notices WHERE about = ?",
                "SELECT count(*) FROM notice_preferences WHERE person = ?",
            ]
            for table in tables {
                #expect(try office.store.read { try $0.row(table, gone) { $0[0] as Int } } == 0)
            }
        }
    }

    @Test func `Whoever is erased at one site keeps what other sites told them, and how they want to be told`()
        async throws
    {
        try await Office.with { office in
            let person = office.people[0]
            office.push.people.change { $0 = [person] }
            try await office.store.write { database in
                try AccountRecords.add(
                    Membership(
                        id: .new(at: office.now), person: person, site: office.other.id, permission: .member, role: nil,
                        firstDay: nil, lastDay: nil), at: office.now, by: nil, in: database)
            }
            _ = try await office.notices.send(office.notify())
            var elsewhere = office.notify()
            elsewhere.site = office.other.id
            let kept = try await office.notices.send(elsewhere)
            var preferences = NoticePreferences()
            preferences.showsDetails = true
            try await office.notices.setPreferences(preferences, of: person)
            let erasure = Erasure(id: .new(at: office.now), person: person, site: office.site.id, at: office.now)
            try await office.store.write { try Notices.eraser.erase(erasure, $0) }
            #expect(try office.inbox(person).map(\.notice.id) == [kept])
            #expect(try office.due(person).count == 1)
            #expect(try office.notices.preferences(of: person).showsDetails)
        }
    }

    @Test
    func
        `A notice that calls people about an alarm goes on when the person it is about is erased, and goes afterwards`()
        async throws
    {
        try await Office.with { office in
            let (gone, others) = (office.people[0], Array(office.people.dropFirst()))
            let id = try await office.notices.send(
                office.notify("home.alarm", .critical, to: .inTurn([gone] + others, minutes: 5), about: gone))
            let atOnce = try await office.notices.send(
                office.notify("home.alarm", .critical, to: .all(others), about: gone))
            let calm = try await office.notices.send(office.notify(to: .all(others), about: gone))
            let erasure = Erasure(id: .new(at: office.now), person: gone, site: office.site.id, at: office.now)
            try await office.store.write { database in
                for eraser in [Notices.eraser, AccountRecords.eraser] { try eraser.erase(erasure, database) }
            }
            #expect(try office.delivery(calm) == nil)
            try await office.running {
                office.move(minutes: 5)
                try await office.wake()
                try #require(await eventually { try office.told(id) == [others[0]] })
                office.move(minutes: 5)
                try await office.wake()
                try #require(await eventually { try office.told(id) == others })
                #expect(try office.inbox(others[0]).map(\.notice.id).contains(atOnce))
            }
            #expect(try office.count("SELECT count(*) FROM notices WHERE about IS NOT NULL") == 0)
            _ = try await office.notices.acknowledge(id, by: others[1])
            office.move(minutes: 60)
            try await office.store.write { try NoticeRecords.sweepOver(at: office.now, in: $0) }
            #expect(try office.delivery(id) == nil)
            #expect(try office.delivery(atOnce) != nil, "nobody has taken care of it yet")
            office.move(minutes: 1_440)
            try await office.store.write { try NoticeRecords.sweepOver(at: office.now, in: $0) }
            #expect(try office.delivery(atOnce) == nil)
        }
    }

    @Test func `A notice about a person who was erased meanwhile names nobody`() async throws {
        try await Office.with { office in
            let (gone, stays) = (office.people[0], office.people[1])
            let erasure = Erasure(id: .new(at: office.now), person: gone, site: office.site.id, at: office.now)
            try await office.store.write { try AccountRecords.eraser.erase(erasure, $0) }
            _ = try await office.notices.send(office.notify(to: .all([stays]), about: gone))
            #expect(try office.count("SELECT count(*) FROM notices WHERE about IS NOT NULL") == 0)
            let sent = try office.store.read { database in
                try database.rows(
                    "SELECT p.person FROM event_payloads p JOIN events e ON e.id = p.event WHERE e.kind = 'notice.sent'"
                ) { $0[0] as PersonID? }
            }
            #expect(sent == [nil])
        }
    }
}
