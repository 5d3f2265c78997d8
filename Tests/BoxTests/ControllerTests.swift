import Safeguard
import System
import Testing
import Wire

@testable import Box

@Suite("The box, its disk and its hub")
struct BoxControllerTests {
    // MARK: a full disk

    @Test("A box whose journal is full says at once how it stands: a call for help reaches its hub without a record")
    func fullJournal() async throws {
        try await Bench.run(pageLimit: 1) { bench in
            await bench.connect()
            await bench.tellTime()
            var (last, isFull) = (UInt64(0), false)
            for _ in 0..<2_000 where !isFull {
                await bench.controller.hold(Random.bytes(7))
                let now = try bench.memory.lastSequence()
                (isFull, last) = (now == last, now)
            }
            #expect(isFull)
            #expect(bench.hellos.last?.panel.state == PanelState.disarmed.rawValue)
            await bench.controller.press()
            #expect(try bench.memory.lastSequence() == last)
            #expect(bench.hellos.last?.panel.state == PanelState.triggered.rawValue)
        }
    }

    // MARK: orders

    @Test(
        "An order is taken once; replayed, of another connection, late, or under another key it is refused, and so is one without a clock"
    )
    func orders() async throws {
        try await Bench.run { bench in
            await bench.connect()
            let early = try await bench.order(.trigger)
            await bench.give(early)
            #expect(await bench.panel.state == .disarmed, "nobody knows how long it was on its way")
            await bench.tellTime()
            await bench.give(try await bench.order(.trigger, counter: 2, key: Key(Random.bytes(32))!))
            await bench.give(try await bench.order(.trigger, counter: 2, session: Random.bytes(8)))
            await bench.give(try await bench.order(.trigger, counter: 2, late: -1))
            #expect(await bench.panel.state == .disarmed)
            let order = try await bench.order(.trigger, counter: 2)
            await bench.give(order)
            #expect(await bench.panel.state == .triggered)
            #expect(bench.records.last?.content.kind == .orderTaken)
            #expect(bench.records.last?.content.credential == order.id)
            let disarm = try await bench.order(.disarm, counter: 3)
            await bench.give(disarm)
            #expect(await bench.panel.state == .disarmed)
            await bench.give(order)
            #expect(await bench.panel.state == .disarmed, "it was replayed")
            await bench.give(try await bench.order(.trigger, counter: 4))
            #expect(await bench.panel.state == .triggered)
            await bench.give(disarm)
            #expect(await bench.panel.state == .triggered, "a disarm was replayed")
            // The next connection knows nothing of it either.
            let session = bench.hellos.last?.session
            await bench.controller.disconnected()
            await bench.meet()
            await bench.give(try await bench.order(.disarm, counter: 9, session: session))
            #expect(await bench.panel.state == .triggered)
            #expect(bench.state("notice/state") == "an order was refused")
        }
    }

    @Test("The hub's latest few sessions hold, each with its own counter, so that an order on its way is not lost")
    func sessions() async throws {
        try await Bench.run { bench in
            await bench.meet()
            let old = try #require(bench.hellos.last?.session)
            for _ in 1..<BoxController.openSessions { await bench.controller.sayHello() }
            await bench.give(try await bench.order(.trigger, session: old))
            #expect(await bench.panel.state == .triggered)
            await bench.controller.sayHello()
            await bench.give(try await bench.order(.disarm, counter: 2, session: old))
            #expect(await bench.panel.state == .triggered)
        }
    }

    @Test("Armed by an order, the box leaves the hub's time to go, arms by itself, and says so")
    func arming() async throws {
        try await Bench.run { bench in
            await bench.meet()
            await bench.controller.receive(.settings(try bench.settings(1)))
            #expect(bench.hellos.last?.settingsVersion == 1)
            await bench.give(try await bench.order(.arm))
            #expect(await bench.panel.state == .arming)
            await bench.wait(9_900)
            #expect(await bench.panel.state == .arming)
            await bench.wait(200)
            #expect(await bench.panel.state == .armedAway)
            #expect(bench.records.last?.content.kind == .panelChanged)
            #expect(bench.records.last?.content.cause == .deadline)
            await bench.sense(.distance, 60)
            let tripped = try #require(bench.records.last)
            #expect(tripped.content.kind == .tripped && tripped.content.sensor == BoxSensor.distance.place)
            #expect(tripped.content.alarmClass == SensorClass.motion.rawValue)
            #expect(tripped.content.panel.state == PanelState.pending.rawValue && tripped.content.panel.left == 20_000)
            #expect(tripped.content.clock == .trusted && tripped.verifies(boxKey: bench.identity.key))
            #expect(bench.records.map(\.sequence) == Array(1...UInt64(bench.records.count)))
        }
    }

