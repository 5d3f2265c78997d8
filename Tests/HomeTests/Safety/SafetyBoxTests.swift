import Bus
import Ledger
import Safeguard
import Store
import System
import TestSupport
import Testing
import Wire

@testable import Accounts
@testable import Home

/// The hub's side of one panel with two keepers, spoken to in the frames of a box.
struct SafetyBoxTests {
    /// A box as the hub hears it, and what it hears.
    private final class Box: Sendable {
        let house: TestHouse
        let gateway: Gateway
        let boxes: Boxes
        let heard: Shared<[BoxFrame]>
        static let key = Key([UInt8](repeating: 9, count: 32))!
        var key: Key { Self.key }
        let journal = ID16(hex: "00000000000000000000000000000b0c".utf8)!
        let door: Sensor

        init(_ house: TestHouse, recordsAtOnce: Int = Boxes.mostRecordsAtOnce) async throws {
            let heard = Shared<[BoxFrame]>([])
            let gateway = Gateway(id: .new(at: noon), site: house.site.id, kind: .box, name: "Hall", key: Self.key)
            let device = Device(
                id: .new(at: noon), site: house.site.id, gateway: gateway.id, key: "box", name: "Box", origin: .added)
            let door = Sensor(
                id: .new(at: noon), number: 0, device: device.id, site: house.site.id, key: "door", name: "Front door",
                kind: .contact, alarmClass: .door, binding: SensorBinding(topic: "door/state"))
            try await house.household.registry.change(at: house.site.id) { database in
                try HomeRecords.put(gateway, in: database)
                try HomeRecords.put(device, in: database)
                try HomeRecords.add(door, in: database)
            }
            boxes = Self.boxes(of: house, recordsAtOnce, heard)
            (self.house, self.gateway, self.heard, self.door) = (house, gateway, heard, door)
        }

        /// The same box, as a hub knows it that was started anew.
        init(startedAnew box: Box) {
            (house, gateway, heard, door) = (box.house, box.gateway, box.heard, box.door)
            boxes = Self.boxes(of: house, Boxes.mostRecordsAtOnce, heard)
        }

        private static func boxes(
            of house: TestHouse, _ recordsAtOnce: Int, _ heard: Shared<[BoxFrame]>
        ) -> Boxes {
            Boxes(
                house.household.store, house.household.clock, house.household.registry, house.panels,
                house.household.safety.settings, house.household.alarms, recordsAtOnce: recordsAtOnce,
                uptime: { 1_000_000 }
            ) { (frame, _) throws(BusError) in heard.change { $0.append(frame) } }
        }

        /// The box knows smoke too.
        func smoke() async throws -> Sensor {
            let smoke = Sensor(
                id: .new(at: noon), number: 0, device: door.device, site: house.site.id, key: "smoke", name: "Smoke",
                kind: .smoke, alarmClass: .environmental, binding: SensorBinding(topic: "smoke/state"))
            try await house.household.registry.change(at: house.site.id) { try HomeRecords.add(smoke, in: $0) }
            return smoke
        }

        /// A tag that the box knows.
        func tag() async throws -> HouseTag {
            let tag = HouseTag(
                id: .new(at: noon), site: house.site.id, gateway: gateway.id, name: "Anna", digest: [1], added: noon)
            try await house.household.store.write { try SafetyRecords.add(tag, by: nil, in: $0) }
            return tag
        }

        func hello(
            _ panel: Panel, last: UInt64 = 0, uptime: UInt64 = 1_000, version: UInt64 = 0, isRetained: Bool = false
        ) throws {
            let hello = try BoxHello(
                session: Array("session1".utf8), uptime: uptime, bootCount: 1, journalID: journal, lastSequence: last,
                settingsVersion: version, clock: .trusted, timeNonce: Nonce([UInt8](repeating: 3, count: 16))!,
                panel: PanelStanding(panel, at: house.time.value.milliseconds), boxKey: key)
            _ = boxes.take("hello", BoxFrame.hello(hello).encoded(), isRetained: isRetained, from: gateway)
        }

