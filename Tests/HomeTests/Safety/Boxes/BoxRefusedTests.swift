import Safeguard
import System
import TestSupport
import Testing
import Wire

@testable import Home

@Suite("Orders that a box does not obey")
struct BoxRefusedTests {
    private func orders(_ box: TestBox) -> [BoxOrder] {
        box.heard.value.compactMap { frame in if case .order(let order) = frame { order } else { nil } }
    }

    private func refuse(_ order: BoxOrder, _ why: BoxOrder.Refusal, _ box: TestBox, key: Key? = nil) {
        let refused = BoxOrderRefused(order.id, why, boxKey: key ?? box.key)
        _ = box.boxes.take("up", BoxFrame.refused(refused).encoded(), isRetained: false, from: box.gateway)
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

    @Test("A refusal that the box did not sign, of an order that was not sent, or a second time is nothing")
    func forged() async throws {
        try await TestHouse.run { house in
            let box = try await TestBox(house)
            try box.hello(standing(.disarmed, nil, number: 0))
            box.boxes.sendAll(to: box.gateway)
            let order = try #require(orders(box).last)
            refuse(order, .late, box, key: Key([UInt8](repeating: 1, count: 32))!)
            let other = BoxOrderRefused(ID16(Random.bytes(16))!, .late, boxKey: box.key)
            _ = box.boxes.take("up", BoxFrame.refused(other).encoded(), isRetained: false, from: box.gateway)
            _ = box.boxes.take("up", BoxFrame.refused(other).encoded(), isRetained: true, from: box.gateway)
            #expect(box.boxes.refused(at: house.site.id).isEmpty)
            refuse(order, .late, box)
            try box.record(1, .orderTaken, standing(.disarmed, nil, number: 0), credential: order.id)
            refuse(order, .late, box)
            #expect(box.boxes.refused(at: house.site.id).isEmpty)
        }
    }
}
