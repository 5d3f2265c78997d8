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

/// Help that somebody calls by the button of a box.
struct BoxHelpTests {
    @Test func `Help at a box that was disarmed by a tag that was taken away is told, and the house stays armed`()
        async throws
    {
        for isRecordFirst in [true, false] {
            try await TestHouse.run { house in
                let box = try await TestBox(house)
                try house.panels.arm(.night, at: house.site.id, by: .person(anna))
                house.pass(600)
                let calling = standing(.triggered, nil, number: 2, left: 60_000, at: house.time.value)
                func call() throws { try box.record(2, .panelChanged, calling, .button, ago: 20) }
                try box.hello(calling, last: 9)
                if isRecordFirst { try call() }
                house.pass(Double(BoxState.patience) / 1000)
                box.boxes.tick()
                #expect(house.panel.state == .triggered && house.panel.mode == .night)
                if !isRecordFirst { try call() }
                let kinds = house.alarms.standing(at: house.site.id).map(\.kind)
                #expect(kinds.contains(.help))
                let removed = HouseTagID.new(at: noon).raw
                try box.record(
                    1, .panelChanged, standing(.disarmed, nil, number: 2), .tag, credential: removed, ago: 30)
                #expect(house.panel.state == .triggered && house.panel.mode == .night)
                house.pass(600)
                #expect(house.panel.state == .armedNight)
            }
        }
    }

    @Test func `Help that was called and ended while the box was alone is told`() async throws {
        try await TestHouse.run { house in
            _ = try await house.people([.owner])
            let (phones, box) = (house.phones(), try await TestBox(house))
            let (tag, disarmed) = (try await box.tag(), standing(.disarmed, nil, number: 1))
            try box.hello(disarmed, last: 4)
            // Whoever presses often calls once.
            for (sequence, ago) in [(1, 40.0), (2, 39.0), (3, 35.0)] as [(UInt64, Double)] {
                let calling = standing(.triggered, nil, number: 0, left: 60_000)
                try box.record(sequence, .panelChanged, calling, .button, ago: ago)
            }
            try box.record(4, .panelChanged, disarmed, .tag, credential: tag.id.raw, ago: 30)
            try #require(await eventually { phones.rang.value.count == 1 })
            #expect(house.panel.state == .disarmed && house.alarms.standing(at: house.site.id).isEmpty)
            try #require(await eventually { house.alarms.journal.waiting == 0 })
            let kinds = try house.parts.store.read {
                try $0.rows("SELECT kind FROM home_alarms") { $0[0] as String }
            }
            #expect(kinds == ["help"])
            // In another cut, however soon after, it is another call.
            house.pass(20)
            try box.hello(standing(.disarmed, nil, number: 1), last: 6, uptime: 2_000, session: "session2")
            let calling = standing(.triggered, nil, number: 1, left: 60_000, at: house.time.value)
            try box.record(5, .panelChanged, calling, .button, ago: 18)
            try #require(await eventually { phones.rang.value.count == 2 })
        }
    }

    @Test func `Help that was called while the box was alone is help that is on, whoever disarmed a quiet house`()
        async throws
    {
        try await TestHouse.run { house in
            let box = try await TestBox(house)
            try box.hello(Panel())
            house.pass(60)
            house.panels.disarm(house.site.id, by: .person(anna))
            let calling = standing(
                .triggered, nil, number: house.panel.number, left: 60_000, at: house.time.value)
            try box.hello(calling, last: 1, uptime: 2_000)
            try box.record(1, .panelChanged, calling, .button, ago: 20)
            #expect(house.alarms.standing(at: house.site.id).map(\.kind) == [.help] && house.panel.isSounding)
            // Once they have dealt with what they know of, a press of before says nothing new.
            house.pass(10)
            house.panels.disarm(house.site.id, by: .person(anna))
            try box.record(2, .panelChanged, calling, .button, ago: 20)
            #expect(!house.panel.isSounding)
        }
    }

    @Test func `Who called for help, and calls again when somebody has done something about it, is heard`() async throws
    {
        try await TestHouse.run { house in
            let box = try await TestBox(house)
            try box.hello(Panel())
            let calling = standing(.triggered, nil, number: 0, left: 60_000)
            func calls() -> [HouseAlarmID] {
                house.alarms.standing(at: house.site.id).filter { $0.kind == .help }.map(\.id)
            }
            for sequence in [1, 2, 3] as [UInt64] {
                try box.record(sequence, .panelChanged, calling, .button)
                #expect(calls().count == 1)
            }
            let first = calls()
            house.panels.disarm(house.site.id, by: .person(anna))
            house.pass(20)
            let again = standing(.triggered, nil, number: 1, left: 60_000, at: house.time.value)
            for sequence in [4, 5] as [UInt64] { try box.record(sequence, .panelChanged, again, .button) }
            #expect(calls().count == 1 && calls() != first && house.panel.isSounding)
        }
    }

    @Test func `Help that is called right after a tag is help that is on, and one that was answered here is past`()
        async throws
    {
        try await TestHouse.run { house in
            let box = try await TestBox(house)
            let tag = try await box.tag()
            try house.panels.arm(.home, at: house.site.id, by: .person(anna))
            house.pass(60)
            try box.hello(standing(.armedHome, .home, number: 1))
            let disarmed = standing(.disarmed, nil, number: 2)
            try box.record(1, .panelChanged, disarmed, .tag, credential: tag.id.raw, ago: 4)
            let calling = standing(.triggered, nil, number: 2, left: 60_000, at: house.time.value)
            try box.record(2, .panelChanged, calling, .button, ago: 1)
            func kinds() -> [HouseAlarm.Kind] { house.alarms.standing(at: house.site.id).map(\.kind) }
            #expect(kinds() == [.help] && house.panel.isSounding)
            try box.record(3, .panelChanged, calling, .button, ago: 0)
            #expect(kinds() == [.help], "it is the same")
            house.pass(10)
            house.panels.disarm(house.site.id, by: .person(anna))
            try box.record(4, .panelChanged, calling, .button, ago: 9)
            #expect(!house.panel.isSounding, "pressed before they disarmed")
        }
    }
}
