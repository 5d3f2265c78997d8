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

/// One panel with two keepers: how a box says that it stands, and what somebody did there and here.
struct BoxPanelTests {
    @Test func `A hello is answered by the time, and by what the hub knows better`() async throws {
        try await TestHouse.run { house in
            let box = try await TestBox(house)
            try house.panels.arm(.home, at: house.site.id, by: .person(anna))
            try box.hello(Panel())
            guard case .time(let answer) = box.heard.value.first else { return #expect(Bool(false)) }
            #expect(answer.verifies(gateKey: box.key, nonce: Nonce([UInt8](repeating: 3, count: 16))!))
            #expect(box.orders == [.follow])
        }
    }

    @Test func `Who disarmed at the box while it was alone is right, when nobody acted at the hub since`() async throws
    {
        try await TestHouse.run { house in
            let box = try await TestBox(house)
            try house.panels.arm(.home, at: house.site.id, by: .person(anna))
            let (tag, disarmed) = (try await box.tag(), standing(.disarmed, nil, number: 2))
            try box.hello(disarmed, last: 1)
            #expect(house.panel.state == .armedHome, "its record says who did it")
            try box.record(1, .panelChanged, disarmed, .tag, credential: tag.id.raw, ago: 300)
            #expect(house.panel.state == .disarmed)
            #expect(house.panel.number == 2)
            #expect(box.orders == [])
        }
    }

    @Test func `A box that says to be disarmed, and not by whom, disarms nothing`() async throws {
        try await TestHouse.run { house in
            let box = try await TestBox(house)
            try house.panels.arm(.home, at: house.site.id, by: .person(anna))
            try box.hello(standing(.disarmed, nil, number: 2), last: 9)
            // While it goes on telling what happened, it may still say it. It says hello every few seconds.
            for sequence in UInt64(1)...9 {
                house.pass(Double(BoxState.silence) / 1000 - 1)
                box.boxes.tick()
                try box.hello(standing(.disarmed, nil, number: 2), last: 9, uptime: 1_000 + sequence)
                #expect(house.panel == standing(.armedHome, .home, number: 1) && box.orders.isEmpty)
                try box.record(sequence, .unknownTag, Panel())
            }
            for seconds in 1...3 {
                house.pass(Double(BoxState.silence) / 3000)
                try box.hello(standing(.disarmed, nil, number: 2), last: 9, uptime: 1_500 + UInt64(seconds))
                box.boxes.tick()
            }
            #expect(house.panel == standing(.armedHome, .home, number: 3) && box.orders == [.follow])
            // Armed in another way, or only after a time to leave, it guards less too.
            for (place, less) in [(PanelState.arming, ArmMode.home), (.armedNight, .night)].enumerated() {
                let number = house.panel.number
                try box.hello(standing(less.0, less.1, number: number + 1), last: 9, uptime: 2_000 + UInt64(place))
                house.pass(Double(BoxState.silence) / 1000)
                box.boxes.tick()
                #expect(house.panel == standing(.armedHome, .home, number: number + 2))
            }
        }
    }

    @Test func `Who disarmed at a box before an alarm there finds the house disarmed after it`() async throws {
        for isHelloFirst in [true, false] {
            try await TestHouse.run { house in
                let box = try await TestBox(house)
                let tag = try await box.tag()
                try house.panels.arm(.night, at: house.site.id, by: .person(anna))
                house.pass(600)
                let (calling, disarmed) = (
                    standing(.triggered, nil, number: 2, left: 60_000), standing(.disarmed, nil, number: 2)
                )
                try box.hello(calling, last: 9)
                if isHelloFirst {
                    house.pass(Double(BoxState.patience) / 1000)
                    box.boxes.tick()
                    #expect(house.panel.state == .triggered && house.panel.mode == .night)
                }
                try box.record(
                    1, .panelChanged, standing(.triggered, .night, number: 1, left: 60_000), .button, ago: 60)
                try box.record(2, .panelChanged, disarmed, .tag, credential: tag.id.raw, ago: 50)
                try box.record(3, .panelChanged, calling, .button, ago: 40)
                #expect(house.panel.state == .triggered && house.panel.mode == nil)
                #expect(house.alarms.standing(at: house.site.id).map(\.kind).contains(.help))
                house.pass(600)
                #expect(house.panel.state == .disarmed)
            }
        }
    }

    @Test(arguments: [60, 1, -60])
    func `Who disarms at a box that was alone after the house was armed anew has disarmed it`(after: Double)
        async throws
    {
        try await TestHouse.run { house in
            let (box, now) = (try await TestBox(house), 100.0)
            let tag = try await box.tag()
            try house.panels.arm(.home, at: house.site.id, by: .person(anna))
            house.panels.disarm(house.site.id, by: .person(anna))
            try house.panels.arm(.home, at: house.site.id, by: .person(anna))
            house.pass(now)
            let disarmed = standing(.disarmed, nil, number: 2, at: house.time.value)
            try box.record(1, .panelChanged, disarmed, .tag, credential: tag.id.raw, ago: now - after)
            #expect(house.panel.state == (after == 60 ? .disarmed : .armedHome), "\(after) s after")
            if after == 60 { #expect(house.panels.house(house.site.id).last?.by == .tag(tag.id)) }
            // Nor does a tag that was taken away then.
            try house.panels.arm(.home, at: house.site.id, by: .person(anna))
            house.pass(now)
            let removed = HouseTagID.new(at: noon).raw
            try box.record(2, .panelChanged, disarmed, .tag, credential: removed)
            #expect(house.panel.state == .armedHome)
        }
    }

    @Test func `After a restore a box knows better how its house stands, until somebody has done something here`()
        async throws
    {
        try await TestHouse.run { house in
            let box = try await TestBox(house)
            func disarmAtBox(uptime: UInt64) throws {
                let number = house.panel.number
                try box.hello(standing(.disarmed, nil, number: number + 1), last: 9, uptime: uptime)
                house.pass(Double(BoxState.silence) / 1000)
                box.boxes.tick()
            }
            try house.panels.arm(.home, at: house.site.id, by: .person(anna))
            house.pass(60)
            let now = house.time.value
            _ = try await house.parts.store.write {
                try Ledger.append(
                    NewEvent(
                        id: .new(at: now), site: house.site.id, kind: Ledger.restoredKind, at: now,
                        payload: Array(#"{"kept":0}"#.utf8)), to: $0)
            }
            try disarmAtBox(uptime: 1_000)
            #expect(house.panel.state == .disarmed && box.orders.isEmpty)
            try house.panels.arm(.home, at: house.site.id, by: .person(anna))
            try disarmAtBox(uptime: 2_000)
            #expect(house.panel.state == .armedHome)
        }
    }

    @Test func `A box that tells without end what somebody did is told after a while how the house stands`()
        async throws
    {
        try await TestHouse.run { house in
            let box = try await TestBox(house)
            try house.panels.arm(.home, at: house.site.id, by: .person(anna))
            var sequence: UInt64 = 0
            try box.hello(standing(.disarmed, nil, number: 2), last: .max)
            for _ in stride(from: 0, to: BoxState.longestPatience, by: 10_000) {
                #expect(box.orders.isEmpty)
                sequence += 1
                try box.record(sequence, .unknownTag, Panel())
                house.pass(10)
                box.boxes.tick()
            }
            #expect(house.panel.state == .armedHome && box.orders == [.follow])
        }
    }

    @Test func `Of equal numbers the box that has seen somebody is right, and else the hub`() async throws {
        try await TestHouse.run { house in
            let box = try await TestBox(house)
            try house.panels.arm(.home, at: house.site.id, by: .person(anna))
            try box.hello(standing(.pending, .home, number: 1, left: 12_000))
            #expect(house.panel.state == .pending)
            #expect(house.panel.left(at: house.time.value.milliseconds) == 12_000)
            house.pass(12)
            #expect(house.panel.state == .triggered)
            #expect(!house.parts.alarms.standing(at: house.site.id).isEmpty)

            house.panels.disarm(house.site.id, by: .person(anna))
            let number = house.panel.number
            try box.hello(standing(.armedHome, .home, number: number), uptime: 2_000)
            #expect(house.panel.state == .disarmed)
            #expect(box.orders.last == .follow)
        }
    }

    @Test func `A hello that the broker had kept says nothing of how the box stands now`() async throws {
        try await TestHouse.run { house in
            let box = try await TestBox(house)
            try box.hello(standing(.triggered, .away, number: 0, left: 60_000), isRetained: true)
            #expect(house.panel.state == .disarmed)
            #expect(box.orders == [])
            #expect(box.heard.value.count == 1)
        }
    }

    @Test func `What somebody does at the hub goes to the box as an order, and not back to the box that told it`()
        async throws
    {
        try await TestHouse.run { house in
            let box = try await TestBox(house)
            try box.hello(Panel())
            try house.panels.arm(.away, at: house.site.id, by: .person(anna))
            house.panels.disarm(house.site.id, by: .person(anna))
            #expect(box.orders == [.arm, .disarm])
            let counters = box.heard.value.compactMap { frame -> UInt64? in
                if case .order(let order) = frame { order.counter } else { nil }
            }
            #expect(counters == counters.sorted() && Set(counters).count == 2)
        }
    }

    @Test func `A disarming by a known tag counts, one that is told again does not, and neither does an old one`()
        async throws
    {
        try await TestHouse.run { house in
            let box = try await TestBox(house)
            let tag = try await box.tag()
            try house.panels.arm(.home, at: house.site.id, by: .person(anna))
            try box.hello(standing(.armedHome, .home, number: 1))
            let disarmed = standing(.disarmed, nil, number: 2)
            try box.record(1, .panelChanged, disarmed, .tag, credential: tag.id.raw)
            #expect(house.panel.state == .disarmed)
            #expect(house.panels.house(house.site.id).last?.by == .tag(tag.id))

            try house.panels.arm(.home, at: house.site.id, by: .person(anna))
            // Told again under its own number, and an old one under a new number.
            try box.record(1, .panelChanged, disarmed, .tag, credential: tag.id.raw)
            #expect(house.panel.state == .armedHome)
            try box.record(2, .panelChanged, disarmed, .tag, credential: tag.id.raw)
            #expect(house.panel.state == .armedHome)
        }
    }

    @Test func `A tag that was taken away disarms nothing, and its box is told how the house stands`() async throws {
        try await TestHouse.run { house in
            let box = try await TestBox(house)
            try house.panels.arm(.home, at: house.site.id, by: .person(anna))
            try box.hello(standing(.armedHome, .home, number: 1))
            try box.record(
                1, .panelChanged, standing(.disarmed, nil, number: 2), .tag, credential: HouseTagID.new(at: noon).raw)
            #expect(house.panel.state == .armedHome)
            #expect(house.panel.number == 3)
            #expect(box.orders == [.follow])
            #expect(box.boxes.dropped(of: box.gateway.id) == 1)
        }
    }

    @Test func `A box that says to know of acts without end leaves numbers for what is done elsewhere`() async throws {
        try await TestHouse.run { house in
            let box = try await TestBox(house)
            let tag = try await box.tag()
            try box.hello(Panel())
            try house.panels.arm(.home, at: house.site.id, by: .person(anna))
            try box.record(1, .panelChanged, standing(.disarmed, nil, number: .max), .tag, credential: tag.id.raw)
            #expect(house.panel.state == .disarmed && house.panel.number == 1 + Panel.mostAhead)
            try box.hello(standing(.disarmed, nil, number: .max), last: 1, uptime: 2_000)
            #expect(house.panel.number == 1 + 2 * Panel.mostAhead)
            // An honest one in its place: what somebody does there counts.
            try house.panels.arm(.home, at: house.site.id, by: .person(anna))
            let number = house.panel.number
            try box.record(2, .panelChanged, standing(.disarmed, nil, number: number + 1), .tag, credential: tag.id.raw)
            #expect(house.panel.state == .disarmed && house.panel.number == number + 1)
        }
    }

    @Test func `Who ended an alarm that they knew of is told to the box once more`() async throws {
        try await TestHouse.run { house in
            let box = try await TestBox(house)
            _ = try await box.smoke()
            let triggered = standing(.triggered, nil, number: 0, left: 60_000)
            try box.hello(Panel())
            try box.record(1, .tripped, triggered, .sensor, sensor: 1)
            #expect(house.panel.state == .triggered)
            house.panels.silence(house.site.id, by: .person(anna))
            // The order was lost.
            try box.hello(triggered, last: 1, uptime: 2_000)
            #expect(box.orders == [.silence, .silence] && !house.panel.isSounding)
            house.panels.disarm(house.site.id, by: .person(anna))
            try box.hello(triggered, last: 1, uptime: 3_000)
            #expect(box.orders == [.silence, .silence, .disarm, .disarm])
            #expect(house.panel.state == .disarmed)
            // It ended there; then something else tripped, of which nobody here has heard.
            try box.hello(standing(.disarmed, nil, number: 1), last: 1, uptime: 4_000)
            try box.hello(standing(.triggered, nil, number: 0, left: 60_000), last: 1, uptime: 5_000)
            #expect(house.panel.state == .triggered)
            #expect(box.orders.last == .follow)
        }
    }

    @Test func `An alarm of the house is not ended by what somebody did at a box before it`() async throws {
        try await TestHouse.run { house in
            let box = try await TestBox(house)
            let tag = try await box.tag()
            try house.panels.arm(.home, at: house.site.id, by: .person(anna))
            house.pass(600)
            house.panels.trip(.environmental, by: box.door, at: house.time.value)
            #expect(house.panel.state == .triggered)
            let disarmed = standing(.disarmed, nil, number: 2)
            try box.hello(disarmed, last: 1)
            try box.record(1, .panelChanged, disarmed, .tag, credential: tag.id.raw, ago: 300)
            #expect(house.panel.state == .triggered && house.panel.isSounding)
            #expect(house.panel.number == 3 && box.orders.last == .follow)
            #expect(house.panel.mode == nil, "after the alarm it stands as they left it")
            // Who does it now means it.
            try box.record(2, .panelChanged, standing(.disarmed, nil, number: 4), .tag, credential: tag.id.raw)
            #expect(house.panel.state == .disarmed)
        }
    }
}