    // MARK: tags

    @Test("A known tag disarms; an unknown one does not, and is written down without its number")
    func tags() async throws {
        try await Bench.run { bench in
            await bench.meet()
            let (number, tag) = ([UInt8]([4, 1, 2, 3]), id())
            let digest = try BoxTag.digest(of: number, boxKey: bench.identity.key)
            await bench.controller.receive(.settings(try bench.settings(1, tags: [.init(id: tag, digest: digest)])))
            await bench.controller.press()
            await bench.controller.hold([4, 1, 2, 4])
            let unknown = try #require(bench.records.last?.content)
            #expect(unknown.kind == .unknownTag && unknown.cause == .tag)
            #expect(await bench.panel.state == .triggered)
            #expect(!unknown.credential.bytes.starts(with: [4, 1, 2, 4]))
            await bench.controller.hold(number)
            let known = try #require(bench.records.last?.content)
            #expect(known.kind == .panelChanged && known.cause == .tag && known.credential == tag)
            #expect(await bench.panel.state == .disarmed)
            #expect(bench.state("siren/state") == "OFF")
            // What is no tag is none.
            await bench.controller.hold([])
            await bench.controller.hold([UInt8](repeating: 1, count: 11))
            #expect(bench.records.last?.content.cause == .tag && bench.records.last?.content.credential == tag)
        }
    }

    @Test("A tag is learnt after an order, within its time, once")
    func learning() async throws {
        try await Bench.run { bench in
            await bench.meet()
            let order = try await bench.order(.learnTag)
            await bench.give(order)
            await bench.controller.hold([9, 9, 9, 9])
            let learnt = try #require(bench.records.last?.content)
            #expect(learnt.kind == .tagLearnt && learnt.credential == order.id)
            #expect(try learnt.digest == BoxTag.digest(of: [9, 9, 9, 9], boxKey: bench.identity.key).bytes)
            await bench.controller.hold([8, 8, 8, 8])
            #expect(bench.records.last?.content.kind == .unknownTag)
            await bench.give(try await bench.order(.learnTag, counter: 2))
            await bench.wait(60_000)
            await bench.controller.hold([9, 9, 9, 9])
            #expect(bench.records.last?.content.kind == .unknownTag)
        }
    }

    @Test(
        "A tag that disarms does so although another is to be learnt, and what was asked for before arming is not learnt"
    )
    func learningWhileArmed() async throws {
        try await Bench.run { bench in
            await bench.meet()
            let (number, tag) = ([UInt8]([4, 1, 2, 3]), id())
            let digest = try BoxTag.digest(of: number, boxKey: bench.identity.key)
            await bench.controller.receive(.settings(try bench.settings(1, tags: [.init(id: tag, digest: digest)])))
            await bench.give(try await bench.order(.learnTag))
            await bench.controller.press()
            await bench.controller.hold(number)
            #expect(bench.records.last?.content.cause == .tag)
            #expect(await bench.panel.state == .disarmed)
            // The tag to be learnt may still come; once the house is armed it may not.
            await bench.controller.hold(number)
            #expect(bench.records.last?.content.kind == .tagLearnt)
            await bench.give(try await bench.order(.learnTag, counter: 2))
            await bench.give(try await bench.order(.arm, mode: .home, counter: 3))
            await bench.controller.hold([9, 9, 9, 9])
            #expect(bench.records.last?.content.kind == .unknownTag)
        }
    }

    // MARK: plain commands

