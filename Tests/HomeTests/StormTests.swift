import Bus
import System
import Template
import Testing

@testable import Home
@testable import Household

/// What one gateway may cost the hub that hears all the others.
struct StormTests {
    /// A house in which so many sensors are told on one topic, each by a member of its own.
    private func run(
        sensors count: Int, _ test: (TestHouse, Intake, [Sensor]) async throws -> Void
    ) async throws {
        try await TestHouse.run { house in
            var sensors: [Sensor] = []
            for number in 0..<count {
                sensors.append(
                    try await house.sensor(
                        "z\(number)", .temperature, binding: SensorBinding(topic: "all", path: ["z\(number)"])))
            }
            try await test(house, house.parts.makeIntake(), sensors)
        }
    }

    private func message(_ house: TestHouse, bytes: Int, isRetained: Bool = false) -> BusMessage {
        let members = #"{"z0":1,"z39":2,"pad":""#
        let padding = String(repeating: "x", count: max(0, bytes - members.utf8.count - 2))
        return BusMessage(
            topic: house.gateway.prefix + "all", payload: Array((members + padding + "\"}").utf8),
            isRetained: isRetained)
    }

    private func isAside(_ house: TestHouse, _ sensor: Sensor) -> Bool {
        house.parts.live.sensor(sensor.id).status == .isolated
    }

    @Test func `Of many readers the first read every message, the others what the hub has time for`() async throws {
        try await run(sensors: 40) { house, intake, sensors in
            func heard(_ sensor: Sensor) -> Int { recorder.readings(of: sensor).count }
            let recorder = Recorder()
            house.parts.readings.add(recorder)
            // 600 light ones a second, and ten seconds' worth at once: 36 times 59 is in it twice.
            for number in 1...10 {
                await intake.receive([message(house, bytes: 60_000)])
                #expect(heard(sensors[0]) == number, "the first one reads all")
                #expect(heard(sensors[39]) == min(number, 2))
            }
            #expect(house.parts.live.refusals(of: sensors[39].id)?.reason == .tooMuch)
            #expect(isAside(house, sensors[0]) == false)
            await intake.pass(seconds: 10, in: house)
            await intake.receive([message(house, bytes: 60_000)])
            #expect(heard(sensors[39]) == 3)
        }
    }

    /// So many sensors whose templates compute as much as they may.
    private func computing(_ count: Int, in house: TestHouse) async throws -> [Sensor] {
        var sensors: [Sensor] = []
        for number in 0..<count {
            let binding = SensorBinding(topic: "all", template: try Template("{{ value|title|title|title|length }}"))
            sensors.append(try await house.sensor("z\(number)", .number, binding: binding))
        }
        return sensors
    }

    private func long(_ house: TestHouse, isRetained: Bool = false) -> BusMessage {
        BusMessage(
            topic: house.gateway.prefix + "all", payload: [UInt8](repeating: UInt8(ascii: "a"), count: 1_000),
            isRetained: isRetained)
    }

    @Test func `What templates compute from one message has a bound, and the house is told of the rest`() async throws {
        try await TestHouse.run { house in
            let sensors = try await computing(40, in: house)
            let recorder = Recorder()
            house.parts.readings.add(recorder)
            var limits = IntakeLimits()
            limits.workPerMessage = 1_000_000
            let intake = house.parts.makeIntake(limits)
            await intake.receive([long(house)])
            // Each of them costs some 60,000.
            let heard = sensors.map { recorder.readings(of: $0).count }
            #expect(heard == Array(repeating: 1, count: 17) + Array(repeating: 0, count: 23))
            #expect(house.parts.live.refusals(of: sensors[39].id)?.reason == .tooMuch)
            #expect(house.parts.live.refusals(of: sensors[0].id) == nil)
            #expect(house.faults.count == 1 && !isAside(house, sensors[0]))
            // With room for all of them nothing is told.
            #expect(IntakeLimits().workPerMessage > 40 * Template.mostCost)
        }
    }

    @Test(arguments: [true, false])
    func `What templates computed takes from the gateway's share, also of what was kept`(_ isRetained: Bool)
        async throws
    {
        try await TestHouse.run { house in
            let sensors = try await computing(20, in: house)
            let intake = house.parts.makeIntake()
            var messages = 0
            while house.parts.live.refusals(of: sensors[19].id) == nil, messages < 200 {
                await intake.receive([long(house, isRetained: isRetained)])
                messages += 1
            }
            // Of 5,000 light ones a message of 64 takes 75 more: it is no 78 messages.
            #expect((20...40).contains(messages), "\(messages)")
            #expect(house.parts.live.refusals(of: sensors[0].id) == nil)
        }
    }

