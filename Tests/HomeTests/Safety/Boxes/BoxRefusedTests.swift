import Safeguard
import System
import TestSupport
import Testing
import Wire

@testable import Home
@testable import Household

@Suite("Orders that a box does not obey")
struct BoxRefusedTests {
    private func orders(_ box: TestBox) -> [BoxOrder] {
        box.heard.value.compactMap { frame in if case .order(let order) = frame { order } else { nil } }
    }

    private func refuse(_ order: BoxOrder, _ why: BoxOrder.Refusal, _ box: TestBox, key: Key? = nil) {
        let refused = BoxOrderRefused(order.id, why, boxKey: key ?? box.key)
        _ = box.boxes.receive("up", BoxFrame.refused(refused).encoded(), isRetained: false, from: box.gateway)
    }

    private func faults(_ house: TestHouse) -> [String] {
        house.alarms.standing(at: house.site.id).filter { $0.kind == .fault }.map { $0.text[.en].title }
    }

    @Test("What a box refuses is shown with its reason, told once it stays so, and over when the box obeys")
    func shownAndOver() async throws {
        try await TestHouse.run { house in
            let box = try await TestBox(house)
            let quiet = standing(.disarmed, nil, number: 0)
            try box.hello(quiet)
            box.boxes.sendAll(to: box.gateway)
            let follow = try #require(orders(box).last)
            refuse(follow, .late, box)
            let shown = box.boxes.refused(at: house.site.id)
            #expect(shown.map(\.order.kind) == [.follow] && shown.map(\.order.isAboutClock) == [true])
            box.boxes.tick()
            #expect(faults(house).isEmpty, "it may only be connecting")
            house.pass(9)
            box.boxes.sendAll(to: box.gateway)
            refuse(try #require(orders(box).last), .late, box)
            house.pass(1)
            box.boxes.tick()
            box.boxes.tick()
            #expect(faults(house) == ["The box does not obey the hub: Hall"])
            box.boxes.sendAll(to: box.gateway)
            try box.record(1, .orderTaken, quiet, credential: try #require(orders(box).last).id)
            #expect(box.boxes.refused(at: house.site.id).isEmpty && faults(house).isEmpty)
        }
    }

    @Test(
        "A box that stands as the house does refuses nothing any more; a valve that it did not open is shown for ten minutes"
    )
    func agrees() async throws {
        try await TestHouse.run { house in
            let box = try await TestBox(house)
            let quiet = standing(.disarmed, nil, number: 0)
            try box.hello(quiet)
            box.boxes.sendAll(to: box.gateway)
            refuse(try #require(orders(box).last), .clockUntrusted, box)
            async let answer = box.boxes.openValve(of: box.gateway, within: .seconds(20))
            #expect(await eventually { orders(box).last?.kind == .openValve })
            refuse(try #require(orders(box).last), .unfit, box)
            guard case .refused(let refused) = await answer else {
                Issue.record("the box refused")
                return
            }
            #expect(refused.kind == .openValve && !refused.isAboutClock)
            try box.hello(quiet, uptime: 2_000)
            #expect(box.boxes.refused(at: house.site.id).map(\.order.kind) == [.openValve])
            house.pass(601)
            box.boxes.tick()
            #expect(box.boxes.refused(at: house.site.id).isEmpty)
        }
    }

    @Test("A valve stays closed during an alarm of the air; that a box did not open its own is in the ledger")
    func valve() async throws {
        try await TestHouse.run { house in
            let box = try await TestBox(house)
            let owner = try await house.principal("Ada", .owner)
            let desk = SafetyDesk(safety: house.parts.safety, owners: house.parts.owners, patience: .seconds(3600))
            let gas = try await house.sensor("gas", .gas, unit: "ppm")
            let valve = try await house.actuator("valve", .valve)
            // The desk has the hub's own boxes, whose orders find no broker here.
            func ordered() -> ID16? {
                house.boxes.state.withLock { $0.boxes[box.gateway.id]?.orders.last { $0.kind == .openValve }?.id }
            }
            func opened() async throws -> BoxAnswer { try await desk.openValve(of: box.gateway, by: owner.person.id) }
            guard case .away = try await opened() else {
                Issue.record("it has never said hello")
                return
            }
            try box.hello(standing(.disarmed, nil, number: 0), at: house.boxes)
            let alarm = house.alarms.raise(.environmental, at: house.site.id, sensor: gas.id, leak)
            await #expect(throws: ActuationRefusal.inAirAlarm) { _ = try await opened() }
            await #expect(throws: ActuationRefusal.inAirAlarm) {
                try await house.parts.switching.apply(valve, to: .on, by: owner) { Issue.record("it was told") }
            }
            #expect(try await house.ledgerKinds("home.valve.").isEmpty)
            #expect(ordered() == nil)
            house.alarms.end(alarm)
            async let answer = opened()
            #expect(await eventually { ordered() != nil })
            let refused = BoxOrderRefused(try #require(ordered()), .unfit, boxKey: box.key)
            _ = house.boxes.receive("up", BoxFrame.refused(refused).encoded(), isRetained: false, from: box.gateway)
            guard case .refused = try await answer else {
                Issue.record("the box refused")
                return
            }
            #expect(try await house.ledgerKinds("home.valve.") == ["home.valve.opened", "home.valve.refused"])
        }
    }

    @Test("A box that does not silence its siren is waited for no longer than until it says so")
    func silence() async throws {
        try await TestHouse.run { house in
            let (box, site) = (try await TestBox(house), house.site.id)
            try box.hello(Panel(state: .triggered, mode: nil, deadline: nil, isSounding: true, number: 1))
            func silenced(_ answer: (BoxOrder) throws -> Void) async throws {
                house.panels.trigger(at: site, by: .hub)
                let before = orders(box).count
                house.panels.silence(site, by: .hub)
                let order = try #require(orders(box).dropFirst(before).last { $0.kind == .silence })
                async let answered: Void = box.boxes.silenceAnswered(at: site, within: .seconds(3600))
                try answer(order)
                await answered
            }
            try await silenced { refuse($0, .late, box) }
            #expect(box.boxes.sirenDoubt(at: site) == .refused)
            // Pressed once more: the panel of the house is silent already.
            let before = orders(box).count
            box.boxes.silenceAgain(at: site)
            #expect(orders(box).dropFirst(before).map(\.kind) == [.silence])
            try await silenced { order in
                try box.record(1, .orderTaken, standing(.disarmed, nil, number: 0), credential: order.id)
            }
            #expect(box.boxes.sirenDoubt(at: site) == nil)
        }
    }

    @Test("A siren may sound where its box sounded last and is away or silent on the order; not where it never did")
    func unanswered() async throws {
        try await TestHouse.run { house in
            let (box, site) = (try await TestBox(house), house.site.id)
            try box.hello(Panel(state: .triggered, mode: nil, deadline: nil, isSounding: true, number: 1))
            #expect(box.boxes.sirenDoubt(at: site) == nil, "the house sounds, too")
            house.panels.silence(site, by: .hub)
            #expect(box.boxes.sirenDoubt(at: site) == nil, "it has a moment to answer")
            house.pass(1)
            #expect(box.boxes.sirenDoubt(at: site) == .unanswered)
            let order = try #require(orders(box).last { $0.kind == .silence })
            let silent = Panel(state: .triggered, mode: nil, deadline: nil, isSounding: false, number: 1)
            try box.record(1, .orderTaken, silent, credential: order.id)
            #expect(box.boxes.sirenDoubt(at: site) == nil)
        }
    }

    @Test(
        "An alarm's page does not say silenced or done where a siren may still sound",
        arguments: [nil, .refused, .unanswered] as [SirenDoubt?])
    func page(doubt: SirenDoubt?) async throws {
        try await TestHouse.run { house in
            let alarm = house.alarms.raise(.help, at: house.site.id, leak)
            let standing = try #require(house.alarms.standing.first { $0.id == alarm })
            let logged = AlarmRecords.Logged(
                alarm: standing, ended: nil, endedBy: nil, silenced: noon, silencedBy: nil, taken: nil, takenBy: nil)
            let sheet = AlarmSheet(
                logged: logged, names: [:], sensor: nil, device: nil, zone: house.site.zone, now: noon, language: .en,
                sirenDoubt: doubt)
            let model = AlarmView.Model(
                sheet: sheet, settings: AlarmSettings(), delivery: nil, rounds: 0, mayAct: true, canBeEnded: false,
                street: "", isDone: true)
            let page = AlarmView.content(model).string
            let words = sheet.words
            let mayStillSound = doubt != nil
            for one in [SirenDoubt.refused, .unanswered] {
                #expect(page.contains(one.text(.en)) == (one == doubt))
            }
            #expect(page.contains(words.done) == !mayStillSound)
            #expect(page.contains(">\(words.silenced)<") == !mayStillSound)
            #expect(page.contains("/silence") == mayStillSound, "to try again")
        }
    }

    @Test("A refusal that the box did not sign, of an order that was not sent, or a second time is nothing")
    func forged() async throws {
        try await TestHouse.run { house in
            let box = try await TestBox(house)
            try box.hello(standing(.disarmed, nil, number: 0))
            box.boxes.sendAll(to: box.gateway)
            let order = try #require(orders(box).last)
            refuse(order, .late, box, key: Key([UInt8](repeating: 1, count: 32))!)
            let other = BoxOrderRefused(ID16(Random.bytes(16))!, .late, boxKey: box.key)
            _ = box.boxes.receive("up", BoxFrame.refused(other).encoded(), isRetained: false, from: box.gateway)
            _ = box.boxes.receive("up", BoxFrame.refused(other).encoded(), isRetained: true, from: box.gateway)
            #expect(box.boxes.refused(at: house.site.id).isEmpty)
            refuse(order, .late, box)
            try box.record(1, .orderTaken, standing(.disarmed, nil, number: 0), credential: order.id)
            refuse(order, .late, box)
            #expect(box.boxes.refused(at: house.site.id).isEmpty)
        }
    }
}
