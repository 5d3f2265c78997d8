import Bus
import Identity
import Ledger
import System
import TestSupport
import Testing
import Wire

@testable import Home
@testable import Household

/// Home on a real broker.
@Suite(.serialized)
struct HomeBusTests {
    private func run(
        _ test: (TestHouse, TestBus, Recorder) async throws -> Void
    ) async throws {
        try await TestHouse.runWithBroker { house, bus in
            let recorder = Recorder()
            house.parts.readings.add(recorder)
            house.parts.bus.add(recorder)
            try await test(house, bus, recorder)
        }
    }

    /// Whether the house stands under so many faults.
    private func faults(_ house: TestHouse) -> Int {
        house.parts.alarms.standing(at: house.site.id).count { $0.kind == .fault }
    }

    @Test func `A reading comes through, and what the broker kept comes as such`() async throws {
        try await run { house, bus, recorder in
            let gas = try await house.sensor("gas", .gas)
            let device = try await bus.client(house.gateway)
            let topic = house.gateway.prefix + "gas/state"
            try device.publish(topic, Array("900".utf8), quality: .atLeastOnce, retain: true)
            try await bus.begin(house.parts.makeIntake())
            #expect(await eventually { recorder.readings(of: gas).count == 1 })
            try device.publish(topic, Array("12".utf8), quality: .atLeastOnce, retain: true)
            #expect(await eventually { recorder.readings(of: gas).count == 2 })
            #expect(recorder.readings(of: gas).map(\.isRetained) == [true, false])
        }
    }

    @Test func `What the hub tells a dead gateway brings it back by no copy of its own words`() async throws {
        try await run { house, bus, recorder in
            let (other, device) = try await house.gateway("Other")
            let marker = try await house.sensor("marker", .text, of: device)
            let lamp = try await house.actuator("lamp", .light, binding: ActuatorBinding(commandTopic: "p"))
            let gateway = house.gateway
            let (dead, alive) = (try await bus.client(gateway), try await bus.client(other))
            // It counts what the broker has passed on; it says nothing from the second word on.
            let heard = Shared(0)
            try dead.subscribe(gateway.prefix + "p", quality: .atLeastOnce)
            let listening = Task { for await batch in dead.batches { heard.change { $0 += batch.count } } }
            defer { listening.cancel() }
            try await bus.begin(house.parts.makeIntake())
            // Told once where it only hears: the hub asks what the broker kept there, and so hears the topic twice.
            try house.parts.bus.publish("p", Array("ON".utf8), to: gateway)
            #expect(await eventually { heard.value >= 1 })
            try await house.parts.registry.change(at: house.site.id) { database in
                var other = lamp
                other.binding.state = SensorBinding(topic: "p")
                try HomeRecords.put(other, in: database)
            }
            try dead.publish(gateway.prefix + "availability", Array("offline".utf8), quality: .atLeastOnce)
            for word in 1...30 {
                let before = heard.value
                try house.parts.bus.publish("p", Array((word % 2 == 0 ? "ON" : "OFF").utf8), to: gateway)
                #expect(await eventually { heard.value > before })
            }
            // What comes after it all has come after it all.
            try alive.publish(other.prefix + "marker/state", Array("end".utf8), quality: .atLeastOnce)
            #expect(await eventually { !recorder.readings(of: marker).isEmpty })
            #expect(!house.parts.live.gateway(gateway.id).isThere)
            // Its own word does.
            try dead.publish(gateway.prefix + "p", Array("20".utf8), quality: .atLeastOnce)
            #expect(await eventually { house.parts.live.gateway(gateway.id).isThere })
        }
    }