    @Test("Retained commands are refused and said so; a plain command opens no valve and silences no alarm")
    func commands() async throws {
        try await Bench.run { bench in
            await bench.meet()
            func set(_ actuator: String, _ payload: String, retained: Bool = false) async {
                await bench.controller.receive("\(actuator)/set", Array(payload.utf8), isRetained: retained)
            }
            await set("fan", "80", retained: true)
            #expect(bench.state("notice/state") == "fan: a retained command is not obeyed")
            #expect(bench.state("fan/state") == #"{"state":"OFF","value":0}"#)
            await set("fan", "80")
            #expect(bench.state("fan/state") == #"{"state":"ON","value":80}"#)
            await set("fan", "30")
            #expect(bench.state("fan/state") == #"{"state":"OFF","value":0}"#)
            await set("valve", "CLOSE")
            #expect(bench.state("valve/state") == "closed")
            await set("valve", "OPEN")
            #expect(bench.state("valve/state") == "closed")
            #expect(bench.state("notice/state") == "valve: it is opened by an order alone")
            await bench.give(try await bench.order(.openValve))
            #expect(bench.state("valve/state") == "open")
            await set("siren", #"{"state":"ON"}"#)
            #expect(bench.state("siren/state") == "ON")
            await set("siren", "OFF")
            #expect(bench.state("siren/state") == "OFF")
            await bench.controller.press()
            await set("siren", "OFF")
            #expect(bench.state("siren/state") == "ON")
            #expect(bench.state("notice/state") == "siren: an alarm is silenced by an order alone")
            // The hub tells every siren of a house that sounds, and takes that back before its order: no refusal, and no silence.
            let refusals = bench.said.value.count { $0.topic == "notice/state" }
            await set("siren", "ON")
            await set("siren", "OFF")
            #expect(bench.state("siren/state") == "ON")
            #expect(bench.said.value.count { $0.topic == "notice/state" } == refusals)
            await bench.give(try await bench.order(.silence, counter: 2))
            #expect(bench.state("siren/state") == "OFF")
            #expect(await bench.panel.state == .triggered)
            await set("led", "1,2,3")
            await bench.give(try await bench.order(.disarm, counter: 3))
            #expect(bench.state("led/state") == #"{"state":"ON","value":"1,2,3"}"#)
            await set("lcd", "Back at eight")
            #expect(bench.state("lcd/state") == "Disarmed - Back at eight")
            await set("camera", "ON")
            let picture = bench.said.value.last { $0.topic == "camera/state" }
            #expect(picture?.payload.starts(with: [0x89, 0x50, 0x4e, 0x47]) == true)
            await set("plug", "perhaps")
            #expect(bench.state("notice/state") == "plug: not understood")
        }
    }

    @Test("A test sounds for a moment and changes nothing")
    func test() async throws {
        try await Bench.run { bench in
            await bench.meet()
            await bench.give(try await bench.order(.test))
            #expect(bench.state("siren/state") == "ON")
            await bench.wait(3_000)
            #expect(bench.state("siren/state") == "OFF")
            #expect(await bench.panel == Panel())
        }
    }

    // MARK: settings

    @Test("Older settings, those under another key, and the same once more change nothing")
    func settingsOrder() async throws {
        try await Bench.run { bench in
            await bench.meet()
            await bench.controller.receive(.settings(try bench.settings(4, gas: 300_000)))
            await bench.controller.receive(.settings(try bench.settings(3, gas: 900_000)))
            await bench.controller.receive(.settings(try bench.settings(4, gas: 900_000)))
            await bench.controller.receive(
                .settings(try Bench.settings(9, gas: 900_000, Key(Random.bytes(32))!)))
            #expect(await bench.controller.core.setup[.gas].threshold?.level == 300)
            try await bench.restarted { bench in
                #expect(await bench.controller.core.setup[.gas].threshold?.level == 300)
            }
        }
    }

    @Test("Settings cut at any byte are none: the box stands as it was made, and takes them again, but no older ones")
    func settingsCut() async throws {
        try await Bench.run { bench in
            await bench.meet()
            let settings = try bench.settings(4, gas: 300_000)
            await bench.controller.receive(.settings(settings))
            let (path, whole) = (bench.folder + "/settings", settings.encoded())
            #expect(try Files.read(path) == whole)
            for count in 0..<whole.count {
                try Files.replace(path, with: Array(whole.prefix(count)))
                #expect(bench.memory.settings(bench.identity.key) == nil)
            }
            // A cut while they are written leaves a file beside them, and them as they were.
            try Files.replace(path, with: whole)
            try Files.replace(path + ".new", with: Array(whole.prefix(40)))
            #expect(bench.memory.settings(bench.identity.key)?.version == 4)
            try Files.replace(path, with: Array(whole.prefix(40)))
            try await bench.restarted { bench in
                #expect(await bench.controller.core.setup.version == 0)
                #expect(await bench.controller.core.setup[.gas].threshold?.level == 400)
                await bench.meet()
                await bench.controller.receive(.settings(try bench.settings(3, gas: 900_000)))
                #expect(await bench.controller.core.setup.version == 0)
                await bench.controller.receive(.settings(settings))
                #expect(await bench.controller.core.setup.version == 4)
            }
        }
    }

    @Test(
        "While the box cannot read what it keeps, new settings wait and an alarm sounds; it tells what happened when it can"
    )
    func unreadable() async throws {
        try await Bench.run { bench in
            await bench.meet()
            await bench.controller.receive(.settings(try bench.settings(4, gas: 300_000)))
            try await bench.memory.store.write { database in
                try database.execute("ALTER TABLE facts RENAME TO facts_away")
                try database.execute("ALTER TABLE journal RENAME TO journal_away")
            }
            await bench.controller.receive(.settings(try bench.settings(5, gas: 900_000)))
            #expect(await bench.controller.core.setup[.gas].threshold?.level == 300)
            await bench.sense(.gas, 700)
            #expect(await bench.panel.state == .triggered)
            await bench.controller.tellAgain()
            #expect(bench.records.isEmpty)
            try await bench.memory.store.write { database in
                try database.execute("ALTER TABLE facts_away RENAME TO facts")
                try database.execute("ALTER TABLE journal_away RENAME TO journal")
            }
            await bench.controller.tellAgain()
            #expect(bench.records.map(\.content.kind) == [.thresholdReached, .tripped])
            await bench.controller.receive(.settings(try bench.settings(5, gas: 900_000)))
            #expect(await bench.controller.core.setup[.gas].threshold?.level == 900)
        }
    }

    // MARK: restarts

    @Test(
        "Restarted in the entry delay, the box goes on with the time that was left",
        arguments: [3_000, 30_000, -60_000])
    func restartPending(away: Int64) async throws {
        try await Bench.run { bench in
            await bench.meet()
            await bench.controller.receive(.settings(try bench.settings(1)))
            await bench.give(try await bench.order(.arm, mode: .home))
            await bench.sense(.door, 1)
            #expect(await bench.panel.state == .pending)
            await bench.wait(5_000)
            // Somebody may put the clock back meanwhile; it prolongs nothing.
            bench.wall.change { $0 = $0.adding(milliseconds: away) }
            try await bench.restarted { bench in
                let left = await bench.panel.left(at: 5_000)
                // 15 s were left; counted from the last time that something was written, at the trip.
                #expect(left == (away == 3_000 ? 12_000 : away == 30_000 ? 0 : 20_000))
                // The door still stands open: that is nothing new.
                await bench.controller.sense([.door: 1])
                #expect(await bench.panel.state == (away == 30_000 ? .triggered : .pending))
                await bench.wait(UInt64(left ?? 0), [.door: 1])
                #expect(await bench.panel.state == .triggered)
            }
        }
    }

    @Test("With the hub away gas sounds, and everything is told in order when it is back, once")
    func hubAway() async throws {
        try await Bench.run { bench in
            await bench.sense(.gas, 700)
            #expect(await bench.panel.state == .triggered)
            await bench.sense(.gas, 100)
            await bench.wait(1_000)
            await bench.controller.press()
            #expect(bench.said.value.isEmpty)
            try await bench.restarted { bench in
                #expect(await bench.panel.state == .triggered)
                await bench.meet()
                #expect(
                    bench.records.map(\.content.kind) == [.thresholdReached, .tripped, .thresholdLeft, .panelChanged])
                #expect(bench.records.map(\.sequence) == [1, 2, 3, 4])
                for record in bench.records.prefix(2) { try await bench.acknowledge(record) }
                try await bench.restarted { bench in
                    await bench.meet()
                    #expect(bench.records.map(\.sequence) == [3, 4])
                    for record in bench.records { try await bench.acknowledge(record) }
                    #expect(try bench.memory.waiting() == 0)
                    await bench.wait(1_000)
                    await bench.controller.press()
                    #expect(bench.records.last?.sequence == 5)
                }
            }
        }
    }

