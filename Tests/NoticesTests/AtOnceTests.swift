import Accounts
import Glibc
import Ledger
import Store
import System
import TestSupport
import Testing

@testable import Notices

@Suite struct AtOnceTests {
    @Test
    func `What is critical reaches pages and devices while the database hangs, and is written down when it does not`()
        async throws
    {
        try await Office.with { office in
            let carrier = HandCarrier()
            office.notices.outbox.use(carrier, for: .push)
            office.push.people.change { $0 = [office.people[0]] }
            try await office.notices.remembered.refresh(from: office.store)
            let isFree = Shared(false)
            let hanging = Task {
                try await office.store.write { _ in while !isFree.value { usleep(2_000) } }
            }
            let id = office.notices.notifyAtOnce(office.notify("home.gas", .critical))
            #expect(office.heard.value.map(\.person) == office.people)
            try #require(await eventually { carrier.carried.value.count == 1 })
            #expect(try office.told(id).isEmpty)
            isFree.change { $0 = true }
            try await hanging.value
            try #require(await eventually { try office.told(id) == office.people })
            try #require(await eventually { try office.delivery(id)?.recipients[0].parcels.first?.state == .delivered })
            #expect(carrier.carried.value.count == 1)
        }
    }

    @Test func `A full disk does not stop what is critical; what is not critical is refused`() async throws {
        try await Office.with { office in
            let carrier = HandCarrier()
            office.notices.outbox.use(carrier, for: .push)
            office.push.people.change { $0 = Set(office.people) }
            try await office.notices.remembered.refresh(from: office.store)
            try await office.fillTheDisk()
            await #expect(throws: StoreError.self) {
                for _ in 0..<200 { _ = try await office.notices.send(office.notify()) }
            }
            office.heard.change { $0 = [] }
            let id = office.notices.notifyAtOnce(office.notify("home.gas", .critical, key: "gas"))
            #expect(office.heard.value.map(\.person) == office.people)
            try #require(await eventually { carrier.carried.value.count == office.people.count })
            #expect(try office.told(id).isEmpty)
            // The same alarm, said again by a sensor that goes on ringing.
            #expect(office.notices.notifyAtOnce(office.notify("home.gas", .critical, key: "gas")) == id)
            try await office.emptyTheDisk()
            try #require(await eventually { try office.told(id) == office.people })
            #expect(carrier.carried.value.count == office.people.count)
        }
    }

    @Test func `Beyond what a site may keep in memory everybody is told at once, and nothing is kept`() async throws {
        try await Office.with { office in
            try await office.notices.remembered.refresh(from: office.store)
            let unrecorded = office.notices.unrecorded
            let waiting = office.fill(unrecorded, .critical)
            var notify = office.notify("home.gas", .critical)
            notify.recipients = .inTurn(office.people, minutes: 1)
            let id = office.notices.notifyAtOnce(notify)
            #expect(office.heard.value.map(\.person) == office.people)
            // Another site has its own share, and what was kept makes room.
            var elsewhere = notify
            elsewhere.site = office.other.id
            #expect(unrecorded.begin(office.atOnce(elsewhere)) == nil)
            unrecorded.end(waiting[0])
            let next = office.notices.notifyAtOnce(notify)
            try #require(await eventually { try !office.told(next).isEmpty })
            #expect(try office.told(id).isEmpty)
        }
    }

    @Test func `Beyond it the most urgent are kept, and whoever waits for their turn with what is given up is told`()
        async throws
    {
        try await Office.with { office in
            try await office.fillTheDisk()
            let notify = office.notify("home.fault", .high, to: .inTurn(office.people, minutes: 60))
            _ = office.notices.notifyAtOnce(notify)
            #expect(office.heard.value.map(\.person) == [office.people[0]])
            let others = office.fill(office.notices.unrecorded, .high)
            #expect(others.count == Unrecorded.mostOfSite - 1)
            _ = office.notices.notifyAtOnce(office.notify("home.gas", .critical, to: .all([office.people[0]])))
            // The oldest of the least urgent has made room.
            #expect(!others.contains { $0.isGivenUp })
            #expect(
                office.heard.value.map(\.person) == [office.people[0], office.people[0]] + office.people.dropFirst())
            // What is as urgent as all others makes none of them go.
            #expect(office.notices.unrecorded.begin(office.atOnce(notify))?.isGivenUp == true)
            #expect(!others.contains { $0.isGivenUp })
            try await office.emptyTheDisk()
        }
    }

    @Test func `What is given up is tried once, and not written down`() async throws {
        try await Office.with(people: 1) { office in
            let carrier = HandCarrier { _ in .again(afterSeconds: nil, why: "no answer") }
            office.notices.outbox.use(carrier, for: .push)
            office.push.people.change { $0 = Set(office.people) }
            let told = office.atOnce(office.notify("home.gas", .critical))
            told.giveUp()
            let delivery = office.notices.remembered.delivery(of: told.notice, to: office.people[0])
            let parcel = try #require(office.push.parcelsAtOnce(for: delivery, at: office.now).first)
            await office.notices.carry(parcel, of: told)
            #expect(carrier.carried.value.count == 1)
            await office.notices.record(told)
            #expect(try office.delivery(told.notice.id) == nil)
        }
    }

    @Test func `While nobody can say that they take care, the others are told when the next one's turn comes`()
        async throws
    {
        try await Office.with { office in
            let carrier = HandCarrier()
            office.notices.outbox.use(carrier, for: .push)
            office.push.people.change { $0 = Set(office.people) }
            try await office.fillTheDisk()
            await #expect(throws: StoreError.self) {
                for _ in 0..<200 { _ = try await office.notices.send(office.notify()) }
            }
            office.heard.change { $0 = [] }
            let notify = office.notify("home.gas", .critical, to: .inTurn(office.people, minutes: 2))
            let id = office.notices.notifyAtOnce(notify)
            #expect(office.heard.value.map(\.person) == [office.people[0]])
            office.move(minutes: 2)
            try #require(await eventually { office.heard.value.map(\.person) == office.people })
            try await office.emptyTheDisk()
            try #require(await eventually { try office.told(id) == office.people })
        }
    }

    @Test func `What could not be carried at once is tried again, by the outbox when it is written down`() async throws
    {
        try await Office.with(people: 1) { office in
            let works = Shared(false)
            let carrier = HandCarrier { _ in works.value ? .delivered : .again(afterSeconds: nil, why: "no answer") }
            office.notices.outbox.use(carrier, for: .push)
            office.push.people.change { $0 = Set(office.people) }
            let id = office.notices.notifyAtOnce(office.notify("home.gas", .critical))
            try #require(
                await eventually {
                    try office.due(office.people[0]).map(\.due) == [office.now.adding(milliseconds: 5_000)]
                })
            works.change { $0 = true }
            office.time.change { $0 = $0.adding(milliseconds: 5_000) }
            try await office.running {
                try #require(
                    await eventually { try office.delivery(id)?.recipients[0].parcels.first?.state == .delivered })
            }
        }
    }

    @Test func `What finds no lane at once waits for one`() async throws {
        try await Office.with(people: 1) { office in
            let carrier = HeldCarrier(lanes: 4) { _ in true }
            defer { carrier.end() }
            office.notices.outbox.use(carrier, for: .push)
            // A person with two devices: of four lanes one is theirs.
            let other = HandWay(.push)
            office.notices.use(other)
            for way in [office.push, other] { way.people.change { $0 = Set(office.people) } }
            let id = office.notices.notifyAtOnce(office.notify("home.gas", .critical))
            // Where a machine is so slow that the second waits for too long, the outbox carries it.
            try await office.running {
                for _ in 0..<2 {
                    try #require(await eventually { carrier.held.count == 1 })
                    carrier.answer(.delivered)
                }
                try #require(
                    await eventually {
                        try office.delivery(id)?.recipients[0].parcels.map(\.state) == [.delivered, .delivered]
                    })
            }
            #expect(Set(carrier.seen.map(\.id)).count == 2 && carrier.seen.count == 2)
        }
    }

    @Test
    func `The server of a place is called at once while the database hangs, and that is written down when it does not`()
        async throws
    {
        try await Office.with { office in
            let carrier = HandCarrier()
            office.notices.outbox.use(carrier, for: .webhook)
            _ = try await office.notices.setWebhook("https://hook.example/x", of: office.site.id, by: office.owner)
            let isFree = Shared(false)
            let hanging = Task {
                try await office.store.write { _ in while !isFree.value { usleep(2_000) } }
            }
            let id = office.notices.notifyAtOnce(office.notify("home.gas", .critical))
            let isCalled = await eventually { carrier.carried.value.count == 1 }
            #expect(isCalled)
            #expect(try office.told(id).isEmpty)
            isFree.change { $0 = true }
            try await hanging.value
            try #require(await eventually { try office.delivery(id)?.webhook.map(\.state) == [.delivered] })
            #expect(carrier.carried.value.count == 1)
        }
    }

    @Test func `A server that could not be called at once is called by the outbox, under the same number`() async throws
    {
        try await Office.with { office in
            let works = Shared(false)
            let carrier = HandCarrier { _ in works.value ? .delivered : .again(afterSeconds: nil, why: "no answer") }
            office.notices.outbox.use(carrier, for: .webhook)
            _ = try await office.notices.setWebhook("https://hook.example/x", of: office.site.id, by: office.owner)
            let id = office.notices.notifyAtOnce(office.notify("home.gas", .critical))
            let later = office.now.adding(milliseconds: 5_000)
            let isPostponed = try await eventually { try office.webhookDue() == [later] }
            #expect(isPostponed)
            works.change { $0 = true }
            office.time.change { $0 = later }
            try await office.running {
                try #require(await eventually { try office.delivery(id)?.webhook.map(\.state) == [.delivered] })
            }
            #expect(carrier.carried.value.count == 2)
            #expect(Set(carrier.carried.value.map(\.id)).count == 1)
        }
    }
}

extension Office {
    /// One that waits to be written down, and that nobody was told.
    func atOnce(_ notify: Notify) -> AtOnce {
        AtOnce(notice: Notices.notice(notify, by: .hub, at: now), notify: notify)
    }

    /// As many wait to be written down as a site may have.
    func fill(_ unrecorded: Unrecorded, _ urgency: Urgency) -> [AtOnce] {
        var waiting: [AtOnce] = []
        while true {
            let next = atOnce(notify("home.gas", urgency))
            if unrecorded.begin(next) != nil { return waiting }
            waiting.append(next)
        }
    }

    /// When the calls of servers are due.
    func webhookDue() throws -> [Timestamp] {
        try store.read { try $0.rows("SELECT due FROM outbox WHERE channel = 'webhook'") { $0[0] as Timestamp } }
    }

    /// Nothing that is written fits any more, but a row or two.
    func fillTheDisk() async throws {
        try await store.write { database in
            _ = try database.row("PRAGMA max_page_count = 1") { $0[0] as Int }
        }
    }

    /// There is room again.
    func emptyTheDisk() async throws {
        try await store.write { database in
            _ = try database.row("PRAGMA max_page_count = 1000000") { $0[0] as Int }
        }
    }
}
