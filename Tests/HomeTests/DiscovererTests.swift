import Glibc
import Ledger
import Notices
import Pages
import Store
import System
import TestSupport
import Testing

@testable import Home
@testable import Household

/// A gateway that says what its devices are.
struct Speaker {
    let house: TestHouse
    let discoverer: Discoverer

    /// - Parameter longestWrite: in milliseconds; a test of what is written together waits for no clock.
    init(_ house: TestHouse, news: Int = DiscoveryLimit.news, longestWrite: UInt64 = 100) throws {
        self.house = house
        discoverer = try Discoverer(house.household, news: news, longestWrite: longestWrite)
    }

    func say(_ topic: String, _ json: String, from gateway: Gateway? = nil) async throws {
        _ = discoverer.take(
            Substring(topic), Array(json.utf8), isRetained: true, from: gateway ?? house.gateway)
        try await settle()
    }

    func settle() async throws { #expect(await eventually { discoverer.isIdle }) }

    var catalog: Catalog { house.household.registry.catalog }
    var found: [Device] { catalog.devices(of: house.site.id).filter { $0.origin == .discovered } }

    func events() throws -> [String] {
        try house.household.given.ledger.events(of: house.site.id, after: 0, limit: 500).map(\.kind).filter {
            $0.hasPrefix("home.device.")
        }
    }

    func faults() -> [HouseAlarm] { house.household.alarms.standing(at: house.site.id).filter { $0.kind == .fault } }

    func pass(_ milliseconds: Int64) { house.time.change { $0 = $0.adding(milliseconds: milliseconds) } }
}

private func gas(_ topic: String = "mq/state", name: String = "Gas", unit: String = "V", device: String = "mq")
    -> String
{
    #"{"dev":{"ids":"\#(device)","name":"Kitchen box","sa":"Kitchen"},"uniq_id":"mq_gas","name":"\#(name)","stat_t":"\#(topic)","#
        + #""unit_of_meas":"\#(unit)","stat_cla":"measurement"}"#
}
private let gasTopic = "homeassistant/sensor/mq/gas/config"

struct DiscovererTests {
    @Test func `A device that says what it is appears by itself, once`() async throws {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            try await speaker.say(gasTopic, gas())
            let device = try #require(speaker.found.first)
            #expect((device.name, device.area, device.key) == ("Kitchen box", "Kitchen", "mq"))
            let sensor = try #require(speaker.catalog.sensors(of: device.id).first)
            #expect((sensor.kind, sensor.name, sensor.binding.topic) == (.gas, "Gas", "mq/state"))
            try await speaker.say(
                "homeassistant/fan/mq/fan/config", #"{"dev":{"ids":"mq"},"uniq_id":"f","cmd_t":"mq/fan/set"}"#)
            #expect(speaker.found.count == 1)
            #expect(speaker.catalog.actuators(of: device.id).map(\.kind) == [.fan])
            #expect(try speaker.events() == ["home.device.found", "home.device.changed"])
        }
    }

    @Test func `What was said before writes nothing, also after the hub was away`() async throws {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            try await speaker.say(gasTopic, gas())
            let commits = house.household.store.commits
            try await speaker.say(gasTopic, gas())
            try await Speaker(house).say(gasTopic, gas())
            // The same, written otherwise.
            try await Speaker(house).say(gasTopic, " " + gas())
            #expect(house.household.store.commits == commits)
        }
    }

