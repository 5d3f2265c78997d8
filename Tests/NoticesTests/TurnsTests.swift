import Accounts
import Ledger
import Store
import System
import TestSupport
import Testing

@testable import Notices

@Suite struct TurnsTests {
    @Test func `One after the other is told until somebody takes care, and the sender sees who when`() async throws {
        try await Office.with { office in
            let people = office.people
            let id = try await office.notices.send(office.notify(to: .inTurn(people, minutes: 5)))
            try await office.running {
                #expect(try office.told(id) == [people[0]])
                office.move(minutes: 5)
                try await office.wake()
                try #require(await eventually { try office.told(id) == [people[0], people[1]] })
                let second = office.now
                #expect(try await office.notices.acknowledge(id, by: people[1]))
                #expect(try await office.notices.acknowledge(id, by: people[0]) == false)
                office.move(minutes: 60)
                try await office.wake()
                let delivery = try #require(try office.delivery(id))
                #expect(delivery.turn == nil)
                #expect(delivery.acknowledged == second)
                #expect(delivery.recipients.map(\.told) == [second.adding(milliseconds: -300_000), second, nil])
            }
            #expect(try office.told(id) == [people[0], people[1]])
            #expect(try office.store.read { try NoticeRecords.nextTurn(in: $0) } == nil)
        }
    }

    @Test(arguments: [false, true])
    func
        `After the clock was set back nobody's turn waits for a time that only a clock that was ahead would have shown`(
            isRestarted: Bool
        ) async throws
    {
        try await Office.with { office in
            let people = office.people
            office.move(minutes: 366 * 1_440)
            let id = try await office.notices.send(office.notify(to: .inTurn(people, minutes: 5)))
            try await office.running {
                try #require(await eventually { try office.told(id) == [people[0]] })
                if isRestarted { return }
                office.move(minutes: -366 * 1_440)
                try await office.wake()
                try #require(await eventually { try office.told(id) == [people[0], people[1]] })
            }
            if isRestarted { office.move(minutes: -366 * 1_440) }
            let again = Notices(accounts: office.notices.accounts)
            let work = Task { try await again.run() }
            defer { work.cancel() }
            try #require(await eventually { try office.told(id) == [people[0], people[1]] })
            #expect(try office.delivery(id)?.turn == office.now.adding(milliseconds: 300_000))
        }
    }

    @Test func `A turn that comes while the hub is down is taken after it, one by one`() async throws {
        try await Office.with { office in
            let people = office.people
            let id = try await office.notices.send(office.notify(to: .inTurn(people, minutes: 5)))
            // Nobody runs for an hour.
            office.move(minutes: 60)
            let again = Notices(accounts: office.notices.accounts)
            let work = Task { try await again.run() }
            defer { work.cancel() }
            try #require(await eventually { try office.told(id) == [people[0], people[1]] })
            #expect(try office.delivery(id)?.turn == office.now.adding(milliseconds: 300_000))
            office.move(minutes: 5)
            try await office.wake()
            try #require(await eventually { try office.told(id) == people })
            #expect(try office.delivery(id)?.turn == nil)
        }
    }

    @Test func `Turns end when the notice is over, and pass over whoever left`() async throws {
        try await Office.with { office in
            let people = office.people
            let short = try await office.notices.send(
                office.notify(to: .inTurn(people, minutes: 5), lifetime: 240_000))
            let long = try await office.notices.send(office.notify(to: .inTurn(people, minutes: 5)))
            try await office.store.write {
                _ = try $0.execute("UPDATE memberships SET revoked = 1 WHERE person = ?", people[1])
            }
            try await office.running {
                office.move(minutes: 5)
                try await office.wake()
                try #require(await eventually { try office.told(long) == [people[0], people[2]] })
                try #require(await eventually { try office.delivery(short)?.turn == nil })
                #expect(try office.told(short) == [people[0]])
            }
        }
    }

    @Test(arguments: [nil, Permission.guest])
    func `Whose rights at the site have gone takes care of nothing there any more, and is told nothing more`(
        left: Permission?
    ) async throws {
        try await Office.with { office in
            let people = office.people
            office.notices.concern([.owner, .member], kind: "doors.gateTrouble")
            let first = try await office.notices.send(office.notify(to: .inTurn(people, minutes: 5)))
            let second = try await office.notices.send(office.notify(to: .inTurn(Array(people.reversed()), minutes: 5)))
            // One kind concerns everybody who has a part in the site.
            let other = try await office.notices.send(office.notify("site.news", to: .inTurn(people, minutes: 5)))
            try await office.store.write { database in
                _ = try database.execute(
                    "UPDATE memberships SET permission = coalesce(?, permission), revoked = ? WHERE person = ?",
                    left?.rawValue, left == nil ? 1 : nil, people[0])
            }
            await #expect(throws: NoticeRefusal.unknown) { try await office.notices.acknowledge(first, by: people[0]) }
            #expect(try office.delivery(first)?.acknowledged == nil)
            if left == nil {
                await #expect(throws: NoticeRefusal.unknown) {
                    try await office.notices.acknowledge(other, by: people[0])
                }
            } else {
                #expect(try await office.notices.acknowledge(other, by: people[0]))
            }
            try await office.running {
                office.move(minutes: 5)
                try await office.wake()
                try #require(await eventually { try office.told(first) == [people[0], people[1]] })
                office.move(minutes: 5)
                try await office.wake()
                try #require(await eventually { try office.delivery(second)?.turn == nil })
                #expect(try office.told(second) == people.dropFirst().reversed())
            }
        }
    }

    @Test(arguments: [false, true])
    func `Who has left the site does not hear whether a notice of then was taken care of`(isLeft: Bool) async throws {
        try await Office.with { office in
            let (gone, stays) = (office.people[0], office.people[1])
            let id = try await office.notices.send(office.notify(to: .all([gone, stays])))
            let mine = try await office.notices.send(office.notify(to: .all([gone, stays]), key: "mine"))
            try await office.notices.acknowledge(mine, by: gone)
            if isLeft {
                try await office.store.write {
                    _ = try $0.execute("UPDATE memberships SET revoked = 1 WHERE person = ?", gone)
                }
            }
            office.heard.change { $0 = [] }
            try await office.notices.acknowledge(id, by: stays)
            #expect(Set(office.heard.value.map(\.person)) == (isLeft ? [stays] : [gone, stays]))
            let principal = try office.principal(gone)
            let taken = try office.inbox(gone).filter { office.notices.isTaken($0, for: principal) }.map(\.notice.id)
            #expect(Set(taken) == (isLeft ? [mine] : [id, mine]), "what one took care of oneself is known")
        }
    }

    @Test func `Only who was told takes care`() async throws {
        try await Office.with { office in
            let id = try await office.notices.send(office.notify(to: .inTurn(office.people, minutes: 5)))
            await #expect(throws: NoticeRefusal.unknown) {
                try await office.notices.acknowledge(id, by: office.people[1])
            }
            await #expect(throws: NoticeRefusal.unknown) {
                try await office.notices.acknowledge(id, by: office.owner)
            }
        }
    }
}
