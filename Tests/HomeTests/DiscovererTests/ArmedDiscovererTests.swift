import Testing

@testable import Home
@testable import Household

/// What a device says of itself while its house is armed.
struct ArmedDiscovererTests {
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
                panels, house.parts.registry, house.parts.live, house.parts.safety.settings,
                house.parts.alarms, house.parts.clock)
        )
    }

    @Test func `Gas that counts by its threshold is not described otherwise while its house is armed`() async throws {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            for other in [gasDescription("x/state"), gasDescription(unit: "ppm"), ""] {
                try await speaker.say(gasTopic, gasDescription())
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
}
