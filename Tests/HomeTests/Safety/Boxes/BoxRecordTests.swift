import Ledger
import Safeguard
import Store
import System
import TestSupport
import Testing
import Wire

@testable import Accounts
@testable import Home
@testable import Household

/// The records of a box: acted on once, written down, acknowledged.
struct BoxRecordTests {
    @Test func `What comes behind a later record is acted on, once, also over a start`() async throws {
        try await TestHouse.run { house in
            let box = try await TestBox(house)
            _ = try await box.smoke()
            let triggered = standing(.triggered, nil, number: 0, left: 60_000)
            func smokeUnder(_ sequence: UInt64) throws {
                try box.record(sequence, .tripped, triggered, .sensor, sensor: 1)
            }
            for sequence in [2, 4, 7] as [UInt64] { try box.record(sequence, .unknownTag, Panel()) }
            await box.write()
            #expect(house.panel.state == .disarmed)
            try smokeUnder(3)
            #expect(house.panel.state == .triggered)
            house.panels.disarm(house.site.id, by: .person(anna))
            try smokeUnder(3)
            #expect(house.panel.state == .disarmed, "told again")
            await box.write()
            let again = TestBox(startedAnew: box)
            for sequence in [2, 3, 4, 7] as [UInt64] {
                try again.record(sequence, .tripped, triggered, .sensor, sensor: 1)
            }
            #expect(house.panel.state == .disarmed, "acted on before the start")
            try again.record(5, .tripped, triggered, .sensor, sensor: 1)
            #expect(house.panel.state == .triggered)
        }
    }

    @Test func `A box that tells much while the disk is slow keeps no other box's records out`() async throws {
        try await TestHouse.run { house in
            let box = try await TestBox(house)
            let other = Gateway(id: .new(at: noon), site: house.site.id, kind: .box, name: "Attic", key: TestBox.key)
            try await house.parts.registry.change(at: house.site.id) { try HomeRecords.put(other, in: $0) }
            let past = UInt64(Boxes.mostWaiting) + 10
            for sequence in 1...past { try box.record(sequence, .unknownTag, Panel()) }
            try box.record(past + 1, .unknownTag, Panel(), from: other)
            _ = await box.boxes.writeRecords()
            #expect(box.acknowledged.contains(past + 1), "it waits for none of those that came before")
            await box.write()
            #expect(box.acknowledged.filter { $0 != past + 1 } == Array(1...UInt64(Boxes.mostWaiting)))
            // What there was no room for is told again, and taken.
            try box.record(past, .unknownTag, Panel())
            await box.write()
            #expect(box.acknowledged.last == past)
        }
    }

    @Test func `No time that a box tells harms the hub`() async throws {
        try await TestHouse.run { house in
            let box = try await TestBox(house)
            _ = try await box.smoke()
            let tag = try await box.tag()
            let times: [UInt64] = [0, 1, 1 << 53, (1 << 63) - 5_001, (1 << 63) - 1, 1 << 63, .max - 5_000, .max]
            var sequence: UInt64 = 0
            for time in times {
                for kind in [.tripped, .panelChanged, .thresholdReached] as [BoxRecord.Kind] {
                    for cause in [.none, .button, .tag, .sensor, .deadline] as [BoxRecord.Cause] {
                        for state in [.disarmed, .armedAway, .pending, .triggered] as [PanelState] {
                            // What people did last is one of the times that are compared.
                            try house.panels.arm(.away, at: house.site.id, by: .person(anna))
                            house.panels.disarm(house.site.id, by: .person(anna))
                            sequence += 1
                            let panel = standing(
                                state, state == .disarmed ? nil : .away, number: house.panel.number, left: 1_000)
                            try box.record(
                                sequence, kind, panel, cause, sensor: kind == .panelChanged ? nil : 1,
                                credential: cause == .tag ? tag.id.raw : .zero, time: time)
                            house.panels.disarm(house.site.id, by: .person(anna))
                        }
                    }
                }
            }
            await box.write()
            #expect(Set(box.acknowledged) == Set(1...sequence))
        }
    }

    @Test func `A record is acted on once and acknowledged whenever it comes`() async throws {
        try await TestHouse.run { house in
            let box = try await TestBox(house)
            try house.panels.arm(.home, at: house.site.id, by: .person(anna))
            try box.hello(standing(.armedHome, .home, number: 1))
            for _ in 0..<3 {
                try box.record(1, .tripped, standing(.pending, .home, number: 1, left: 25_000), .sensor, sensor: 0)
                await box.write()
            }
            #expect(box.acknowledged == [1, 1, 1])
            #expect(try await house.ledgerKinds("home.box.record").count == 1)
            #expect(try await house.ledgerKinds("home.pending").count == 1)
        }
    }

    @Test func `What people were told of a cut is acknowledged once it stands in the log of alarms`() async throws {
        try await TestHouse.run { house in
            let (box, store) = (try await TestBox(house), house.parts.store)
            try await store.write { _ = try $0.execute("ALTER TABLE home_alarms RENAME TO away") }
            try box.hello(Panel())
            try box.record(1, .tripped, standing(.triggered, .away, number: 0), sensor: 0, ago: 300)
            #expect(house.alarms.standing(at: house.site.id).isEmpty, "it is past")
            #expect(house.alarms.journal.count > 0)
            while await box.boxes.writeRecords() {}
            #expect(box.acknowledged.isEmpty)
            try await store.write { _ = try $0.execute("ALTER TABLE away RENAME TO home_alarms") }
            await box.write()
            #expect(box.acknowledged == [1])
        }
    }