        func record(
            _ sequence: UInt64, _ kind: BoxRecord.Kind, _ panel: Panel, _ cause: BoxRecord.Cause = .none,
            sensor: UInt8? = nil, credential: ID16 = .zero, ago: Double = 0, digest: [UInt8]? = nil, key: Key? = nil,
            from other: Gateway? = nil
        ) throws {
            let now = house.time.value.milliseconds
            let content = try BoxRecord.Content(
                kind: kind, panel: PanelStanding(panel, at: now), cause: cause, sensor: sensor, value: 1000,
                credential: credential, time: UInt64(now - Int64(ago * 1000)), clock: .trusted, digest: digest)
            let record = BoxRecord(journalID: journal, sequence: sequence, content: content, boxKey: key ?? self.key)
            _ = boxes.take("up", BoxFrame.record(record).encoded(), isRetained: false, from: other ?? gateway)
        }

        /// Writes down what it told, after what people were told of that.
        func write() async {
            #expect(await eventually { house.alarms.journal.done == house.alarms.journal.count })
            while await boxes.writeRecords() {}
        }

        /// What it was told last.
        var orders: [BoxOrder.Kind] {
            heard.value.compactMap { frame in if case .order(let order) = frame { order.kind } else { nil } }
        }
        var acknowledged: [UInt64] {
            heard.value.compactMap { frame in
                if case .acknowledgement(let answer) = frame { answer.sequence } else { nil }
            }
        }
        var settings: [BoxSettings] {
            heard.value.compactMap { frame in if case .settings(let settings) = frame { settings } else { nil } }
        }
    }

    private func standing(
        _ state: PanelState, _ mode: ArmMode?, number: UInt64, left: Int64? = nil, at now: Timestamp = noon
    ) -> Panel {
        Panel(
            state: state, mode: mode, deadline: left.map { now.milliseconds + $0 }, isSounding: state == .triggered,
            number: number)
    }