    @Test func `Availabilities and actuators with templates weigh as much as sensors with them`() async throws {
        try await TestHouse.run { house in
            for number in 0..<6 {
                var binding = SensorBinding(topic: "s\(number)")
                binding.availability = [
                    Availability(topic: "all", template: try Template("{{ 'online' if value == '\(number)' }}"))
                ]
                _ = try await house.sensor("z\(number)", .number, binding: binding)
            }
            let intake = house.parts.makeIntake()
            await intake.look()
            let route = await intake.table.routes[house.gateway.prefix + "all"]
            #expect(route?.weightToOthers(of: long(house)) == 8)
        }
    }

    @Test func `What somebody adds to a topic reads after what was there, and takes nothing from it`() async throws {
        try await TestHouse.run { house in
            let recorder = Recorder()
            house.parts.readings.add(recorder)
            let intake = house.parts.makeIntake()
            for number in 0..<250 {
                _ = try await house.sensor(
                    "added\(number)", .temperature, alarmClass: .environmental,
                    binding: SensorBinding(topic: "all", path: ["z0"]))
            }
            let described = Device(
                id: .new(at: noon), site: house.site.id, gateway: house.gateway.id, key: "hall", name: "Hall",
                origin: .discovered)
            try await house.parts.registry.change(at: house.site.id) { try HomeRecords.put(described, in: $0) }
            let smoke = try await house.sensor(
                "smoke", .smoke, of: described, binding: SensorBinding(topic: "all", path: ["z39"], on: "2", off: "1"))
            for number in 1...8 {
                await intake.receive([message(house, bytes: 30_000)])
                #expect(recorder.readings(of: smoke).count == number)
            }
            #expect(isAside(house, smoke) == false)
        }
    }