    @Test func `What a box tells while nothing can be read is understood when it is told again`() async throws {
        try await TestHouse.run { house in
            let (box, store) = (try await TestBox(house), house.parts.store)
            let tag = try await box.tag()
            try house.panels.arm(.home, at: house.site.id, by: .person(anna))
            try box.hello(house.panel)
            func whileNothingIsRead(_ body: () throws -> Void) async throws {
                try await store.write { database in
                    try database.execute("ALTER TABLE home_tags RENAME TO tags_away")
                    try database.execute("ALTER TABLE home_sensors RENAME TO sensors_away")
                }
                try body()
                try await store.write { database in
                    try database.execute("ALTER TABLE tags_away RENAME TO home_tags")
                    try database.execute("ALTER TABLE sensors_away RENAME TO home_sensors")
                }
            }
            func disarmByTag() throws {
                try box.record(1, .panelChanged, standing(.disarmed, nil, number: 2), .tag, credential: tag.id.raw)
            }
            try await whileNothingIsRead(disarmByTag)
            #expect(house.panel.state == .armedHome)
            try disarmByTag()
            #expect(house.panel.state == .disarmed)

            try house.panels.arm(.home, at: house.site.id, by: .person(anna))
            func trip(_ sequence: UInt64) throws { try box.record(sequence, .tripped, house.panel, sensor: 0) }
            try await whileNothingIsRead { try trip(2) }
            #expect(house.panel.state == .armedHome)
            try trip(2)
            #expect(house.panel.state == .pending)
            // Once they have been read, nothing has to be read for an alarm.
            house.panels.disarm(house.site.id, by: .person(anna))
            try house.panels.arm(.home, at: house.site.id, by: .person(anna))
            try await whileNothingIsRead { try trip(3) }
            #expect(house.panel.state == .pending)
        }
    }

    @Test func `What another key signed, and an old hello, are dropped and counted`() async throws {
        try await TestHouse.run { house in
            let box = try await TestBox(house)
            try house.panels.arm(.home, at: house.site.id, by: .person(anna))
            try box.hello(standing(.armedHome, .home, number: 1), uptime: 5_000)
            try box.record(
                1, .panelChanged, standing(.disarmed, nil, number: 2), .button,
                key: Key([UInt8](repeating: 1, count: 32))!)
            try box.hello(standing(.disarmed, nil, number: 9), uptime: 4_000)
            #expect(house.panel.state == .armedHome)
            #expect(box.boxes.dropped(of: box.gateway.id) == 2)
        }
    }

    @Test
    func `Of a box so many records come into the log at once, then one each two seconds, and the rest is acted on`()
        async throws
    {
        var budget = RecordBudget(3)
        func take(_ count: Int, at now: UInt64) -> Int { (0..<count).count { _ in budget.take(at: now) } }
        #expect(take(4, at: 1_000) == 3)
        #expect(take(1, at: 1_000 + RecordBudget.refill - 1) == 0)
        #expect(take(2, at: 1_000 + RecordBudget.refill) == 1)
        #expect(take(5, at: 3_600_000) == 3, "no more than at once")
        try await TestHouse.run { house in
            let box = try await TestBox(house, recordsAtOnce: 2)
            for sequence in 1...4 as ClosedRange<UInt64> { try box.record(sequence, .unknownTag, Panel()) }
            // Acted on, acknowledged, and counted: a box that waited for an answer would tell nothing new.
            try box.record(5, .panelChanged, standing(.triggered, nil, number: 0), .button)
            #expect(house.panel.state == .triggered)
            await box.write()
            #expect(box.acknowledged == [1, 2, 3, 4, 5])
            #expect(try house.events("home.box.record").count == 2)
            // Told again, what is in the log stays as it is.
            for sequence in 1...2 as ClosedRange<UInt64> { try box.record(sequence, .unknownTag, Panel()) }
            await box.write()
            #expect(box.acknowledged.suffix(2) == [1, 2])
            #expect(try house.events("home.box.record").count == 2)
        }
    }

    @Test func `How many records have no place in the log is told once, however often they are`() async throws {
        try await TestHouse.run { house in
            let box = try await TestBox(house, recordsAtOnce: 2)
            for _ in 0..<3 {
                for sequence in 1...7 as ClosedRange<UInt64> { try box.record(sequence, .unknownTag, Panel()) }
                await box.write()
            }
            #expect(box.boxes.state.withLock { $0.places.leftOut } == [box.gateway.id: 5])
            // What makes a tag known has a place.
            let olga = try await house.principal("Olga", .owner).person.id
            try box.hello(Panel(), last: 7)
            let wish = try #require(try box.boxes.learn(name: "A key", at: box.gateway, by: olga))
            let digest = [UInt8](repeating: 4, count: 32)
            try box.record(8, .tagLearnt, Panel(), .order, credential: wish.id.raw, digest: digest)
            await box.write()
            #expect(try house.events("home.box.record").count == 3)
            #expect(box.boxes.state.withLock { $0.places.leftOut.isEmpty })
        }
    }
}