    @Test func `A hello is answered by the time, and by what the hub knows better`() async throws {
        try await TestHouse.run { house in
            let box = try await Box(house)
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
            let box = try await Box(house)
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
            let box = try await Box(house)
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

    @Test func `Help at a box that was disarmed by a tag that was taken away is told, and the house stays armed`()
        async throws
    {
        for isRecordFirst in [true, false] {
            try await TestHouse.run { house in
                let box = try await Box(house)
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
            let (phones, box) = (house.phones(), try await Box(house))
            let (tag, disarmed) = (try await box.tag(), standing(.disarmed, nil, number: 1))
            try box.hello(disarmed, last: 2)
            // Whoever presses often calls once.
            for (sequence, ago) in [(1, 40.0), (3, 39.0), (4, 35.0)] as [(UInt64, Double)] {
                let calling = standing(.triggered, nil, number: 0, left: 60_000)
                try box.record(sequence, .panelChanged, calling, .button, ago: ago)
            }
            try box.record(2, .panelChanged, disarmed, .tag, credential: tag.id.raw, ago: 30)
            try #require(await eventually { phones.rang.value.count == 1 })
            #expect(house.panel.state == .disarmed && house.alarms.standing(at: house.site.id).isEmpty)
            try #require(await eventually { house.alarms.journal.waiting == 0 })
            let kinds = try house.household.store.read {
                try $0.rows("SELECT kind FROM home_alarms") { $0[0] as String }
            }
            #expect(kinds == ["help"])
        }
    }

    @Test func `Who called for help, and calls again when somebody has done something about it, is heard`() async throws
    {
        try await TestHouse.run { house in
            let box = try await Box(house)
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
            let box = try await Box(house)
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

    @Test(arguments: [true, false])
    func `Who came in while the box was alone, and let the time to disarm run out, is told of`(isKnown: Bool)
        async throws
    {
        try await TestHouse.run { house in
            let box = try await Box(house)
            try house.panels.arm(.away, at: house.site.id, by: .person(anna))
            house.pass(60)
            if isKnown {
                // Heard of before the cut: the hub itself tells.
                try box.hello(standing(.armedAway, .away, number: 1))
                try box.record(
                    1, .tripped, standing(.pending, .away, number: 1, left: 30_000, at: house.time.value), .sensor,
                    sensor: 0)
                house.pass(31)
                #expect(house.alarms.standing(at: house.site.id).map(\.kind) == [.intrusion])
                house.panels.reset(house.site.id, by: .person(anna))
            }
            house.pass(300)
            try box.hello(
                standing(.armedAway, .away, number: house.panel.number, at: house.time.value), last: 3, uptime: 2_000)
            func record(_ sequence: UInt64, _ state: PanelState, _ kind: BoxRecord.Kind, ago: Double) throws {
                try box.record(
                    sequence, kind, standing(state, .away, number: 1, left: 60_000, at: house.time.value),
                    kind == .tripped ? .sensor : .deadline, sensor: kind == .tripped ? 0 : nil, ago: ago)
            }
            if !isKnown { try record(1, .pending, .tripped, ago: 300) }
            try record(2, .triggered, .panelChanged, ago: 270)
            try record(3, .armedAway, .panelChanged, ago: 150)
            try #require(await eventually { house.alarms.journal.waiting == 0 })
            let told = try house.household.store.read {
                try $0.rows("SELECT kind, sensor FROM home_alarms WHERE kind <> 'fault'") {
                    ($0[0] as String, $0[1] as SensorID?)
                }
            }
            #expect(told.map(\.0) == ["intrusion"])
            #expect(told.map(\.1) == [box.door.id])
            #expect(house.panel.state == .armedAway)
        }
    }

    @Test func `Who disarmed at a box before an alarm there finds the house disarmed after it`() async throws {
        for isHelloFirst in [true, false] {
            try await TestHouse.run { house in
                let box = try await Box(house)
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
            let (box, now) = (try await Box(house), 100.0)
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
            let box = try await Box(house)
            func disarmAtBox(uptime: UInt64) throws {
                let number = house.panel.number
                try box.hello(standing(.disarmed, nil, number: number + 1), last: 9, uptime: uptime)
                house.pass(Double(BoxState.silence) / 1000)
                box.boxes.tick()
            }
            try house.panels.arm(.home, at: house.site.id, by: .person(anna))
            house.pass(60)
            let now = house.time.value
            _ = try await house.household.store.write {
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
            let box = try await Box(house)
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

    @Test func `What comes behind a later record is acted on, once, also over a start`() async throws {
        try await TestHouse.run { house in
            let box = try await Box(house)
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
            let again = Box(startedAnew: box)
            for sequence in [2, 3, 4, 7] as [UInt64] {
                try again.record(sequence, .tripped, triggered, .sensor, sensor: 1)
            }
            #expect(house.panel.state == .disarmed, "acted on before the start")
            try again.record(5, .tripped, triggered, .sensor, sensor: 1)
            #expect(house.panel.state == .triggered)
        }
    }

    @Test func `Of equal numbers the box that has seen somebody is right, and else the hub`() async throws {
        try await TestHouse.run { house in
            let box = try await Box(house)
            try house.panels.arm(.home, at: house.site.id, by: .person(anna))
            try box.hello(standing(.pending, .home, number: 1, left: 12_000))
            #expect(house.panel.state == .pending)
            #expect(house.panel.left(at: house.time.value.milliseconds) == 12_000)
            house.pass(12)
            #expect(house.panel.state == .triggered)
            #expect(!house.household.alarms.standing(at: house.site.id).isEmpty)

            house.panels.disarm(house.site.id, by: .person(anna))
            let number = house.panel.number
            try box.hello(standing(.armedHome, .home, number: number), uptime: 2_000)
            #expect(house.panel.state == .disarmed)
            #expect(box.orders.last == .follow)
        }
    }

    @Test func `A hello that the broker had kept says nothing of how the box stands now`() async throws {
        try await TestHouse.run { house in
            let box = try await Box(house)
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
            let box = try await Box(house)
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

    @Test func `A trip at the box is one of the house, with what is left there of the time`() async throws {
        try await TestHouse.run { house in
            let box = try await Box(house)
            try house.panels.arm(.home, at: house.site.id, by: .person(anna))
            try box.hello(standing(.armedHome, .home, number: 1))
            try box.record(1, .tripped, standing(.pending, .home, number: 1, left: 25_000), .sensor, sensor: 0)
            #expect(house.panel.state == .pending)
            #expect(house.panel.left(at: house.time.value.milliseconds) == 25_000)
            #expect(house.panels.house(house.site.id).trips.map(\.sensor) == [box.door.id])
            #expect(box.orders == [])
            await box.write()
            #expect(box.acknowledged == [1])
        }
    }

    @Test func `A box that tells much while the disk is slow keeps no other box's records out`() async throws {
        try await TestHouse.run { house in
            let box = try await Box(house)
            let other = Gateway(id: .new(at: noon), site: house.site.id, kind: .box, name: "Attic", key: Box.key)
            try await house.household.registry.change(at: house.site.id) { try HomeRecords.put(other, in: $0) }
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

    @Test func `A record is acted on once and acknowledged whenever it comes`() async throws {
        try await TestHouse.run { house in
            let box = try await Box(house)
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
            let (box, store) = (try await Box(house), house.household.store)
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
            let (box, store) = (try await Box(house), house.household.store)
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

    @Test func `A disarming by a known tag counts, one that is told again does not, and neither does an old one`()
        async throws
    {
        try await TestHouse.run { house in
            let box = try await Box(house)
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
            let box = try await Box(house)
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

    @Test func `What another key signed, and an old hello, are dropped and counted`() async throws {
        try await TestHouse.run { house in
            let box = try await Box(house)
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

    @Test func `What happened while the box was alone is told, and trips nothing now`() async throws {
        try await TestHouse.run { house in
            _ = try await house.people([.owner])
            let phones = house.phones()
            let box = try await Box(house)
            let smoke = try await box.smoke()
            try house.panels.arm(.home, at: house.site.id, by: .person(anna))
            try box.hello(standing(.armedHome, .home, number: 1), last: 4)
            // The panels are compared when its journal is here.
            #expect(box.orders == [])
            let sounds = standing(.triggered, .home, number: 1, left: 1)
            try box.record(1, .tripped, sounds, .sensor, sensor: 0, ago: 3_600)
            try box.record(2, .panelChanged, standing(.armedHome, .home, number: 1), .deadline, ago: 3_400)
            try box.record(3, .tripped, sounds, .sensor, sensor: 1, ago: 1_800)
            try box.record(4, .panelChanged, standing(.armedHome, .home, number: 1), .deadline, ago: 1_600)
            #expect(house.panel.state == .armedHome)
            await box.write()
            #expect(box.acknowledged == [1, 2, 3, 4])
            #expect(house.alarms.standing(at: house.site.id).isEmpty, "it is over")
            try #require(await eventually { phones.rang.value.count == 2 })
            let smoked = try await house.alarm(of: smoke)
            #expect(smoked.kind == .environmental && smoked.text[.en].title == "Smoke: Box")
            #expect(smoked.text[.en].body == "It happened while the box had no connection.")
            #expect(try await house.alarm(of: box.door).kind == .intrusion)
            // The smoke is there again: another alarm, in its own words, told as well; and that the other is over is no news.
            let now = house.alarms.raise(
                .environmental, at: house.site.id, sensor: smoke.id, AirWords.alarm(of: smoke, at: nil))
            #expect(now != smoked.id)
            try #require(await eventually { phones.rang.value.count == 3 })
            house.move(minutes: 3)
            await house.alarms.look()
            #expect(house.alarms.standing(at: house.site.id).map(\.id) == [now])
            try #require(await eventually { house.alarms.journal.waiting == 0 })
            #expect(try house.household.store.read { try $0.row("SELECT count(*) FROM notices") { $0[0] as Int } } == 3)
        }
    }

    @Test func `Smoke that is still there when the box is back is told once, as what it is`() async throws {
        try await TestHouse.run { house in
            _ = try await house.people([.owner])
            let phones = house.phones()
            let box = try await Box(house)
            let smoke = try await box.smoke()
            try box.hello(Panel(), last: 1)
            let now = house.alarms.raise(
                .environmental, at: house.site.id, sensor: smoke.id, AirWords.alarm(of: smoke, at: nil))
            try box.record(
                1, .tripped, standing(.triggered, nil, number: 0, left: 60_000), .sensor, sensor: 1, ago: 40)
            #expect(house.alarms.standing(at: house.site.id).map(\.id) == [now], "and it goes on")
            try #require(await eventually { phones.rang.value.count == 1 })
            try #require(await eventually { house.alarms.journal.waiting == 0 })
            #expect(try house.events("home.alarm") == ["home.alarm.raised"])
        }
    }

    @Test(arguments: [2, 40] as [Double])
    func `Smoke that is over before its box is back is told, as smoke and not as an intruder`(ago: Double) async throws
    {
        try await TestHouse.run { house in
            _ = try await house.people([.owner])
            let phones = house.phones()
            let box = try await Box(house)
            let smoke = try await box.smoke()
            let triggered = standing(.triggered, nil, number: 0, left: 60_000)
            try box.hello(triggered, last: 1)
            try box.record(1, .tripped, triggered, .sensor, sensor: 1, ago: ago)
            #expect(house.panel.state == .triggered && house.panel.isSounding)
            try #require(await eventually { phones.rang.value.count == 1 })
            let told = try await house.alarm(of: smoke)
            #expect(told.kind == .environmental && told.text[.en].title == "Smoke: Box")
            #expect(house.alarms.standing(at: house.site.id).isEmpty, "it is over")
            try #require(await eventually { house.alarms.journal.waiting == 0 })
            #expect(try house.events("home.alarm.raised").count == 1)
        }
    }

    @Test func `Gas is gas at a box, whatever class it has at the hub, and told when nobody heard it`() async throws {
        try await TestHouse.run { house in
            let box = try await Box(house)
            let gas = Sensor(
                id: .new(at: noon), number: 0, device: box.door.device, site: house.site.id, key: "gas", name: "Gas",
                kind: .gas, unit: "ppm", alarmClass: nil, binding: SensorBinding(topic: "gas/state"))
            try await house.household.registry.change(at: house.site.id) { try HomeRecords.add(gas, in: $0) }
            // It sounded, somebody ended it with a tag, and the box is heard again.
            try box.hello(Panel(), last: 2)
            try box.record(1, .tripped, standing(.triggered, nil, number: 0), .sensor, sensor: 1, ago: 60)
            #expect(house.alarms.standing(at: house.site.id).isEmpty, "it is over")
            try #require(await eventually { house.alarms.journal.waiting == 0 })
            let told = try await house.alarm(of: gas)
            #expect(told.kind == .environmental && told.text[.en].title == "Gas in the air: Box")
            // It sounds still: nobody is told of a burglar.
            house.pass(600)
            let sounds = standing(.triggered, nil, number: 0, at: house.time.value)
            try box.record(2, .tripped, sounds, .sensor, sensor: 1, ago: 40)
            try box.hello(sounds, last: 2, uptime: 2_000)
            #expect(house.panel.state == .triggered)
            try #require(await eventually { house.alarms.journal.waiting == 0 })
            let kinds = try house.household.store.read {
                try $0.rows("SELECT DISTINCT kind FROM home_alarms") { $0[0] as String }
            }
            #expect(kinds == ["environmental"])
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
            let box = try await Box(house, recordsAtOnce: 2)
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
            let box = try await Box(house, recordsAtOnce: 2)
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

    @Test(arguments: [2, 40] as [Double])
    func `A second fire in a short cut is told when somebody dealt with the first, and not otherwise`(ago: Double)
        async throws
    {
        try await TestHouse.run { house in
            let box = try await Box(house)
            let smoke = try await box.smoke()
            box.boxes.useAir { house.household.care.tripped($0, value: $1) }
            let triggered = standing(.triggered, nil, number: 0, left: 60_000)
            try box.hello(triggered)
            house.tell(smoke, .truth(true))
            let first = house.fires
            try #require(first.count == 1)
            try box.record(1, .tripped, triggered, .sensor, sensor: 1)
            house.pass(50)
            // It came and went while the box was cut off, and its state says what it said before.
            try box.record(2, .tripped, triggered, .sensor, sensor: 1, ago: ago)
            #expect(house.fires == first, "people know")
            house.panels.disarm(house.site.id, by: .person(anna))
            house.pass(50)
            house.tell(smoke, .truth(true))
            #expect(house.fires == first && !house.panel.isSounding, "it goes on")
            try box.record(3, .tripped, standing(.triggered, nil, number: 1), .sensor, sensor: 1, ago: ago)
            let second = house.fires
            #expect(second.count == 1 && second != first && house.panel.isSounding)
            house.tell(smoke, .truth(false))
            #expect(house.fires.isEmpty, "and it ends with its cause")
        }
    }

    @Test func `Smoke in a cut is told as well where the panel is still triggered from before`() async throws {
        try await TestHouse.run { house in
            _ = try await house.people([.owner])
            let phones = house.phones()
            let box = try await Box(house)
            _ = try await box.smoke()
            let triggered = standing(.triggered, nil, number: 0, left: 60_000)
            try box.hello(triggered, last: 1)
            for sequence in UInt64(1)...2 {
                try box.record(sequence, .tripped, triggered, .sensor, sensor: 1, ago: 40)
                try #require(await eventually { phones.rang.value.count == Int(sequence) })
                house.pass(Double(AlarmDesk.reopening) / 1000)
            }
            #expect(house.alarms.standing(at: house.site.id).isEmpty, "it is over")
        }
    }

    @Test func `A box that says to know of acts without end leaves numbers for what is done elsewhere`() async throws {
        try await TestHouse.run { house in
            let box = try await Box(house)
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

    @Test func `What tripped at a box while it was alone is named, where its panel is right`() async throws {
        try await TestHouse.run { house in
            let box = try await Box(house)
            try house.panels.arm(.home, at: house.site.id, by: .person(anna))
            let triggered = standing(.triggered, .home, number: 1, left: 60_000)
            try box.hello(triggered, last: 1)
            try box.record(1, .tripped, triggered, .sensor, sensor: 0, ago: 40)
            #expect(house.panel.state == .triggered)
            #expect(house.alarms.standing(at: house.site.id).map(\.sensor) == [box.door.id])
        }
    }

    @Test func `Gas that sounds at a box is an alarm of the house, whatever was done before it was known`()
        async throws
    {
        try await TestHouse.run { house in
            let box = try await Box(house)
            let gas = try await box.smoke()
            for isArmed in [true, false] {
                house.panels.disarm(house.site.id, by: .person(anna))
                if isArmed { try house.panels.arm(.home, at: house.site.id, by: .person(anna)) }
                let number = house.panel.number
                let triggered = standing(.triggered, nil, number: 0, left: 60_000, at: house.time.value)
                // Tripped a while ago: it moves nothing by itself, and sounds still.
                let last: UInt64 = isArmed ? 1 : 2
                try box.hello(triggered, last: last, uptime: 1_000 * (last + 1))
                try box.record(last, .tripped, triggered, .sensor, sensor: 1, ago: 40)
                #expect(house.panel.state == .triggered && house.panel.isSounding)
                #expect(house.panel.number == number && house.panel.mode == (isArmed ? .home : nil))
                #expect(house.panels.house(house.site.id).trips.map(\.sensor) == [gas.id])
                #expect(box.orders.last == .follow)
                house.pass(1)
            }
        }
    }

    @Test func `What a box sees of its own threshold is an alarm of the house until the box says that it left`()
        async throws
    {
        try await TestHouse.run { house in
            let box = try await Box(house)
            let smoke = try await box.smoke()
            let care = house.household.care
            box.boxes.whenCrossed { care.told($0, of: $1, value: $2) }
            try box.hello(Panel())
            let triggered = standing(.triggered, nil, number: 0, left: 60_000)
            try box.record(1, .thresholdReached, triggered, .sensor, sensor: 1)
            #expect(house.alarms.standing(at: house.site.id).map(\.sensor) == [smoke.id])
            #expect(house.panel.state == .triggered && care.watch(of: smoke.id).isOver)
            try box.record(2, .thresholdLeft, triggered, .sensor, sensor: 1)
            #expect(house.alarms.standing(at: house.site.id).isEmpty && !care.watch(of: smoke.id).isOver)
            // What another sensor, or nobody, could have told moves nothing.
            try box.record(3, .thresholdReached, triggered, .sensor, sensor: 9)
            #expect(house.alarms.standing(at: house.site.id).isEmpty)
        }
    }

    @Test func `The household itself hears what boxes see of their thresholds`() async throws {
        try await TestHouse.run { house in
            let box = try await Box(house)
            let smoke = try await box.smoke()
            house.boxes.state.withLock { $0.crossings }.forEach { $0(.reached, smoke, 1) }
            #expect(house.household.care.watch(of: smoke.id).isOver)
        }
    }

    @Test func `Who ended an alarm that they knew of is told to the box once more`() async throws {
        try await TestHouse.run { house in
            let box = try await Box(house)
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
            let box = try await Box(house)
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

    @Test func `A box gets new settings when they changed, and no others`() async throws {
        try await TestHouse.run { house in
            let box = try await Box(house)
            try box.hello(Panel())
            await box.boxes.settle()
            #expect(box.settings.map(\.version) == [1])
            #expect(box.settings.first?.sensors.map(\.name) == ["door"])
            #expect(box.settings.first?.verifies(boxKey: box.key) == true)
            try box.hello(Panel(), uptime: 2_000, version: 1)
            await box.boxes.settle()
            #expect(box.settings.count == 1)
            try await house.household.safety.settings.set(
                HouseRules(panel: PanelRules(alarmTime: 300)), of: house.site.id, by: anna)
            await box.boxes.settle()
            #expect(box.settings.map(\.version) == [1, 2])
            #expect(box.settings.last?.rules.alarmTime == 300)
        }
    }

    @Test func `A tag is learnt by the box that was asked to, under the name that somebody gave it`() async throws {
        try await TestHouse.run { house in
            let box = try await Box(house)
            let anna = try await house.principal("Anna", .owner).person.id
            #expect(try box.boxes.learn(name: "Anna's key", at: box.gateway, by: anna) == nil)
            try box.hello(Panel())
            let wish = try #require(try box.boxes.learn(name: "Anna's key", at: box.gateway, by: anna))
            #expect(box.orders == [.learnTag])
            let digest = [UInt8](repeating: 4, count: 32)
            // What nobody asked for makes nothing known.
            try box.record(1, .tagLearnt, Panel(), .order, credential: EventID.new(at: noon).raw, digest: digest)
            #expect(try box.boxes.tags(of: house.site.id).isEmpty)
            try box.record(2, .tagLearnt, Panel(), .order, credential: wish.id.raw, digest: digest)
            await box.write()
            #expect(try box.boxes.tags(of: house.site.id).map(\.name) == ["Anna's key"])
            await box.boxes.settle()
            #expect(box.settings.last?.tags.map(\.id) == [wish.id.raw])
            let removed = try await box.boxes.remove(wish.id, at: house.site.id, by: anna)
            #expect(removed)
            await box.boxes.settle()
            #expect(box.settings.last?.tags.isEmpty == true)
        }
    }

    @Test func `A tag asked for by who may not any more, or before the house was armed, is not learnt`() async throws {
        try await TestHouse.run { house in
            let box = try await Box(house)
            let mara = try await house.principal("Mara", .manager).person.id
            try box.hello(Panel())
            var sequence: UInt64 = 0
            /// Asks for a tag, lets something happen, holds the tag to the box, and says whether it disarms now.
            func isLearnt(after what: () async throws -> Void = {}) async throws -> Bool {
                let wish = try #require(try box.boxes.learn(name: "A key", at: box.gateway, by: mara))
                try await what()
                sequence += 1
                let digest = [UInt8](repeating: UInt8(sequence), count: 32)
                try box.record(sequence, .tagLearnt, house.panel, .order, credential: wish.id.raw, digest: digest)
                await box.write()
                return try box.boxes.tags(of: house.site.id).contains { $0.id == wish.id }
            }
            #expect(try await isLearnt())
            func arm() throws { _ = try house.panels.arm(.away, at: house.site.id, by: .hub) }
            #expect(try await !isLearnt(after: arm))
            #expect(box.boxes.learning(at: house.site.id) == nil)
            // Asked for while it is armed, as a code may be added, it is.
            #expect(try await isLearnt())
            #expect(try await isLearnt { house.panels.disarm(house.site.id, by: .hub) })
            func armAndDisarm() throws {
                try arm()
                house.panels.disarm(house.site.id, by: .hub)
            }
            #expect(try await !isLearnt(after: armAndDisarm))
            var ended = try #require(
                try house.household.store.read {
                    try AccountRecords.memberships(of: mara, at: house.site.id, in: $0).first
                })
            ended.revoked = noon
            let after = ended
            func leave() async throws {
                try await house.household.given.accounts.change {
                    _ = try AccountRecords.change(after, at: noon, by: nil, in: $0)
                }
            }
            #expect(try await !isLearnt(after: leave))
        }
    }
}