    @Test(arguments: [("there", "online"), ("state", "ON")])
    func `A siren that is silent after a start is a fault, whatever the broker kept of it, until it speaks itself`(
        topic: String, word: String
    ) async throws {
        try await run { house, bus, recorder in
            var binding = ActuatorBinding(commandTopic: "siren/set")
            binding.availability = [Availability(topic: "there")]
            binding.state = SensorBinding(topic: "state")
            let siren = try await house.actuator("siren", .siren, binding: binding)
            let device = try await bus.client(house.gateway)
            let prefix = house.gateway.prefix
            try device.publish(prefix + "state", Array("OFF".utf8), quality: .atLeastOnce, retain: true)
            try await bus.begin(house.parts.makeIntake())
            #expect(await eventually { house.parts.live.actuator(siren.id).value != nil })
            func pass(_ seconds: Int) {
                for _ in 0..<seconds {
                    house.pass(1)
                    house.parts.safety.protectors.tick()
                }
            }
            func missed() -> Int {
                house.parts.alarms.standing(at: house.site.id).count { $0.actuator == siren.id }
            }
            pass(62)
            #expect(missed() == 1)
            try device.publish(prefix + topic, Array(word.utf8), quality: .atLeastOnce)
            #expect(
                await eventually {
                    house.parts.safety.protectors.tick()
                    return missed() == 0
                })
        }
    }

    @Test func `A siren that is described after its bridge said that it is there is there by that word`() async throws {
        try await run { house, bus, recorder in
            @Sendable func binding(_ places: [String]) -> ActuatorBinding {
                var binding = ActuatorBinding(commandTopic: "siren/set")
                (binding.availability, binding.availabilityMode) = (places.map { Availability(topic: $0) }, .all)
                return binding
            }
            let marker = try await house.sensor("marker", .text)
            let first = try await house.actuator("first", .siren, binding: binding(["bridge"]))
            let device = try await bus.client(house.gateway)
            let prefix = house.gateway.prefix
            try await bus.begin(house.parts.makeIntake())
            try device.publish(prefix + "bridge", Array("online".utf8), quality: .atLeastOnce, retain: true)
            var marks = 0
            func missed() async throws -> Int {
                // What was described before this is known once this is heard.
                marks += 1
                try device.publish(prefix + "marker/state", Array("\(marks)".utf8), quality: .atLeastOnce)
                #expect(await eventually { recorder.readings(of: marker).count >= marks })
                for _ in 0..<62 {
                    house.pass(1)
                    house.parts.safety.protectors.tick()
                }
                return house.parts.alarms.standing(at: house.site.id).count { $0.actuator != nil }
            }
            #expect(try await missed() == 0)
            // Where all places have to say so, one is not enough.
            let second = try await house.actuator("second", .siren, binding: binding(["bridge", "other"]))
            #expect(try await missed() == 1)
            try device.publish(prefix + "other", Array("online".utf8), quality: .atLeastOnce, retain: true)
            #expect(try await missed() == 0)
            for places in [["other", "bridge"], ["bridge"]] {
                try await house.parts.registry.change(at: house.site.id) { database in
                    var other = second
                    other.binding = binding(places)
                    try HomeRecords.put(other, in: database)
                }
                #expect(try await missed() == 0)
            }
            for retired in [noon, nil] {
                _ = try await house.parts.registry.change(at: house.site.id) {
                    try $0.execute("UPDATE home_actuators SET retired = ? WHERE id = ?", retired, first.id)
                }
                #expect(try await missed() == 0)
            }
            // The control: of a place where nobody ever said anything.
            _ = try await house.actuator("third", .siren, binding: binding(["nobody"]))
            #expect(try await missed() == 1)
        }
    }

    @Test func `A device is told that the hub is there, at each of its starts`() async throws {
        try await run { house, bus, _ in
            let device = try await bus.client(house.gateway)
            try device.subscribe(house.gateway.prefix + "homeassistant/status", quality: .atLeastOnce)
            let told = Shared(0)
            let listening = Task {
                for await batch in device.batches {
                    for message in batch where message.payload == Array("online".utf8) && !message.isRetained {
                        told.change { $0 += 1 }
                    }
                }
            }
            #expect(await eventually { device.state == .connected })
            for start in 1...2 {
                try await bus.begin(house.parts.makeIntake())
                #expect(await eventually { told.value == start })
                await bus.stopHome()
            }
            listening.cancel()
        }
    }

    @Test func `A gateway that is added while Home runs is heard at once, with what the broker kept`() async throws {
        try await run { house, bus, recorder in
            try await bus.begin(house.parts.makeIntake())
            let (added, device) = try await house.gateway("Added")
            let client = try await bus.client(added)
            let topic = added.prefix + "smoke/state"
            try client.publish(topic, Array("OFF".utf8), quality: .atLeastOnce, retain: true)
            #expect(await eventually { recorder.unbound.contains { $0.topic == "smoke/state" } })
            // Only now it is known what lies there: the broker is asked once more.
            let smoke = try await house.sensor("smoke", .smoke, of: device)
            #expect(await eventually { recorder.readings(of: smoke).first?.isRetained == true })
            try client.publish(topic, Array("ON".utf8), quality: .atLeastOnce)
            #expect(await eventually { recorder.readings(of: smoke).last?.value == .truth(true) })
        }
    }

    @Test func `A device says nothing in another's name`() async throws {
        try await run { house, bus, recorder in
            let gas = try await house.sensor("gas", .gas)
            let (other, _) = try await house.gateway("Other")
            try await bus.begin(house.parts.makeIntake())
            let liar = try await bus.client(other)
            try liar.publish(house.gateway.prefix + "gas/state", Array("0".utf8), quality: .atLeastOnce)
            try liar.publish(other.prefix + "done", Array("1".utf8), quality: .atLeastOnce)
            #expect(await eventually { recorder.unbound.contains { $0.topic == "done" } })
            #expect(recorder.readings(of: gas).isEmpty)
        }
    }

    @Test func `A storm of one device leaves the others heard`() async throws {
        try await run { house, bus, recorder in
            let gas = try await house.sensor("gas", .gas)
            let (calm, device) = try await house.gateway("Calm")
            let smoke = try await house.sensor("smoke", .smoke, of: device)
            // Less than the broker passes on at once.
            var limits = IntakeLimits()
            limits.atLeastAtOnce = 1_000
            try await bus.begin(house.parts.makeIntake(limits))
            let (loud, quiet) = (try await bus.client(house.gateway), try await bus.client(calm))
            for _ in 0..<8_000 { try loud.publish(house.gateway.prefix + "gas/state", Array("7".utf8)) }
            #expect(await eventually { house.parts.live.sensor(gas.id).status == .isolated })
            try quiet.publish(calm.prefix + "smoke/state", Array("ON".utf8), quality: .atLeastOnce)
            #expect(await eventually { recorder.readings(of: smoke).map(\.value) == [.truth(true)] })
            #expect(house.parts.live.sensor(smoke.id).status == .live)
            #expect(faults(house) == 1)
        }
    }

    @Test
    func `What a home's own broker is told comes back to nobody, and what it keeps of it comes when it is asked for`()
        async throws
    {
        try await run { house, bus, recorder in
            let (bridge, device) = try await house.gateway("Bridge", .bridge)
            let gas = try await house.sensor("gas", .gas, of: device)
            var limits = IntakeLimits()
            (limits.perSecondOfBridge, limits.perSecondOfSensor, limits.atLeastAtOnce) = (1, 1, 100)
            try await bus.begin(house.parts.makeIntake(limits))
            let home = try await bus.client(bridge)
            // More than the bridge itself may say: its own words are no storm of it.
            for number in 0..<400 {
                try house.parts.bus.publish(
                    "homeassistant/device/soglia_\(number % 2)/config", Array("\(number)".utf8), to: bridge,
                    retain: true)
            }
            #expect(try await house.parts.bus.settle())
            try home.publish(bridge.prefix + "gas/state", Array("7".utf8), quality: .atLeastOnce)
            #expect(await eventually { recorder.readings(of: gas).map(\.value) == [.number(7)] })
            #expect(house.parts.live.sensor(gas.id).status == .live)
            func told() -> [Bool] {
                recorder.unbound.filter { $0.topic.hasPrefix(GatewayTopics.ownDescriptions) }.map(\.isRetained)
            }
            #expect(told() == [])
            house.parts.bus.ask(for: bridge.prefix + "#")
            #expect(await eventually { told() == [true, true] })
        }
    }

    @Test func `A device that fills the broker's memory is shut out, its topics are cleared, and the others are heard`()
        async throws
    {
        try await run { house, bus, recorder in
            let gas = try await house.sensor("gas", .gas)
            let (calm, device) = try await house.gateway("Calm")
            let smoke = try await house.sensor("smoke", .smoke, of: device)
            let intake = house.parts.makeIntake()
            try await bus.begin(intake)
            let (greedy, quiet) = (try await bus.client(house.gateway), try await bus.client(calm))
            try greedy.publish(house.gateway.prefix + "gas/state", Array("7".utf8), quality: .atLeastOnce, retain: true)
            #expect(await eventually { recorder.readings(of: gas).count == 1 })
            let picture = [UInt8](repeating: 7, count: 200_000)
            var sent = 0
            while sent < 1_500 {
                do {
                    try greedy.publish(house.gateway.prefix + "hoard/\(sent)", picture, retain: true)
                    sent += 1
                } catch BusError.tooManyWaiting { await Task.yield() } catch BusError.notConnected { break }
            }
            #expect(await eventually { house.parts.live.sensor(gas.id).status == .isolated })
            #expect(try await isEmpty(house.gateway.prefix + "#", end: house.gateway.prefix + "end", house, bus))
            // It may have been a storm first: of all that is wrong with it its house has one fault.
            #expect(await eventually { faults(house) == 1 })
            // How much it was at its most is a matter of speed: a story looks at that, on a hub without a sanitizer.
            let broker = bus.broker
            #expect(await eventually { ((try? memory(of: await broker.processID)) ?? .max) < 100 << 20 })
            try quiet.publish(calm.prefix + "smoke/state", Array("ON".utf8), quality: .atLeastOnce)
            #expect(await eventually { recorder.readings(of: smoke).map(\.value) == [.truth(true)] })
            // Let in again, it is heard like any other.
            #expect(await intake.release(house.gateway.id))
            let key = try #require(house.gateway.key)
            let again = try await bus.connect(
                BusCredentials(username: house.gateway.username, password: BusNames.password(key: key)))
            try again.publish(house.gateway.prefix + "gas/state", Array("8".utf8), quality: .atLeastOnce, retain: true)
            #expect(await eventually { recorder.readings(of: gas).last?.value == .number(8) })
        }
    }

    /// The memory that a process has, in bytes.
    private func memory(of process: Int32?) throws -> Int {
        let status = String(decoding: try Files.read("/proc/\(process ?? 0)/status"), as: UTF8.self)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
        return try #require(Int(line.split(whereSeparator: { $0 == " " || $0 == "\t" })[1])) << 10
    }

    @Test func `What the broker keeps of a device that is taken out of use is cleared`() async throws {
        try await run { house, bus, recorder in
            try await bus.begin(house.parts.makeIntake())
            let device = try await bus.client(house.gateway)
            let topic = house.gateway.prefix + "done"
            try device.publish(topic, [1], quality: .atLeastOnce, retain: true)
            #expect(await eventually { recorder.unbound.contains { $0.topic == "done" } })
            await device.stop()
            try await house.parts.gatewayDesk.retire(house.gateway.id, at: house.site.id, by: .new(at: noon))
            #expect(try await isEmpty(topic, house, bus))
        }
    }

    @Test func `Where the broker is away no device is taken out of use, and none comes in that was afterwards`()
        async throws
    {
        try await run { house, bus, recorder in
            try await bus.begin(house.parts.makeIntake())
            let device = try await bus.client(house.gateway)
            let desk = house.parts.gatewayDesk
            func retire() async throws {
                try await desk.retire(house.gateway.id, at: house.site.id, by: .new(at: noon))
            }
            func isInUse() -> Bool { house.parts.registry.catalog.gateways[house.gateway.id] != nil }
            await bus.stopBroker()
            await #expect(throws: (any Error).self) { try await retire() }
            #expect(isInUse())
            try await bus.broker.start()
            let control = house.parts.given.bus!.control
            #expect(await eventually { (try? await control.clients()) != nil && device.state == .connected })
            try await retire()
            #expect(!isInUse())
            #expect(await eventually { device.state != .connected })
            #expect(try await control.clients()[house.gateway.username] == nil)
        }
    }

    @Test func `A siren that was away when it was to be still is told when it is back`() async throws {
        try await run { house, bus, recorder in
            _ = try await house.actuator("siren", .siren)
            try await bus.begin(house.parts.makeIntake())
            let device = try await bus.client(house.gateway)
            try device.subscribe(house.gateway.prefix + "siren/set", quality: .atLeastOnce)
            let heard = Shared<[String]>([])
            let listening = Task {
                for await batch in device.batches {
                    heard.change { $0 += batch.map { String(decoding: $0.payload, as: UTF8.self) } }
                }
            }
            defer { listening.cancel() }
            // It listens when it hears itself.
            try device.publish(house.gateway.prefix + "siren/set", Array("begin".utf8), quality: .atLeastOnce)
            #expect(await eventually { heard.value == ["begin"] })
            heard.change { $0 = [] }
            func back() {
                house.parts.live.set(house.gateway.id, .init(isThere: false, heard: noon))
                house.parts.live.set(house.gateway.id, .init(isThere: true, heard: noon))
            }
            // One that was never to sound is left alone.
            back()
            house.panels.trigger(at: house.site.id, by: .hub)
            #expect(await eventually { heard.value == ["ON"] })
            house.panels.disarm(house.site.id, by: .hub)
            #expect(await eventually { heard.value == ["ON", "OFF"] })
            back()
            #expect(await eventually { heard.value == ["ON", "OFF", "OFF"] })
            house.panels.trigger(at: house.site.id, by: .hub)
            #expect(await eventually { heard.value == ["ON", "OFF", "OFF", "ON"] })
            back()
            house.panels.reset(house.site.id, by: .hub)
            #expect(await eventually { heard.value == ["ON", "OFF", "OFF", "ON", "OFF"] })
            // Somebody has switched it on since: that is theirs.
            let siren = try #require(house.parts.registry.catalog.actuators.values.first)
            try house.parts.actuation.set(siren, to: .on)
            back()
            try house.parts.actuation.set(siren, to: .off)
            #expect(await eventually { heard.value == ["ON", "OFF", "OFF", "ON", "OFF", "ON", "OFF"] })
        }
    }

    @Test func `A siren that is taken out of use while it sounds is told to be still as soon as it can be reached`()
        async throws
    {
        try await run { house, bus, recorder in
            let siren = try await house.actuator("siren", .siren)
            house.panels.trigger(at: house.site.id, by: .hub)
            try await house.parts.devicesDesk.change(siren.id, at: house.site.id, name: nil, isInUse: false, by: anna)
            let device = try await bus.client(house.gateway)
            try device.subscribe(house.gateway.prefix + "siren/set", quality: .atLeastOnce)
            try device.publish(house.gateway.prefix + "siren/set", Array("begin".utf8), quality: .atLeastOnce)
            let heard = Shared<[String]>([])
            let listening = Task {
                for await batch in device.batches {
                    heard.change { $0 += batch.map { String(decoding: $0.payload, as: UTF8.self) } }
                }
            }
            defer { listening.cancel() }
            #expect(await eventually { heard.value == ["begin"] })
            try await bus.begin(house.parts.makeIntake())
            house.parts.safety.tick()
            #expect(await eventually { heard.value == ["begin", "OFF"] })
        }
    }

    @Test func `A command that the broker kept is removed, at the start and later`() async throws {
        try await run { house, bus, recorder in
            let siren = Actuator(
                id: .new(at: noon), device: house.device.id, site: house.site.id, gateway: house.gateway.id,
                key: "siren", name: "Siren", kind: .siren, binding: ActuatorBinding(commandTopic: "siren/set"))
            try await house.parts.registry.change(at: house.site.id) { try HomeRecords.put(siren, in: $0) }
            let device = try await bus.client(house.gateway)
            let topic = house.gateway.prefix + "siren/set"
            try device.publish(topic, Array("ON".utf8), quality: .atLeastOnce, retain: true)
            let intake = house.parts.makeIntake()
            try await bus.begin(intake)
            #expect(await eventually { faults(house) == 1 })
            #expect(try await isEmpty(topic, house, bus))
            await intake.pass(seconds: 700, in: house)
            #expect(faults(house) == 0)
            try device.publish(topic, Array("ON".utf8), quality: .atLeastOnce, retain: true)
            #expect(await eventually { faults(house) == 1 })
            #expect(try await isEmpty(topic, house, bus))
        }
    }

    /// Whether the broker keeps nothing there, as somebody sees who comes anew.
    private func isEmpty(
        _ topic: String, end: String? = nil, _ house: TestHouse, _ bus: TestBus
    ) async throws -> Bool {
        let end = end ?? topic + "/end"
        return try await eventually {
            let witness = BusCredentials.random(username: "witness")
            try await house.parts.given.bus!.control.addClient(
                username: witness.username, password: witness.password, publish: [end],
                subscribe: [topic, end])
            let client = try await bus.connect(witness)
            try client.subscribe(topic)
            try client.subscribe(end)
            try client.publish(end, [1], quality: .atLeastOnce)
            let batches = client.batches
            return try await within("the end of what the broker keeps") {
                for await batch in batches {
                    if batch.contains(where: { $0.topic != end }) { return false }
                    if !batch.isEmpty { return true }
                }
                return false
            }
        }
    }

    @Test func `What is too long for the bus is told, and hurts nobody`() async throws {
        try await run { house, bus, recorder in
            let gas = try await house.sensor("gas", .gas)
            let intake = house.parts.makeIntake()
            try await bus.begin(intake)
            let topic = house.gateway.prefix + "gas/state"
            // Our own client would not send it: the broker's tool does.
            let device = BusCredentials.random(username: house.gateway.username)
            try await house.parts.given.bus!.control.addClient(
                username: device.username, password: device.password, publish: [house.gateway.prefix + "#"],
                subscribe: [])
            func publish(_ length: Int) async throws {
                let file = "/tmp/soglia-long-\(EventID.new(at: noon).text)"
                try Files.replace(file, with: [UInt8](repeating: 0x37, count: length))
                let tool = try await Child.start(
                    "/usr/bin/mosquitto_pub",
                    [
                        "-h", bus.broker.address.host, "-p", "\(bus.broker.address.port)", "-u", device.username,
                        "-P", device.password, "-i", device.username, "-q", "1", "-t", topic, "-f", file,
                    ], output: .none, errors: .none)
                _ = await tool.wait()
                Files.remove(file)
            }
            try await publish(100 << 10)
            #expect(await eventually { house.parts.live.refusals(of: gas.id)?.count == 1 })
            try await publish(300 << 10)
            #expect(await eventually { house.parts.live.refusals(of: gas.id)?.count == 2 })
            #expect(house.parts.live.refusals(of: gas.id)?.reason == .tooLong)
            #expect(await eventually { faults(house) == 1 })
            // The broker itself throws out whoever sends more than it takes.
            try await publish(1 << 20)
            try await publish(1)
            #expect(await eventually { recorder.readings(of: gas).map(\.value) == [.number(7)] })
        }
    }

    @Test func `Two devices with one credential throw each other out, and it is told`() async throws {
        try await run { house, bus, _ in
            try await bus.begin(house.parts.makeIntake())
            let topic = house.gateway.prefix + "availability"
            let will = BusClient.Will(topic: topic, payload: Array("offline".utf8), retain: true)
            let first = try await bus.client(house.gateway, will: will)
            let again = BusCredentials.random(username: house.gateway.username)
            try await house.parts.given.bus!.control.addClient(
                username: again.username, password: again.password, publish: [house.gateway.prefix + "#"],
                subscribe: [])
            await first.stop()
            // Both know the password now, and each says that it is there whenever it is.
            let twins = [try await bus.connect(again, will: will), try await bus.connect(again, will: will)]
            let work = twins.map { twin in
                Task {
                    for await state in twin.states where state == .connected {
                        try? twin.publish(topic, Array("online".utf8), quality: .atLeastOnce, retain: true)
                    }
                }
            }
            #expect(await eventually { faults(house) == 1 })
            for task in work { task.cancel() }
        }
    }

    @Test func `A hub that restarts hears of what reached its threshold meanwhile`() async throws {
        try await run { house, bus, recorder in
            let gas = try await house.sensor("gas", .gas)
            let device = try await bus.client(house.gateway)
            // As a device does: each value kept by the broker, and once more when the hub is there again.
            let level = Shared("12")
            let topic = house.gateway.prefix + "gas/state"
            try device.subscribe(house.gateway.prefix + "homeassistant/status", quality: .atLeastOnce)
            let work = Task {
                for await _ in device.batches {
                    try? device.publish(topic, Array(level.value.utf8), quality: .atLeastOnce, retain: true)
                }
            }
            try await bus.begin(house.parts.makeIntake())
            #expect(await eventually { recorder.readings(of: gas).last?.value == .number(12) })
            await bus.stopHome()
            level.change { $0 = "900" }
            try device.publish(topic, Array("900".utf8), quality: .atLeastOnce, retain: true)
            try await bus.begin(house.parts.makeIntake())
            #expect(await eventually { recorder.readings(of: gas).contains(Reading(.number(900), at: noon)) })
            work.cancel()
        }
    }

    @Test func `What a full connection refused is there once there is room, though nobody says it again`()
        async throws
    {
        try await TestHouse.runWithBroker { house, bus in
            let discoverer = try house.parts.makeDiscoverer()
            house.parts.bus.add(discoverer)
            let (gateway, full) = (house.gateway, DiscoveryLimit.devices)
            try await house.parts.registry.change(at: house.site.id) { database in
                try house.addDevices(upTo: full, in: database)
            }
            try await bus.begin(house.parts.makeIntake())
            let topic = gateway.prefix + "homeassistant/sensor/late/smoke/config"
            let late = #"{"dev":{"ids":"late","name":"Late"},"uniq_id":"l","stat_t":"late/state"}"#
            try await bus.client(gateway).publish(topic, Array(late.utf8), quality: .atLeastOnce, retain: true)
            func refusals() -> Int { house.parts.refused[gateway.id].count }
            #expect(await eventually { refusals() == 1 && discoverer.isIdle })
            try await house.parts.registry.change(at: house.site.id) { [device = house.device] database in
                var device = device
                device.retired = noon
                try HomeRecords.put(device, in: database)
            }
            house.time.change { $0 = $0.adding(milliseconds: DiscoveryQueue.calm) }
            discoverer.look()
            let devices = { house.parts.registry.catalog.devices(of: house.site.id) }
            #expect(await eventually { devices().contains { $0.name == "Late" } })
            #expect(refusals() == 0)
        }
    }

    @Test func `Who is connected and about to listen does not listen yet`() async throws {
        try await run { house, bus, _ in
            try await bus.begin(house.parts.makeIntake())
            let home = house.parts.bus
            #expect(home.isConnected && home.isListening)
            let gateways = house.parts.registry.catalog.gateways.values
            var early: Bool?
            home.listenAnew {
                early = home.isListening
                return gateways
            } done: {
            }
            #expect(early == false, "what is published now is lost")
            #expect(await eventually { home.isListening })
        }
    }

    @Test func `A broker that restarts is found again, with everything that is heard`() async throws {
        try await run { house, bus, recorder in
            let gas = try await house.sensor("gas", .gas)
            try await bus.begin(house.parts.makeIntake())
            let device = try await bus.client(house.gateway)
            await bus.stopBroker()
            try await bus.broker.start()
            #expect(await eventually { house.parts.bus.isListening && device.state == .connected })
            try device.publish(house.gateway.prefix + "gas/state", Array("7".utf8), quality: .atLeastOnce)
            #expect(await eventually { recorder.readings(of: gas).map(\.value) == [.number(7)] })
        }
    }

    @Test func `A broker that has forgotten Home lets it in anew`() async throws {
        try await run { house, bus, recorder in
            let gas = try await house.sensor("gas", .gas)
            try await bus.begin(house.parts.makeIntake())
            try await house.parts.given.bus!.control.removeClient(username: "hub-home")
            #expect(await eventually { !house.parts.bus.isConnected })
            #expect(await eventually { house.parts.bus.isListening })
            let device = try await bus.client(house.gateway)
            try device.publish(house.gateway.prefix + "gas/state", Array("7".utf8), quality: .atLeastOnce)
            #expect(await eventually { recorder.readings(of: gas).map(\.value) == [.number(7)] })
        }
    }
}
