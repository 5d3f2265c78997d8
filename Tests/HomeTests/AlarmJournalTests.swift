import Glibc
import Identity
import Ledger
import Store
import System
import TestSupport
import Testing

@testable import Accounts
@testable import Home
@testable import Household

/// What waits for the disk when a device floods the hub with faults.
struct AlarmJournalTests {
    /// Another house on the same hub.
    private static func neighbour(_ house: TestHouse) async throws -> SiteID {
        let site = Site(id: .new(at: noon), name: "Altrove", kind: .home, zone: .utc)
        try await house.parts.store.write { try AccountRecords.add(site, at: noon, by: nil, in: $0) }
        return site.id
    }

    /// Runs something while the disk takes nothing.
    private static func hanging(_ house: TestHouse, _ body: () async throws -> Void) async throws {
        let (isFree, hangs, store) = (Shared(false), Shared(false), house.parts.store)
        let hanging = Task {
            try await store.write { _ in
                hangs.change { $0 = true }
                while !isFree.value { usleep(2_000) }
            }
        }
        try #require(await eventually { hangs.value })
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
        isFree.change { $0 = true }
        try await hanging.value
        try outcome.get()
    }

    @Test func `Faults of one house, however many, take no alarm of any house out of the log`() async throws {
        try await TestHouse.run { house in
            let (site, neighbour) = (house.site.id, try await Self.neighbour(house))
            var alarms: [HouseAlarmID] = []
            try await Self.hanging(house) {
                for round in 0..<5_000 {
                    await giveWay(round)
                    house.alarms.raise(.fault, at: site, sensor: .new(at: noon), leak)
                }
                alarms = [neighbour, site].map { house.alarms.raise(.intrusion, at: $0, leak) }
            }
            try #require(await eventually { house.alarms.journal.waiting == 0 })
            for alarm in alarms { #expect(try house.logged(alarm) != nil) }
        }
    }

    @Test func `An alarm that is over before the disk has it is over for whoever opens it`() async throws {
        try await TestHouse.run { house in
            let (alarms, acts) = (house.alarms, house.parts.alarmActs)
            let anna = try await house.principal("Anna", .owner).person.id
            var id = HouseAlarmID.new(at: noon)
            try await Self.hanging(house) {
                id = alarms.raise(.help, at: house.site.id, leak)
                #expect(try acts.alarm(id, at: house.site.id).ended == nil)
                alarms.silenced(house.site.id, by: anna)
                alarms.end(id, by: anna)
                let over = try acts.alarm(id, at: house.site.id)
                #expect(over.ended == noon && over.endedBy == anna && over.silencedBy == anna)
                let log = try acts.log(of: house.site.id, before: nil, kind: nil, limit: 10).items
                #expect(log.map(\.alarm.id) == [id] && log[0].ended == noon)
                #expect(throws: (any Error).self) { try acts.alarm(id, at: .new(at: noon)) }
            }
            try #require(await eventually { alarms.journal.waiting == 0 })
            let written = try acts.alarm(id, at: house.site.id)
            #expect(written.ended == noon && written.endedBy == anna && written.silencedBy == anna)
        }
    }

    @Test func `Where more happens than waits for the disk, the log says what stands`() async throws {
        try await TestHouse.run { house in
            let (alarms, acts, site) = (house.alarms, house.parts.alarmActs, house.site.id)
            try await Self.hanging(house) {
                let ids = (0..<AlarmJournal.mostOfAlarms).map { round in
                    alarms.raise(.intrusion, at: site, leak, aspect: "\(round)")
                }
                // There is no room any more for what happens to these.
                for id in ids.prefix(3) { alarms.end(id) }
                #expect(
                    try ids.prefix(4).map { try acts.alarm($0, at: site).ended == nil } == [false, false, false, true])
                alarms.raise(.intrusion, at: site, leak, aspect: "0")
                #expect(try acts.alarm(ids[0], at: site).ended == nil)
                let log = try acts.log(of: site, before: nil, kind: nil, limit: 2_000).items
                #expect(Set(log.filter { $0.ended != nil }.map(\.alarm.id)) == [ids[1], ids[2]])
            }
        }
    }

    @Test func `Alarms of one house, however many, take none of another out of the log`() async throws {
        try await TestHouse.run { house in
            let (site, neighbour) = (house.site.id, try await Self.neighbour(house))
            var alarms: [HouseAlarmID] = []
            try await Self.hanging(house) {
                for round in 0..<5_000 {
                    await giveWay(round)
                    house.alarms.raise(.environmental, at: site, sensor: .new(at: noon), leak)
                }
                alarms = [.intrusion, .fault].map { house.alarms.raise($0, at: neighbour, leak) }
            }
            try #require(await eventually { house.alarms.journal.waiting == 0 })
            for alarm in alarms { #expect(try house.logged(alarm) != nil) }
        }
    }

    @Test func `A detector that fails again and again is some lines of the log, and told again when it had been well`()
        async throws
    {
        try await TestHouse.run { house in
            let sensor = try await house.sensor("smoke", .smoke)
            let fault = house.alarms.raise(.fault, at: house.site.id, sensor: sensor.id, leak)
            for round in 0..<500 {
                await giveWay(round)
                house.alarms.end(fault)
                #expect(house.alarms.standing(at: house.site.id).isEmpty)
                #expect(house.alarms.raise(.fault, at: house.site.id, sensor: sensor.id, leak) == fault)
            }
            house.alarms.end(fault)
            let over = house.time.value
            house.move(minutes: 1)
            await house.alarms.look()
            try #require(await eventually { house.alarms.journal.waiting == 0 })
            #expect(try house.logged(fault)?.ended == nil)
            #expect(try house.events("home.alarm").count == 1 + 2 * AlarmDesk.mostReturns)
            house.move(minutes: 1)
            await house.alarms.look()
            try #require(await eventually { house.alarms.journal.waiting == 0 })
            #expect(try house.logged(fault)?.ended == over)
            #expect(house.alarms.raise(.fault, at: house.site.id, sensor: sensor.id, leak) != fault, "people are told")
        }
    }

    @Test func `What one panel does, however much, takes nothing of another out of the log`() async throws {
        try await TestHouse.run { house in
            let (site, neighbour) = (house.site.id, try await Self.neighbour(house))
            try house.panels.arm(.away, at: neighbour, by: .hub)
            for round in 0..<2_500 {
                await giveWay(round)
                try house.panels.arm(.away, at: site, by: .hub)
                house.panels.disarm(site, by: .hub)
            }
            try await house.panels.write()
            let told = try house.parts.given.ledger.events(of: neighbour, after: 0, limit: 500).map(\.kind)
            #expect(told.contains("home.arming"))
        }
    }
}
