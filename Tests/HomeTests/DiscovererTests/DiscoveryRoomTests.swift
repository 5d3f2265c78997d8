import Glibc
import Store
import System
import TestSupport
import Testing

@testable import Home
@testable import Household

/// How much a house and a connection have room for.
struct DiscoveryRoomTests {
    @Test func `A house has room for so many sensors and actuators, and what is there goes on`() async throws {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            try await speaker.say(gasTopic, gasDescription())
            let device = house.device
            try await house.parts.registry.change(at: house.site.id) { database in
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
            try await speaker.say(gasTopic, gasDescription("elsewhere"))
            #expect(speaker.catalog.sensors.values.contains { $0.binding.topic == "elsewhere" })
            // Out of use with all that hangs on it, the device that filled the house makes room; so does its connection.
            let (other, _) = try await house.gateway("Other")
            for isDevice in [true, false] {
                try await house.parts.registry.change(at: house.site.id) { [gateway = house.gateway] database in
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
            try await house.parts.registry.change(at: house.site.id) { database in
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
            try await house.parts.registry.change(at: house.site.id) { database in
                var byHand = byHand
                byHand.retired = noon
                try HomeRecords.change(byHand, in: database)
            }
            speaker.discoverer.look()
            try await speaker.say(topic, smoke(2))
            #expect(found() == 2)
        }
    }

    @Test func `Many devices at once are written together, and one too many is refused`() async throws {
        try await TestHouse.run { house in
            let speaker = try Speaker(house, longestWrite: .max)
            // Nothing is written before all have come, however quick this machine is.
            let (isHeld, goesOn) = (Shared(false), Shared(false))
            let held = Task {
                try await house.parts.store.write { _ in
                    isHeld.change { $0 = true }
                    while !goesOn.value { usleep(1_000) }
                }
            }
            try #require(await eventually { isHeld.value })
            for number in 0...DiscoveryLimit.devices {
                _ = speaker.discoverer.receive(
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
                try house.parts.refused.untaken(of: house.gateway.id).map(\.why) == [
                    .init(.tooManyDevices), .init(.tooManyDevices),
                ])
            #expect(house.parts.store.commits < 15)
        }
    }
}
