import Accounts
import Ledger
import Store
import System
import TestSupport
import Testing

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
            #expect(left == [shared])
            #expect(try office.inbox(gone).isEmpty)
            for id in [own, about, named] { #expect(try office.delivery(id) == nil) }
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
}
