import Glibc
import Identity
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

    @Test func `A letter that was asked for by somebody's address alone goes with them, and another's stays`()
        async throws
    {
        try await Office.with { office in
            func waits(for person: PersonID) throws -> Int {
                let address = try #require(try office.store.read { try AccountRecords.person(person, in: $0) }).email
                return try office.store.read {
                    try $0.row("SELECT count(*) FROM outbox WHERE share = ?", ShareID(address: address)) {
                        $0[0] as Int
                    }
                        ?? 0
                }
            }
            for person in office.people.prefix(2) {
                let address = try #require(try office.store.read { try AccountRecords.person(person, in: $0) }).email
                let parcel = Parcel(
                    id: .new(at: office.now), channel: .mail, person: nil, payload: Array(address.utf8),
                    created: office.now, expires: office.now.adding(milliseconds: 1_800_000),
                    share: ShareID(address: address))
                try await office.store.write { try OutboxRecords.add(parcel, in: $0) }
                #expect(try waits(for: person) == 1)
            }
            let gone = Erasure(
                id: .new(at: office.now), person: office.people[0], site: office.site.id, at: office.now)
            try await office.store.write { try Notices.eraser.erase(gone, $0) }
            #expect(try waits(for: office.people[0]) == 0)
            #expect(try waits(for: office.people[1]) == 1)
        }
    }

    @Test func `Of somebody who was erased while an alarm was told, no parcel is written down`() async throws {
        try await Office.with { office in
            let carrier = HandCarrier()
            office.notices.outbox.use(carrier, for: .push)
            office.push.people.change { $0 = Set(office.people) }
            try await office.notices.remembered.refresh(from: office.store)
            let (gone, isTold) = (office.people[0], Shared(false))
            let erasure = Erasure(id: .new(at: office.now), person: gone, site: office.site.id, at: office.now)
            let hanging = Task {
                try await office.store.write { database in
                    while !isTold.value { usleep(2_000) }
                    try Notices.eraser.erase(erasure, database)
                    try AccountRecords.eraser.erase(erasure, database)
                }
            }
            let id = office.notices.notifyAtOnce(office.notify("home.gas", .critical))
            try #require(await eventually { carrier.carried.value.count == office.people.count })
            isTold.change { $0 = true }
            try await hanging.value
            try #require(await eventually { try office.told(id).count == office.people.count - 1 })
            #expect(
                try office.store.read {
                    try $0.row("SELECT count(*) FROM outbox WHERE person = ?", gone) { $0[0] as Int }
                } == 0)
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
            while try await office.store.write({ try NoticeRecords.sweepOver(at: office.now, in: $0) }) {}
            #expect(try office.delivery(id) == nil)
            #expect(try office.delivery(atOnce) != nil, "nobody has taken care of it yet")
            office.move(minutes: 1_440)
            while try await office.store.write({ try NoticeRecords.sweepOver(at: office.now, in: $0) }) {}
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