    @Test("An acknowledgement under another key, or for another journal, takes nothing away")
    func acknowledgements() async throws {
        try await Bench.run { bench in
            await bench.meet()
            await bench.controller.press()
            let record = try #require(bench.records.last)
            await bench.controller.receive(
                .acknowledgement(try Bench.acknowledgement(record, Key(Random.bytes(32))!)))
            let other = BoxRecord(
                journalID: id(), sequence: record.sequence, content: record.content, boxKey: bench.identity.key)
            try await bench.acknowledge(other)
            #expect(try bench.memory.waiting() == 1)
            await bench.controller.tellAgain()
            #expect(bench.records.filter { $0.sequence == record.sequence }.count == 2)
            try await bench.acknowledge(record)
            #expect(try bench.memory.waiting() == 0)
        }
    }

    // MARK: states

    @Test("States say their unit, their time once it is known, and that the sensor warms up")
    func states() async throws {
        try await Bench.run { bench in
            await bench.connect()
            await bench.controller.sense([.gas: 612, .distance: 88, .door: 1], isWarming: true)
            #expect(bench.state("gas/state") == #"{"value":612,"warming":true}"#)
            #expect(bench.state("distance/state") == #"{"value":88,"unit":"cm"}"#)
            #expect(bench.state("door/state") == "ON")
            await bench.tellTime()
            await bench.wait(2_000, [.gas: 212])
            #expect(bench.state("gas/state") == #"{"value":212,"at":"2026-11-21T12:00:02.000Z"}"#)
            #expect(bench.state("availability") == "online")
            #expect(bench.said.value.allSatisfy { $0.isRetained || ["up", "notice/state"].contains($0.topic) })
        }
    }

