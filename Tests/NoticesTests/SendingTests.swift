import Accounts
import Commands
import HTTPServer
import Identity
import Ledger
import Store
import System
import TestSupport
import Testing

@testable import Notices

@Suite struct SendingTests {
    @Test
    func
        `A notice lies in the inbox of each, leaves by the ways they have, and is told to open pages after the commit`()
        async throws
    {
        try await Office.with { office in
            let (first, second) = (office.people[0], office.people[1])
            office.push.people.change { $0 = [first] }
            let id = try await office.notices.send(office.notify())
            #expect(try office.told(id) == office.people)
            #expect(try office.inbox(second).map(\.notice.id) == [id])
            #expect(try office.due(first).map(\.channel) == ["push"])
            #expect(try office.due(second).isEmpty)
            #expect(office.heard.value.map(\.person) == office.people)
            let event = try #require(
                try office.store.read {
                    try $0.row("SELECT count(*) FROM events WHERE kind = 'notice.sent'") { $0[0] as Int }
                })
            #expect(event == 1)
        }
    }

    @Test func `A lock screen shows only what may be seen by anybody, unless the person wants more`() async throws {
        try await Office.with { office in
            let (shy, open) = (office.people[0], office.people[1])
            office.push.people.change { $0 = [shy, open] }
            var preferences = NoticePreferences()
            preferences.showsDetails = true
            try await office.notices.setPreferences(preferences, of: open)
            _ = try await office.notices.send(office.notify())
            let payloads = try office.store.read {
                try $0.rows("SELECT person, payload FROM outbox") {
                    ($0[0] as PersonID, String(decoding: $0[1] as [UInt8], as: UTF8.self))
                }
            }
            #expect(payloads.first { $0.0 == shy }?.1 == "A gate is stuck")
            #expect(payloads.first { $0.0 == open }?.1 == "Gate A is stuck")
        }
    }

    @Test func `The same said by a hundred at once is said once; after the window it is said again`() async throws {
        try await Office.with { office in
            let notify = office.notify(key: "gate A")
            let ids = try await withThrowingTaskGroup(of: NoticeID.self) { group in
                for _ in 0..<100 { group.addTask { try await office.notices.send(notify) } }
                var ids: Set<NoticeID> = []
                for try await id in group { ids.insert(id) }
                return ids
            }
            #expect(ids.count == 1)
            #expect(try office.inbox(office.people[0]).count == 1)
            #expect(office.heard.value.count == office.people.count)
            let other = try await office.notices.send(office.notify(key: "gate B"))
            #expect(!ids.contains(other))
            office.move(minutes: 61)
            let later = try await office.notices.send(notify)
            #expect(!ids.contains(later))
        }
    }

    @Test func `A key of any length is kept, and longer ones differ where they differ`() async throws {
        try await Office.with { office in
            let long = String(repeating: "k", count: 100_000)
            for key in [long, long + "1", String(repeating: "k", count: Notify.longestKey)] {
                let first = try await office.notices.send(office.notify(key: key))
                let again = try await office.notices.send(office.notify(key: key))
                #expect(first == again)
            }
            #expect(try office.inbox(office.people[0]).count == 3)
        }
    }

    @Test func `Beyond the budget it stays in the inbox and the sender sees it; a day later it is told again`()
        async throws
    {
        try await Office.with(people: 1) { office in
            let person = office.people[0]
            office.push.people.change { $0 = [person] }
            var last = NoticeID.new(at: office.now)
            for _ in 0..<21 { last = try await office.notices.send(office.notify()) }
            #expect(try office.inbox(person).count == 21)
            #expect(try office.due(person).count == 20)
            #expect(try #require(try office.delivery(last)).recipients[0].held == .budget)
            // So has another site, or none.
            for site in [office.other.id, nil] {
                var elsewhere = office.notify()
                elsewhere.site = site
                let sent = try await office.notices.send(elsewhere)
                #expect(try #require(try office.delivery(sent)).recipients.allSatisfy { $0.held == nil })
            }
            let before = try office.due(person).count
            #expect(before >= 20)
            // What lowers the protection of a house is counted by who does it, and not here.
            for _ in 0..<70 { last = try await office.notices.send(office.notify("home.protection", .high)) }
            #expect(try #require(try office.delivery(last)).recipients[0].held == nil)
            #expect(try office.due(person).count == before + 70)
            // Another kind has a budget of its own, and what is critical has none.
            _ = try await office.notices.send(office.notify("home.door"))
            _ = try await office.notices.send(office.notify("doors.gateTrouble", .critical))
            #expect(try office.due(person).count == before + 72)
            office.move(minutes: 24 * 60 + 1)
            _ = try await office.notices.send(office.notify())
            #expect(try office.due(person).count == before + 73)
        }
    }

    @Test func `In quiet hours the inbox has it at once and the device when they end, by the person's own clock`()
        async throws
    {
        try await Office.with(people: 2) { office in
            let (roman, far) = (office.people[0], office.people[1])
            office.push.people.change { $0 = [roman, far] }
            var preferences = NoticePreferences()
            preferences.quiet = QuietHours(from: 11 * 60, to: 13 * 60)
            for person in [roman, far] { try await office.notices.setPreferences(preferences, of: person) }
            try await office.store.write {
                _ = try $0.execute("UPDATE people SET zone = 'America/New_York' WHERE id = ?", far)
            }
            // It is 12:00 in Rome, where the site is, and 06:00 in New York.
            _ = try await office.notices.send(office.notify("doors.gateTrouble", .low))
            #expect(try office.inbox(roman).count == 1)
            #expect(try office.due(roman).map(\.due) == [office.now.adding(milliseconds: 3_600_000)])
            #expect(try office.due(far).map(\.due) == [office.now])
            let critical = try await office.notices.send(office.notify("home.gas", .critical))
            #expect(try #require(try office.delivery(critical)).recipients.allSatisfy { $0.held == nil })
            #expect(try office.due(roman).map(\.due).contains(office.now))
        }
    }

    @Test func `Whoever is no manager tells nobody anything, and a manager nobody from elsewhere`() async throws {
        try await Office.with { office in
            let commands = Commands()
            office.notices.register(commands: commands)
            await #expect(throws: NoticeRefusal.notAllowed) {
                try await commands.send(office.notify(), by: .person(office.people[0]))
            }
            let stranger = PersonID.new(at: office.now)
            await #expect(throws: NoticeRefusal.notAllowed) {
                try await commands.send(
                    office.notify(to: .all([office.people[0], stranger])), by: .person(office.owner))
            }
            #expect(try office.count("SELECT count(*) FROM notices") == 0)
            let id = try await commands.send(office.notify(), by: .person(office.owner))
            #expect(try office.told(id) == office.people)
        }
    }

    @Test func `The words of a manager reach everybody who is there; too much in an hour has to wait`() async throws {
        try await Office.with { office in
            let words = try NoticeWords(typedTitle: "Fire drill at ten", body: "")
            func send(to people: [PersonID]?, minutes: Int? = nil) async throws -> NoticeID {
                try await office.notices.sendNews(
                    words, .normal, at: office.site.id, to: people, minutesBetween: minutes, by: office.owner)
            }
            let id = try await send(to: nil)
            #expect(Set(try office.told(id)) == Set(office.people + [office.owner]))
            #expect(try office.inbox(office.people[0])[0].notice.content.publicText[.en].title == "You have a message")
            await #expect(throws: NoticeRefusal.invalid(field: "people")) { _ = try await send(to: []) }
            await #expect(throws: NoticeRefusal.invalid(field: "people")) {
                _ = try await send(to: [PersonID.new(at: office.now)])
            }
            await #expect(throws: NoticeRefusal.invalid(field: "minutesBetween")) {
                _ = try await send(to: office.people, minutes: 0)
            }
            for _ in 1..<Notices.mostInAnHour { _ = try await send(to: [office.people[0]]) }
            await #expect(throws: NoticeRefusal.tooMany(retryAfterSeconds: 600)) {
                _ = try await send(to: [office.people[0]])
            }
            office.move(minutes: 61)
            _ = try await send(to: [office.people[0]])
        }
    }

    @Test func `Many at once are as many in an hour as one after the other`() async throws {
        try await Office.with { office in
            let words = try NoticeWords(typedTitle: "Fire drill at ten", body: "")
            let refusals = await withTaskGroup(of: (any Error)?.self) { group in
                for _ in 0..<64 {
                    group.addTask {
                        do {
                            _ = try await office.notices.sendNews(
                                words, .normal, at: office.site.id, to: [office.people[0]], minutesBetween: nil,
                                by: office.owner)
                            return nil
                        } catch { return error }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(refusals.count { $0 == nil } == Notices.mostInAnHour)
            for error in refusals.compactMap(\.self) {
                guard case .tooMany = error as? NoticeRefusal else {
                    Issue.record("\(error)")
                    continue
                }
            }
            #expect(try office.inbox(office.people[0]).count == Notices.mostInAnHour)
        }
    }

    @Test func `All people of a site send to so many recipients in an hour; what the hub tells does not count`()
        async throws
    {
        #expect(Recipients.most <= Notices.mostReadersInAnHour, "a first notice to all is never too much")
        try await Office.with { office in
            let words = try NoticeWords(typedTitle: "Fire drill at ten", body: "")
            func send(to people: [PersonID], at site: Site) async throws {
                _ = try await office.notices.sendNews(
                    words, .normal, at: site.id, to: people, minutesBetween: nil, by: office.owner)
            }
            // Of a person here, of the hub here, and of a person elsewhere.
            try await plant(Notices.mostReadersInAnHour - 2, by: office.people[0], at: office.site, office)
            try await plant(Notices.mostReadersInAnHour, by: nil, at: office.site, office)
            try await plant(Notices.mostReadersInAnHour, by: office.people[0], at: office.other, office)
            await #expect(throws: NoticeRefusal.tooMany(retryAfterSeconds: 600)) {
                try await send(to: office.people, at: office.site)
            }
            try await send(to: Array(office.people.prefix(2)), at: office.site)
            await #expect(throws: NoticeRefusal.tooMany(retryAfterSeconds: 600)) {
                try await send(to: [office.people[0]], at: office.site)
            }
            // The hub goes on.
            _ = try await office.notices.send(office.notify())
            office.move(minutes: 61)
            try await send(to: office.people, at: office.site)
        }
    }

    /// A notice to many, as it lies in the tables.
    private func plant(_ readers: Int, by sender: PersonID?, at site: Site, _ office: Office) async throws {
        var notice = office.notify("site.news")
        notice.site = site.id
        let planted = Notices.notice(notice, by: sender.map { .person($0) } ?? .hub, at: office.now)
        try await office.store.write { database in
            try NoticeRecords.add(planted, about: nil, sameness: nil, pause: nil, in: database)
            try database.execute(
                """
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
                INSERT INTO notice_recipients (notice, person, place, kind) SELECT ?1, randomblob(16), i, 'site.news' FROM n
                """, planted.id, readers)
        }
    }

    @Test func `The more a notice reaches, the longer others have the writer before it`() {
        #expect(Notices.pause(before: 100) == nil)
        #expect(Notices.pause(before: 101) == .milliseconds(100))
        #expect(Notices.pause(before: 1_000) == .milliseconds(100))
        #expect(Notices.pause(before: Recipients.most) == .milliseconds(500))
    }

    @Test func `The inbox goes on where a page of it ended, newest first, each once`() async throws {
        try await Office.with(people: 1) { office in
            let person = office.people[0]
            var ids: [NoticeID] = []
            for index in 0..<7 {
                ids.append(try await office.notices.send(office.notify()))
                // Some in one moment, some not.
                if index % 3 == 0 { office.move(minutes: 1) }
            }
            var (seen, cursor): ([NoticeID], NoticeRecords.InboxCursor?) = ([], nil)
            repeat {
                let after = cursor.flatMap { NoticeRecords.InboxCursor($0.text) }
                let page = try office.store.read { try NoticeRecords.inbox(of: person, after: after, limit: 3, in: $0) }
                seen += page.items.map(\.notice.id)
                cursor = page.next
            } while cursor != nil
            #expect(Set(seen) == Set(ids))
            #expect(seen.count == ids.count)
            // The last three came in one moment.
            #expect(Set(seen.prefix(3)) == Set(ids.suffix(3)))
            for text in ["", "-", "1", "x-y", "1-2", "9223372036854775808-" + ids[0].text] {
                #expect(NoticeRecords.InboxCursor(text) == nil)
            }
        }
    }

    @Test func `What is read is read, one by one or all, and by nobody who did not get it`() async throws {
        try await Office.with { office in
            let person = office.people[0]
            let id = try await office.notices.send(office.notify(to: .all([person])))
            _ = try await office.notices.send(office.notify(to: .all([person])))
            func unread() throws -> Int { try office.store.read { try NoticeRecords.unread(of: person, in: $0) } }
            #expect(try unread() == 2)
            await #expect(throws: NoticeRefusal.unknown) {
                try await office.notices.read(id, by: office.principal(office.people[1]))
            }
            // In a session to which the site shows nothing what it tells stays unread.
            let weak = try office.principal(person, locked: [office.site])
            await #expect(throws: Problem.self) { try await office.notices.read(id, by: weak) }
            try await office.notices.readAll(by: weak)
            #expect(try unread() == 2)
            try await office.notices.read(id, by: office.principal(person))
            #expect(try unread() == 1)
            try await office.notices.readAll(by: office.principal(person))
            #expect(try unread() == 0)
        }
    }

    @Test func `What was sent long ago is forgotten`() async throws {
        try await Office.with { office in
            office.push.people.change { $0 = Set(office.people) }
            for number in 0..<50 {
                var notify = office.notify()
                notify.key = "\(number)"
                _ = try await office.notices.send(notify)
            }
            office.move(minutes: 91 * 24 * 60)
            let id = try await office.notices.send(office.notify())
            let line = office.now.adding(milliseconds: -NoticeRecords.kept)
            while try await office.store.write({ try NoticeRecords.sweep(before: line, in: $0) }) {}
            #expect(try office.inbox(office.people[0]).map(\.notice.id) == [id])
            #expect(try office.count("SELECT count(*) FROM outbox") == office.people.count)
        }
    }

    @Test func `Who sent a notice sees what became of it as long as they have a part in its site, and see the site`()
        async throws
    {
        try await Office.with { office in
            let sender = office.owner
            let notice = try await office.notices.send(office.notify(), by: .person(sender))
            func mayKnow(_ person: PersonID, locked: [Site] = []) throws -> Bool {
                let principal = try office.principal(person, locked: locked)
                do {
                    _ = try office.notices.delivery(of: notice, for: principal)
                    return true
                } catch NoticeRefusal.unknown { return false }
            }
            #expect(try mayKnow(sender))
            #expect(try !mayKnow(office.people[1]))
            #expect(try !mayKnow(sender, locked: [office.site]), "the site asks for a passkey now")
            try await office.store.write { database in
                _ = try database.execute("UPDATE memberships SET permission = 'member' WHERE person = ?", sender)
            }
            #expect(try mayKnow(sender), "no manager any more, and still somebody here")
            let now = office.time.value
            try await office.store.write { database in
                _ = try database.execute("UPDATE memberships SET revoked = ? WHERE person = ?", now, sender)
            }
            #expect(try !mayKnow(sender))
        }
    }

    @Test func `Who has not joined is not reached, unless a letter goes; whose turn has not come is not either`()
        async throws
    {
        try await Office.with { office in
            let (joined, invited, first) = (office.people[0], office.people[1], office.people[2])
            try await office.store.write { database in
                try database.execute("UPDATE people SET came = ? WHERE id = ?", office.now, joined)
                try database.execute("UPDATE people SET invited = 'x@example.org' WHERE id = ?", invited)
            }
            office.mail.people.change { $0 = [first] }
            let id = try await office.notices.send(office.notify("site.news"))
            let delivery = try #require(try office.delivery(id))
            #expect(delivery.recipients.map(\.isReachable) == [true, false, true])
            func sent() throws -> [[Int]] {
                try office.store.read { try NoticeRecords.sent(at: office.site.id, limit: 9, in: $0) }.map {
                    [$0.recipients, $0.notReached, $0.read]
                }
            }
            #expect(try sent() == [[3, 1, 0]])

            try await office.store.write { database in
                _ = try database.execute("UPDATE people SET came = ? WHERE id = ?", office.now, invited)
            }
            #expect(try sent() == [[3, 0, 0]], "it lies in their inbox")
            office.move(minutes: 1)
            let turns = office.notify("site.news", to: .inTurn(office.people, minutes: 5))
            _ = try await office.notices.send(turns)
            #expect(try sent() == [[3, 2, 0], [3, 0, 0]])
        }
    }
}