    @Test func `The zones of an alarm panel in one message are read, however long it is, and whatever was added`()
        async throws
    {
        try await TestHouse.run { house in
            let recorder = Recorder()
            house.parts.readings.add(recorder)
            let intake = house.parts.makeIntake()
            let panel = Device(
                id: .new(at: noon), site: house.site.id, gateway: house.gateway.id, key: "panel", name: "Panel",
                origin: .discovered)
            try await house.parts.registry.change(at: house.site.id) { try HomeRecords.put(panel, in: $0) }
            for number in 0..<100 {
                _ = try await house.sensor(
                    "added\(number)", .motion, binding: SensorBinding(topic: "all", path: ["z0"], on: "1"))
            }
            var zones: [Sensor] = []
            for number in 0..<8 {
                zones.append(
                    try await house.sensor(
                        "zone\(number)", .motion, of: panel,
                        binding: SensorBinding(topic: "all", path: ["z39"], on: "2", off: "1")))
            }
            for number in 1...6 {
                await intake.receive([message(house, bytes: 30_000)])
                for zone in zones { #expect(recorder.readings(of: zone).count == number) }
            }
        }
    }

    @Test func `Heavy messages without end are a storm, whoever reads them, and what the broker kept counts, too`()
        async throws
    {
        for isRetained in [false, true] {
            try await run(sensors: 40) { house, intake, sensors in
                // 236 to the first four, and what it weighs unread.
                for _ in 0..<24 { await intake.receive([message(house, bytes: 60_000, isRetained: isRetained)]) }
                #expect(isAside(house, sensors[0]) == false)
                for _ in 0..<3 { await intake.receive([message(house, bytes: 60_000, isRetained: isRetained)]) }
                #expect(isAside(house, sensors[0]))
            }
        }
    }

    @Test func `Forty sensors that are told of once a second, all day, are no storm`() async throws {
        try await run(sensors: 40) { house, intake, sensors in
            for _ in 0..<120 {
                await intake.receive([message(house, bytes: 8_000)])
                await intake.pass(seconds: 1, in: house)
            }
            #expect(isAside(house, sensors[39]) == false)
        }
    }

    @Test func `A word on which many things hang costs what it touches, and an honest one is no storm`() async throws {
        try await TestHouse.run { house in
            let intake = house.parts.makeIntake()
            var sensors: [Sensor] = []
            for number in 0..<200 {
                sensors.append(
                    try await house.sensor(
                        "s\(number)", .temperature,
                        binding: SensorBinding(topic: "s\(number)/state", availability: [Availability(topic: "there")]))
                )
            }
            func say(_ word: String) async { await intake.receive("there", word, from: house.gateway) }
            await intake.receive("s0/state", "7", from: house.gateway)
            for word in ["offline", "online", "offline", "online", "online"] {
                await say(word)
                let isThere = word == "online"
                #expect(house.parts.live.sensor(sensors[0].id).status == (isThere ? .live : .unavailable))
                #expect(house.parts.live.gateway(house.gateway.id).isThere == isThere)
            }
            // 50 to look at them, 50 for each time that all of the gateway goes or comes, of 22,000.
            for _ in 0..<80 { for word in ["offline", "online"] { await say(word) } }
            #expect(isAside(house, sensors[0]) == false)
            for _ in 0..<200 { for word in ["offline", "online"] { await say(word) } }
            #expect(isAside(house, sensors[0]))
        }
    }

    @Test
    func `A turn that began before what was counted last lets nothing leak twice, and a clock that was set back does`()
    {
        var meter = StormMeter(perSecond: 100, atOnce: 100, at: 1_000_000)
        func take(_ weight: Int, at now: Int64) -> Bool { meter.take(weight, at: now) }
        var isOver: [Bool] = []
        for _ in 0..<60 { isOver += [take(1, at: 1_000_000), take(1, at: 1_000_500)] }
        #expect(isOver.count { $0 } == 20 - 1, "one of the first leaked in the first half second")
        #expect(take(10, at: 1_000_500))
        #expect(!take(10, at: 1_000_700), "a fifth of a second later there is room")
        #expect(take(90, at: 1_000))
        #expect(!take(10, at: 1_200), "set back, it goes on from there")
    }

    @Test func `So it does where something else is in reach all the time`() async throws {
        try await TestHouse.run { house in
            let intake = house.parts.makeIntake()
            let other = try await house.sensor("other", .temperature)
            for number in 0..<200 {
                _ = try await house.sensor(
                    "s\(number)", .temperature,
                    binding: SensorBinding(topic: "s\(number)/state", availability: [Availability(topic: "there")]))
            }
            for number in 0..<500 {
                await intake.receive("there", number.isMultiple(of: 2) ? "offline" : "online", from: house.gateway)
            }
            #expect(isAside(house, other))
        }
    }

    @Test func `Who is there is known by each of many words, whichever goes and comes`() async throws {
        try await TestHouse.run { house in
            let intake = house.parts.makeIntake()
            var sensors: [Sensor] = []
            for number in 0..<5 {
                sensors.append(
                    try await house.sensor(
                        "s\(number)", .temperature,
                        binding: SensorBinding(
                            topic: "s\(number)/state", availability: [Availability(topic: "there\(number)")])))
            }
            func say(_ word: String, _ number: Int) async {
                await intake.receive("there\(number)", word, from: house.gateway)
            }
            var isThere = [Bool](repeating: true, count: 5)
            for (word, number) in [
                ("offline", 0), ("offline", 3), ("offline", 1), ("offline", 4), ("offline", 2), ("offline", 2),
                ("online", 4), ("offline", 4), ("online", 0), ("online", 2), ("offline", 0), ("online", 1),
            ] {
                await say(word, number)
                isThere[number] = word == "online"
                #expect(house.parts.live.gateway(house.gateway.id).isThere == isThere.contains(true), "\(isThere)")
            }
        }
    }

    @Test func `Two hundred devices that describe themselves at once are no storm`() async throws {
        try await TestHouse.run { house in
            let intake = house.parts.makeIntake()
            let gas = try await house.sensor("gas", .gas)
            let message = BusMessage(
                topic: house.gateway.prefix + "homeassistant/sensor/x/config",
                payload: [UInt8](repeating: 0x20, count: 900),
                isRetained: false)
            await intake.receive(Array(repeating: message, count: 3_400))
            #expect(isAside(house, gas) == false)
        }
    }

    @Test func `Pictures twenty times a second are no storm, for nobody reads them at once`() async throws {
        try await TestHouse.run { house in
            let intake = house.parts.makeIntake()
            let camera = try await house.sensor("camera", .snapshot)
            let message = BusMessage(
                topic: house.gateway.prefix + "camera/state", payload: [UInt8](repeating: 0xff, count: 120_000),
                isRetained: false)
            for _ in 0..<30 {
                await intake.receive(Array(repeating: message, count: 20))
                await intake.pass(seconds: 1, in: house)
            }
            #expect(isAside(house, camera) == false)
        }
    }

    @Test func `However many sensors a gateway has, there is a most that it may send`() async throws {
        var limits = IntakeLimits()
        (limits.perSecondAtMost, limits.atLeastAtOnce) = (300, 0)
        try await TestHouse.run { house in
            let intake = house.parts.makeIntake(limits)
            var sensors: [Sensor] = []
            for number in 0..<40 { sensors.append(try await house.sensor("s\(number)", .temperature)) }
            let message = BusMessage(topic: house.gateway.prefix + "s0/state", payload: [0x37], isRetained: false)
            await intake.receive(Array(repeating: message, count: 2_900))
            #expect(isAside(house, sensors[0]) == false)
            await intake.receive(Array(repeating: message, count: 200))
            #expect(isAside(house, sensors[0]))
        }
    }

    @Test func `Who adds sensor after sensor does not begin anew`() async throws {
        try await TestHouse.run { house in
            let intake = house.parts.makeIntake()
            let first = try await house.sensor("s", .temperature)
            let message = BusMessage(topic: house.gateway.prefix + "s/state", payload: [0x37], isRetained: false)
            for number in 0..<7 {
                _ = try await house.sensor("more\(number)", .temperature)
                await intake.receive(Array(repeating: message, count: 1_000))
            }
            #expect(isAside(house, first))
        }
    }

    @Test func `What was dropped of one gateway is missed of that one alone`() async throws {
        try await TestHouse.run { house in
            let intake = house.parts.makeIntake()
            let (other, device) = try await house.gateway("Other")
            _ = try await house.sensor("a", .motion)
            _ = try await house.sensor("b", .motion, of: device)
            for (gateway, topic) in [(house.gateway, "a/state"), (other, "b/state")] {
                await intake.receive(topic, "OFF", from: gateway)
            }
            let after = BusMessage(
                topic: house.gateway.prefix + "nothing", payload: [], isRetained: false, gapsOfSender: 1)
            await intake.receive([after])
            let table = await intake.table
            #expect(table.gateways.filter { $0.gaps == 1 }.map(\.gateway.id) == [house.gateway.id])
            #expect(table.gateways.filter { $0.gaps == 0 }.map(\.gateway.id) == [other.id])
        }
    }

    @Test func `What the broker dropped of a gateway is told to its house once, until it is over`() async throws {
        try await TestHouse.run { house in
            let intake = house.parts.makeIntake()
            let cut = { (name: String) in
                BusMessage(topic: Broker.cutTopic, payload: Array(name.utf8), isRetained: false)
            }
            let standing = { house.parts.alarms.standing(at: house.site.id) }
            await intake.receive([cut("another"), cut("")])
            #expect(standing().isEmpty)
            let heard = { await intake.table.gateways.map(\.isPresenceHeard) }
            await intake.receive("availability", "online", from: house.gateway)
            let unkept = BusMessage(
                topic: Broker.unkeptTopic, payload: Array(house.gateway.username.utf8), isRetained: false)
            await intake.receive([unkept])
            #expect(await heard() == [true], "what was heard is newer than what is kept")
            await intake.receive([cut(house.gateway.username), cut(house.gateway.username)])
            #expect(await heard() == [false])
            #expect(standing().map(\.kind) == [.fault])
            #expect(standing().first?.text[.en].title.contains(house.gateway.name) == true)
            await intake.pass(seconds: 599, in: house)
            #expect(standing().count == 1)
            await intake.pass(seconds: 1, in: house)
            #expect(standing().isEmpty)
        }
    }

    @Test func `Of a gateway that loses words, is put aside and is shut out, its house has one fault at a time`()
        async throws
    {
        try await run(sensors: 40) { house, intake, _ in
            let titles = {
                house.parts.alarms.standing(at: house.site.id).map { $0.text[.en].title }
            }
            let cut = BusMessage(
                topic: Broker.cutTopic, payload: Array(house.gateway.username.utf8), isRetained: false)
            await intake.receive([cut])
            #expect(titles() == [AlarmMessage.gateway(name: house.gateway.name, trouble: .cut).text[.en].title])
            await intake.receive(Array(repeating: message(house, bytes: 200_000), count: 1_000))
            #expect(titles() == [AlarmMessage.gateway(name: house.gateway.name, trouble: .storm).text[.en].title])
            await intake.receive([cut])
            await intake.shutOut(house.gateway.id)
            #expect(titles() == [AlarmMessage.gateway(name: house.gateway.name, trouble: .hoard).text[.en].title])
        }
    }
}