    @Test("It describes itself when it comes, and again when whoever reads that says that it is there")
    func discovery() async throws {
        try await Bench.run { bench in
            await bench.connect()
            let topic = "homeassistant/device/\(bench.identity.box.hex)/config"
            func count() -> Int { bench.said.value.filter { $0.topic == topic }.count }
            #expect(count() == 1)
            await bench.controller.receive("homeassistant/status", Array("offline".utf8), isRetained: false)
            await bench.controller.receive("homeassistant/status", Array("online".utf8), isRetained: true)
            #expect(count() == 1)
            await bench.controller.receive("homeassistant/status", Array("online".utf8), isRetained: false)
            #expect(count() == 2)
            let message = try #require(bench.state(topic))
            for sensor in BoxSensor.allCases { #expect(message.contains("\"\(sensor.rawValue)/state\"")) }
            for actuator in BoxActuator.allCases where actuator != .camera {
                #expect(message.contains("\"\(actuator.rawValue)/set\""))
            }
            #expect(message.contains(#""origin":{"name":"soglia""#) && message.contains(#""speed_range_min":50"#))
        }
    }

    @Test("What the hub ordered and the box does not do it says, by the order's id; who did not make it hears nothing")
    func refusedOrders() async throws {
        try await Bench.run { bench in
            await bench.meet()
            let late = try await bench.order(.silence, late: -1)
            await bench.give(late)
            #expect(bench.refused.map(\.id) == [late.id] && bench.refused.map(\.why) == [.late])
            #expect(bench.refused[0].verifies(boxKey: bench.identity.key))
            await bench.give(try await bench.order(.silence, key: Key([UInt8](repeating: 1, count: 32))!))
            #expect(bench.refused.count == 1)
            let good = try await bench.order(.silence)
            await bench.give(good)
            await bench.give(good)
            #expect(bench.refused.map(\.why) == [.late, .used])
        }
    }

    @Test(
        "A box that was led ahead takes orders again half a minute after its hub's clock is right",
        arguments: [150, 25_920_000, 95_040_000])
    func ledAhead(by seconds: Int64) async throws {
        try await Bench.run { bench in
            await bench.meet()
            func tell(_ ahead: Int64) async {
                bench.uptime.change { $0 += 4_000 }
                bench.wall.change { $0 = $0.adding(milliseconds: 4_000) }
                await bench.controller.sayHello()
                await bench.tellTime(bench.wall.value.adding(milliseconds: ahead * 1_000))
            }
            for _ in 0..<7 { await tell(seconds) }
            await bench.give(try await bench.order(.test))
            #expect(bench.refused.map(\.why) == [.late])
            for _ in 0..<7 { await tell(0) }
            await bench.give(try await bench.order(.test))
            #expect(bench.refused.count == 1)
        }
    }
}