    @Test func `A sensor that moves keeps its id, and the ledger says that it moved`() async throws {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            try await speaker.say(gasTopic, gas())
            let before = try #require(speaker.catalog.sensors.values.first)
            try await speaker.say(gasTopic, gas("other/state", unit: "ppm"))
            let after = try #require(speaker.catalog.sensors.values.first)
            #expect((after.id, after.number) == (before.id, before.number))
            #expect((after.binding.topic, after.unit) == ("other/state", "ppm"))
            let event = try #require(
                try house.household.given.ledger.events(of: house.site.id, after: 0, limit: 100).last)
            #expect(event.kind == "home.device.changed")
            #expect(String(decoding: event.payload ?? [], as: UTF8.self).contains(#""what":"topic""#))
            // Another device takes it over: the sensor goes with it.
            try await speaker.say(gasTopic, gas("other/state", unit: "ppm", device: "mq2"))
            let moved = try #require(speaker.catalog.sensors.values.first)
            #expect(moved.id == before.id)
            #expect(speaker.found.map(\.key) == ["mq2"])
        }
    }

    @Test func `An empty message takes a device out of use, and it comes back as the one that it was`() async throws {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            try await speaker.say(gasTopic, gas())
            let (device, sensor) = (
                try #require(speaker.found.first), try #require(speaker.catalog.sensors.values.first)
            )
            try await speaker.say(gasTopic, "")
            #expect(speaker.found.isEmpty && speaker.catalog.sensors.isEmpty)
            try await speaker.say(gasTopic, gas())
            #expect(speaker.found.map(\.id) == [device.id])
            #expect(speaker.catalog.sensors.values.map(\.id) == [sensor.id])
            #expect(try speaker.events() == ["home.device.found", "home.device.removed", "home.device.found"])
        }
    }

    @Test
    func
        `What a device takes back while its house is armed goes on, is named once, and is believed when it is disarmed`()
        async throws
    {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            let topic = "homeassistant/binary_sensor/w/w/config"
            func window(_ more: String = #""dev_cla":"window","#, topic: String = "w/state") -> String {
                #"{"dev":{"ids":"w"},"uniq_id":"w","name":"Window",\#(more)"stat_t":"\#(topic)"}"#
            }
            for (index, other) in [window(""), window(topic: "x/state"), ""].enumerated() {
                try await speaker.say(topic, window())
                let sensor = try #require(speaker.catalog.sensors.values.first)
                house.rest(sensor)
                try house.panels.arm(.away, at: house.site.id, by: .hub)
                house.pass(600)
                try #require(house.panel.state == .armedAway)
                try await speaker.say(topic, other)
                #expect(speaker.catalog.sensors.values.map(\.binding) == [sensor.binding])
                #expect(speaker.catalog.sensors[sensor.id]?.alarmClass == .door)
                for _ in 0..<3 {
                    house.tell(sensor, .truth(false))
                    house.watch.tick()
                    speaker.discoverer.look()
                    try await speaker.settle()
                    #expect(house.panels.house(house.site.id).weak == [sensor.id: .missing])
                }
                // A restart forgets it no more than the panel does.
                let (panels, watch) = try await watched(house)
                watch.tick()
                #expect(panels.house(house.site.id).weak == [sensor.id: .missing])
                #expect(speaker.faults().count == 1)
                house.tell(sensor, .truth(true))
                house.pass(60)
                #expect(house.panel.state == .triggered)
                house.panels.disarm(house.site.id, by: .hub)
                #expect(speaker.faults().isEmpty)
                speaker.discoverer.look()
                try await speaker.settle()
                let now = speaker.catalog.sensors[sensor.id]
                #expect(now != sensor, "\(index)")
                speaker.pass(DiscoveryQueue.calm)
                speaker.discoverer.look()
                try await speaker.settle()
            }
        }
    }

    /// The panels of a house after a restart, and their watch.
    private func watched(_ house: TestHouse) async throws -> (HousePanels, IntruderWatch) {
        try await house.panels.write()
        let panels = try house.restarted()
        return (
            panels,
            IntruderWatch(
                panels, house.household.registry, house.household.live, house.household.safety.settings,
                house.household.alarms, house.household.clock)
        )
    }

    @Test func `Gas that counts by its threshold is not described otherwise while its house is armed`() async throws {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            for other in [gas("x/state"), gas(unit: "ppm"), ""] {
                try await speaker.say(gasTopic, gas())
                let sensor = try #require(speaker.catalog.sensors.values.first)
                try #require(sensor.alarmClass == nil)
                try house.panels.arm(.home, at: house.site.id, by: .hub)
                try await speaker.say(gasTopic, other)
                #expect(speaker.catalog.sensors[sensor.id] == sensor)
                #expect(house.panels.house(house.site.id).weak == [sensor.id: .missing])
                #expect(speaker.faults().count == 1)
                // A restart knows whose fault it is.
                let (panels, watch) = try await watched(house)
                watch.tick()
                #expect(panels.house(house.site.id).weak == [sensor.id: .missing])
                panels.disarm(house.site.id, by: .hub)
                #expect(speaker.faults().isEmpty)
                house.panels.disarm(house.site.id, by: .hub)
                speaker.discoverer.look()
                try await speaker.settle()
                #expect(speaker.catalog.sensors[sensor.id] != sensor)
                speaker.pass(DiscoveryQueue.calm)
                speaker.discoverer.look()
                try await speaker.settle()
            }
        }
    }

    @Test func `A device that calls itself as what was added by hand is none of that`() async throws {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            try await speaker.say(
                "homeassistant/switch/w/s/config",
                #"{"dev":{"ids":"by-hand"},"uniq_id":"s","name":"Detection","cmd_t":"w/set"}"#)
            let device = try #require(speaker.found.first)
            #expect(device.key != Device.keyByHand && !device.isByHand)
            let told = Device(
                id: .new(at: noon), site: house.site.id, gateway: house.gateway.id, key: Device.keyByHand,
                name: "Of before", origin: .discovered)
            #expect(!told.isByHand)
        }
    }

    @Test func `A detector's switch becomes no lamp while its house is armed, and gets no other name`() async throws {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            let (sensorTopic, topic) = ("homeassistant/binary_sensor/w/w/config", "homeassistant/switch/w/s/config")
            func told(_ id: String) -> String {
                #"{"dev":{"ids":"w"},"uniq_id":"\#(id)","name":"Detection","cmd_t":"w/detection/set"}"#
            }
            try await speaker.say(
                sensorTopic, #"{"dev":{"ids":"w"},"uniq_id":"w","name":"Window","dev_cla":"window","stat_t":"w/state"}"#
            )
            try await speaker.say(topic, told("s"))
            let detection = try #require(speaker.catalog.actuators.values.first)
            try #require(detection.kind == .plug)
            house.rest(try #require(speaker.catalog.sensors.values.first))
            try house.panels.arm(.home, at: house.site.id, by: .hub)
            try await speaker.say("homeassistant/light/w/l/config", told("l"))
            #expect(speaker.catalog.actuators.values.map(\.id) == [detection.id], "by another name")
            try await speaker.say(topic, "")
            #expect(speaker.catalog.actuators.values.map(\.kind) == [.plug], "taken back")
            try await speaker.say("homeassistant/light/w/s/config", told("s"))
            #expect(speaker.catalog.actuators.values.map(\.kind) == [.plug], "as a lamp")
            // Nor does a lamp that was there before get its topic, nor is it taken away from the detector.
            func lamp(_ topic: String) -> String {
                #"{"dev":{"ids":"x"},"uniq_id":"k","name":"Known","cmd_t":"\#(topic)"}"#
            }
            try await speaker.say("homeassistant/light/x/k/config", lamp("x/set"))
            try await speaker.say("homeassistant/light/x/k/config", lamp("w/detection/set"))
            let known = try #require(speaker.catalog.actuators.values.first { $0.kind == .light })
            #expect(known.binding.commandTopic == "x/set")
            try await speaker.say(
                "homeassistant/switch/w/s/config",
                #"{"dev":{"ids":"x"},"uniq_id":"s","name":"Detection","cmd_t":"w/detection/set"}"#)
            #expect(speaker.catalog.actuators[detection.id]?.device == detection.device)
            // Another lamp of the same device is as welcome as ever.
            try await speaker.say(
                "homeassistant/light/w/n/config",
                #"{"dev":{"ids":"w"},"uniq_id":"n","name":"Night light","cmd_t":"w/night/set"}"#)
            #expect(speaker.catalog.actuators.count == 3)
            house.panels.disarm(house.site.id, by: .hub)
            speaker.discoverer.look()
            try await speaker.settle()
            #expect(Set(speaker.catalog.actuators.values.map(\.kind)).contains(.light))
        }
    }

    @Test(arguments: [("siren", ActuatorKind.siren), ("valve", .valve), ("fan", .fan)])
    func `What warns or ends a danger is described as nothing else while its house is armed`(
        component: String, kind: ActuatorKind
    ) async throws {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            let topic = "homeassistant/\(component)/w/s/config"
            func told(_ id: String, _ topic: String, _ more: String = "") -> String {
                #"{"dev":{"ids":"w"},"uniq_id":"\#(id)","name":"One","cmd_t":"\#(topic)"\#(more)}"#
            }
            let own = told("s", "w/set", #","stat_t":"w/does","avty_t":"w/there""#)
            try await speaker.say(topic, own)
            let one = try #require(speaker.catalog.actuators.values.first)
            try #require(one.kind == kind)
            try house.panels.arm(.home, at: house.site.id, by: .hub)
            for (other, text) in [
                (topic, ""), (topic, told("s", "x/set")), ("homeassistant/light/w/s/config", told("s", "w/set")),
                ("homeassistant/light/w/l/config", told("l", "w/set")),
                ("homeassistant/light/w/m/config", told("m", "w/does")),
                ("homeassistant/light/w/n/config", told("n", "w/there")),
            ] {
                try await speaker.say(other, text)
                #expect(Array(speaker.catalog.actuators.values) == [one], "\(other) \(text)")
            }
            try await speaker.say("homeassistant/light/w/o/config", told("o", "w/lamp"))
            #expect(speaker.catalog.actuators.count == 2)
        }
    }

    @Test func `What a device calls otherwise while its house is armed is called so when it is disarmed`() async throws
    {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            func told(_ component: String, _ name: String, of device: String = "Door", in area: String = "Hall")
                -> String
            {
                let own = #"{"dev":{"ids":"d","name":"\#(device)","sa":"\#(area)"},"uniq_id":"\#(component)","#
                return own
                    + #""name":"\#(name)","dev_cla":"door","stat_t":"d/\#(component)","cmd_t":"d/\#(component)/set"}"#
            }
            func say(_ component: String, _ name: String, of device: String = "Door", in area: String = "Hall")
                async throws
            {
                try await speaker.say(
                    "homeassistant/\(component)/d/config", told(component, name, of: device, in: area))
            }
            for component in ["binary_sensor", "siren", "light"] { try await say(component, "One") }
            let door = try #require(speaker.catalog.sensors.values.first)
            let device = try #require(speaker.found.first)
            house.rest(door)
            try house.panels.arm(.away, at: house.site.id, by: .hub)
            house.pass(60)
            try #require(house.panel.state == .armedAway)
            try await say("binary_sensor", "Test, ignore")
            try await say("siren", "Test, ignore")
            try await say("light", "One", of: "Test", in: "Test")
            #expect(speaker.catalog.sensors[door.id] == door)
            #expect(speaker.catalog.devices[device.id] == device)
            #expect(Set(speaker.catalog.actuators.values.map(\.name)) == ["One"])
            // Nothing protects less by it, and what counts for nothing is called as its device says.
            house.watch.tick()
            #expect(!house.panels.house(house.site.id).isDegraded && speaker.faults().isEmpty)
            try await say("light", "Lamp")
            #expect(Set(speaker.catalog.actuators.values.map(\.name)) == ["One", "Lamp"])
            house.panels.disarm(house.site.id, by: .hub)
            speaker.discoverer.look()
            try await speaker.settle()
            #expect(speaker.catalog.sensors[door.id]?.name == "Test, ignore")
            #expect(Set(speaker.catalog.actuators.values.map(\.name)) == ["Test, ignore", "Lamp"])
            try await say("light", "Lamp", of: "Test", in: "Test")
            #expect(speaker.catalog.devices[device.id].map { [$0.name, $0.area] } == ["Test", "Test"])
        }
    }

    @Test func `A device that leaves a component out of its message loses it`() async throws {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            func box(_ more: String) -> String {
                #"{"dev":{"ids":"b"},"o":{"name":"x"},"cmps":{"gas":{"p":"sensor","stat_t":"g","uniq_id":"gas"}\#(more)}}"#
            }
            try await speaker.say(
                "homeassistant/device/b/config", box(#","fan":{"p":"fan","cmd_t":"f","uniq_id":"fan"}"#))
            #expect(speaker.catalog.actuators.count == 1)
            try await speaker.say("homeassistant/device/b/config", box(""))
            #expect(speaker.catalog.actuators.isEmpty)
            #expect(speaker.catalog.sensors.count == 1)
        }
    }

    @Test func `Names that people gave stay, names that nobody touched follow`() async throws {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            try await speaker.say(gasTopic, gas())
            try await speaker.say(gasTopic, gas(name: "Gas level"))
            #expect(speaker.catalog.sensors.values.map(\.name) == ["Gas level"])
            try await house.household.registry.change(at: house.site.id) { [catalog = speaker.catalog] database in
                var (sensor, device) = (catalog.sensors.values.first!, catalog.devices.values.first { $0.key == "mq" }!)
                (sensor.name, sensor.alarmClass, device.name) = ("Stove", .tamper, "Cucina")
                try HomeRecords.change(sensor, in: database)
                try HomeRecords.put(device, in: database)
            }
            try await speaker.say(gasTopic, gas("x/state", name: "Gas raw"))
            let sensor = try #require(speaker.catalog.sensors.values.first)
            #expect((sensor.name, sensor.alarmClass, sensor.binding.topic) == ("Stove", .tamper, "x/state"))
            #expect(speaker.found.map(\.name) == ["Cucina"])
        }
    }

    @Test func `A house has room for so many sensors and actuators, and what is there goes on`() async throws {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            try await speaker.say(gasTopic, gas())
            let device = house.device
            try await house.household.registry.change(at: house.site.id) { database in
                for number in 0..<DiscoveryLimit.parts - 2 {
                    try HomeRecords.add(
                        Sensor(
                            id: .new(at: noon), number: 0, device: device.id, site: device.site, key: "s\(number)",
                            name: "S", kind: .text, unit: "", range: nil, period: nil, alarmClass: nil,
                            binding: SensorBinding(topic: "s\(number)")), in: database)
                }
            }
            func plug(_ name: String, _ count: Int) -> String {
                let parts = (0..<count).map { "\"\(name)\($0)\":{\"p\":\"sensor\",\"stat_t\":\"\(name)/\($0)\"}" }
                return "{\"dev\":{\"ids\":\"\(name)\",\"name\":\"\(name)\"},\"cmps\":{\(parts.joined(separator: ","))}}"
            }
            try await speaker.say("homeassistant/device/two/config", plug("two", 2))
            #expect(speaker.found.map(\.name) == ["Kitchen box"])
            try await speaker.say("homeassistant/device/one/config", plug("one", 1))
            #expect(speaker.found.map(\.name).sorted() == ["Kitchen box", "one"])
            try await speaker.say(gasTopic, gas("elsewhere"))
            #expect(speaker.catalog.sensors.values.contains { $0.binding.topic == "elsewhere" })
            // Out of use with all that hangs on it, the device that filled the house makes room; so does its connection.
            let (other, _) = try await house.gateway("Other")
            for isDevice in [true, false] {
                try await house.household.registry.change(at: house.site.id) { [gateway = house.gateway] database in
                    var (device, gateway) = (device, gateway)
                    (device.retired, gateway.retired) = (isDevice ? noon : nil, isDevice ? nil : noon)
                    try HomeRecords.put(device, in: database)
                    try HomeRecords.put(gateway, in: database)
                }
                if isDevice {
                    // What was refused is taken when it is said again, word for word, once there is room.
                    speaker.pass(DiscoveryQueue.calm)
                    speaker.discoverer.look()
                    try await speaker.say("homeassistant/device/two/config", plug("two", 2))
                    #expect(speaker.found.contains { $0.name == "two" })
                }
                let name = isDevice ? "three" : "four"
                try await speaker.say("homeassistant/device/\(name)/config", plug(name, 3), from: other)
                #expect(speaker.found.contains { $0.name == name })
            }
        }
    }

    @Test func `Of a connection that has all its devices, a device tells of one detector more once its house has room`()
        async throws
    {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            let byHand = try await house.sensor("byhand", .number)
            try await house.household.registry.change(at: house.site.id) { database in
                try house.addDevices(upTo: DiscoveryLimit.devices - 1, in: database)
                for number in 2..<DiscoveryLimit.parts {
                    try HomeRecords.add(
                        Sensor(
                            id: .new(at: noon), number: 0, device: byHand.device, site: byHand.site, key: "s\(number)",
                            name: "S", kind: .text, unit: "", range: nil, period: nil, alarmClass: nil,
                            binding: byHand.binding), in: database)
                }
            }
            func smoke(_ count: Int) -> String {
                let parts = (0..<count).map { "\"s\($0)\":{\"p\":\"sensor\",\"stat_t\":\"s/\($0)\"}" }
                return "{\"dev\":{\"ids\":\"two\",\"name\":\"two\"},\"cmps\":{\(parts.joined(separator: ","))}}"
            }
            let topic = "homeassistant/device/two/config"
            func found() -> Int { speaker.found.first.map { speaker.catalog.sensors(of: $0.id).count } ?? 0 }
            try await speaker.say(topic, smoke(1))
            try await speaker.say(topic, smoke(2))
            #expect(found() == 1)
            speaker.pass(DiscoveryQueue.calm)
            speaker.discoverer.look()
            try await speaker.say(topic, smoke(2))
            #expect(found() == 1, "there is no room yet")
            try await house.household.registry.change(at: house.site.id) { database in
                var byHand = byHand
                byHand.retired = noon
                try HomeRecords.change(byHand, in: database)
            }
            speaker.discoverer.look()
            try await speaker.say(topic, smoke(2))
            #expect(found() == 2)
        }
    }

    @Test func `What somebody took out of use stays so while its message only repeats or changes`() async throws {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            try await speaker.say(gasTopic, gas())
            try await house.household.registry.change(at: house.site.id) { [device = speaker.found[0]] database in
                var device = device
                device.retired = noon
                try HomeRecords.put(device, in: database)
            }
            try await Speaker(house).say(gasTopic, gas())
            try await speaker.say(gasTopic, gas("elsewhere"))
            #expect(speaker.found.isEmpty)
            try await speaker.say(gasTopic, "")
            try await speaker.say(gasTopic, gas())
            #expect(speaker.found.count == 1)
        }
    }

    @Test func `A message that keeps changing its mind is kept as it was until it is calm, and people are told`()
        async throws
    {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            for turn in 0..<20 { try await speaker.say(gasTopic, gas("state/\(turn)")) }
            #expect(speaker.catalog.sensors.values.map(\.binding.topic) == ["state/\(DiscoveryLimit.changes - 1)"])
            #expect(speaker.faults().count == 1)
            speaker.pass(30_000)
            speaker.discoverer.look()
            #expect(speaker.faults().count == 1)
            speaker.pass(30_000)
            speaker.discoverer.look()
            try await speaker.settle()
            #expect(speaker.catalog.sensors.values.map(\.binding.topic) == ["state/19"])
            #expect(speaker.faults().isEmpty)
        }
    }

    @Test func `A device that contradicts itself under many names is named a few times an hour, and then as one`()
        async throws
    {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            func contradict(_ round: Int) async throws {
                for number in 0..<DiscoveryFaults.most + 5 {
                    let topic = "homeassistant/sensor/many\(number)/gas/config"
                    for turn in 0...DiscoveryLimit.changes {
                        try await speaker.say(
                            topic,
                            #"{"dev":{"ids":"m\#(number)","name":"Name \#(number) \#(round)"},"#
                                + #""uniq_id":"m\#(number)","stat_t":"\#(round)/\#(turn)"}"#)
                    }
                }
            }
            func calm() async throws {
                speaker.pass(DiscoveryQueue.calm)
                speaker.discoverer.look()
                try await speaker.settle()
            }
            func many() -> Int {
                speaker.faults().count {
                    $0.text[.en].title == "Many devices of \(house.gateway.name) contradict themselves"
                }
            }
            try await contradict(0)
            #expect(speaker.faults().count == DiscoveryFaults.most + 1 && many() == 1)
            let first = speaker.faults().map(\.id)
            for round in 1...2 {
                try await calm()
                try await contradict(round)
                #expect(many() == 1 && Set(speaker.faults().map(\.id)).isSubset(of: first))
            }
            // After a start it is the same one. It is over with the last of what it tells of, and not within the hour.
            let again = try Speaker(house)
            #expect(many() == 1)
            speaker.pass(DiscoveryFaults.hour)
            for one in [speaker, again] {
                one.discoverer.look()
                try await one.settle()
            }
            #expect(speaker.faults().isEmpty)
            // The next hour they are named again.
            try await contradict(3)
            #expect(speaker.faults().count == DiscoveryFaults.most + 1)
        }
    }

    @Test func `A contradiction that is mended while the hub is away is over within an hour of its start`() async throws
    {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            func describe(_ turn: Int, _ speaker: Speaker) async throws {
                try await speaker.say(
                    "homeassistant/sensor/d/gas/config",
                    #"{"dev":{"ids":"d","name":"Restless"},"uniq_id":"d","stat_t":"state/\#(turn)"}"#)
            }
            for turn in 0...DiscoveryLimit.changes { try await describe(turn, speaker) }
            let fault = try #require(speaker.faults().first)
            for goesOn in [true, false] {
                let again = try Speaker(house)
                speaker.pass(DiscoveryFaults.hour - 1)
                if goesOn {
                    for turn in 0...DiscoveryLimit.changes { try await describe(turn + 100, again) }
                }
                again.discoverer.look()
                #expect(speaker.faults().map(\.id) == [fault.id])
                speaker.pass(1)
                again.discoverer.look()
                try await again.settle()
                #expect(speaker.faults().map(\.id) == (goesOn ? [fault.id] : []))
            }
        }
    }

    @Test func `What several connections weaken at one moment is told of each by itself, and of no other`() async throws
    {
        try await TestHouse.run { house in
            _ = try await house.principal("Olga", .owner)
            let speaker = try Speaker(house)
            var gateways: [Gateway] = []
            for number in 0..<6 { gateways.append(try await house.gateway("Stick \(number)").0) }
            func describe(_ topic: String, _ kind: String, from gateway: Gateway) {
                _ = speaker.discoverer.take(
                    "homeassistant/binary_sensor/d/s/config",
                    Array(
                        #"{"dev":{"ids":"d"},"uniq_id":"s","name":"\#(kind) of \#(gateway.name)","dev_cla":"\#(kind)","stat_t":"\#(topic)"}"#
                            .utf8), isRetained: true, from: gateway)
            }
            func describeAll(_ topic: String) async throws {
                for (number, gateway) in gateways.enumerated() {
                    describe(topic, number < 4 ? "smoke" : "light", from: gateway)
                }
                try await speaker.settle()
            }
            try await describeAll("here")
            try await describeAll("there")
            func told() throws -> [String] {
                try house.household.store.read { database in
                    try database.rows("SELECT content FROM notices WHERE kind = 'home.protection'") { $0[0] as String }
                }
            }
            #expect(await eventually { (try? told().count) == 4 })
            for (number, gateway) in gateways.enumerated() {
                let own = try told().filter { $0.contains("smoke of \(gateway.name)") }
                #expect(own.count == (number < 4 ? 1 : 0))
                #expect(
                    own.allSatisfy { text in gateways.allSatisfy { $0.name == gateway.name || !text.contains($0.name) }
                    })
            }
        }
    }

    @Test func `Of two messages that claim one id the first counts, and people are told once`() async throws {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            try await speaker.say(gasTopic, gas())
            let rival = "homeassistant/sensor/rival/gas/config"
            for turn in 0..<3 { try await speaker.say(rival, gas("rival/state", name: "Gas \(turn)")) }
            #expect(speaker.catalog.sensors.values.map(\.binding.topic) == ["mq/state"])
            #expect(speaker.faults().count == 1)
            // The first leaves: the other is taken when it says so again.
            try await speaker.say(gasTopic, "")
            speaker.pass(60_000)
            try await speaker.say(rival, gas("rival/state", name: "Gas 2"))
            #expect(speaker.catalog.sensors.values.map(\.binding.topic) == ["rival/state"])
            #expect(speaker.faults().isEmpty)
        }
    }

    @Test func `A message handed over to another leaves everything in place`() async throws {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            try await speaker.say(gasTopic, gas())
            let id = try #require(speaker.catalog.sensors.keys.first)
            try await speaker.say(gasTopic, #"{"migrate_discovery":true}"#)
            #expect(speaker.catalog.sensors.keys.first == id)
            try await speaker.say(
                "homeassistant/device/mq/config",
                #"{"dev":{"ids":"mq"},"o":{"name":"x"},"cmps":{"g":{"p":"sensor","uniq_id":"mq_gas","stat_t":"new"}}}"#)
            #expect(speaker.catalog.sensors.values.map(\.binding.topic) == ["new"])
            #expect(speaker.catalog.sensors.keys.first == id)
            #expect(speaker.faults().isEmpty)
        }
    }

    @Test func `What we wrote ourselves is left out of a bridge, and taken from a box`() async throws {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            let ours =
                #"{"dev":{"ids":"b"},"o":{"name":"soglia"},"cmps":{"gas":{"p":"sensor","stat_t":"gas/state","kind":"gas"}}}"#
            let gateways = [Gateway.Kind.bridge, .box].map {
                Gateway(id: .new(at: noon), site: house.site.id, kind: $0, name: $0.rawValue)
            }
            try await house.household.registry.change(at: house.site.id) { database in
                for one in gateways { try HomeRecords.put(one, in: database) }
            }
            for one in gateways { try await speaker.say("homeassistant/device/b/config", ours, from: one) }
            #expect(speaker.found.map(\.gateway) == [gateways[1].id])
            #expect(speaker.catalog.sensors.values.map(\.kind) == [.gas])
        }
    }

    @Test func `Nonsense takes nothing away, and its reason is kept`() async throws {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            try await speaker.say(gasTopic, gas())
            try await speaker.say(gasTopic, "{]")
            #expect(speaker.catalog.sensors.count == 1)
            #expect(
                try house.household.untaken(of: house.gateway.id) == [Untaken(topic: gasTopic, why: .init(.notJSON))])
            try await speaker.say(gasTopic, gas("next"))
            #expect(try house.household.untaken(of: house.gateway.id).isEmpty)
            #expect(!speaker.discoverer.take("kitchen/state", [], isRetained: false, from: house.gateway))
        }
    }

    @Test func `What is not taken of a device is told with its reason until the device says something else or is gone`()
        async throws
    {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            func untaken() throws -> [Untaken] { try house.household.untaken(of: house.gateway.id) }
            let topic = "homeassistant/device/oven/config"
            func oven(_ second: String) -> String {
                #"{"dev":{"ids":"oven","name":"Oven \"refused\":[{"},"o":{"name":"x"},"cmps":{"t":{"p":"sensor","stat_t":"t"},\#(second)}}"#
            }
            try await speaker.say(topic, oven(#""h":{"p":"vacuum","stat_t":"h"}"#))
            let heater = Untaken(
                topic: topic, device: #"Oven "refused":[{"#, component: "h", why: .init(.unknownPlatform, "vacuum"))
            #expect(try untaken() == [heater])
            try await speaker.say("homeassistant/sensor/a/config", "{]")
            #expect(try untaken() == [Untaken(topic: "homeassistant/sensor/a/config", why: .init(.notJSON)), heater])
            try await speaker.say("homeassistant/sensor/a/config", "")
            try await speaker.say(topic, oven(#""h":{"p":"sensor","stat_t":"h"}"#))
            #expect(try untaken().isEmpty, "a name that looks like a list of refusals is none")
            try await speaker.say(topic, oven(#""h":{"p":"sensor","stat_t":"h","unit_of_meas":[]}"#))
            #expect(try untaken().map(\.why) == [.init(.notText, "unit_of_measurement")])
            try await speaker.say(topic, "")
            #expect(try untaken().isEmpty)
            for number in 0...Untaken.most { try await speaker.say("homeassistant/sensor/n\(number)/config", "{]") }
            #expect(try untaken().count == Untaken.most)
        }
    }

    @Test func `Many devices at once are written together, and one too many is refused`() async throws {
        try await TestHouse.run { house in
            let speaker = try Speaker(house, longestWrite: .max)
            // Nothing is written before all have come, however quick this machine is.
            let (isHeld, goesOn) = (Shared(false), Shared(false))
            let held = Task {
                try await house.household.store.write { _ in
                    isHeld.change { $0 = true }
                    while !goesOn.value { usleep(1_000) }
                }
            }
            try #require(await eventually { isHeld.value })
            for number in 0...DiscoveryLimit.devices {
                _ = speaker.discoverer.take(
                    "homeassistant/sensor/d\(number)/config",
                    Array(#"{"dev":{"ids":"d\#(number)"},"uniq_id":"s\#(number)","stat_t":"s/\#(number)"}"#.utf8),
                    isRetained: true, from: house.gateway)
            }
            goesOn.change { $0 = true }
            try await held.value
            try await speaker.settle()
            // The house has one device of its own.
            #expect(speaker.found.count == DiscoveryLimit.devices - 1)
            #expect(
                try house.household.untaken(of: house.gateway.id).map(\.why) == [
                    .init(.tooManyDevices), .init(.tooManyDevices),
                ])
            #expect(house.household.store.commits < 15)
        }
    }

    @Test(arguments: ["emptied", "left out", "reclassed", "moved", "reworded"], [true, false])
    func `Smoke that stands is not over because its detector is described no more`(how: String, isSounding: Bool)
        async throws
    {
        try await TestHouse.run { house in
            let olga = try await house.principal("Olga", .owner).person.id
            let speaker = try Speaker(house)
            let topic = "homeassistant/device/det/config"
            func describe(_ parts: String) async throws {
                try await speaker.say(topic, #"{"dev":{"ids":"det","name":"Hall"},"cmps":{\#(parts)}}"#)
            }
            let smoke = #""s":{"p":"binary_sensor","uniq_id":"s","name":"Smoke","dev_cla":"smoke","stat_t":"s"}"#
            let lamp = #""l":{"p":"light","uniq_id":"l","name":"Lamp","cmd_t":"l/set"}"#
            try await describe(smoke + "," + lamp)
            let detector = try #require(speaker.catalog.sensors(at: house.site.id).first)
            if isSounding {
                house.tell(detector, .truth(true))
                // The sirens have been silent for long, and it still burns.
                for _ in 0..<10 { house.pass(60) }
                #expect(house.fires.count == 1)
            }
            switch how {
            case "emptied": try await speaker.say(topic, "")
            case "left out": try await describe(lamp)
            case "moved": try await describe(smoke.replacing(#""stat_t":"s""#, with: #""stat_t":"t""#) + "," + lamp)
            case "reworded":
                try await describe(smoke.replacing(#""stat_t""#, with: #""pl_on":"x","stat_t""#) + "," + lamp)
            default: try await describe(smoke.replacing("smoke", with: "light") + "," + lamp)
            }
            func told() throws -> [String] {
                try house.household.store.read { database in
                    try database.rows(
                        """
                        SELECT n.content FROM notice_recipients r JOIN notices n ON n.id = r.notice
                        WHERE r.person = ? AND n.kind = 'home.protection'
                        """, olga
                    ) { $0[0] as String }
                }
            }
            if isSounding {
                #expect(house.fires.count == 1)
                #expect(speaker.catalog.sensors[detector.id] == detector)
                let words = speaker.faults().map { $0.text[.en].title }
                #expect(words == ["Smoke was changed by its device during an alarm"])
                house.tell(detector, .truth(false))
                #expect(house.fires.isEmpty)
                house.panels.reset(house.site.id, by: .person(anna))
                speaker.discoverer.look()
                try await speaker.settle()
            }
            #expect(speaker.catalog.sensors[detector.id] != detector)
            // Nobody did it but the device: its owners hear of it all the same.
            #expect(
                await eventually {
                    ((try? told()) ?? []).contains { $0.contains("The connection “Kitchen”") && $0.contains(": Smoke") }
                })
        }
    }

    @Test(arguments: [true, false], [true, false])
    func `What was taken back in an alarm, or while the house was armed, is taken back after a start, too`(
        isArmed: Bool, isSaidAgain: Bool
    ) async throws {
        try await TestHouse.run { house in
            let before = try Speaker(house)
            let topic = "homeassistant/device/det/config"
            let kind = isArmed ? "motion" : "smoke"
            let message =
                #"{"dev":{"ids":"det","name":"Hall"},"cmps":{"s":{"p":"binary_sensor","uniq_id":"s","name":"One","#
                + #""dev_cla":"\#(kind)","stat_t":"s"}}}"#
            try await before.say(topic, message)
            let sensor = try #require(before.catalog.sensors(at: house.site.id).first)
            if isArmed {
                house.rest(sensor)
                try house.armAway()
            } else {
                house.tell(sensor, .truth(true))
            }
            try await before.say(topic, "")
            #expect(before.catalog.sensors[sensor.id] == sensor)
            // Its fault is written down in a moment.
            if !isArmed {
                #expect(before.faults().count == 1)
                #expect(
                    await eventually {
                        (try? house.household.store.read { try AnnouncementRecords.withheld(in: $0).first?.fault })
                            != nil
                    })
            }
            // The hub was killed, and with it what waited in memory.
            let after = try Speaker(house)
            if isSaidAgain { try await after.say(topic, message) }
            if isArmed {
                house.panels.disarm(house.site.id, by: .person(anna))
            } else {
                house.tell(sensor, .truth(false))
                house.panels.reset(house.site.id, by: .person(anna))
            }
            after.discoverer.look()
            try await after.settle()
            after.discoverer.look()
            #expect((after.catalog.sensors[sensor.id] != nil) == isSaidAgain)
            #expect(await eventually { after.faults().isEmpty })
            // Nothing is left of it for the start after that.
            #expect(try house.household.store.read { try AnnouncementRecords.withheld(in: $0) }.isEmpty)
        }
    }

    @Test func `A device that was taken back in an alarm and describes itself otherwise is there after a start`()
        async throws
    {
        try await TestHouse.run { house in
            let before = try Speaker(house)
            let topic = "homeassistant/binary_sensor/det/s/config"
            func told(_ state: String) -> String {
                #"{"dev":{"ids":"det"},"uniq_id":"s","name":"One","dev_cla":"smoke","stat_t":"\#(state)"}"#
            }
            try await before.say(topic, told("a"))
            let sensor = try #require(before.catalog.sensors(at: house.site.id).first)
            house.tell(sensor, .truth(true))
            try await before.say(topic, "")
            #expect(try house.household.store.read { try AnnouncementRecords.withheld(in: $0).count } == 1)
            try await before.say(topic, told("b"))
            #expect(before.catalog.sensors[sensor.id] == sensor, "it waits, too")
            let after = try Speaker(house)
            house.tell(sensor, .truth(false))
            house.panels.reset(house.site.id, by: .person(anna))
            after.discoverer.look()
            try await after.settle()
            #expect(after.catalog.sensors[sensor.id] == sensor)
        }
    }
}
